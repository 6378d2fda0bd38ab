import type { Found, Quantity } from "./numbers.ts";

const about =
  "(?:(?:about|around|roughly|approx\\.?|circa|ca\\.?|rund|up to|only|another|some|max\\.?|maximum)\\s+|~\\s?)*";
const behind = (words: string): RegExp => new RegExp(`(?:${words})\\s*${about}$`, "i");
const ahead = (words: string): RegExp => new RegExp(`^\\s?(?:${words})`, "iu");

const counted = ahead(
  "[-]?imp|views?\\b|contacts?\\b|kontakte|ai\\b|pi\\b|people\\b|users?\\b|plays?\\b|cpm\\b|%|x\\d",
);

/** They name money whatever its size. */
const moneyBehind = behind(
  "\\b(?:budget|verba|presupuesto|orcamento)" +
    "(?:[\\s,]+(?:is|of|went|goes|down|up|now|to|de|von|ist|limit|it's)){0,4}:?|" +
    "\\b(?:spend|spending|invest|investing|ausgeben)(?:\\s+limit)?(?:\\s+(?:is|of))?:?|" +
    "\\b(?:total|overall|media) (?:investment|spend)(?:\\s+(?:is|of))?:?",
);
const moneyAhead = ahead(
  "\\s?(?:to (?:spend|invest|play with|burn|put (?:into|on|in|towards|behind))|(?:\\p{L}+ |in |of )?budget\\b|" +
    "(?:is|was|would be|will be|are) (?:(?:my|our|the|a|whole|total|media|max\\w*|all) ){0,3}" +
    "(?:budget|money|spend|cash)\\b|" +
    "(?:is|are|=)?[^.?!\\d]{0,24}\\bnot (?:the )?(?:in )?(?:imp|volume))",
);

/** They name money where the figure is some thousands: a volume is rather some hundred thousands. */
const thousandsBehind = behind(
  "\\b(?:we|i|they|client|brand|team)(?:(?:'ve|'s| have| has)(?: got)?| got)|(?:^|[.,;!?]\\s*)(?:got|have|only have)|" +
    "\\b(?:planning|working|playing) with|" +
    "\\b(?:go over|go above|exceed|limit is|ceiling is)",
);
const thousandsAhead = ahead("\\s?(?:all[ -]in|net|gross|netto|brutto|in total|left|remaining)\\b");
const putBehind = behind("\\b(?:plan|put|allocate|throw|commit|dedicate|shift|spread|split|distribute)");
const putAhead = ahead("\\s?(?:evenly |equally )?(?:on|into|towards|behind|in|over|across|between)\\b");
const mostBehind = /\b(?:max(?:imum)?\.?|limit of)\s+$/i;
const mostAhead = ahead("\\s?(?:for|in total|on)\\b");
const buys = /\b(?:what|how (?:much|many))\b[^.?!\d]{0,40}\b(?:buy|get|have)\b[^.?!\d]{0,30}\bfor\s+$/i;
/** "6000, how many impressions is that?" */
const asksCount = /\bhow many (?:imp\w*|views|contacts)\b[^.?!\d]{0,30}\b(?:get|buys?|is that|makes?)\b/i;
const boughtBehind = /\b(?:what|how (?:much|many))\b[^.?!\d]{0,40}\b(?:do|does|would|will|can|could)\s+$/i;
const boughtAhead = ahead("\\s?(?:get|buy|bring|give)s?\\b");
const endOfPart = /^\s*(?:[.!?;]|,\s|$)/;
const guess = /(?:\b(?:about|around|roughly|circa|approx\.?|ca\.?)\s+|~\s?)$/i;
const haveAhead = /^(?:\s+(?:for|to|in|on|over|left)\b|\s*(?:[.,!?;]|$))/i;

const isThousands = ({ value, scale }: Quantity): boolean => scale !== null && value < 1e6 && !/^m/.test(scale);

const leastBudget = 1000;

const isBudget = (one: Quantity, before: string, after: string): boolean => {
  if (counted.test(after)) return false;
  if (one.value >= leastBudget && (buys.test(before) || asksCount.test(before) || asksCount.test(after))) return true;
  if (one.scale === "grand" || moneyBehind.test(before) || moneyAhead.test(after)) return true;
  if (!isThousands(one)) return false;
  return (
    (thousandsBehind.test(before) && haveAhead.test(after)) ||
    thousandsAhead.test(after) ||
    (putBehind.test(before) && putAhead.test(after)) ||
    (mostBehind.test(before) && mostAhead.test(after)) ||
    (boughtBehind.test(before) && boughtAhead.test(after)) ||
    (guess.test(before) && endOfPart.test(after))
  );
};

const reach = 60;

/** Money without a sign: "80k to spend", "budget of 80k", "five grand". */
export const budgetsIn = (text: string, quantities: readonly Quantity[]): readonly Found[] =>
  quantities
    .filter((one) =>
      isBudget(one, text.slice(Math.max(0, one.start - reach), one.start), text.slice(one.end, one.end + reach)),
    )
    .map(({ value, start, end }) => ({ value, start, end }));

const moneyWords = "dollars?|usd|euros?|eur|bucks|pounds";
const allMoney = new RegExp(
  `\\b(${moneyWords}|money|budgets?)\\b,? not (?:in |the )?imp|` +
    `\\bnot (?:in |the )?imp\\w*,? (?:but )?(${moneyWords}|money|budget)\\b|` +
    `(?:,\\s*|\\b(?:in|as|meant?|i mean) )(${moneyWords})(?=\\s*(?:[,.!?;]|$))`,
  "i",
);
const thousands =
  /(?<![\d.,$€£])(\d{1,3}(?:[.,]\d)?\s?k|\d{1,3},\d{3}(?![\d,]))(?!\w|\s?(?:[$€£]|imp|usd|eur|dollar|pound|buck))/gi;

/** "Native 12k, pre-roll 8k, in dollars": one word is of all figures. */
export const inMoney = (text: string): string => {
  const match = allMoney.exec(text);
  if (match === null) return text;
  const word = match.slice(1).find((one) => one !== undefined) ?? "";
  const unit = /^(?:money|budget)/i.test(word) ? "budget" : word;
  return text.replace(thousands, `$1 ${unit}`);
};

const mostUnclear = 200_000;
const unclearAhead = ahead("\\s?(?:for|reach)\\b");
const isEnough = ahead("\\s?enough\\b");
const unclearBehind = /\bwith\s+$/i;
const forBehind = /\bfor\s+$/i;

/** "50k for CTV" may be money, and may be impressions; so may the 50k of "50k CTV and 20k native budget". */
export const unclearSumsIn = (text: string, quantities: readonly Quantity[], hasBudget: boolean): readonly Found[] =>
  quantities.filter((one) => {
    const [before, after] = [
      text.slice(Math.max(0, one.start - reach), one.start),
      text.slice(one.end, one.end + reach),
    ];
    const isUnclear =
      hasBudget ||
      unclearAhead.test(after) ||
      unclearBehind.test(before) ||
      (forBehind.test(before) && endOfPart.test(after));
    const isSmall = one.value < mostUnclear && isUnclear;
    return isThousands(one) && (isSmall || isEnough.test(after)) && !counted.test(after);
  });
