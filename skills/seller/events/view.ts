import type { z } from "zod";
import type { EventRow } from "../../../protocol/seam/events.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { getEvent } from "./contract.ts";

/** No buyer's business: the plan of a negotiation, floors, which operator key decided. */
const operatorsOnly = new Set([
  "strategy",
  "max_rounds",
  "floor_price",
  "floor_cpm",
  "accept_from",
  "per_round_concession_cap",
  "total_concession_cap",
  "decided_by_principal",
  "evaluation",
]);

const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    return [name, operatorsOnly.has(name) ? null : withoutSecrets(member)] as const;
  });
  return Object.fromEntries(entries);
};

/** No wire shows `owner`. */
export const eventView = (
  { id, body: row }: Pick<Loaded<EventRow>, "id" | "body">,
  forOperator: boolean,
): z.input<typeof getEvent.output> => {
  const shown = (members: EventRow["payload"] = {}): Record<string, unknown> =>
    forOperator ? { ...members } : (withoutSecrets(members) as Record<string, unknown>);
  return {
    event_id: id,
    event_type: row.event_type,
    timestamp: row.timestamp,
    flow_id: row.flow_id ?? "",
    flow_type: row.flow_type ?? "",
    proposal_id: row.proposal_id ?? "",
    deal_id: row.deal_id ?? "",
    session_id: row.session_id ?? "",
    payload: shown(row.payload),
    metadata: shown(row.metadata),
  };
};
