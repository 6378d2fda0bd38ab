import { formatMoney, roundHalfEven } from "../money.ts";

export interface QuotedPrice {
  readonly quoteId: string;
  readonly priceMicros: number;
  readonly expiresAtMs: number;
}

export interface PricingCheck {
  readonly verified: boolean;
  readonly reason: string;
}

/** One percent. */
const isWithinTolerance = (proposedMicros: number, quotedMicros: number): boolean =>
  BigInt(Math.abs(proposedMicros - quotedMicros)) * 100n <= BigInt(quotedMicros);

export const checkPricing = (
  proposedMicros: number,
  currency: string,
  quotes: readonly QuotedPrice[],
  nowMs: number,
): PricingCheck => {
  const proposed = formatMoney(proposedMicros, currency);
  if (quotes.length === 0) {
    return { verified: false, reason: "No matching quote found for this buyer and product." };
  }
  const live = quotes.filter((quote) => nowMs < quote.expiresAtMs);
  if (live.length === 0) {
    return { verified: false, reason: "All quotes for this buyer and product have expired." };
  }
  const distance = (quote: QuotedPrice): number => Math.abs(quote.priceMicros - proposedMicros);
  const nearest = live.reduce((one, other) => (distance(other) < distance(one) ? other : one));
  if (!isWithinTolerance(proposedMicros, nearest.priceMicros)) {
    return { verified: false, reason: `Proposed CPM ${proposed} is outside tolerance of all active quotes.` };
  }
  const differencePct = roundHalfEven((distance(nearest) / nearest.priceMicros) * 100, 2).toFixed(2);
  const quoted = `${formatMoney(nearest.priceMicros, currency)}, ${differencePct}% difference`;
  return { verified: true, reason: `Proposed CPM ${proposed} matches quote ${nearest.quoteId} (${quoted}).` };
};
