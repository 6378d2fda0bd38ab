import { month } from "../../../../understanding/reading/dates/month-words.ts";
import { figure } from "../../../../understanding/reading/figures/numbers.ts";
import type { BriefInput } from "../input.ts";
import { withMovedDays } from "../members/day-forms.ts";
import { withPriceLines } from "./form.ts";

const limit =
  "(?:never|not|nothing|n't) (?:go )?(?:above|over|beyond|higher than|more than)|max(?:imum)?\\.?|cap|limit|" +
  "ceiling|at most|no(?:t)? more than|pay(?:ing)? (?:more than|over|above)|pay (?:at most|max|up to)";
const noPrice =
  "(?![\\d.,]*\\d|\\s?(?:k\\b|%|percent|grand|thousand|mio|million|cpm|tkp|imp|x\\b|times|per\\b|a (?:day|week|user)|" +
  "days?|weeks?|months?|s\\b|sec|users?|people|years?|channels?|/|-\\s?\\d))";
const small = "(?<![\\d.,$-])(?:\\$\\s?)?(\\d{1,3}(?:[.,]\\d{1,2})?)";
const bareLimits: readonly RegExp[] = [
  new RegExp(
    `(?<!\\bfreq\\w*\\.?\\s)\\b(?:${limit})(?:\\s+(?:it|that|them|price|is|of|at|to|be|should be|now|on|goes|go|` +
      "up|down|raised|lowered|" +
      "moves|:|" +
      `=))*[\\s:=]+${small}(?:\\s?(?:usd|dollars?|` +
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

/** "I don't want to spend more than 50k" is "max 50k". */
const noMore = new RegExp(
  "\\b(?:do|does|would|can|could|will|must|should)(?:n't| not)\\s+(?:(?:want|like|be able) to\\s+)?" +
    "(?:(?:pay|spend|go|invest)\\s+)?(?:more than|over|above|beyond)\\b",
  "gi",
);

/** "Max $30" beside a budget of thousands is a price per thousand impressions. */
const withBareLimits = (text: string, budget: number): string =>
  bareLimits.reduce(
    (left, pattern) =>
      left.replace(pattern, (said: string, price: string) =>
        Number(price.replace(",", ".")) * leastFactor <= budget ? `max ${price} CPM` : said,
      ),
    text.replace(noMore, "max"),
  );

const sized = `(?:\\$\\s?)?(${figure})(?:\\s?(k|grand|thousand)\\b)?(?:\\s?(?:usd|dol+ar(?:e?s)?|\\$))?`;
const noDate =
  "(?!\\s*(?:%|[-/:]|st\\b|nd\\b|rd\\b|th\\b|days?|weeks?|months?|\\.\\d|,\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|" +
  "oct|nov|dec|cpm))";
const nowNotThen = new RegExp(
  `${sized}\\s*,?\\s+(?:and\\s+)?(?:not|instead of|rather than)\\s+${sized}${noDate}`,
  "gi",
);
const notThenNow = new RegExp(`\\bnot\\s+${sized}\\s*,?\\s+(?:but|rather|make it)\\s+${sized}${noDate}`, "gi");

/** "28.500, no 30.000": only the budget itself is denied so. */
const nowNoThen = new RegExp(`${sized}\\s*,\\s*(?:and\\s+)?no\\s+${sized}${noDate}`, "gi");

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
  type Digits = string;
  type Scale = string | undefined;
  return text
    .replace(nowNotThen, (said: string, now: Digits, scale: Scale, former: Digits, other: Scale) =>
      named(said, [now, scale], [former, other]),
    )
    .replace(notThenNow, (said: string, former: Digits, other: Scale, now: Digits, scale: Scale) =>
      named(said, [now, scale], [former, other]),
    )
    .replace(nowNoThen, (said: string, now: Digits, scale: Scale, former: Digits, other: Scale) =>
      valueOf(former, other) === open.budget ? named(said, [now, scale], [former, other]) : said,
    );
};

const tooMuch = new RegExp(
  "\\b\\$?(\\d{1,3})k?\\s+(?:is|was|are)\\s+(?:(?:far|way|a bit|much|just|still)\\s+)*(?:too\\s+)?" +
    "(?:much|high|little|low|many|expensive)\\b",
  "gi",
);
const bareThousands = new RegExp(
  "(?<=\\b(?:do|make it|say|rather|with|is|to|at|only|just|take|now|no|better|mit|lieber)[\\s,:]{1,3})(\\d{1,3})" +
    "(?=\\s*(?:[,.;!?](?!\\d)|$|(?:please|then|instead|now|and|but|total|in total)\\b))",
  "gi",
);
const likeliest = 4;

const isOfOthers = new RegExp(
  `\\b${month}\\b|\\d\\s?(?:-|–|to|and|bis)\\s?\\d|\\bages?\\b|\\b(?:cpms?|` + "tkps?)\\b(?<!\\d CPM)",
);

/** Of 200,000: "200 is too much, let's do 180". Beside prices a small figure may be one. */
const inThousands = (open: BriefInput, said: string): string => {
  const { budget, kpis } = open;
  if (budget === undefined || isOfOthers.test(said)) return said;
  if (Object.keys(kpis ?? {}).length > 0 && !/\d CPM|\b(?:budget|spend)\b/i.test(said)) return said;
  const isNear = (figure: string): boolean =>
    Number(figure) * 1000 <= budget * likeliest && Number(figure) * 1000 >= budget / likeliest;
  return said
    .replace(tooMuch, (words: string, figure: string) => (isNear(figure) ? "" : words))
    .replace(bareThousands, (words: string, figure: string) => (isNear(figure) ? `${figure}k` : words));
};

/** What corrects a brief, in the forms that its members are read in. */
export const inCorrectionForm = (open: BriefInput, said: string): string => {
  const text = withoutFormer(open, withMovedDays(said));
  return inThousands(open, withPriceLines(withBareLimits(text, open.budget ?? 0)));
};
