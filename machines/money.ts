/** Micros in one unit of a currency. */
const microsPerUnit = 1_000_000;

/** Micros in one cent: computed prices and amounts are whole multiples of it (decision 47). */
const microsPerCent = 10_000;

/**
 * The largest amount, in units, that is taken from a wire: up to here neighbouring micros are different doubles, so
 * that the way there and back is exact.
 */
export const largestAmount = 4_000_000_000;

/** Up to here, half the distance between two doubles around `parts / power` is less than half of `1 / power`. */
const mostParts = 2 ** 51;

/** Whether the value is the very double that stands for a decimal of so many parts, which is then the nearest one. */
const isWritten = (value: number, power: number): boolean => {
  const parts = Math.round(value * power);
  return Math.abs(parts) < mostParts && parts / power === value;
};

/**
 * Rounds the exact binary value of a double to a number of decimals (0 to 15), ties to even (decision 47, wire contract
 * 5.2). 0.125 is exactly a tie and gives 0.12; 26.775 lies below the tie and gives 26.77. Doubling a fraction is
 * exact, so the value is first written as integer / 2^halvings and then divided in integers; nothing is rounded twice.
 * A value that has no more decimals than asked for comes back unchanged; zero is never negative.
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

/**
 * An amount that arrived as a JSON number, in micros; null when it is finer than a micro, not finite, or beyond
 * `largestAmount` on either side of zero (decision 47: the caller answers 422). The sign is kept.
 */
export const toMicros = (amount: number): number | null => {
  if (!(Math.abs(amount) <= largestAmount)) return null;
  const micros = Math.round(amount * microsPerUnit) + 0;
  return micros / microsPerUnit === amount ? micros : null;
};

/** Micros as the number that the wire shows. Throws on anything but a safe integer: that is a bug of ours. */
export const fromMicros = (micros: number): number => {
  assertMicros(micros);
  return micros / microsPerUnit;
};

/** A computed price in units (a double) as micros of a whole number of cents, half-even (decision 47). */
export const computedPriceMicros = (price: number): number => {
  const micros = Math.round(roundHalfEven(price, 2) * 100) * microsPerCent;
  assertMicros(micros);
  return micros;
};

/** The smallest whole number of cents that is not below the amount, in micros. */
export const ceilToCent = (micros: number): number => {
  assertMicros(micros);
  return Math.ceil(micros / microsPerCent) * microsPerCent + 0;
};

/**
 * What impressions cost at a CPM, in micros of whole cents: CPM x impressions / 1000 in integers, half away from zero
 * at the cent (decision 47). Null when the cost passes the safe integers (about 9 billion units): no such terms can be
 * agreed. Throws when an argument is not a safe integer.
 */
export const costMicros = (cpmMicros: number, impressions: number): number | null => {
  assertMicros(cpmMicros);
  assertMicros(impressions);
  const product = BigInt(cpmMicros) * BigInt(impressions);
  const divisor = 1000n * BigInt(microsPerCent);
  const magnitude = product < 0n ? -product : product;
  const cents = (magnitude * 2n + divisor) / (divisor * 2n);
  const cost = Number(product < 0n ? -cents : cents) * microsPerCent;
  return Number.isSafeInteger(cost) ? cost : null;
};

/**
 * The most impressions that a budget buys at a CPM: those whose cost is within the budget's whole cents, so that
 * rounding at the cent never takes it past them.
 */
export const impressionsFor = (budgetMicros: number, cpmMicros: number): number => {
  assertMicros(budgetMicros);
  assertMicros(cpmMicros);
  const whole = BigInt(Math.floor(budgetMicros / microsPerCent)) * BigInt(microsPerCent);
  if (cpmMicros <= 0) return Number.MAX_SAFE_INTEGER;
  const bought = (whole * 1000n) / BigInt(cpmMicros);
  return bought > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(bought);
};

const signs = new Map<string, string>();

/** What stands before an amount: `$`, `€`, or the code and a blank where a currency has no sign of its own. */
const signOf = (currency: string): string => {
  const known = signs.get(currency);
  if (known !== undefined) return known;
  const parts = new Intl.NumberFormat("en-US", { style: "currency", currency }).formatToParts(0);
  const sign = parts.find(({ type }) => type === "currency")?.value ?? currency;
  const shown = sign === currency || sign === "¤" ? `${currency} ` : sign;
  signs.set(currency, shown);
  return shown;
};

/** `$28` or `CHF 28`: whole units, for ranges. */
export const formatUnits = (units: number, currency: string): string => `${signOf(currency)}${units}`;

/** `$29.92`, `CHF 29.92`; more decimals only where an amount that arrived is finer than a cent: this never rounds. */
export const formatMoney = (micros: number, currency: string): string => {
  assertMicros(micros);
  const magnitude = Math.abs(micros);
  const fraction = String(magnitude % microsPerUnit)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${micros < 0 ? "-" : ""}${signOf(currency)}${Math.floor(magnitude / microsPerUnit)}.${fraction}`;
};

const assertMicros = (value: number): void => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe integer: ${value}.`);
};
