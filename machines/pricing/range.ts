import { formatUnits, fromMicros, roundHalfEven } from "../money.ts";

const variancePct = 20;

/** 20 percent to either side in whole units: `$28-$42` for 35.00. */
export const priceRange = (baseMicros: number, currency: string): string => {
  const base = fromMicros(baseMicros);
  const low = roundHalfEven(base * (1 - variancePct / 100), 0);
  const high = roundHalfEven(base * (1 + variancePct / 100), 0);
  return `${formatUnits(low, currency)}-${formatUnits(high, currency)}`;
};

export const cpmRange = (baseMicros: number, currency: string): string => `${priceRange(baseMicros, currency)} CPM`;
