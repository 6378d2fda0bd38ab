import { tierCeilings } from "../../../machines/trust/statuses.ts";
import { create } from "../../../protocol/seam/changes.ts";
import type { AgentTrust, TrustRegistry } from "../../../protocol/seam/ports.ts";
import { normalisedUrl } from "../../../skills/seller/registry/agent-url.ts";
import { newVerificationId } from "../../../skills/seller/ids.ts";
import {
  agentKind,
  type AgentRow,
  agentTerm,
  trustVerificationKind,
  type TrustVerificationRow,
} from "../../../skills/seller/registry/record.ts";
import type { AgentLookup } from "../../../skills/seller/registry/agent-lookup.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import type { StoredRow, StoreReader } from "../../../storage/store.ts";

const unknownAgent: AgentTrust = { ceiling: "public", blocked: false };

const trustOf = (agent: AgentRow, isRegistryOn: boolean): AgentTrust => {
  const ceiling = tierCeilings[agent.trust_status];
  if (ceiling === null) return { ceiling: "public", blocked: true };
  if (!isRegistryOn) return unknownAgent;
  if (agent.trust_status !== "preferred") return { ceiling, blocked: false };
  return { ceiling, blocked: false, preference: { customPrices: agent.custom_prices ?? [] } };
};

const findAgent = async (store: Pick<StoreReader, "list">, url: string | null): Promise<AgentRow | null> => {
  if (url === null) return null;
  const query = { kind: agentKind.name, terms: [agentTerm(url)], order: "oldest", limit: 1 } as const;
  const [found] = (await store.list(query)) as readonly StoredRow<AgentRow>[];
  return found?.body ?? null;
};

/**
 * Read on each call, so that a block holds from the next request on. With the registry off nobody rises above `public`,
 * but a block stays.
 */
export const createTrustRegistry = (
  store: Pick<StoreReader, "list">,
  settings: Pick<SellerSettings, "agentRegistryEnabled">,
  { isPermitted }: Pick<AgentLookup, "isPermitted">,
): TrustRegistry => ({
  ofAgent: async (agentUrl) => {
    const agent = await findAgent(store, normalisedUrl(agentUrl));
    return agent === null ? unknownAgent : trustOf(agent, settings.agentRegistryEnabled);
  },
  isPermitted: (agentUrl) => normalisedUrl(agentUrl) === null || isPermitted(agentUrl),
  witness: async (of) => {
    const url = normalisedUrl(of.agentUrl);
    const agent = await findAgent(store, url);
    const row: TrustVerificationRow = {
      verification_id: newVerificationId(),
      agent_url: url ?? of.agentUrl,
      agent_id: agent?.agent_id ?? null,
      verification_status: agent?.trust_status ?? "unknown",
      claimed_tier: of.claimedTier,
      effective_tier: of.effectiveTier,
      principal: of.principal,
      operation: of.operation,
      request_id: of.requestId,
      recorded_at_ms: of.nowMs,
    };
    return create(trustVerificationKind, row.verification_id, row);
  },
});
