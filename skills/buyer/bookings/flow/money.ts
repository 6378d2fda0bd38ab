import { costMicros, microsPerCent } from "../../../../machines/money.ts";

/** Rounded down, so that the cost stays within the amount. */
export const impressionsFor = (cents: number, cpmMicros: number): number => {
  if (cpmMicros <= 0) return 0;
  const bought = (BigInt(cents) * BigInt(microsPerCent) * 1000n) / BigInt(cpmMicros);
  return bought > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(bought);
};

/** At most `ceiling`; 0 below the minimum. */
export const volumeWithin = (
  cents: number,
  cpmMicros: number,
  limits: { readonly minimum: number; readonly ceiling: number },
): number => {
  const wanted = Math.min(impressionsFor(cents, cpmMicros), limits.ceiling);
  return wanted < Math.max(1, limits.minimum) ? 0 : wanted;
};

/** Null for terms that nobody can agree to (see `costMicros`). */
export const costCents = (cpmMicros: number, impressions: number): number | null => {
  const micros = costMicros(cpmMicros, impressions);
  return micros === null ? null : micros / microsPerCent;
};

/** Integers only: each part rounded down, missing cents to the largest remainders, earlier parts first on a tie. */
export const splitCents = (cents: number, weights: readonly number[]): readonly number[] => {
  const units = weights.map((weight) => BigInt(Math.round(weight * 1_000_000)));
  const sum = units.reduce((total, unit) => total + unit, 0n);
  if (sum <= 0n) return weights.map(() => 0);
  const shares = units.map((unit, index) => {
    const product = BigInt(cents) * unit;
    return { index, part: Number(product / sum), rest: product % sum };
  });
  const missing = cents - shares.reduce((total, share) => total + share.part, 0);
  const favoured = shares.toSorted((left, right) => (left.rest === right.rest ? 0 : left.rest > right.rest ? -1 : 1));
  const extra = new Set(favoured.slice(0, missing).map((share) => share.index));
  return shares.map(({ index, part }) => part + (extra.has(index) ? 1 : 0));
};
