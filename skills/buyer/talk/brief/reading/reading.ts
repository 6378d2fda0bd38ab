import { advertiserIn } from "../members/advertiser.ts";
import { isConditional } from "../../../../understanding/reading/clauses.ts";
import { periodIn } from "../../../../understanding/reading/periods.ts";
import { limitIn } from "../../../../understanding/reading/figures/limits.ts";
import { quantitiesIn } from "../../../../understanding/reading/figures/numbers.ts";
import { type Amount, highestCpm, moneyIn } from "../../../../understanding/reading/figures/money.ts";
import { unclearIn, volumesIn } from "../../../../understanding/reading/figures/volumes.ts";
import { blanked, type Span } from "../../../../understanding/reading/spans.ts";
import { agesIn, audienceOf, audiencesIn, bareAudiences, peopleOf } from "../members/audiences.ts";
import { monthFirst } from "../members/days.ts";
import { editedList, editsIn } from "../members/edits.ts";
import { type BriefInput, nothingBeside, type ReadBrief } from "../input.ts";
import { turnIn } from "../turn/sentences.ts";
import { formIn, withPriceLines } from "./form.ts";
import { isBinding, isMeasure, leftIn, withoutLead, withoutLimitWords } from "../words/leftovers.ts";
import { mentionsIn, namesOf } from "../words/mentions.ts";
import { nameIn } from "../members/names.ts";
import { withDaysInFigures } from "../members/day-forms.ts";
import { withBareLimits } from "./one-form.ts";
import { perChannelIn, type PerChannel, sharedPrice } from "../members/per-channel.ts";
import { exclusionsIn, objectiveGuesses } from "../words/plain-words.ts";
import { channelWords, objectiveWords } from "../words/vocabulary.ts";

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

export const quoted = (text: string, { start, end }: Span): string =>
  text.slice(start, end).trim().replace(/\s+/g, " ");

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

const requiredMembers = ["budget", "start_date", "end_date", "target_audience", "objectives"] as const;

export const missingIn = (brief: BriefInput): readonly string[] =>
  requiredMembers.filter((member) => brief[member] === undefined);

/** A name that nobody gave changes with the brief. */
export const withName = (brief: BriefInput): BriefInput => {
  const { name, channels, start_date: start, end_date: end } = brief;
  const title = channels == null || channels.length === 0 ? "Campaign" : channels.join(" and ");
  return { ...brief, name: name ?? `${title} ${start} to ${end}`.slice(0, 100) };
};

/** "15-20k", "50k a week": several figures, or one of several. */
const manySumsIn = (text: string): readonly Span[] =>
  unclearIn(text, quantitiesIn(text)).filter((span) =>
    /\d\s?k\b|\d{4}|[$€£]|\d[.,]\d{3}|thousand/i.test(quoted(text, span)),
  );

export const amountsIn = (said: string) => {
  const many = manySumsIn(said);
  const text = blanked(said, many);
  const amounts = moneyIn(text);
  const spent = spentIn(blanked(text, amounts));
  const { kpis, unclear } = pricesIn(text, amounts);
  const foreign = amounts.filter(({ currency }) => currency !== null && currency !== "USD");
  return {
    kpis,
    budgets: [...amounts.filter(({ isCpm }) => !isCpm), ...spent],
    unclear: [
      ...unclear,
      ...many.map((span) => `${quoted(said, span)} (which is the budget?)`),
      ...foreign.map((amount) => `${quoted(text, amount)} (budgets and prices are in USD)`),
    ],
    spans: [...amounts, ...spent, ...many],
  };
};

/** A budget that may be another is none. */
const budgetOf = (budgets: readonly { readonly value: number }[], unclear: readonly string[]): number | undefined => {
  const isDoubtful = budgets.length > 1 || unclear.some((words) => isMeasure(words) || /[$€£¥]/.test(words));
  return isDoubtful ? undefined : budgets[0]?.value;
};

const given = (members: { readonly [Name in keyof BriefInput]: BriefInput[Name] | null }): BriefInput =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));

