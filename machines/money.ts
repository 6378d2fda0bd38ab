const microsPerUnit = 1_000_000;

/** Computed prices and amounts are whole cents. */
export const microsPerCent = 10_000;

/** In units. Up to here neighbouring micros are different doubles, so the conversion is exact both ways. */
export const largestAmount = 4_000_000_000;

/** Up to here half the gap between neighbouring doubles is below half of `1 / power`. */
const mostParts = 2 ** 51;

/** Whether the value is the double nearest to a decimal of so many parts. */
const isWritten = (value: number, power: number): boolean => {
  const parts = Math.round(value * power);
  return Math.abs(parts) < mostParts && parts / power === value;
};

/**
 * Half-even on the exact binary value: 0.125 is a tie and gives 0.12, 26.775 lies below the tie and
 * gives 26.77. Computed in integers, so nothing is rounded twice; never negative zero.
 */
export const roundHalfEven = (value: number, decimals: number): number => {
  if (!Number.isFinite(value)) throw new RangeError(`Only a finite number can be rounded, not ${value}.`);
  if (isWritten(value, 10 ** decimals)) return value + 0;
  let scaled = Math.abs(value);
  let doublings = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    doublings += 1;
  }
  if (doublings === 0) return value + 0;
  const halvings = BigInt(doublings);
  const numerator = BigInt(scaled) * 10n ** BigInt(decimals);
  const quotient = numerator >> halvings;
  const twiceRest = (numerator - (quotient << halvings)) * 2n;
  const one = 1n << halvings;
  const up = twiceRest > one || (twiceRest === one && (quotient & 1n) === 1n);
  const magnitude = Number(`${up ? quotient + 1n : quotient}e-${decimals}`);
  return value < 0 ? 0 - magnitude : magnitude;
};

/** Null when finer than a micro, not finite or beyond `largestAmount`: the caller returns 422. */
export const toMicros = (amount: number): number | null => {
  if (!(Math.abs(amount) <= largestAmount)) return null;
  const micros = Math.round(amount * microsPerUnit) + 0;
  return micros / microsPerUnit === amount ? micros : null;
};

/** Throws on anything but a safe integer: a bug of ours. */
export const fromMicros = (micros: number): number => {
  assertMicros(micros);
  return micros / microsPerUnit;
};

/** Half-even, whole cents. */
export const computedPriceMicros = (price: number): number => {
  const micros = Math.round(roundHalfEven(price, 2) * 100) * microsPerCent;
  assertMicros(micros);
  return micros;
};

export const ceilToCent = (micros: number): number => {
  assertMicros(micros);
  return Math.ceil(micros / microsPerCent) * microsPerCent + 0;
};

const costIn = (unit: number, cpmMicros: number, impressions: number): number | null => {
  assertMicros(cpmMicros);
  assertMicros(impressions);
  const product = BigInt(cpmMicros) * BigInt(impressions);
  const divisor = 1000n * BigInt(unit);
  const magnitude = product < 0n ? -product : product;
  const units = (magnitude * 2n + divisor) / (divisor * 2n);
  const cost = Number(product < 0n ? -units : units) * unit;
  return Number.isSafeInteger(cost) ? cost : null;
};

/** Half away from zero at the cent. Null beyond the safe integers: no such terms can be agreed. */
export const costMicros = (cpmMicros: number, impressions: number): number | null =>
  costIn(microsPerCent, cpmMicros, impressions);

/** Half away from zero at the micro, so that the days of a flight add up to its whole. Null as with `costMicros`. */
export const spentMicros = (cpmMicros: number, impressions: number): number | null => costIn(1, cpmMicros, impressions);

/** Within the budget's whole cents, so that rounding at the cent never exceeds it. */
export const impressionsFor = (budgetMicros: number, cpmMicros: number): number => {
  assertMicros(budgetMicros);
  assertMicros(cpmMicros);
  const whole = BigInt(Math.floor(budgetMicros / microsPerCent)) * BigInt(microsPerCent);
  if (cpmMicros <= 0) return Number.MAX_SAFE_INTEGER;
  const bought = (whole * 1000n) / BigInt(cpmMicros);
  return bought > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(bought);
};

const signs = new Map<string, string>();

const signOf = (currency: string): string => {
  const known = signs.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat("en-US", { style: "currency", currency }).formatToParts(0);
  const sign = parts.find(({ type }) => type === "currency")?.value ?? currency;
  const shown = sign === currency || sign === "¤" ? `${currency} ` : sign;
  signs.set(currency, shown);
  return shown;
};

export const formatUnits = (units: number, currency: string): string => `${signOf(currency)}${units}`;

const withSign = (micros: number, sign: string): string => {
  assertMicros(micros);
  const magnitude = Math.abs(micros);
  const fraction = String(magnitude % microsPerUnit)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${micros < 0 ? "-" : ""}${sign}${Math.floor(magnitude / microsPerUnit)}.${fraction}`;
};

/** Never rounds: an amount finer than a cent shows more decimals. */
export const formatMoney = (micros: number, currency: string): string => withSign(micros, signOf(currency));

/** As `formatMoney`, without a currency; null stays null. */
export const decimalText = (micros: number | null): string | null => (micros === null ? null : withSign(micros, ""));

const assertMicros = (value: number): void => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe integer: ${value}.`);
};

/** Null stays null. */
export const unitsOrNull = (micros: number | null | undefined): number | null =>
  micros == null ? null : fromMicros(micros);
