import { lookup } from "node:dns/promises";
import { readAllowList } from "../../../protocol/client/address-guard.ts";
import { isPublicAddress, judgeTarget } from "../../../protocol/neutral/address-guard.ts";
import type { OutboundParts } from "../../../protocol/client/outbound.ts";
import type { SellerSettings, TargetGuard } from "../../../skills/seller/ports.ts";

type Resolve = NonNullable<OutboundParts["resolve"]>;

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Judges an address when it is named, so that a private one is refused at once (decision 91). It is judged again at
 * each connection; a name that resolves to nothing today may come to life, and is let through.
 */
export const createTargetGuard = (parts: {
  readonly settings: Pick<SellerSettings, "outboundAllow">;
  readonly outbound?: Pick<OutboundParts, "resolve" | "connector">;
}): TargetGuard => {
  const allow = readAllowList(parts.settings.outboundAllow.join(","));
  const resolve = parts.outbound?.resolve ?? resolveBySystem;
  return {
    isPermitted: async (url, { asksResolver }) => {
      const judgement = judgeTarget(url, allow);
      if (judgement !== "resolve" || !asksResolver) return judgement !== "refused";
      const addresses = await resolve(new URL(url).hostname).catch(() => []);
      return addresses.every(({ address }) => isPublicAddress(address));
    },
  };
};
