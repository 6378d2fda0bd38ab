import { isForeign } from "../clauses.ts";
import { matchesOf, type Span } from "../spans.ts";

export interface Found extends Span {
  readonly value: number;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  thousand: 1e3,
  tausend: 1e3,
  mille: 1e3,
  grand: 1e3,
  mil: 1e3,
  m: 1e6,
  mm: 1e6,
  mio: 1e6,
  mn: 1e6,
  mill: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millon: 1e6,
  millones: 1e6,
  milhao: 1e6,
  milhoes: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};

/** Other languages' numbers; only a scale behind them makes them one. */
const foreignWords: Readonly<Record<string, string>> = {
  1: "un une ein eine einer um uma uno una",
  2: "deux zwei dos dois duas",
  3: "trois drei tres",
  4: "quatre vier cuatro quatro",
  5: "cinq funf cinco",
  6: "sechs seis",
  7: "sept sieben siete sete",
  8: "huit acht ocho oito",
  9: "neuf neun nueve nove",
  10: "dix zehn diez dez",
  20: "vingt zwanzig veinte vinte",
};

const units = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
const words: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  ...Object.fromEntries(units.split(" ").map((name, place) => [name, place + 1])),
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  ...Object.fromEntries(
    "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((name, place) => [name, (place + 2) * 10]),
  ),
  ...Object.fromEntries(
    Object.entries(foreignWords).flatMap(([value, names]) => names.split(" ").map((name) => [name, Number(value)])),
  ),
};

const groups = (mark: string): string => `\\d{1,3}(?:${mark}\\d{3})+(?!\\d)`;
export const figure =
  `(?:${groups(",")}(?:\\.\\d+)?|${groups("\\.")}(?:,\\d{1,2})?|${groups("'")}(?:\\.\\d+)?|` +
  `${groups("[ \\u00a0\\u202f]")}(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?)`;
export const scale = Object.keys(scales)
  .sort((one, other) => other.length - one.length)
  .join("|");
export const word = Object.keys(words).join("|");

/** From the first digit only: trying each digit of a long row would take quadratic time. */
export const fromStart = "(?<![\\d,.:'])";
/** "1.500" is 1500 before a unit of count, 1.5 before a scale. */
const numberOf = (text: string, isScaled: boolean): number => {
  const plain = text.replace(/['\s\u00a0\u202f]/g, "");
  const marks = plain.replace(/\d/g, "");
  const isGrouped = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(plain) && !(isScaled && marks.length === 1);
  if (isGrouped) return Number(plain.replace(/[.,]/g, ""));
  const decimal = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (decimal < 0) return Number(plain);
  return Number(`${plain.slice(0, decimal).replace(/[.,]/g, "")}.${plain.slice(decimal + 1)}`);
};

/** "5 mil" is five million in English; thousands in Spanish and Portuguese. */
const isThousand = (text: string): boolean => /\bmil\b/i.test(text) && isForeign(text);

export const scaleOf = (name: string | undefined, count: number, whole: string): number => {
  const scaleName = (name ?? "").toLowerCase();
  return scaleName === "mil" && count < 100 && !isThousand(whole) ? 1e6 : (scales[scaleName] ?? 1);
};

const scaledFigure = (text: string, scaleName: string | undefined, whole: string): number => {
  const count = numberOf(text, scaleName !== undefined);
  return count * scaleOf(scaleName, count, whole);
};

/** "29.925" is a price with three decimals, "25.000" is twenty-five thousand, and so is any budget. */
export const moneyValue = (text: string, scaleName: string | undefined, whole: string): number =>
  /^\d{1,3}\.\d{3}$/.test(text) && !text.endsWith("00") && !/\b(?:budget|presupuesto|orcamento|verba)/i.test(whole)
    ? Number(text)
    : scaledFigure(text, scaleName, whole);

const hundredWords = "hundred|hundert|cien|cem|cent";
const anyHundred = new RegExp(`\\b(?:${hundredWords})\\b`);

export const spelled = (text: string): number => {
  const plain = text.toLowerCase();
  if (/^half a|\b(?:halbe|medi[oa]|demi|mei[oa])$/.test(plain)) return 0.5;
  if (/\bquarters?\b/.test(plain)) return plain.startsWith("three") ? 0.75 : 0.25;
  const [head = "", half] = plain.split(" and a half");
  const [hundreds, rest] = anyHundred.test(head) ? head.split(anyHundred) : [undefined, head];
  const sumOf = (names = ""): number => names.split(/[\s-]/).reduce((sum, name) => sum + (words[name] ?? 0), 0);
  const count = sumOf(rest) + (hundreds === undefined ? 0 : 100 * (sumOf(hundreds) || 1));
  return half === undefined ? count : count + 0.5;
};

export const spanOf = (match: RegExpMatchArray): Span => ({
  start: match.index ?? 0,
  end: (match.index ?? 0) + match[0].trimEnd().length,
});

const small = `(?:${word})(?:[\\s-](?:${word}))?`;
const spelledNumber =
  `half an?|(?:una? |eine |um |une )?(?:halbe|medio|media|demi|meio|meia)|(?:a |three )?quarters?(?: of)?(?: an?)?|` +
  `(?:${small}\\s+)?(?:${hundredWords})(?:\\s+(?:and\\s+)?${small})?|${small}(?: and a half)?`;
const andHalf = "\\s+(?:y medi[oa]|e mei[oa]|et demie?)\\b";
const quantity = new RegExp(
  `${fromStart}\\b(?:(${figure})\\s?(?:(${scale})\\b)?|(${spelledNumber})[\\s-]+(${scale})(${andHalf})?)(?!\\w)`,
  "gi",
);

/** A number, and whether a scale such as "k" stands behind it. */
export interface Quantity extends Found {
  readonly scale: string | null;
}

const mayBeQuantity = new RegExp(`\\d|\\b(?:${scale})\\b`, "i");

/** "5M", "5,000,000", "5.000.000", "five million", "80". */
export const quantitiesIn = (text: string): readonly Quantity[] =>
  !mayBeQuantity.test(text)
    ? []
    : matchesOf(text, quantity).map((match) => {
        const [, digits, scaleName, words, wordScale, half] = match;
        const count = spelled(words ?? "") + (half === undefined ? 0 : 0.5);
        // "Half a mil" is English.
        const value =
          digits === undefined
            ? count * scaleOf(wordScale, count < 1 ? 1 : 100, text)
            : scaledFigure(digits, scaleName, text);
        return { value, scale: (scaleName ?? wordScale ?? null)?.toLowerCase() ?? null, ...spanOf(match) };
      });
