import { formatMoney } from "../../../machines/money.ts";
import { quoteMachine } from "../../../machines/quote/machine.ts";
import { step } from "../../../machines/step.ts";
import { type Refusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { isForgotten, type QuoteRow } from "../pricing/record.ts";
import { digestOf } from "../terms.ts";

export const quoteClosedRefusal = (quote: QuoteRow, nowMs: number): Refusal | null => {
  switch (quote.life.value) {
    case "expired":
      return isForgotten(quote, nowMs) ? missing("quote_not_found", quote.quote_id) : refuse("quote_expired");
    case "declined":
      return refuse("quote_declined");
    case "booked":
      return refuse("quote_already_booked");
    case "available":
      return null;
  }
};

/** Not bookable while `subjectId` is negotiated. */
export const heldQuote = (quote: QuoteRow, subjectId: string, nowMs: number): QuoteRow | null => {
  const life = step(quoteMachine, quote.life, { type: "OPEN_NEGOTIATION", nowMs, negotiationId: subjectId });
  return life === null ? null : { ...quote, life, revision: quote.revision + 1 };
};

/** At the agreed price, if any. Null where the quote was closed meanwhile or the price exceeds its ceiling. */
export const freedQuote = (
  quote: QuoteRow,
  agreed: { readonly micros: number; readonly subjectId: string } | null,
  nowMs: number,
): QuoteRow | null => {
  const agreedMicros = agreed === null ? null : Math.min(agreed.micros, quote.life.context.ceilingMicros);
  const life = step(quoteMachine, quote.life, { type: "CLOSE_NEGOTIATION", nowMs, agreedMicros });
  if (life === null) return null;
  const { priceMicros } = life.context;
  const shown = `${formatMoney(priceMicros, quote.pricing.currency)} CPM`;
  const rationale =
    agreed === null
      ? quote.pricing.rationale
      : `${quote.pricing.rationale} | Negotiated to ${shown} (${agreed.subjectId})`;
  const freed = { ...quote, life, pricing: { ...quote.pricing, rationale }, revision: quote.revision + 1 };
  const terms = {
    priceMicros,
    impressions: quote.impressions,
    flightStart: quote.flight_start,
    flightEnd: quote.flight_end,
  };
  return { ...freed, terms_digest: digestOf(freed, terms) };
};
