import type { EventDraft } from "../../../../../protocol/seam/operation.ts";
import type { Recommendation } from "../../record.ts";
import { costCents } from "../money.ts";
import { askQuote } from "../quotes.ts";
import { productOf } from "../offers.ts";
import { effectiveCpmMicros } from "../choice/rank.ts";
import type { FlowSession } from "../session.ts";

export type Renewed =
  | { readonly ok: true; readonly line: Recommendation; readonly events: readonly EventDraft[] }
  | { readonly ok: false; readonly error: string; readonly events: readonly EventDraft[] };

/**
 * A price and a cost were approved: a dearer quote is not taken. Score and rationale stay, as they explain the
 * approval.
 */
export const renewQuote = async (session: FlowSession, line: Recommendation): Promise<Renewed> => {
  const { brief } = session.job();
  const dates = brief.flights[line.flight];
  const quoted = await askQuote(session, {
    sellerUrl: line.seller_url,
    product: productOf(line),
    channel: line.channel,
    flight: line.flight,
    renews: line.quote_id,
    request: {
      product_id: line.product_id,
      deal_type: line.deal_type,
      impressions: line.impressions,
      flight_start: dates?.start_date ?? "",
      flight_end: dates?.end_date ?? "",
      target_cpm_micros: line.bargain === null ? brief.target_cpm_micros : line.cpm_micros,
    },
  });
  const failed = (why: string): Renewed => ({
    ok: false,
    error: `Booking failed for ${line.product_name}: its quote has expired, ${why}`,
    events: quoted.events,
  });
  if (!quoted.ok) return failed(quoted.error ?? "and the seller no longer sells it on these terms");
  const { cpm_micros, is_available } = quoted.offer;
  const cost = costCents(cpm_micros, line.impressions);
  if (!is_available) return failed("and its inventory is sold");
  if (cpm_micros > line.cpm_micros || cost === null || cost > line.cost_cents) {
    return failed("and a new one is dearer than what was approved");
  }
  const effective_cpm_micros = effectiveCpmMicros(quoted.offer);
  const renewed = { ...line, ...quoted.offer, bargain: line.bargain, effective_cpm_micros, cost_cents: cost };
  return { ok: true, events: quoted.events, line: renewed };
};
