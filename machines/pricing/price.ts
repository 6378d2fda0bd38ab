import { ceilToCent, computedPriceMicros, fromMicros, roundHalfEven } from "../money.ts";
import { discountedPrice, type Discounts } from "./formula.ts";
import { priceRationale } from "./rationale.ts";
import { ruleEffect, type PricingRule, type RuleSubject } from "./rules.ts";
import { defaultTierTable, type TierTable } from "./tiers.ts";
import { defaultVolumeTable, volumeDiscountPct, type VolumeStep } from "./volume.ts";

export interface PricingPolicy {
  readonly tiers: TierTable;
  readonly volume: readonly VolumeStep[];
  readonly rules: readonly PricingRule[];
  readonly globalFloorMicros: number;
}

export const defaultPricingPolicy: PricingPolicy = {
  tiers: defaultTierTable,
  volume: defaultVolumeTable,
  rules: [],
  globalFloorMicros: 1_000_000,
};

/** `impressions` 0: none given. `targetMicros`: the buyer's wish, granted from `targetFromMicros` (null: the floor). */
export interface PriceQuestion extends RuleSubject {
  readonly baseMicros: number | null;
  readonly floorMicros: number | null;
  readonly impressions: number;
  readonly targetMicros: number | null;
  readonly targetFromMicros?: number | null;
  readonly currency: string;
}

/** `computedMicros` is the most that this buyer may be charged; `finalMicros` that or the accepted target. */
export interface Price {
  readonly baseMicros: number;
  readonly tierDiscountPct: number;
  readonly volumeDiscountPct: number;
  readonly computedMicros: number;
  readonly finalMicros: number;
  readonly targetAccepted: boolean;
  readonly rationale: string;
}

interface WorkedOut {
  readonly price: Omit<Price, "rationale">;
  readonly discounts: Discounts;
  /** A limit moved the price. */
  readonly limited: boolean;
}

/** Base price, else floor. Whole cents, never below a floor or above the undiscounted price. */
const workedOut = (question: PriceQuestion, policy: PricingPolicy): WorkedOut | null => {
  const baseMicros = question.baseMicros ?? question.floorMicros;
  if (baseMicros === null) return null;
  const discounts = discountsFor(question, policy);
  const lowestMicros = ceilToCent(lowestPriceMicros(question.floorMicros, policy));
  const highestMicros = Math.max(computedPriceMicros(fromMicros(baseMicros)), lowestMicros);
  const bareMicros = computedPriceMicros(discountedPrice(baseMicros, discounts));
  const computedMicros = Math.min(Math.max(bareMicros, lowestMicros), highestMicros);
  const targetAccepted = isAcceptableTarget(question, policy, computedMicros);
  const price = {
    baseMicros,
    tierDiscountPct: roundHalfEven(discounts.tierPct, 1),
    volumeDiscountPct: roundHalfEven(discounts.volumePct, 1),
    computedMicros,
    finalMicros: targetAccepted && question.targetMicros !== null ? question.targetMicros : computedMicros,
    targetAccepted,
  };
  return { price, discounts, limited: computedMicros !== bareMicros };
};

/** Without a rationale, whose text costs more than the price: a list shows none. */
export const finalMicrosFor = (question: PriceQuestion, policy: PricingPolicy): number | null =>
  workedOut(question, policy)?.price.finalMicros ?? null;

/** Seller spec, Quotes. */
export const priceFor = (question: PriceQuestion, policy: PricingPolicy = defaultPricingPolicy): Price | null => {
  const found = workedOut(question, policy);
  if (found === null) return null;
  const { price, discounts, limited } = found;
  const { baseMicros, computedMicros: finalMicros } = price;
  const { tier, currency } = question;
  return { ...price, rationale: priceRationale({ baseMicros, tier, discounts, limited, finalMicros, currency }) };
};

/** The seller's secret, to the micro. */
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

/** Any other target is ignored in silence: a refusal would tell where the limit is. */
const isAcceptableTarget = (question: PriceQuestion, policy: PricingPolicy, computedMicros: number): boolean =>
  question.targetMicros !== null &&
  question.targetMicros >= lowestPriceMicros(question.floorMicros, policy) &&
  question.targetMicros >= (question.targetFromMicros ?? 0) &&
  question.targetMicros <= computedMicros;
