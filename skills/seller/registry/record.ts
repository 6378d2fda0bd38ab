import type { CustomPrice } from "../../../machines/pricing/rules.ts";
import type { TrustStatus } from "../../../machines/trust/statuses.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import type { Kind } from "../../../storage/store.ts";
import type { AgentCard, AgentType } from "./card.ts";

export interface RegistrySource {
  readonly registry_id: string;
  readonly registry_name: string;
  readonly registry_url: string;
  readonly external_agent_id: string | null;
  readonly verified_at: string;
}

/** `url` alone identifies the agent; `card` is its own claim. */
export interface AgentRow {
  readonly agent_id: string;
  readonly url: string;
  readonly trust_status: TrustStatus;
  readonly card: AgentCard;
  readonly agent_type: AgentType;
  readonly sources: readonly RegistrySource[];
  readonly registered_at_ms: number;
  readonly last_seen_ms: number;
  readonly asked_at_ms: number;
  readonly interaction_count: number;
  readonly notes: string | null;
  /** Only while it is preferred. */
  readonly custom_prices?: readonly CustomPrice[];
}

export const agentKind: Kind<AgentRow> = {
  name: "agent",
  terms: (agent) => [
    agentTerm(agent.url),
    ...[
      agentsTerm({ type: agent.agent_type, status: null }),
      agentsTerm({ type: null, status: agent.trust_status }),
      agentsTerm({ type: agent.agent_type, status: agent.trust_status }),
    ].filter((term) => term !== null),
  ],
  dueAtMs: () => null,
  owner: () => null,
  facts: ({ trust_status, notes }) => ({ trust_status, notes }),
};

export const agentTerm = (url: string): string => `url=${url}`;

/** Null: all of them. */
export const agentsTerm = (filter: { readonly type: string | null; readonly status: string | null }): string | null => {
  if (filter.type !== null && filter.status !== null) return `type+status=${filter.type}+${filter.status}`;
  if (filter.type !== null) return `type=${filter.type}`;
  return filter.status === null ? null : `status=${filter.status}`;
};

/**
 * One row per normalised URL, so that two discoveries of one agent conflict and leave one record. Its id is the
 * SHA-256 of the URL.
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
 * Why a call was priced as it was, for audits: the agent, the tier of the key and the tier that the agent's trust
 * left. Committed with the call's effect.
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
