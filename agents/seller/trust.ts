import type { Tier } from "../../protocol/caller.ts";
import type { AgentTrust, TrustRegistry } from "../../protocol/ports.ts";
import { agentKind, type AgentRow, agentTerm, type TrustStatus } from "../../skills/seller/records.ts";
import type { SellerSettings } from "../../skills/seller/ports.ts";
import type { StoredRow, StoreReader } from "../../storage/store.ts";

/** The highest tier that a trust status may reach (seller spec, Authentication, rule 4); blocked agents reach none. */
const ceilings: Readonly<Record<Exclude<TrustStatus, "blocked">, Tier>> = {
  unknown: "public",
  registered: "seat",
  approved: "advertiser",
  preferred: "advertiser",
};

const unknownAgent: AgentTrust = { ceiling: "public", blocked: false };

/**
 * One spelling for each agent's URL: scheme, lower-case host without a last dot, port unless it is the scheme's own,
 * path without trailing slashes. Query, fragment and user are no part of an agent. Null: not an http(s) URL.
 */
export const normalisedUrl = (agentUrl: string): string | null => {
  if (!URL.canParse(agentUrl)) return null;
  const url = new URL(agentUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const host = url.host.replace(/\.(?=:\d+$|$)/, "");
  return `${url.protocol}//${host}${url.pathname.replace(/\/+$/, "")}`;
};

/**
 * Trust from the registered agents' rows, looked up anew for each call, so that a block counts from the next request
 * on. With the registry switched off nobody rises above `public`, but who is blocked stays blocked.
 */
export const createTrustRegistry = (
  store: Pick<StoreReader, "list">,
  settings: Pick<SellerSettings, "agentRegistryEnabled">,
): TrustRegistry => ({
  ofAgent: async (agentUrl) => {
    const url = normalisedUrl(agentUrl);
    if (url === null) return unknownAgent;
    const query = { kind: agentKind.name, terms: [agentTerm(url)], order: "oldest", limit: 1 } as const;
    const [found] = (await store.list(query)) as readonly StoredRow<AgentRow>[];
    if (found === undefined) return unknownAgent;
    if (found.body.trust_status === "blocked") return { ceiling: "public", blocked: true };
    return settings.agentRegistryEnabled
      ? { ceiling: ceilings[found.body.trust_status], blocked: false }
      : unknownAgent;
  },
});
