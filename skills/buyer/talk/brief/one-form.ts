import { figure } from "../../../understanding/reading/figures/numbers.ts";
import type { BriefInput } from "./input.ts";
import { withPriceLines } from "./form.ts";

type Rewrite = readonly [pattern: RegExp, words: string];

const makesIt = "(?:but\\s+|make it\\s+|rather\\s+|it'?s\\s+)+";
/** "Not end of feb, make it 20 feb" is "until 20 feb". */
const contrasts: readonly Rewrite[] = [
  [
    new RegExp(
      `\\bnot\\s+(?:the\\s+)?(?:end of|until|till|to)\\s+[^,.;]{2,20}?[\\s,;]+${makesIt}(?:until\\s+|till\\s+)?`,
      "gi",
    ),
    "until ",
  ],
  [
    new RegExp(
      `\\bnot\\s+(?:the\\s+)?(?:beginning of|start of|from)\\s+[^,.;]{2,20}?[\\s,;]+${makesIt}(?:from\\s+)?`,
      "gi",
    ),
    "from ",
  ],
];
/** "The end date moved to 20 may" as "until 20 may". */
const movedDay = (side: string): RegExp =>
  new RegExp(
    `\\b(?:(?:move|change|set|push|shift|put|extend)\\s+)?(?:the\\s+)?(?:${side})(?:ing)?(?:\\s+(?:date|day))?\\s+` +
      "(?:(?:is|be|was|should be|must be|has to be|to be)\\s+)?(?:moved|changed|set|pushed|shifted|" +
      "put|extended)?\\s*to\\s+(?=[\\w])",
    "gi",
  );
const movedDays: readonly Rewrite[] = [
  [movedDay("end|last day|finish"), "until "],
  [movedDay("start|first day|begin"), "from "],
];

const beside =
  "(?<=\\b(?:until|till|til|to|through|thru|by|before|from|starting|on|and|bis|hasta|jusqu'a|ate|[-–])\\s*)";
const xmas = "(?:christmas|xmas|x-mas)";
/** Days of the year that have a name and never move. */
const namedDays: readonly Rewrite[] = [
  [new RegExp(`${beside}(?:the\\s+)?(?:${xmas}[ -]eve|heiligabend|nochebuena)\\b`, "gi"), "24 December"],
  [new RegExp(`${beside}(?:the\\s+)?${xmas}[ -]day\\b`, "gi"), "25 December"],
  [new RegExp(`${beside}(?:the\\s+)?(?:new year'?s eve|nye|silvester|nochevieja)\\b`, "gi"), "31 December"],
  [new RegExp(`${beside}(?:new year'?s day|neujahr)\\b`, "gi"), "1 January"],
  [new RegExp(`${beside}(?:st\\.? )?valentine'?s(?: day)?\\b`, "gi"), "14 February"],
  [new RegExp(`${beside}halloween\\b`, "gi"), "31 October"],
];

const rewritten = (text: string, rewrites: readonly Rewrite[]): string =>
  rewrites.reduce((left, [pattern, words]) => left.replace(pattern, words), text);

const limit =
  "max(?:imum)?\\.?|cap|limit|ceiling|at most|no(?:t)? more than|not pay more than|pay (?:at most|max|up to)";
const noPrice =
  "(?![\\d.,]*\\d|\\s?(?:k\\b|%|percent|grand|thousand|mio|million|cpm|tkp|imp|x\\b|times|per\\b|a (?:day|week|user)|" +
  "days?|weeks?|months?|s\\b|sec|users?|people|years?|channels?|/|-\\s?\\d))";
const small = "(?<![\\d.,$-])(?:\\$\\s?)?(\\d{1,3}(?:[.,]\\d{1,2})?)";
const bareLimits: readonly RegExp[] = [
  new RegExp(
    `\\b(?:${limit})(?:\\s+(?:price|is|of|at|to|be|should be|now|on|:|=))*[\\s:=]+${small}(?:\\s?(?:usd|dollars?|` +
      `\\$))?${noPrice}`,
    "gi",
  ),
  new RegExp(
    `${small}(?:\\s?(?:usd|dollars?|\\$))?\\s+(?:(?:is (?:my|our|the) |as )?(?:limit|cap|ceiling|max(?:imum)?|tops)|` +
      "(?:for|on|across) (?:all|everything|every channel|both|all channels|all of (?:it|them)))\\b(?!\\s*(?:cpm|" +
      "tkp|budget))",
    "gi",
  ),
];
/** A campaign buys thousands of impressions, so its budget is a multiple of their price. */
const leastFactor = 50;

/** "Max $30" beside a budget of thousands is a price per thousand impressions. */
export const withBareLimits = (text: string, budget: number): string =>
  bareLimits.reduce(
    (left, pattern) =>
      left.replace(pattern, (said: string, price: string) =>
        Number(price.replace(",", ".")) * leastFactor <= budget ? `max ${price} CPM` : said,
      ),
    text,
  );

const sized = `(?:\\$\\s?)?(${figure})(?:\\s?(k|grand|thousand)\\b)?(?:\\s?(?:usd|dollars?|\\$))?`;
const noDate =
  "(?!\\s*(?:%|[-/:]|st\\b|nd\\b|rd\\b|th\\b|days?|weeks?|months?|\\.\\d|,\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|" +
  "oct|nov|dec|cpm))";
const nowNotThen = new RegExp(
  `${sized}\\s*,?\\s+(?:and\\s+)?(?:not|instead of|rather than)\\s+${sized}${noDate}`,
  "gi",
);
const notThenNow = new RegExp(`\\bnot\\s+${sized}\\s*,?\\s+(?:but|rather|make it)\\s+${sized}${noDate}`, "gi");

const valueOf = (digits: string, scale: string | undefined): number =>
  Number(digits.replace(/[.,](?=\d{3}\b)/g, "").replace(",", ".")) * (scale === undefined ? 1 : 1000);

/** "35k not 40", "not 30 but 25": what the former figure is of the open brief, the new one is too. */
const withoutFormer = (open: BriefInput, text: string): string => {
  const named = (
    said: string,
    now: readonly [string, string | undefined],
    former: readonly [string, string | undefined],
  ) => {
    const [value, old] = [valueOf(...now), valueOf(...former)];
    if (old === open.kpis?.max_cpm) return `max ${now[0]} CPM`;
    if (old === open.kpis?.target_cpm) return `target ${now[0]} CPM`;
    const isThousands = now[1] !== undefined || former[1] !== undefined || old * 1000 === open.budget;
    if (now[1] !== undefined || (value < 1000 && isThousands)) return `${now[0]}k dollars`;
    return value >= 1000 ? `${now[0]} dollars` : said;
  };
  return text
    .replace(
      nowNotThen,
      (said: string, now: string, scale: string | undefined, former: string, other: string | undefined) =>
        named(said, [now, scale], [former, other]),
    )
    .replace(
      notThenNow,
      (said: string, former: string, other: string | undefined, now: string, scale: string | undefined) =>
        named(said, [now, scale], [former, other]),
    );
};

/** Days that have a name, in figures. */
export const withDaysInFigures = (said: string): string => rewritten(said, namedDays);

/** What corrects a brief, in the forms that its members are read in. */
export const inCorrectionForm = (open: BriefInput, said: string): string =>
  withPriceLines(withBareLimits(withoutFormer(open, rewritten(said, [...contrasts, ...movedDays])), open.budget ?? 0));
