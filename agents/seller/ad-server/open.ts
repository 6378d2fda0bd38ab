import { readAllowList } from "../../../protocol/client/address-guard.ts";
import { allowedTarget } from "../../../protocol/neutral/address-guard.ts";
import { createOutbound, type OutboundMore } from "../../../protocol/client/outbound.ts";
import type { AdServer } from "../../../skills/seller/packages/ad-server.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import { csvFolder } from "./csv-folder.ts";
import { feedTimeoutMs, httpFeed } from "./feed.ts";

export interface AdServerParts {
  readonly settings: Pick<SellerSettings, "adServer" | "outboundAllow">;
  /** Tests connect by it. */
  readonly outbound?: OutboundMore;
}

/** The answer is null where no ad server is configured. */
export const openAdServer = (
  parts: AdServerParts,
): { readonly port: AdServer | null; readonly close: () => Promise<void> } => {
  const { adServer, outboundAllow } = parts.settings;
  const close = async (): Promise<void> => {};
  if (adServer.type === "none") return { port: null, close };
  if (adServer.type === "csv") return { port: csvFolder(adServer), close };
  const allow = [...readAllowList(outboundAllow.join(",")), allowedTarget(adServer.feedUrl)];
  const outbound = createOutbound({ allow, timeoutMs: feedTimeoutMs, peerOf: () => "ad_server", ...parts.outbound });
  return { port: httpFeed({ ...adServer, outbound }), close: () => outbound.close() };
};
