import type { z } from "zod";
import { tierCeilings } from "../../../machines/trust/statuses.ts";
import type { Tier } from "../../../protocol/caller.ts";
import type { SellerSettings } from "../ports.ts";
import type { AgentRow } from "../records.ts";
import type { getBuyerAgent } from "./contract.ts";

/** An agent as lists and details show it; `notes` are for operators alone. */
export const agentView = (row: AgentRow, forOperator: boolean): z.input<typeof getBuyerAgent.output> => ({
  agent_id: row.agent_id,
  agent_url: row.url,
  agent_card: row.card,
  agent_type: row.agent_type,
  trust_status: row.trust_status,
  registry_sources: row.sources.map((source) => ({ ...source })),
  registered_at: new Date(row.registered_at_ms).toISOString(),
  last_seen: new Date(row.last_seen_ms).toISOString(),
  interaction_count: row.interaction_count,
  notes: forOperator ? row.notes : null,
});

/** The highest tier that the agent can reach here and now; null: none, it is blocked. */
export const accessTierOf = (row: AgentRow, settings: Pick<SellerSettings, "agentRegistryEnabled">): Tier | null => {
  const ceiling = tierCeilings[row.trust_status];
  return settings.agentRegistryEnabled || ceiling === null ? ceiling : "public";
};
