import type { EventDraft } from "../../../../../protocol/seam/operation.ts";
import type { Bargain, BookingRow } from "../../record.ts";
import { flowEvent } from "../session.ts";

const usd = (micros: number): number => micros / 1_000_000;

const bargainSubject = ({ quote_id, proposal_id, seller_url, product_id }: Bargain) => ({
  proposal_id: proposal_id ?? quote_id,
  quote_id,
  seller_url,
  product_id,
});

export const started = (job: BookingRow, bargain: Bargain): EventDraft => {
  const { strategy, quotedMicros } = bargain.life.context;
  return flowEvent(job, "negotiation.started", {
    ...bargainSubject(bargain),
    strategy: strategy.name,
    quote_cpm: usd(quotedMicros),
    open_cpm: usd(strategy.openingMicros),
    target_cpm: usd(strategy.targetMicros),
    walk_away_cpm: usd(strategy.walkAwayMicros),
    max_rounds: strategy.rounds,
  });
};

export const roundEvent = (job: BookingRow, bargain: Bargain): EventDraft => {
  const last = bargain.life.context.rounds.at(-1);
  if (last === undefined) throw new Error(`the negotiation about ${bargain.quote_id} has no round`);
  return flowEvent(job, "negotiation.round", {
    ...bargainSubject(bargain),
    round: last.round_number,
    buyer_price: usd(last.buyer_micros),
    seller_price: usd(last.seller_micros),
    action: last.action,
    rationale: last.rationale,
  });
};

export const concluded = (job: BookingRow, bargain: Bargain): EventDraft => {
  const { value, context } = bargain.life;
  const final = context.agreedMicros === null ? null : usd(context.agreedMicros);
  return flowEvent(job, "negotiation.concluded", {
    ...bargainSubject(bargain),
    outcome: value,
    final_price: final,
    agreed_cpm: final,
    quote_cpm: usd(context.quotedMicros),
    rounds: context.rounds.length,
    requoted_quote_id: bargain.requoted_quote_id,
    reason: context.reason,
  });
};
