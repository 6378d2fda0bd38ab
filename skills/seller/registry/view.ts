import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import { tierCeilings } from "../../../machines/trust/statuses.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import type { SellerSettings } from "../settings.ts";
import type { AgentRow } from "./record.ts";
import type { getBuyerAgent, setAgentTrust } from "./contract.ts";

type CustomPrices = z.input<typeof setAgentTrust.output>["custom_prices"];

export const customPricesView = (row: AgentRow): CustomPrices =>
  (row.custom_prices ?? []).map(({ product_id, cpm_micros: micros, discount_pct }) =>
    micros === null ? { product_id, discount_pct } : { product_id, cpm: fromMicros(micros) },
  );

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
  custom_prices: forOperator ? customPricesView(row) : null,
});

/** Null: blocked. */
export const accessTierOf = (row: AgentRow, settings: Pick<SellerSettings, "agentRegistryEnabled">): Tier | null => {
  const ceiling = tierCeilings[row.trust_status];
  return settings.agentRegistryEnabled || ceiling === null ? ceiling : "public";
};
