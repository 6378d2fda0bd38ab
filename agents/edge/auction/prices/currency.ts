/** USD for one unit of a currency, as the operator set them. */
export type Rates = Readonly<Record<string, number>>;

const decimals = 6;

/** `null`: the operator gave no rate, and none is made up. */
export const toUsd = (amount: number, currency: string, rates: Rates): number | null => {
  if (currency === "USD") return amount;
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  return rate === undefined ? null : Number((amount * rate).toFixed(decimals));
};
