import { type Sale, saleOf, saleText, money as inMoney, count as counted } from "./terms-text.ts";
import type { Slots } from "./memory.ts";

export const money = (value: unknown, currency: unknown = "USD"): string => inMoney(value, currency);
export const count = (value: unknown): string => counted(Number(value));

/** "$14,400.00 for 2,000,000 impressions"; empty without a volume. */
export const costOfVolume = (cpm: number, currency: unknown, volume: number): string =>
  volume > 0 ? `${money((cpm * volume) / 1000, currency)} for ${count(volume)} impressions` : "";

/** Of a timestamp, to the minute. */
export const moment = (at: unknown): string => `${String(at).slice(0, 10)}, ${String(at).slice(11, 16)} UTC`;

/** The first names what the others are. */
export const asLines = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `- ${line}`)].join("\n");

export const saleIn = (output: Slots): Sale => saleOf(output as unknown as Parameters<typeof saleOf>[0]);

export const saleWords = (output: Slots, cpm?: unknown): string =>
  saleText(typeof cpm === "number" ? { ...saleIn(output), cpm } : saleIn(output));

export const totalOf = ({ cpm, impressions }: Sale): number | null =>
  impressions === null ? null : (cpm * impressions) / 1000;

/** In lists. */
export const shortWords = (sale: Sale): string => {
  const { product, dealType, impressions, start, end, cpm, currency } = sale;
  const total = totalOf(sale);
  const volume = impressions === null ? "no fixed volume" : `${count(impressions)} impressions`;
  const cost = total === null ? "" : `, ${money(total, currency)}`;
  return `${product}, ${dealType}, ${volume}, ${start} to ${end ?? "an open end"}, ${money(cpm, currency)} CPM${cost}`;
};

export const saleOfProposal = (output: Slots, name: string, cpm: unknown): Sale => ({
  product: name,
  dealType: String(output["deal_type"]),
  impressions: typeof output["impressions"] === "number" ? output["impressions"] : null,
  start: String(output["start_date"]),
  end: typeof output["end_date"] === "string" ? output["end_date"] : null,
  cpm: Number(cpm),
  currency: typeof output["currency"] === "string" ? output["currency"] : "USD",
});

/** One sum a currency: sums of different ones are never added. */
export const sumsWords = (sales: readonly Sale[]): string => {
  const sums = new Map<string, number>();
  for (const sale of sales) sums.set(sale.currency, (sums.get(sale.currency) ?? 0) + cents(totalOf(sale) ?? 0));
  return [...sums].map(([currency, sum]) => money(sum / 100, currency)).join(" and ");
};

/** Lines are shown to the cent, and their sum is the sum of what is shown. */
const cents = (value: number): number => Math.round(value * 100);

/** No quote and no deal holds an audience or a place; empty where none was named. */
export const targetingNote = ({ audience, geo }: Slots): string => {
  const named = [audience, geo]
    .flat()
    .filter((one) => typeof one === "string")
    .map((one) => `"${one}"`);
  return named.length === 0
    ? ""
    : ` Targeting is not part of a deal here and changes no price: set ${named.join(" and ")} in your DSP.`;
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
