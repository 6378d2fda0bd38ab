import { formatUnits, fromMicros, roundHalfEven } from "../money.ts";

const variancePct = 20;

/**
 * What a caller without exact prices sees: 20 percent to either side of the base price in whole units, half-even, for
 * example `$28-$42` for 35.00. Lists add ` CPM`, see `cpmRange`.
 */
export const priceRange = (baseMicros: number, currency: string): string => {
  const base = fromMicros(baseMicros);
  const low = roundHalfEven(base * (1 - variancePct / 100), 0);
  const high = roundHalfEven(base * (1 + variancePct / 100), 0);
  return `${formatUnits(low, currency)}-${formatUnits(high, currency)}`;
};

/** The same with its unit: `$28-$42 CPM`. */
export const cpmRange = (baseMicros: number, currency: string): string => `${priceRange(baseMicros, currency)} CPM`;
