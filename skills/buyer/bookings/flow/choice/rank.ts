import type { Offer, SupplyFees } from "../../record.ts";

/** Score from 0 to 100, two decimals. */
export interface RankedOffer {
  readonly offer: Offer;
  readonly effective_cpm_micros: number;
  readonly score: number;
}

const typeScores: Readonly<Record<string, number>> = { PG: 100, PD: 70, PA: 40 };
const assumedFillRate = 0.7;

interface Charged {
  readonly deal_type: string;
  readonly fees?: SupplyFees | undefined;
}

const wholeBps = 10_000;

/** A private auction is expected to close a fifth above its floor; fees are of the price itself. */
const chargedBps = ({ deal_type, fees }: Charged): number =>
  (deal_type === "PA" ? 12_000 : wholeBps) + (fees?.intermediary_bps ?? 0);

export const effectiveCpmMicros = (offer: Charged & Pick<Offer, "cpm_micros">): number =>
  Math.round((offer.cpm_micros * chargedBps(offer)) / wholeBps) + (offer.fees?.tech_cpm_micros ?? 0);

/** The highest price of the seller that costs no more in effect; 0 or less where the fees alone cost that. */
export const sellerCpmWithin = (offer: Charged, effectiveMicros: number): number =>
  Math.floor(((effectiveMicros - (offer.fees?.tech_cpm_micros ?? 0)) * wholeBps) / chargedBps(offer));

export const isWithinCeiling = (offer: Offer, ceilingMicros: number | null): boolean =>
  ceilingMicros === null || effectiveCpmMicros(offer) <= ceilingMicros;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** 100 for the cheapest, 0 for the dearest; a lone price is compared with 50 per thousand. */
const priceScore = (effective: number, lowest: number, highest: number, count: number): number => {
  if (count === 1) return clamp(100 - (2 * effective) / 1_000_000, 0, 100);
  return highest === lowest ? 100 : 100 * (1 - (effective - lowest) / (highest - lowest));
};

const audiencePoints = 10;

/**
 * 60 % price, 20 % deal type, 20 % fill rate, up to ten points for audience fit; ties keep the sellers' order. Offers
 * above the ceiling are left out.
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
