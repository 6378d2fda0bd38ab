import { matchesOf, blanked, outside } from "../spans.ts";
import { budgetsIn } from "./budgets.ts";
import {
  figure,
  type Found,
  fromStart,
  moneyValue,
  scale,
  scaleOf,
  spanOf,
  spelled,
  word,
  quantitiesIn,
  type Quantity,
} from "./numbers.ts";

/** `currency` is null where only a unit such as CPM marks it as money. */
export interface Amount extends Found {
  readonly currency: string | null;
  readonly isCpm: boolean;
}

/** More than this is no price per thousand impressions. */
export const highestCpm = 1000;

const signs: Readonly<Record<string, string>> = {
  $: "USD",
  us$: "USD",
  usd: "USD",
  "us dollar": "USD",
  "us dollars": "USD",
  dollar: "USD",
  dollars: "USD",
  dolares: "USD",
  buck: "USD",
  bucks: "USD",
  "€": "EUR",
  eur: "EUR",
  euro: "EUR",
  euros: "EUR",
  "£": "GBP",
  gbp: "GBP",
  pounds: "GBP",
  sterling: "GBP",
  "¥": "JPY",
  jpy: "JPY",
  yen: "JPY",
  chf: "CHF",
  francs: "CHF",
  cad: "CAD",
  c$: "CAD",
  aud: "AUD",
  a$: "AUD",
  brl: "BRL",
  reais: "BRL",
  r$: "BRL",
  mxn: "MXN",
  pesos: "MXN",
  inr: "INR",
  "₹": "INR",
  sek: "SEK",
  pln: "PLN",
};

const escaped = (sign: string): string => sign.replace(/\$/g, "\\$");
export const anySign = Object.keys(signs)
  .sort((one, other) => other.length - one.length)
  .map((sign) => (/^[a-z ]+$/.test(sign) ? `\\b${sign}\\b` : escaped(sign)))
  .join("|");
const perThousand = "cpm|tkp|per (?:thousand|mille|1[,.]?000)|pro tausend|por mil|pour mille";

const moneyPattern = new RegExp(
  `(?:(${anySign})\\s?|@\\s?)${fromStart}(${figure})\\s?(?:(${scale})\\b)?\\s?(?:(${anySign})\\s?)?(${perThousand})?|` +
    `${fromStart}(${figure})\\s?(?:(${scale})\\b)?\\s?(?:(${anySign})\\s?(${perThousand})?|(${perThousand})\\b)`,
  "gi",
);

const tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
const spelledMoney = new RegExp(
  `\\b((?:${tens})(?:[\\s-](?:${word}))?|${word})\\s+(?:(${scale})\\s+)?` +
    "(dollars?|bucks?|euros?|pounds|francs|pesos|reais|yen)\\b",
  "gi",
);
const cpmPattern = new RegExp(
  `\\b(?:cpm|tkp)(?:\\s+(?:of|at|is|target))?:?\\s+${fromStart}(${figure})` +
    `(?![\\d.,]*\\s?(?:%|(?:${scale}|imp\\w*)\\b))`,
  "gi",
);

const signedIn = (text: string): readonly Amount[] =>
  matchesOf(text, moneyPattern).flatMap((match) => {
    const sign = match[1] ?? match[4] ?? match[8];
    const isCpm = (match[5] ?? match[9] ?? match[10]) !== undefined;
    const value = moneyValue(match[2] ?? match[6] ?? "0", match[3] ?? match[7], text);
    // "@ 4M" is a volume.
    if (sign === undefined && !isCpm && value >= highestCpm) return [];
    return [
      { value, currency: sign === undefined ? null : (signs[sign.toLowerCase()] ?? null), isCpm, ...spanOf(match) },
    ];
  });

const unsignedIn = (text: string, quantities: readonly Quantity[]): readonly Amount[] => [
  ...matchesOf(text, spelledMoney).map((match) => ({
    value: spelled(match[1] ?? "") * scaleOf(match[2], 100, text),
    currency: signs[(match[3] ?? "").toLowerCase()] ?? null,
    isCpm: false,
    ...spanOf(match),
  })),
  ...budgetsIn(text, quantities).map((found) => ({ ...found, currency: null, isCpm: false })),
  ...matchesOf(text, cpmPattern).map((match) => ({
    value: moneyValue(match[1] ?? "0", undefined, text),
    currency: null,
    isCpm: true,
    ...spanOf(match),
  })),
];

/** Few clauses hold a figure, and each pattern would be tried on all of them. */
const mayBeMoney = new RegExp(`\\d|\\b(?:grand|million|dollars?|bucks?|euros?|pounds|francs|pesos|reais|yen)\\b`, "i");

/** "$22.50", "25 CPM", "12,50 €", "$50k", "twenty dollars", "CPM 25", "80k to spend". */
export const moneyIn = (text: string, quantities: readonly Quantity[] = quantitiesIn(text)): readonly Amount[] => {
  if (!mayBeMoney.test(text)) return [];
  const signed = signedIn(text);
  return [...signed, ...unsignedIn(blanked(text, signed), outside(quantities, signed))].toSorted(
    (one, other) => one.start - other.start,
  );
};

const offBehind = /\b(?:down|drop|lower|reduce|cut)(?: it| that| the price)? by\s*$/i;
const offAhead = /^\s?(?:off|less|lower|cheaper|down)\b(?! than)/i;

/** "2 dollars off" is no price. */
export const isStep = (text: string, { value, start, end }: Amount): boolean =>
  value < highestCpm &&
  (offAhead.test(text.slice(end, end + 12)) || offBehind.test(text.slice(Math.max(0, start - 30), start)));

const signAlone = new RegExp(
  `\\b(?:in|as|en|em) (${Object.keys(signs)
    .filter((sign) => /^[a-z ]+$/.test(sign))
    .join("|")})\\b`,
  "i",
);

export const currencyIn = (text: string, amounts: readonly Amount[]): string | null => {
  const named = amounts.find(({ currency }) => currency !== null)?.currency;
  return named ?? signs[signAlone.exec(text)?.[1]?.toLowerCase() ?? ""] ?? null;
};
