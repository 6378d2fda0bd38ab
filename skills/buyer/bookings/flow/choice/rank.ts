import type { Offer } from "../../record.ts";

/** An offer with its place: the price that counts, and the score it was ranked by (0 to 100, two decimals). */
export interface RankedOffer {
  readonly offer: Offer;
  readonly effective_cpm_micros: number;
  readonly score: number;
}

const typeScores: Readonly<Record<string, number>> = { PG: 100, PD: 70, PA: 40 };
const assumedFillRate = 0.7;

/** A private auction is expected to close a fifth above its floor; fixed prices are what they say. */
export const effectiveCpmMicros = (offer: Pick<Offer, "deal_type" | "cpm_micros">): number =>
  offer.deal_type === "PA" ? Math.round((offer.cpm_micros * 12) / 10) : offer.cpm_micros;

/** Whether an offer may be recommended at all: its effective price stays within the ceiling, if there is one. */
export const isWithinCeiling = (offer: Offer, ceilingMicros: number | null): boolean =>
  ceilingMicros === null || effectiveCpmMicros(offer) <= ceilingMicros;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** 100 for the cheapest and 0 for the dearest of several; a lone price is measured against 50 per thousand. */
const priceScore = (effective: number, lowest: number, highest: number, count: number): number => {
  if (count === 1) return clamp(100 - (2 * effective) / 1_000_000, 0, 100);
  return highest === lowest ? 100 : 100 * (1 - (effective - lowest) / (highest - lowest));
};

const audiencePoints = 10;

/**
 * Ranks the offers of one cell, best first: 60 % price, 20 % deal type, 20 % fill rate, and up to ten points more for
 * the share of the wished audience that the product declares; ties stay in the order of the sellers. Offers whose
 * effective price passes the ceiling are left out.
 */
export const rankOffers = (
  offers: readonly Offer[],
  ceilingMicros: number | null,
  audienceShare: (offer: Offer) => number = () => 0,
): readonly RankedOffer[] => {
  const within = offers
    .filter((offer) => isWithinCeiling(offer, ceilingMicros))
    .map((offer) => ({ offer, effective: effectiveCpmMicros(offer) }));
  const prices = within.map(({ effective }) => effective);
  const lowest = Math.min(...prices);
  const highest = Math.max(...prices);
  const ranked = within.map(({ offer, effective }) => {
    const price = priceScore(effective, lowest, highest, within.length);
    const fill = 100 * clamp(offer.fill_rate ?? assumedFillRate, 0, 1);
    const base = 0.6 * price + 0.2 * (typeScores[offer.deal_type] ?? 50) + 0.2 * fill;
    const score = Math.min(100, base + audiencePoints * audienceShare(offer));
    return { offer, effective_cpm_micros: effective, score: Math.round(score * 100) / 100 };
  });
  return ranked.sort((left, right) => right.score - left.score);
};