/** Drops are done by leaving out; a list that only drops says nothing. */
const channelsIn = (text: string) => {
  const { edits, left } = editsIn(text, channelWords);
  const dropped = new Set(edits.filter(({ mode }) => mode === "drop").map(({ name }) => name));
  const wanted = edits.filter(({ mode }) => mode !== "drop");
  const names = [...editedList([], wanted)].filter((name) => !dropped.has(name));
  return names.length === 0 ? { names, left: text } : { names, left };
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
const soleBudget = (text: string): readonly (Span & { readonly value: number })[] => {
  const bare = volumesIn(text).filter(({ end, value }) => value >= leastBare && behindBudget.test(text.slice(end)));
  return bare.length === 1 ? bare : [];
};

/** What is shared out over the channels and nothing beside it is the budget. */
const sharedBudget = (shares: PerChannel["shares"]): readonly { readonly value: number }[] => {
  const sums = shares.flatMap(({ sum }) => sum ?? []);
  return sums.length < 2 ? [] : [{ value: sums.reduce((total, sum) => total + sum, 0) }];
};

const largestIn = (text: string): number =>
  Math.max(0, ...[...moneyIn(text).filter(({ isCpm }) => !isCpm), ...volumesIn(text)].map(({ value }) => value));

/** One price beside a channel does not leave out the others. */
const channelsOf = (names: readonly string[], { prices, shares }: PerChannel): readonly string[] => {
  const ofShares = shares.flatMap(({ channels }) => channels);
  const isListed = names.length + ofShares.length > 0 || prices.length > 1;
  return [...new Set([...names, ...ofShares, ...(isListed ? prices.flatMap(({ channels }) => channels) : [])])];
};

/** The parts are read in turn, and what one has taken no later one sees. */
const readTerms = (said: string, nowMs: number): ReadBrief => {
  const per = perChannelIn(withDaysInFigures(said));
  const form = formIn(withPriceLines(withBareLimits(per.left, largestIn(per.left))));
  const named = form.name === null ? nameIn(form.left) : null;
  const withoutName = named === null ? form.left : blanked(form.left, [named]);
  const advertiser = form.advertiser === null ? advertiserIn(withoutName) : null;
  const afterName = advertiser === null ? withoutName : blanked(withoutName, [advertiser]);
  const exclusions = exclusionsIn(afterName).filter(
    (span) => mentionsIn(quoted(afterName, span), channelWords).length === 0,
  );
  const afterExclusions = withoutLead(blanked(afterName, exclusions));
  const period = periodIn(afterExclusions, nowMs);
  const afterDays = blanked(afterExclusions, period?.spans ?? []);
  const { kpis, budgets: signed, unclear, spans } = amountsIn(afterDays);
  const bareBudgets = signed.length > 0 ? [] : soleBudget(blanked(afterDays, spans));
  const read = [...signed, ...bareBudgets];
  const afterMoney = blanked(afterDays, [...spans, ...bareBudgets]);
  const objectives = mentionsIn(afterMoney, objectiveWords);
  const guesses = objectives.length > 0 ? [] : mentionsIn(afterMoney, objectiveGuesses);
  const afterObjectives = blanked(afterMoney, [...objectives, ...guesses]);
  const ages = agesIn(afterObjectives);
  const afterAges = blanked(afterObjectives, ages);
  const audiences = audiencesIn(afterAges);
  const channels = channelsIn(blanked(afterAges, audiences));
  const names = channelsOf(channels.names, per);
  const plain = withoutLimitWords(channels.left);
  const left = leftIn(plain);
  const people = form.audience === null ? peopleOf(audiences) : [form.audience];
  const bare = bareAudiences(plain, left, isBinding);
  const over = left
    .filter((words) => !bare.some(({ start, end }) => start <= words.start && words.end <= end))
    .map(({ text }) => text);
  const open = [
    ...unclear,
    ...(read.length > 1 ? read.map((amount) => `${quoted(afterDays, amount)} (which is the budget?)`) : []),
    ...over.filter(isBinding),
  ];
  const { flight_start: start, flight_end: end } = period ?? {};
  const ofAll = sharedPrice(per.prices, names);
  const prices = { ...(unclear.length > 0 ? {} : kpis), ...ofAll };
  const brief: BriefInput = given({
    name: form.name ?? named?.name,
    advertiser: form.advertiser ?? advertiser?.name,
    objectives: objectives.length + guesses.length === 0 ? undefined : namesOf([...objectives, ...guesses]),
    budget: budgetOf(read.length > 0 ? read : sharedBudget(per.shares), open),
    start_date: start,
    end_date: end,
    target_audience: audienceOf([
      ...people,
      ...bare.map(({ text }) => text),
      ...ages.map((span) => quoted(afterObjectives, span)),
    ]),
    kpis: Object.keys(prices).length === 0 ? undefined : prices,
    channels: names.length === 0 ? undefined : [...names],
  });
  return {
    ...nothingBeside,
    brief,
    unclear: [...open, ...(isConditional(form.left) ? ["the condition"] : [])],
    excluded: exclusions.map((span) => quoted(afterName, span)),
    prices: ofAll === null ? per.prices.map(({ words }) => words) : [],
    shares: per.shares.map(({ words }) => words),
    notUsed: [...over.filter((words) => !isBinding(words)), ...form.unused],
    unsold: form.unsold,
    places: form.places,
    guessed: guesses.map((span) => quoted(afterMoney, span)),
    notes: monthFirst(afterExclusions, period?.spans ?? []),
  };
};

/** A question alone opens a brief where it names a budget: "what do I get for 50k on CTV in May?". */
export const readBrief = (said: string, nowMs: number): ReadBrief => {
  const { terms, asked, doubts } = turnIn(said);
  if (terms.trim() !== "") return { ...readTerms(terms, nowMs), asked, doubts };
  const read = readTerms(said, nowMs);
  return read.brief.budget === undefined ? { ...nothingBeside, brief: {}, asked, doubts } : read;
};
