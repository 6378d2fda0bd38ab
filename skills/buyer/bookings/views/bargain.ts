import { fromMicros } from "../../../../machines/money.ts";
import type { Bargain, BookingRow, Recommendation } from "../record.ts";

const usdOrNull = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros));

export const bargainView = ({ quote_id, proposal_id, seller_url, product_id, life, ...bargain }: Bargain) => {
  const { strategy, quotedMicros, rounds, agreedMicros, reason } = life.context;
  return {
    quote_id,
    proposal_id: proposal_id ?? quote_id,
    seller_url,
    product_id,
    product_name: bargain.product_name,
    channel: bargain.channel,
    strategy: strategy.name,
    quote_cpm: fromMicros(quotedMicros),
    open_cpm: fromMicros(strategy.openingMicros),
    target_cpm: fromMicros(strategy.targetMicros),
    walk_away_cpm: fromMicros(strategy.walkAwayMicros),
    max_rounds: strategy.rounds,
    outcome: life.value,
    agreed_cpm: usdOrNull(agreedMicros),
    final_price: usdOrNull(agreedMicros),
    requoted_quote_id: bargain.requoted_quote_id,
    reason,
    rounds: rounds.map((round) => ({
      proposal_id: proposal_id ?? quote_id,
      round_number: round.round_number,
      round: round.round_number,
      buyer_price: fromMicros(round.buyer_micros),
      seller_price: fromMicros(round.seller_micros),
      action: round.action,
      rationale: round.rationale,
      timestamp: new Date(round.at_ms).toISOString(),
    })),
  };
};

/** Null where the price is the quoted one. */
export const bargainOfLine = (job: BookingRow, line: Recommendation): Bargain | null =>
  job.bargains.find((one) => one.quote_id === line.bargain && one.seller_url === line.seller_url) ?? null;

export const roundsView = (job: BookingRow, bargain: Bargain) => {
  const line = job.recommendations.find((one) => bargainOfLine(job, one) === bargain);
  const booked = job.booked_lines.find((one) => one.recommendation_id === line?.recommendation_id);
  return bargainView(bargain).rounds.map((round) => ({ deal_id: booked?.deal_id ?? null, ...round }));
};
