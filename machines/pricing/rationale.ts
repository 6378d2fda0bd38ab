import { formatMoney, fromMicros, roundHalfEven } from "../money.ts";
import type { Discounts } from "./formula.ts";
import type { Tier } from "./tiers.ts";

/** `limited`: a limit moved the price; which one stays secret. */
interface RationaleParts {
  readonly baseMicros: number;
  readonly tier: Tier;
  readonly discounts: Discounts;
  readonly limited: boolean;
  readonly finalMicros: number;
  readonly currency: string;
}

/**
 * `Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM | (Total savings:
 * 14.5%)`
 */
export const priceRationale = (parts: RationaleParts): string => {
  const { baseMicros, tier, discounts, limited, finalMicros, currency } = parts;
  let text = `Base price: ${formatMoney(baseMicros, currency)} CPM`;
  if (discounts.tierPct > 0 && discounts.overrideMicros === null) {
    text += ` | ${tier.charAt(0).toUpperCase()}${tier.slice(1)} tier: -${discounts.tierPct}%`;
  }
  if (discounts.overrideMicros !== null)
    text += ` | Custom rule: ${formatMoney(discounts.overrideMicros, currency)} CPM`;
  if (discounts.rulePct > 0) text += ` | Custom rule: -${discounts.rulePct}%`;
  if (discounts.volumePct > 0) text += ` | Volume discount: -${oneDecimal(discounts.volumePct)}%`;
  if (limited) text += " | Price limit applied";
  text += ` | Final price: ${formatMoney(finalMicros, currency)} CPM`;
  const savedPct = savingsPct(baseMicros, finalMicros);
  return savedPct > 0 ? `${text} | (Total savings: ${oneDecimal(savedPct)}%)` : text;
};

const savingsPct = (baseMicros: number, finalMicros: number): number => {
  if (finalMicros >= baseMicros) return 0;
  const base = fromMicros(baseMicros);
  return ((base - fromMicros(finalMicros)) / base) * 100;
};

const oneDecimal = (pct: number): string => roundHalfEven(pct, 1).toFixed(1);
