import { fromMicros } from "../../../machines/money.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { ProposalRow } from "./record.ts";

/** Belongs to the proposal's owner, whoever caused it. */
export const proposalEvent = (eventType: string, row: ProposalRow): EventDraft => {
  const { offeredMicros, agreedMicros, impressions, closedReason } = row.life.context;
  return {
    event_type: eventType,
    flow_id: row.proposal_id,
    flow_type: "proposal",
    proposal_id: row.proposal_id,
    owner: row.owner,
    payload: {
      proposal_id: row.proposal_id,
      quote_id: row.quote_id,
      product_id: row.product.product_id,
      deal_type: row.deal_type,
      status: row.life.value,
      recommendation: row.recommendation,
      price: fromMicros(offeredMicros),
      agreed_price: agreedMicros === null ? null : fromMicros(agreedMicros),
      currency: row.pricing.currency,
      impressions,
      reason: closedReason,
    },
  };
};

/** Null where no event is due. */
export const outcomeEvent = (row: ProposalRow): EventDraft | null => {
  const types: Readonly<Record<string, string>> = {
    accepted: "proposal.accepted",
    rejected: "proposal.rejected",
    counter_pending: "proposal.countered",
  };
  const eventType = types[row.life.value];
  return eventType === undefined ? null : proposalEvent(eventType, row);
};
