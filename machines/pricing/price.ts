import { ceilToCent, computedPriceMicros, fromMicros, roundHalfEven } from "../money.ts";
import { discountedPrice, type Discounts } from "./formula.ts";
import { priceRationale } from "./rationale.ts";
import { ruleEffect, type PricingRule, type RuleSubject } from "./rules.ts";
import { defaultTierTable, type TierTable } from "./tiers.ts";
import { defaultVolumeTable, volumeDiscountPct, type VolumeStep } from "./volume.ts";

/** The tables that a seller may edit; all money in micros. */
export interface PricingPolicy {
  readonly tiers: TierTable;
  readonly volume: readonly VolumeStep[];
  readonly rules: readonly PricingRule[];
  readonly globalFloorMicros: number;
}

/** Tiers and volume steps of the wire contract 5.2, no custom rules, a global floor of 1.00. */
export const defaultPricingPolicy: PricingPolicy = {
  tiers: defaultTierTable,
  volume: defaultVolumeTable,
  rules: [],
  globalFloorMicros: 1_000_000,
};

/** One price to be computed. `impressions` is 0 where none are given; `targetMicros` is the buyer's wish. */
export interface PriceQuestion extends RuleSubject {
  readonly baseMicros: number | null;
  readonly floorMicros: number | null;
  readonly impressions: number;
  readonly targetMicros: number | null;
  /** ISO 4217, for the rationale. */
  readonly currency: string;
}

/**
 * A computed price, money in micros. `computedMicros` is what the rules give and the most that this buyer may be
 * charged; `finalMicros` is that or the accepted target. Percentages are rounded to one decimal, as quotes carry them.
 */
export interface Price {
  readonly baseMicros: number;
  readonly tierDiscountPct: number;
  readonly volumeDiscountPct: number;
  readonly computedMicros: number;
  readonly finalMicros: number;
  readonly targetAccepted: boolean;
  readonly rationale: string;
}

/**
 * Prices a product for a buyer (seller spec, Quotes, pricing computation; decisions 5 to 7, 47 to 49). The base is the
 * product's base price, else its floor; null when it has neither. The computed price is never below the product's
 * floor or the global one, never above the undiscounted price, and always whole cents.
 */
export const priceFor = (question: PriceQuestion, policy: PricingPolicy = defaultPricingPolicy): Price | null => {
  const baseMicros = question.baseMicros ?? question.floorMicros;
  if (baseMicros === null) return null;
  const discounts = discountsFor(question, policy);
  const lowestMicros = ceilToCent(lowestPriceMicros(question.floorMicros, policy));
  const highestMicros = Math.max(computedPriceMicros(fromMicros(baseMicros)), lowestMicros);
  const bareMicros = computedPriceMicros(discountedPrice(baseMicros, discounts));
  const computedMicros = Math.min(Math.max(bareMicros, lowestMicros), highestMicros);
  const targetAccepted = isAcceptableTarget(question, policy, computedMicros);
  return {
    baseMicros,
    tierDiscountPct: roundHalfEven(discounts.tierPct, 1),
    volumeDiscountPct: roundHalfEven(discounts.volumePct, 1),
    computedMicros,
    finalMicros: targetAccepted && question.targetMicros !== null ? question.targetMicros : computedMicros,
    targetAccepted,
    rationale: priceRationale({
      baseMicros,
      tier: question.tier,
      discounts,
      limited: computedMicros !== bareMicros,
      finalMicros: computedMicros,
      currency: question.currency,
    }),
  };
};

/**
 * The lowest price that may be agreed for a product: its floor or the global one, to the micro. It is the seller's
 * secret (decision 41). A computed price is the next whole cent at or above it.
 */
export const lowestPriceMicros = (
  floorMicros: number | null,
  policy: Pick<PricingPolicy, "globalFloorMicros"> = defaultPricingPolicy,
): number => Math.max(floorMicros ?? 0, policy.globalFloorMicros);

const discountsFor = (question: PriceQuestion, policy: PricingPolicy): Discounts => {
  const tier = policy.tiers[question.tier];
  const rule = ruleEffect(policy.rules, question);
  return {
    tierPct: tier.discountPct,
    rulePct: rule.discountPct,
    overrideMicros: rule.overrideMicros,
    volumePct: tier.volumeDiscounts ? volumeDiscountPct(policy.volume, question.impressions) : 0,
  };
};

/** Decision 7: at or above both floors, never above the computed price; anything else is passed over in silence. */
const isAcceptableTarget = (question: PriceQuestion, policy: PricingPolicy, computedMicros: number): boolean =>
  question.targetMicros !== null &&
  question.targetMicros >= lowestPriceMicros(question.floorMicros, policy) &&
  question.targetMicros <= computedMicros;
