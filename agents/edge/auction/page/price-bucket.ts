export type PriceGranularity = "low" | "medium" | "dense" | "high" | "auto";

/** Steps of a granularity in cents: up to which price, and how wide; above the last one the price is cut there. */
export type Steps = readonly (readonly [below: number, width: number])[];

const dense: Steps = [
  [300, 1],
  [800, 5],
  [2_000, 50],
];

const stepsByName: Readonly<Record<PriceGranularity, Steps>> = {
  low: [[500, 50]],
  medium: [[2_000, 10]],
  high: [[2_000, 1]],
  dense: dense,
  auto: dense,
};

export type PriceBuckets = readonly { readonly max: number; readonly increment: number }[];

/** The operator's own steps, in ascending order. */
export const customSteps = (buckets: PriceBuckets): Steps =>
  buckets.map(({ max, increment }) => [Math.round(max * 100), Math.round(increment * 100)] as const);

/** Prices such as 0.29 have no exact binary form; without it their last cent would be lost. */
const rounding = 1e-6;

export const priceBucket = (cpm: number, granularity: PriceGranularity | Steps): string => {
  if (!Number.isFinite(cpm) || cpm <= 0) return "0.00";
  const steps = typeof granularity === "string" ? stepsByName[granularity] : granularity;
  const cents = Math.floor(cpm * 100 + rounding);
  const step = steps.find(([below]) => cents < below);
  const bucket = step === undefined ? (steps.at(-1)?.[0] ?? 0) : Math.floor(cents / step[1]) * step[1];
  return (bucket / 100).toFixed(2);
};
