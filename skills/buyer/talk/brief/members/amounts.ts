import { limitIn } from "../../../../understanding/reading/figures/limits.ts";
import { quantitiesIn } from "../../../../understanding/reading/figures/numbers.ts";
import { type Amount, highestCpm, moneyIn } from "../../../../understanding/reading/figures/money.ts";
import { unclearIn, volumesIn } from "../../../../understanding/reading/figures/volumes.ts";
import { blanked, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import { quoted } from "../words/mentions.ts";
import { channelWords } from "../words/vocabulary.ts";

const spendBefore = new RegExp(
  "\\b(?:spend|spending|invest|investing|put|use|allocate|have|need|want|got|plan|with)\\s+" +
    "(?:(?:about|around|up to|at most|max|a total of|a budget of|only)\\s+)?$",
  "i",
);
const spentIn = (text: string): readonly (Span & { readonly value: number })[] =>
  volumesIn(text).filter(
    ({ start, end }) =>
      spendBefore.test(text.slice(0, start)) && !/^\s*(?:imp|people|views|users)/i.test(text.slice(end)),
  );

const pricesIn = (text: string, amounts: readonly Amount[]) => {
  const unclear: string[] = [];
  const kpis: { max_cpm?: number; target_cpm?: number } = {};
  const prices = amounts.filter(({ isCpm }) => isCpm);
  for (const amount of prices) {
    const limit = limitIn(text, [amount]);
    const name = limit === null ? "target_cpm" : "max_cpm";
    if (limit?.isMost === false || kpis[name] !== undefined || amount.value >= highestCpm)
      unclear.push(quoted(text, amount));
    kpis[name] = amount.value;
  }
  // Two prices are one of each kind only where one is called the target.
  const isMixed = Object.keys(kpis).length === 2 && !/\btarget (?:price|cpm|of|is|at|\$?\d)|\bcpm target\b/i.test(text);
  return { kpis, unclear: isMixed ? [...unclear, ...prices.map((amount) => quoted(text, amount))] : unclear };
};

/** "15-20k", "50k a week": several figures, or one of several. */
const manySumsIn = (text: string): readonly Span[] =>
  unclearIn(text, quantitiesIn(text)).filter((span) =>
    /\d\s?k\b|\d{4}|[$€£]|\d[.,]\d{3}|thousand/i.test(quoted(text, span)),
  );

const foreignMoney = /\b(?:euros?|eur|pounds|sterling|gbp|(?:swiss )?francs|chf|yen|jpy)\b|[€£¥]/gi;

export const amountsIn = (said: string) => {
  const many = manySumsIn(said);
  const text = blanked(said, many);
  const amounts = moneyIn(text);
  const spent = spentIn(blanked(text, amounts));
  const { kpis, unclear } = pricesIn(text, amounts);
  const isForeign = ({ currency }: Amount): boolean => currency !== null && currency !== "USD";
  const foreign = [...amounts.filter(isForeign), ...spansOf(blanked(text, [...amounts, ...spent]), foreignMoney)];
  return {
    kpis,
    budgets: [...amounts.filter((amount) => !amount.isCpm && !isForeign(amount)), ...spent],
    unclear: [
      ...unclear,
      ...many.map((span) => `${quoted(said, span)} (which is the budget?)`),
      ...foreign.map((amount) => `${quoted(text, amount)} (budgets and prices are in USD)`),
    ],
    spans: [...amounts, ...foreign, ...spent, ...many],
  };
};

const channel = channelWords.map(([, { source }]) => source).join("|");
const behindBudget = new RegExp(
  "^(?:\\s*(?:$|[,.;:()\\n+]|[–-]\\s)|\\s{2,}|\\s*(?:(?:for|on|in|to|over|from|total|overall|altogether|all in|" +
    "max|with|" +
    `across|between|until|usd)\\b|${channel}))`,
  "i",
);
const leastBare = 500;

/** "20k for display": the only large number of a brief that names no budget. */
export const soleBudget = (text: string): readonly (Span & { readonly value: number })[] => {
  const bare = volumesIn(text).filter(({ end, value }) => value >= leastBare && behindBudget.test(text.slice(end)));
  return bare.length === 1 ? bare : [];
};

export const largestIn = (text: string): number =>
  Math.max(0, ...[...moneyIn(text).filter(({ isCpm }) => !isCpm), ...volumesIn(text)].map(({ value }) => value));
