import { matchesOf, type Span } from "./spans.ts";

/** Numbers of seats and accounts: no volume, and no price. */
const reference = new RegExp(
  "\\b(?:(?:seat|account|member|partner|advertiser|dsp|dv ?360|ttd|xandr|buyer|client|customer|campaign|publisher)" +
    "(?: (?:seat|account|member|partner))?(?: ?(?:id|ids|number|no|nr))?)[.:#=]{0,2}" +
    "(?: (?:is|was|ist|now))?[:=]?\\s?#?(\\d[\\d-]{2,})" +
    "(?!\\d|[\\d.,]*\\s?(?:k|m|mm|mio|million|thousand|bn|imp\\w*|[$€£]|usd|eur\\w*|cpm|%)(?![a-z]))" +
    "(?![.,]\\d)",
  "gi",
);

export const referencesIn = (text: string): readonly Span[] =>
  !/\d{3}/.test(text)
    ? []
    : matchesOf(text, reference).map((match) => {
        const end = match.index + match[0].length;
        return { start: end - (match[1] ?? "").length, end };
      });
