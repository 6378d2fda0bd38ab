const dealNames: Readonly<Record<string, string>> = {
  PG: "programmatic guaranteed (PG)",
  PD: "preferred deal (PD)",
  PA: "private auction (PA)",
};

const moneyFormat = (currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat("en-US", { style: "currency", currency });

/** Made once: making one costs more than a hundred uses of it. Others are made for each sum. */
const usualFormats: ReadonlyMap<string, Intl.NumberFormat> = new Map(
  ["USD", "EUR", "GBP", "CHF", "CAD", "AUD", "JPY", "BRL", "MXN", "SEK"].map((one) => [one, moneyFormat(one)]),
);

export const money = (value: unknown, currency: unknown): string => {
  const code = String(currency);
  return (usualFormats.get(code) ?? moneyFormat(code)).format(Number(value));
};

const numberFormat = new Intl.NumberFormat("en-US");

export const count = (value: number): string => numberFormat.format(value);

/** Of a quote, a proposal or a deal, whichever its members are called. */
export interface Sale {
  readonly product: string;
  readonly dealType: string;
  readonly impressions: number | null;
  readonly start: string;
  readonly end: string | null;
  readonly cpm: number;
  readonly currency: string;
}

interface Sold {
  readonly product: { readonly name: string };
  readonly deal_type: string;
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
  };
  readonly pricing: { readonly final_cpm: number; readonly currency: string };
}

export const saleOf = ({ product, deal_type: dealType, terms, pricing }: Sold): Sale => ({
  product: product.name,
  dealType,
  impressions: terms.impressions ?? null,
  start: terms.flight_start,
  end: terms.flight_end ?? null,
  cpm: pricing.final_cpm,
  currency: pricing.currency,
});

/** Null without a volume. */
const totalText = ({ impressions, cpm, currency }: Sale): string | null =>
  impressions === null ? null : money((cpm * impressions) / 1000, currency);

/** Whoever takes it has read each of them. */
export const saleText = (sale: Sale): string => {
  const { product, dealType, impressions, start, end, cpm, currency } = sale;
  const volume = impressions === null ? "no fixed volume" : `${count(impressions)} impressions`;
  const total = totalText(sale);
  const sum = total === null ? "" : `, ${total} in total`;
  const flight = `${start} to ${end ?? "an open end"}`;
  return (
    `${product}, ${dealNames[dealType] ?? dealType}, ${volume}, ${flight}, ` +
    `at ${money(cpm, currency)} CPM${sum} (${currency})`
  );
};

export const shortText = (sale: Sale): string => {
  const total = totalText(sale);
  return total === null ? `${sale.product}, ${money(sale.cpm, sale.currency)} CPM` : `${sale.product}, ${total}`;
};
