import type { Tier } from "../../../protocol/seam/caller.ts";
import type { Kind } from "../../../storage/store.ts";

/**
 * Which agent has an address: one row for each normalised URL, so that two discoveries of one agent meet here and
 * leave one record. Its id is the SHA-256 of the URL.
 */
interface AgentAddressRow {
  readonly agent_id: string;
}

export const agentAddressKind: Kind<AgentAddressRow> = {
  name: "agent_address",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/**
 * Why a call was priced as it was, for audits: the agent that was named or that the key is bound to, the tier of the
 * key's own identity, the tier that the agent's trust left of it, and the operation. Committed with the call's effect.
 */
export interface TrustVerificationRow {
  readonly verification_id: string;
  readonly agent_url: string;
  readonly agent_id: string | null;
  readonly verification_status: string;
  readonly claimed_tier: Tier;
  readonly effective_tier: Tier;
  readonly principal: string;
  readonly operation: string;
  readonly request_id: string;
  readonly recorded_at_ms: number;
}

export const trustVerificationKind: Kind<TrustVerificationRow> = {
  name: "trust_verification",
  terms: (row) => [`url=${row.agent_url}`],
  dueAtMs: () => null,
  owner: () => null,
};
