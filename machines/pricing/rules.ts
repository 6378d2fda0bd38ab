import type { Tier } from "./tiers.ts";

/**
 * An empty or null scope matches everything; all must match. `overrideMicros` replaces the price after the tier
 * discount. Valid from the first moment to before the last.
 */
export interface PricingRule {
  readonly ruleId: string;
  readonly priority: number;
  readonly accessTier: Tier | null;
  readonly agencyIds: readonly string[];
  readonly advertiserIds: readonly string[];
  readonly holdingCompanyIds: readonly string[];
  readonly productIds: readonly string[];
  readonly inventoryTypes: readonly string[];
  readonly overrideMicros: number | null;
  readonly discountPct: number;
  readonly validFromMs: number | null;
  readonly validToMs: number | null;
  readonly isActive: boolean;
}

/** `cpm_micros` replaces the tier's price, else `discount_pct`. Product null: all that have none of their own. */
export interface CustomPrice {
  readonly product_id: string | null;
  readonly cpm_micros: number | null;
  readonly discount_pct: number;
}

export interface RuleSubject {
  readonly tier: Tier;
  readonly agencyId: string | null;
  readonly advertiserId: string | null;
  readonly holdingCompanyId: string | null;
  readonly productId: string;
  readonly inventoryType: string;
  readonly customPrices: readonly CustomPrice[];
  readonly nowMs: number;
}

interface RuleEffect {
  readonly overrideMicros: number | null;
  readonly discountPct: number;
}

const covers = (scope: readonly string[], id: string | null): boolean =>
  scope.length === 0 || (id !== null && scope.includes(id));

const matches = (rule: PricingRule, subject: RuleSubject): boolean =>
  rule.isActive &&
  (rule.validFromMs === null || rule.validFromMs <= subject.nowMs) &&
  (rule.validToMs === null || subject.nowMs < rule.validToMs) &&
  (rule.accessTier === null || rule.accessTier === subject.tier) &&
  covers(rule.agencyIds, subject.agencyId) &&
  covers(rule.advertiserIds, subject.advertiserId) &&
  covers(rule.holdingCompanyIds, subject.holdingCompanyId) &&
  covers(rule.productIds, subject.productId) &&
  covers(rule.inventoryTypes, subject.inventoryType);

const customEffect = ({ customPrices, productId }: RuleSubject): RuleEffect | null => {
  const own =
    customPrices.find((price) => price.product_id === productId) ??
    customPrices.find((price) => price.product_id === null);
  return own === undefined ? null : { overrideMicros: own.cpm_micros, discountPct: own.discount_pct };
};

/**
 * A buyer's own price comes first, then the override of the highest priority, then the largest discount; discounts
 * never stack.
 */
export const ruleEffect = (rules: readonly PricingRule[], subject: RuleSubject): RuleEffect => {
  const custom = customEffect(subject);
  if (custom !== null) return custom;
  let override: PricingRule | null = null;
  let discountPct = 0;
  for (const rule of rules) {
    if (!matches(rule, subject)) continue;
    if (rule.overrideMicros === null) discountPct = Math.max(discountPct, rule.discountPct);
    else if (override === null || rule.priority > override.priority) override = rule;
  }
  if (override !== null) return { overrideMicros: override.overrideMicros, discountPct: 0 };
  return { overrideMicros: null, discountPct: Math.min(discountPct, 100) };
};
