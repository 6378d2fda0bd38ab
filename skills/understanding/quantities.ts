import { blanked, type Span, spansOf } from "./spans.ts";

/** A number found in a text, with the span it covers. */
interface Found extends Span {
  readonly value: number;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tausend: 1e3,
  mil: 1e3,
  m: 1e6,
  mm: 1e6,
  mio: 1e6,
  mn: 1e6,
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
};

const figure = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
const scale = Object.keys(scales)
  .sort((one, other) => other.length - one.length)
  .join("|");
const word = Object.keys(words).join("|");
/** A figure is read from its first digit only: tried anew at each digit, a long row of digits would take its square. */
const moneyPattern = new RegExp(
  `(?:\\$\\s?|usd\\s?|@\\s?)(${figure})\\s?(?:(${scale})\\b)?(?:\\s?cpm\\b)?|` +
    `(?<![\\d,.:])(${figure})\\s?(${scale})?\\s?(?:usd|dollars?|bucks?|cpm)\\b(?:\\scpm\\b)?`,
  "gi",
);
const priceWords =
  "at|to|for|with|of|than|take|about|is|offer|counter|do|pay|say|accept|around|only|above|over|below|under";
/** What makes a number a volume, a length of time, a share or a part of a date. */
const noPrice = `[\\d.,]*\\s?(?:%|:|/|-|(?:${scale}|imp\\w*|days?|weeks?|months?|percent)\\b)`;
const barePricePattern = new RegExp(`\\b(?:${priceWords})\\s+(${figure})(?!${noPrice})`, "gi");
/** Words that a price may stand between when it is all that is said: "ok then 29", "45 please". */
const beforeNumber = "ok|okay|fine|alright|well|hmm|no|then|so|and|say|let's say|make it";
const afterNumber = "final|max|tops|then|please|flat|and done";
const onlyNumber = new RegExp(
  `^\\s*(?:(?:${beforeNumber})[\\s,]+)*(${figure})(?:[\\s,]+(?:${afterNumber}))*[\\s?!.]*$`,
  "gi",
);
const spelledNumber = `half a|(?:${word})(?:[\\s-](?:${word}))?(?: and a half)?`;
const volumePattern = new RegExp(
  `\\b(?:(${figure})\\s?(?:(${scale})\\b)?|(${spelledNumber})\\s+(?:(hundred)\\s+)?(${scale}))\\b`,
  "gi",
);

const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

const spanOf = (match: RegExpMatchArray): Span => ({
  start: match.index ?? 0,
  end: (match.index ?? 0) + match[0].length,
});

const scaleOf = (text: string | undefined): number => scales[(text ?? "").toLowerCase()] ?? 1;

/** Prices and other amounts of money: "$22.50", "25 CPM", "12 dollars", "$50k". */
export const moneyIn = (text: string): readonly Found[] =>
  [...text.matchAll(moneyPattern)].map((match) => ({
    value: numberOf(match[1] ?? match[3] ?? "0") * scaleOf(match[2] ?? match[4]),
    ...spanOf(match),
  }));

/** Prices without a sign of money, where an offer is being made: "come down to 9", "at 20.50". */
export const barePricesIn = (text: string): readonly Found[] =>
  [...text.matchAll(barePricePattern), ...text.matchAll(onlyNumber)]
    .map((match) => ({ value: numberOf(match[1] ?? "0"), ...spanOf(match) }))
    .filter(({ value }) => value > 0 && value < 1000);

const spelled = (text: string): number => {
  const [head = "", half] = text.toLowerCase().split(" and a half");
  if (head === "half a") return 0.5;
  const count = head.split(/[\s-]/).reduce((sum, name) => sum + (words[name] ?? 0), 0);
  return half === undefined ? count : count + 0.5;
};

/** Whatever stands before the word impressions is a volume, one that is none too: it is refused, not passed over. */
const countedPattern = /(?<![\d,.])(-?\d{1,3})\s?imp(?:ression)?s?\b/gi;

const scaled = (match: RegExpMatchArray): number => {
  if (match[1] !== undefined) return Math.round(numberOf(match[1]) * scaleOf(match[2]));
  return Math.round(spelled(match[3] ?? "") * (match[4] === undefined ? 1 : 100) * scaleOf(match[5]));
};

/** A year or a length is no volume, however large. */
const noVolume = /\b(?:19|20)\d\d\b(?!\s*(?:imp|[km]))|:\d+/gi;

/** Volumes: "5M", "5,000,000", "five million"; small bare numbers are no volume. */
export const volumesIn = (text: string): readonly Found[] =>
  [...blanked(text, spansOf(text, noVolume)).matchAll(volumePattern)]
    .map((match) => ({ value: scaled(match), ...spanOf(match) }))
    .filter((found) => found.value >= 1000)
    .concat([...text.matchAll(countedPattern)].map((match) => ({ value: Number(match[1]), ...spanOf(match) })));

const factors: readonly (readonly [RegExp, number])[] = [
  [/\b(?:double|twice)\b/i, 2],
  [/\b(?:triple|three times)\b/i, 3],
  [/\b(?:half|halve)\b(?! (?:a|an|of)\b)/i, 0.5],
];

/** How the text changes a volume that was named before: "double the volume" is 2; null where it does not. */
export const volumeFactorIn = (text: string): number | null =>
  factors.find(([pattern]) => pattern.test(text))?.[1] ?? null;
