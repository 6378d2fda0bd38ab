import { costOf, type Slots } from "./memory.ts";

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

export const money = (value: unknown, currency: unknown = "USD"): string => {
  const code = String(currency);
  return (usualFormats.get(code) ?? moneyFormat(code)).format(Number(value));
};

const numberFormat = new Intl.NumberFormat("en-US");

export const count = (value: unknown): string => numberFormat.format(Number(value));

export const percent = (share: unknown): string => `${Math.round(Number(share) * 1000) / 10}%`;

/** "$14,400.00 for 2,000,000 impressions"; empty without a volume. */
export const costOfVolume = (cpm: number, currency: unknown, volume: number): string =>
  volume > 0 ? `${money(costOf(cpm, volume), currency)} for ${count(volume)} impressions` : "";

/** Of a timestamp, to the minute. */
export const moment = (at: unknown): string => `${String(at).slice(0, 10)}, ${String(at).slice(11, 16)} UTC`;

/** The first names what the others are. */
export const asLines = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `- ${line}`)].join("\n");

export const inQuotes = (names: readonly string[], between = " and "): string =>
  names.map((one) => `"${one}"`).join(between);

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

export const saleIn = (output: Slots): Sale => saleOf(output as unknown as Sold);

export const saleOfProposal = (output: Slots, name: string, cpm: unknown): Sale => ({
  product: name,
  dealType: String(output["deal_type"]),
  impressions: typeof output["impressions"] === "number" ? output["impressions"] : null,
  start: String(output["start_date"]),
  end: typeof output["end_date"] === "string" ? output["end_date"] : null,
  cpm: Number(cpm),
  currency: typeof output["currency"] === "string" ? output["currency"] : "USD",
});

export const totalOf = ({ cpm, impressions }: Sale): number | null => costOf(cpm, impressions);

const sumText = (sale: Sale, words = ""): string => {
  const total = totalOf(sale);
  return total === null ? "" : `, ${money(total, sale.currency)}${words}`;
};

const volumeText = ({ impressions, start, end }: Sale): string =>
  `${impressions === null ? "no fixed volume" : `${count(impressions)} impressions`}, ` +
  `${start} to ${end ?? "an open end"}`;

/** Whoever takes it has read each of them. */
export const saleText = (sale: Sale): string => {
  const { product, dealType, cpm, currency } = sale;
  return (
    `${product}, ${dealNames[dealType] ?? dealType}, ${volumeText(sale)}, ` +
    `at ${money(cpm, currency)} CPM${sumText(sale, " in total")} (${currency})`
  );
};

export const saleWords = (output: Slots): string => saleText(saleIn(output));

/** In lists. */
export const shortWords = (sale: Sale): string =>
  `${sale.product}, ${sale.dealType}, ${volumeText(sale)}, ${money(sale.cpm, sale.currency)} CPM${sumText(sale)}`;

/** On a button. */
export const shortText = (sale: Sale): string =>
  sale.product + (sumText(sale) || `, ${money(sale.cpm, sale.currency)} CPM`);

/** One sum a currency: sums of different ones are never added. */
export const sumsWords = (sales: readonly Sale[]): string => {
  const sums = new Map<string, number>();
  for (const sale of sales)
    sums.set(sale.currency, (sums.get(sale.currency) ?? 0) + Math.round((totalOf(sale) ?? 0) * 100));
  return [...sums].map(([currency, sum]) => money(sum / 100, currency)).join(" and ");
};

/** No quote and no deal holds an audience or a place; empty where none was named. */
export const targetingNote = ({ audience, geo }: Slots): string => {
  const named = [audience, geo].flat().filter((one) => typeof one === "string");
  return named.length === 0
    ? ""
    : ` Targeting is not part of a deal here and changes no price: set ${inQuotes(named)} in your DSP.`;
};

const mostNamed = 6;

export const listed = (names: readonly string[], most = mostNamed): string =>
  names.length <= most ? names.join(", ") : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;

const mostFigures = 8;

const nameIn = (row: unknown): readonly string[] => {
  const members = Object.entries((row ?? {}) as Slots);
  const own = members.find(([name]) => name === "name") ?? members.find(([name]) => name.endsWith("_id"));
  return own === undefined ? [] : [String(own[1])];
};

/** Of an answer that no reply is written for: its own sentences, else its figures by their names. */
export const figuresText = (output: Slots): string => {
  const { status_text: state, next_step: step } = output;
  const sentences = [state, step].filter((one) => typeof one === "string");
  if (sentences.length > 0) return sentences.join(" ");
  const figures = Object.entries(output).flatMap(([name, value]) => {
    const label = name.replaceAll("_", " ");
    if (Array.isArray(value))
      return [`${label}: ${value.length}${value.length === 0 ? "" : ` (${listed(value.flatMap(nameIn))})`}`];
    return typeof value === "string" || typeof value === "number"
      ? [`${label}: ${typeof value === "number" ? count(value) : value}`]
      : [];
  });
  return figures.length === 0 ? "The answer is in the data part." : `${figures.slice(0, mostFigures).join("; ")}.`;
};
