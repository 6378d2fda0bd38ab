import { matchesOf, outside, type Span } from "./spans.ts";

/** Numbers of seats and accounts: no volume, and no price. */
const reference = new RegExp(
  "\\b(?:(?:seat|account|member|partner|advertiser|dsp|dv ?360|ttd|xandr|buyer|client|customer|campaign|publisher)" +
    "(?: (?:seat|account|member|partner))?(?: ?(?:id|ids|number|no|nr))?)[.:#=]{0,2}" +
    "(?: (?:is|was|ist|now))?[:=]?\\s?#?(\\d[\\d-]{2,})" +
    "(?!\\d|[\\d.,]*\\s?(?:k|m|mm|mio|million|thousand|bn|imp\\w*|[$€£]|usd|eur\\w*|cpm|%)(?![a-z]))" +
    "(?![.,]\\d)",
  "gi",
);

const noAmount =
  "(?![\\w-]|[\\d.,]*\\s?(?:k|m|mm|mio|million|thousand|bn|imp\\w*|[$€£]|usd|eur\\w*|cpm|%)(?![a-z]))(?![., ]\\d)";
const code = "((?:[a-z]{1,5}[-/#]?)?\\d[\\d/-]{2,})" + noAmount;
const paper = "(?:p\\.?o\\.?|purchase order|invoice|ref(?:erence)?|ticket|insertion order|job|cost cent(?:er|re))";
/** Numbers of the buyer's own papers: "PO number is PO-88231", "88231 is our PO". */
const paperNumbers = [
  new RegExp(
    `\\b(?:${paper}(?:[ -](?:number|no|nr|id|code))?|(?:order|campaign) (?:number|no|nr|id|code))[.:#=]{0,2}` +
      `(?: (?:is|was|will be))?[:=]?\\s?[#-]?${code}`,
    "gi",
  ),
  new RegExp(`\\b${code}(?= (?:is|as) (?:our|my|the|a) ${paper}\\b)`, "gi"),
];

const codeOf = (match: RegExpExecArray): Span => {
  const end = match.index + match[0].length;
  return { start: end - (match[1] ?? "").length, end };
};

export const referencesIn = (text: string): readonly Span[] => {
  if (!/\d{3}/.test(text)) return [];
  const seats = matchesOf(text, reference).map(codeOf);
  const papers = paperNumbers.flatMap((pattern) => outside(matchesOf(text, pattern).map(codeOf), seats));
  return [...seats, ...papers].toSorted((one, other) => one.start - other.start);
};
