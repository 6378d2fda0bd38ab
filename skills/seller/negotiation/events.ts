import { fromMicros, unitsOrNull } from "../../../machines/money.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { NegotiationRow } from "./record.ts";

const about = (row: NegotiationRow, eventType: string, payload: Readonly<Record<string, unknown>>): EventDraft => ({
  event_type: eventType,
  flow_id: row.negotiation_id,
  flow_type: "negotiation",
  ...(row.proposal_id === null ? {} : { proposal_id: row.proposal_id }),
  owner: row.owner,
  payload: { negotiation_id: row.negotiation_id, quote_id: row.quote_id, ...payload },
});

/** The strategy is for operators alone. */
export const startedEvent = (row: NegotiationRow): EventDraft => {
  const { limits, baseMicros } = row.life.context;
  const payload = { strategy: limits.strategy, base_price: fromMicros(baseMicros), currency: row.currency };
  return about(row, "negotiation.started", payload);
};

/** Without what an approval holds back. */
export const roundEvent = (row: NegotiationRow): EventDraft => {
  const round = row.life.context.rounds.at(-1);
  return about(row, "negotiation.round", {
    round_number: round?.roundNumber ?? 0,
    action: round?.action ?? null,
    buyer_price: unitsOrNull(round?.buyerMicros ?? null),
    seller_price: round === undefined ? null : fromMicros(round.sellerMicros),
    currency: row.currency,
  });
};

export const concludedEvent = (row: NegotiationRow): EventDraft => {
  const { rounds, agreedMicros } = row.life.context;
  return about(row, "negotiation.concluded", {
    status: row.life.value,
    total_rounds: rounds.length,
    final_price: agreedMicros === null ? null : fromMicros(agreedMicros),
    currency: row.currency,
  });
};
