import type { EventDraft } from "../../../../../protocol/seam/operation.ts";
import type { Bargain, BookingRow } from "../../record.ts";
import { flowEvent } from "../session.ts";
import { fromMicros, unitsOrNull } from "../../../../../machines/money.ts";

const bargainSubject = ({ quote_id, proposal_id, seller_url, product_id, product_name }: Bargain) => ({
  proposal_id: proposal_id ?? quote_id,
  quote_id,
  seller_url,
  product_id,
  product_name,
});

export const started = (job: BookingRow, bargain: Bargain): EventDraft => {
  const { strategy, quotedMicros } = bargain.life.context;
  return flowEvent(job, "negotiation.started", {
    ...bargainSubject(bargain),
    strategy: strategy.name,
    quote_cpm: fromMicros(quotedMicros),
    open_cpm: fromMicros(strategy.openingMicros),
    target_cpm: fromMicros(strategy.targetMicros),
    walk_away_cpm: fromMicros(strategy.walkAwayMicros),
    max_rounds: strategy.rounds,
  });
};

export const roundEvent = (job: BookingRow, bargain: Bargain): EventDraft => {
  const last = bargain.life.context.rounds.at(-1);
  if (last === undefined) throw new Error(`the negotiation about ${bargain.quote_id} has no round`);
  return flowEvent(job, "negotiation.round", {
    ...bargainSubject(bargain),
    round: last.round_number,
    buyer_price: fromMicros(last.buyer_micros),
    seller_price: fromMicros(last.seller_micros),
    action: last.action,
    rationale: last.rationale,
  });
};

export const concluded = (job: BookingRow, bargain: Bargain): EventDraft => {
  const { value, context } = bargain.life;
  const final = unitsOrNull(context.agreedMicros);
  return flowEvent(job, "negotiation.concluded", {
    ...bargainSubject(bargain),
    outcome: value,
    final_price: final,
    agreed_cpm: final,
    quote_cpm: fromMicros(context.quotedMicros),
    rounds: context.rounds.length,
    requoted_quote_id: bargain.requoted_quote_id,
    reason: context.reason,
  });
};
