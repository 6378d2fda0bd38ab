import { blanked, type Span, spansOf } from "./spans.ts";

export interface Found extends Span {
  readonly value: number;
}

/** `currency` is null where only a unit such as CPM marks it as money. */
export interface Amount extends Found {
  readonly currency: string | null;
  readonly isCpm: boolean;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  thousand: 1e3,
  tausend: 1e3,
  mille: 1e3,
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
const figure =
  `(?:${groups(",")}(?:\\.\\d+)?|${groups("\\.")}(?:,\\d{1,2})?|${groups("'")}(?:\\.\\d+)?|` +
  `${groups("[ \\u00a0\\u202f]")}(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d+)?)`;
const scale = Object.keys(scales)
  .sort((one, other) => other.length - one.length)
  .join("|");
const word = Object.keys(words).join("|");

const signs: Readonly<Record<string, string>> = {
  $: "USD",
  us$: "USD",
  usd: "USD",
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
  r$: "BRL",
  mxn: "MXN",
  pesos: "MXN",
  inr: "INR",
  "₹": "INR",
  sek: "SEK",
  pln: "PLN",
};

const escaped = (sign: string): string => sign.replace(/\$/g, "\\$");
const anySign = Object.keys(signs)
  .sort((one, other) => other.length - one.length)
  .map((sign) => (/^[a-z]+$/.test(sign) ? `\\b${sign}\\b` : escaped(sign)))
  .join("|");
const perThousand = "cpm|tkp|per (?:thousand|mille|1[,.]?000)|pro tausend|por mil|pour mille";

/** From the first digit only: trying each digit of a long row would take quadratic time. */
const fromStart = "(?<![\\d,.:'])";
const moneyPattern = new RegExp(
  `(?:(${anySign})\\s?|@\\s?)${fromStart}(${figure})\\s?(?:(${scale})\\b)?\\s?(?:(${anySign})\\s?)?(${perThousand})?|` +
    `${fromStart}(${figure})\\s?(?:(${scale})\\b)?\\s?(?:(${anySign})\\s?(${perThousand})?|(cpm|tkp)\\b)`,
  "gi",
);

const tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
const spelledMoney = new RegExp(
  `\\b((?:${tens})(?:[\\s-](?:${word}))?|${word})\\s+(dollars?|bucks?|euros?|pounds|francs|pesos|yen)\\b`,
  "gi",
);
/** Money without a sign: "80k to spend", "budget of 80k". */
const budgetPattern = new RegExp(
  `\\bbudget(?:\\s+(?:is|of|went|goes|down|up|now|only|around|about|to)){0,4}:?\\s+` +
    `${fromStart}(${figure})\\s?(?:(${scale})\\b)?(?!\\s?imp)|` +
    `\\b(?:we|i)(?:'ve| have)?(?: got)? (?:have |got )?` +
    `(?:about |around |roughly |up to |only |circa |approx\\.? |~\\s?)?` +
    `${fromStart}(${figure})\\s?(k|thousand)\\b(?!\\s?(?:imp|view|of))(?=\\s+(?:for|to|in|on|over)\\b)|` +
    `${fromStart}(${figure})\\s?(?:(${scale})\\b)?\\s+(?:to spend|to invest|(?:in |of )?budget|` +
    `(?:is|was|would be|will be) (?:(?:my|our|the|a|whole|total|media|max\\w*) ){0,3}budget)\\b|` +
    `\\b(?:spend|spending|invest)\\s+(?:about |around |roughly |up to |only |max\\.? |~\\s?)?` +
    `${fromStart}(${figure})\\s?(?:(${scale})\\b)?(?!\\s?(?:imp|view|cpm|%))|` +
    // "CTV in April, about 80k".
    `(?:\\b(?:about|around|roughly|circa|approx\\.?|ca\\.?)\\s+|~\\s?)${fromStart}(${figure})\\s?(k|thousand)\\b` +
    `(?=\\s*(?:[.!?;]|,\\s|$))|` +
    // "What can I buy for 20k?"; millions are rather impressions.
    `\\bwhat\\b[^.?!\\d]{0,24}\\b(?:buy|get|have)\\b[^.?!\\d]{0,24}\\bfor\\s+` +
    `${fromStart}(${figure})\\s?(k|thousand)\\b(?!\\s?(?:imp|view))`,
  "gi",
);
const cpmPattern = new RegExp(
  `\\b(?:cpm|tkp)(?:\\s+(?:of|at|is|target))?:?\\s+${fromStart}(${figure})` +
    `(?![\\d.,]*\\s?(?:%|(?:${scale}|imp\\w*)\\b))`,
  "gi",
);

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

const scaleOf = (text: string | undefined, count: number): number => {
  const name = (text ?? "").toLowerCase();
  // "5 mil" is five million in English, "500 mil" half a million in Spanish or Portuguese.
  return name === "mil" && count < 100 ? 1e6 : (scales[name] ?? 1);
};

const scaledFigure = (text: string, scaleName: string | undefined): number => {
  const count = numberOf(text, scaleName !== undefined);
  return count * scaleOf(scaleName, count);
};

/** "29.925" is a price with three decimals, "25.000" is twenty-five thousand. */
const moneyValue = (text: string, scaleName: string | undefined): number =>
  /^\d{1,3}\.\d{3}$/.test(text) && !text.endsWith("00") ? Number(text) : scaledFigure(text, scaleName);

const spanOf = (match: RegExpMatchArray): Span => ({
  start: match.index ?? 0,
  end: (match.index ?? 0) + match[0].trimEnd().length,
});

const signedIn = (text: string): readonly Amount[] =>
  [...text.matchAll(moneyPattern)].flatMap((match) => {
    const sign = match[1] ?? match[4] ?? match[8];
    const isCpm = (match[5] ?? match[9] ?? match[10]) !== undefined;
    const value = moneyValue(match[2] ?? match[6] ?? "0", match[3] ?? match[7]);
    // "@ 4M" is a volume.
    if (sign === undefined && !isCpm && value >= highestCpm) return [];
    return [
      { value, currency: sign === undefined ? null : (signs[sign.toLowerCase()] ?? null), isCpm, ...spanOf(match) },
    ];
  });

/** The alternatives each have a figure and its scale. */
const figureOf = (match: RegExpMatchArray): readonly [figure: string, scale: string | undefined] => {
  const at = match.findIndex((group, place) => place % 2 === 1 && group !== undefined);
  return [match[at] ?? "0", match[at + 1]];
};

const unsignedIn = (text: string): readonly Amount[] => [
  ...[...text.matchAll(spelledMoney)].map((match) => ({
    value: spelled(match[1] ?? ""),
    currency: signs[(match[2] ?? "").toLowerCase()] ?? null,
    isCpm: false,
    ...spanOf(match),
  })),
  ...[...text.matchAll(budgetPattern)].map((match) => ({
    value: moneyValue(...figureOf(match)),
    currency: null,
    isCpm: false,
    ...spanOf(match),
  })),
  ...[...text.matchAll(cpmPattern)].map((match) => ({
    value: moneyValue(match[1] ?? "0", undefined),
    currency: null,
    isCpm: true,
    ...spanOf(match),
  })),
];

/** Few clauses hold a figure, and each pattern would be tried on all of them. */
const mayBeMoney = new RegExp(`\\d|\\b(?:dollars?|bucks?|euros?|pounds|francs|pesos|yen)\\b`, "i");

/** "$22.50", "25 CPM", "12,50 €", "$50k", "twenty dollars", "CPM 25", "80k to spend". */
export const moneyIn = (text: string): readonly Amount[] => {
  if (!mayBeMoney.test(text)) return [];
  const signed = signedIn(text);
  return [...signed, ...unsignedIn(blanked(text, signed))].toSorted((one, other) => one.start - other.start);
};

const signAlone = new RegExp(
  `\\b(?:in|as) (${Object.keys(signs)
    .filter((sign) => /^[a-z]+$/.test(sign))
    .join("|")})\\b`,
  "i",
);

export const currencyIn = (text: string, amounts: readonly Amount[]): string | null => {
  const named = amounts.find(({ currency }) => currency !== null)?.currency;
  return named ?? signs[signAlone.exec(text)?.[1]?.toLowerCase() ?? ""] ?? null;
};

const priceWords =
  "at|to|for|with|of|bid|than|take|about|is|offer|counter|do|pay|say|accept|around|only|above|over|below|under|" +
  "says|like|most|max|maximum|limit|ceiling|offer:|price:|cpm:";
/** Makes a number a volume, a length, a share or part of a date. */
const noPrice =
  `[\\d.,]*\\s?(?:%|:|/|-\\s?\\d|-\\w|` + `(?:${scale}|imp\\w*|days?|weeks?|months?|percent|hours?|sec\\w*|times)\\b)`;
const barePricePattern = new RegExp(`\\b(?:${priceWords})\\s+${fromStart}(${figure})(?!${noPrice})`, "gi");
const pleasing = "ok|okay|fine|good|great|perfect|nice|better|ideal|fair|doable|acceptable";
const limitAfter = new RegExp(
  `${fromStart}(${figure})(?!${noPrice})\\s+` +
    "(?:is (?:about )?(?:our|my|the) (?:limit|max\\w*|ceiling|target|offer|most|best|highest)|" +
    `and not a cent|(?:would|could|might) (?:work|do|be (?:\\w+ )?(?:${pleasing}))|` +
    "works|(?:and|n|&) (?:(?:we|you)(?:'ve| have)? (?:got |have )?|it'?s |that'?s )?(?:a |the )?" +
    "(?:deal|done|go|sign)\\b)",
  "gi",
);
/** "Too pricey: 19.5." */
const afterRefusal = new RegExp(
  `\\b(?:expensive|pricey|high|steep|much|rich|teuer|cher|caro|cara)[\\s,;:.!-]+${fromStart}(${figure})(?!${noPrice})` +
    "(?!\\s*(?:for|of|on|in)\\b)",
  "gi",
);
/** "ok then 29", "45 please". */
const beforeNumber = "ok|okay|fine|alright|well|hmm|no|then|so|and|say|let's say|make it";
const afterNumber =
  "final|max|tops|then|please|flat|and done|(?:is )?(?:my |our |the )?(?:last|final) offer|take it or leave it";
const onlyNumber = new RegExp(
  `^\\s*(?:(?:${beforeNumber})[\\s,]+)*(${figure})(?:[\\s,]+(?:${afterNumber}))*[\\s?!.]*$`,
  "gi",
);

/** "Can you sharpen the price? 18.50". */
const lastNumber = new RegExp(`[.?!;]\\s+(${figure})[\\s?!.]*$`, "gi");
const dear = "high|expensive|steep|much|rich|dear|pricey|costly|hefty|stiff|above";
const tooDear =
  "(?:(?:just|a|way|far|still|really)\\s+){0,2}(?:too|bit|rather|quite|pretty|very|little|tad)\\s+" +
  `(?:too\\s+)?(?:${dear})\\b`;
const pricedAt = `(?:(?:${anySign})\\s?)?${fromStart}(?:${figure})(?:\\s?(?:${anySign}|cpm))?`;
const looks = "(?:isn't|is|'s|was|seems|sounds|feels|looks)";
const refusedPrice = new RegExp(
  `${pricedAt}\\s+${looks}\\s+${tooDear}|\\b${looks}\\s+(?:not\\s+)?${pricedAt}\\s+(?:not\\s+)?${tooDear}`,
  "gi",
);

/** "31.50 is too high": the price that is not wanted. */
export const refusedPricesIn = (text: string): readonly Span[] =>
  /\d/.test(text) ? [...text.matchAll(refusedPrice)].map((match) => spanOf(match)) : [];

/** "come down to 9", "at 20.50". */
export const barePricesIn = (text: string): readonly Found[] => {
  if (!/\d/.test(text)) return [];
  return [barePricePattern, onlyNumber, limitAfter, afterRefusal, lastNumber]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map((match) => {
      const start = (match.index ?? 0) + match[0].indexOf(match[1] ?? "");
      return { value: moneyValue(match[1] ?? "0", undefined), start, end: start + (match[1] ?? "").length };
    })
    .filter(({ value }) => value > 0 && value < 1000);
};

const small = `(?:${word})(?:[\\s-](?:${word}))?`;
const hundredWords = "hundred|hundert|cien|cem|cent";
const spelledNumber =
  `half an?|(?:una? |eine |um |une )?(?:halbe|medio|media|demi|meio|meia)|(?:a |three )?quarters?(?: of)?(?: an?)?|` +
  `(?:${small}\\s+)?(?:${hundredWords})(?:\\s+(?:and\\s+)?${small})?|${small}(?: and a half)?`;
const volumePattern = new RegExp(
  `${fromStart}\\b(?:(${figure})\\s?(?:(${scale})\\b)?|(${spelledNumber})[\\s-]+(${scale}))(?!\\w)`,
  "gi",
);

const anyHundred = new RegExp(`\\b(?:${hundredWords})\\b`);

const spelled = (text: string): number => {
  const plain = text.toLowerCase();
  if (/^half a|\b(?:halbe|medi[oa]|demi|mei[oa])$/.test(plain)) return 0.5;
  if (/\bquarters?\b/.test(plain)) return plain.startsWith("three") ? 0.75 : 0.25;
  const [head = "", half] = plain.split(" and a half");
  const [hundreds, rest] = anyHundred.test(head) ? head.split(anyHundred) : [undefined, head];
  const sumOf = (names = ""): number => names.split(/[\s-]/).reduce((sum, name) => sum + (words[name] ?? 0), 0);
  const count = sumOf(rest) + (hundreds === undefined ? 0 : 100 * (sumOf(hundreds) || 1));
  return half === undefined ? count : count + 0.5;
};

/** Any number before "impressions" is a volume, even an impossible one: it is rejected, not ignored. */
const countedPattern = /(?<![\d,.'])(-?\d{1,3})\s?imp(?:ression)?s?\b/gi;

const scaled = (match: RegExpMatchArray): number => {
  if (match[1] !== undefined) return Math.round(scaledFigure(match[1], match[2]));
  return Math.round(spelled(match[3] ?? "") * scaleOf(match[4], 100));
};

/** Years, lengths, references and shares are no volume. */
const noVolume = new RegExp(
  [
    /\b(?:19|20)\d\d\b(?!\s*(?:imp|[km]\b|\d{3}))|:\d+|\b\d+(?:[.,]\d+)?\s?%|\b\d+x\d+\b/,
    /\b(?:ref(?:erence)?|po|no|nr|number|order|invoice)(?: (?:number|no|nr|id))?[.:#]?(?: is)?\s?#?\d[\d-]*/,
    /\b(?:ticket|id|phone|tel|slot|code)(?: (?:number|no|nr|id))?[.:#]?(?: is)?\s?#?\d[\d-]*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

const mayBeVolume = new RegExp(`\\d|\\b(?:${scale})\\b`, "i");

/** "5M", "5,000,000", "5.000.000", "five million"; small bare numbers are no volume. */
export const volumesIn = (text: string): readonly Found[] => {
  if (!mayBeVolume.test(text)) return [];
  return [...blanked(text, spansOf(text, noVolume)).matchAll(volumePattern)]
    .map((match) => ({ value: scaled(match), ...spanOf(match) }))
    .filter((found) => found.value >= 1000)
    .concat([...text.matchAll(countedPattern)].map((match) => ({ value: Number(match[1]), ...spanOf(match) })));
};

export interface Limit {
  readonly value: number;
  readonly measure: "cpm" | "total";
  readonly isMost: boolean;
}

const negated = "(?:not|nothing|none|never|cannot|\\w+n't(?! you))";
const most =
  "under|below|less than|at most|at the most|no more than|not more than|" +
  `${negated}(?: \\w+){0,2} (?:above|over|more than|exceed)|up to|within|max(?:imum)?|sub|` +
  "cheaper than|stays? (?:under|below|within)|go above|go over|exceed|limit|ceiling|spend|only (?:have|spend)";
const least =
  `no (?:less|lower|fewer) than|${negated}(?: \\w+){0,2} (?:(?:less|lower|fewer|cheaper) than|under|below)|` +
  "over|above|more than|at least|at minimum|a minimum of|minimum|exceeds|starting at|upwards of";
const limitBefore = new RegExp(`\\b(?:(${most})|(${least}))\\b[^\\d.;?!]{0,24}$`, "i");
const limitBehind =
  /^\s*(?:\w+\s){0,2}(?:or less|max(?:imum)?\b|tops|at (?:the )?(?:very )?most|is (?:our|my|the) (?:limit|max))/i;
const totalWords = /\b(?:total|whole|altogether|in all|overall|spend|budget|sum|all in|everything|entire)\b/i;

/** More than this is no price per thousand impressions. */
export const highestCpm = 1000;

export const limitIn = (text: string, amounts: readonly (Found & { readonly isCpm?: boolean })[]): Limit | null => {
  for (const { value, start, end, isCpm } of amounts) {
    const before = limitBefore.exec(text.slice(Math.max(0, start - 60), start));
    const behind = limitBehind.test(text.slice(end, end + 40));
    if (before === null && !behind) continue;
    const isTotal = isCpm !== true && (value >= highestCpm || totalWords.test(text));
    return { value, measure: isTotal ? "total" : "cpm", isMost: before?.[2] === undefined };
  }
  return null;
};
