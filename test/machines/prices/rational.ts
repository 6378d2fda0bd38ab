/** Numerator over a power of two, read from the bits. */
const exactly = (value: number): { readonly numerator: bigint; readonly denominator: bigint } => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponentBits = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponentBits === 0 ? fraction : fraction | 0x10000000000000n;
  const exponent = (exponentBits === 0 ? 1 : exponentBits) - 1075;
  const sign = bits >> 63n === 1n ? -1n : 1n;
  return exponent >= 0
    ? { numerator: sign * mantissa * 2n ** BigInt(exponent), denominator: 1n }
    : { numerator: sign * mantissa, denominator: 2n ** BigInt(-exponent) };
};

/** Independent of the rounding under test: value x 10^decimals as an integer. */
export const halfEvenInteger = (value: number, decimals: number): bigint => {
  const { numerator, denominator } = exactly(value);
  const negative = numerator < 0n;
  const scaled = (negative ? -numerator : numerator) * 10n ** BigInt(decimals);
  let quotient = scaled / denominator;
  const twice = (scaled % denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
};
