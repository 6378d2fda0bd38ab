import type { z } from "zod";
import { audiencesIn as demographicsIn } from "../../../understanding/reading/audiences.ts";
import { isConditional } from "../../../understanding/reading/clauses.ts";
import { dateWords } from "../../../understanding/reading/dates/words.ts";
import { periodIn } from "../../../understanding/reading/periods.ts";
import { limitIn } from "../../../understanding/reading/figures/limits.ts";
import { type Amount, moneyIn } from "../../../understanding/reading/figures/money.ts";
import { volumesIn } from "../../../understanding/reading/figures/volumes.ts";
import { blanked, type Span, spansOf } from "../../../understanding/reading/spans.ts";
import type { campaignBrief } from "../../bookings/contract.ts";
import { editedList, editsIn } from "./edits.ts";
import { formIn, withPriceLines } from "./form.ts";
import { mentionsIn, namesOf } from "./mentions.ts";
import { exclusionsIn, isAudience, objectiveGuesses } from "./plain-words.ts";
import { channelWords, objectiveWords, plainWords } from "./vocabulary.ts";

export type BriefInput = z.input<typeof campaignBrief>;

/** The brief has its name only where one was given. */
export interface ReadBrief {
  readonly brief: BriefInput;
  /** Nothing starts in the same answer. */
  readonly unclear: readonly string[];
  /** What no part of a brief can hold. */
  readonly excluded: readonly string[];
  readonly notUsed: readonly string[];
  readonly places: readonly string[];
  /** Words that were taken for an objective. */
  readonly guessed: readonly string[];
}

const nameWords = new RegExp(
  "\\b(?:(?:call|name)(?: it| this| the campaign)?(?: as)?|rename it(?: to)?|called|named|name(?: is|:)|" +
    "(?:the )?campaign(?: name)?(?: is called| is named| is|:(?! name)|'s name is)|(?:campaign )?title(?: is|:))\\s+" +
    '"?([^",.;\\n]{1,100})"?',
  "i",
);
/** A single blank, so that it does not reach over what was read before. */
const audienceEnds = [
  "in|on|from|at|with|max|maximum|under|below|until|during|between|and we|via|using",
  "if|unless|but|no|not|without|except|excluding",
].join("|");
const audienceWords = new RegExp(
  "\\b(?:for|target(?:ing)?(?: audience(?: is)?:?)?|to reach|reaching|reach|aim(?:ed)? at|audience(?: is)?:?)" +
    "\\s((?:[a-z0-9][\\w'+&/-]*)(?:\\s[a-z0-9][\\w'+&/-]*){0,6}?)" +
    `(?=\\s*(?:[,.;!?\\n]|$)|\\s{2,}|\\s(?:${audienceEnds})\\b)`,
  "gi",
);
const agePattern = /\b\d{2}(?:-\d{2}\b|\+)/g;
const limitWords = new RegExp(
  "\\b(?:not? (?:more|higher)(?: than)?|nothing more|not (?:above|over)|at (?:the )?most|" +
    "max(?:imum)?|up to|under|below|" +
    "less than|or less|limit|tops)\\b",
  "gi",
);
const spendBefore = new RegExp(
  "\\b(?:spend|spending|invest|investing|put|use|allocate|have|need|want|got|plan|with)\\s+" +
    "(?:(?:about|around|up to|at most|max|a total of|a budget of|only)\\s+)?$",
  "i",
);
const negation = /\b(?:no|not|never|without|except|excluding|avoid|nothing|neither)\b|n't\b/i;

const spentIn = (text: string): readonly (Span & { readonly value: number })[] =>
  volumesIn(text).filter(
    ({ start, end }) =>
      spendBefore.test(text.slice(0, start)) && !/^\s*(?:imp|people|views|users)/i.test(text.slice(end)),
  );

export const quoted = (text: string, { start, end }: Span): string => text.slice(start, end).trim();

const pricesIn = (text: string, amounts: readonly Amount[]) => {
  const unclear: string[] = [];
  const kpis: { max_cpm?: number; target_cpm?: number } = {};
  const prices = amounts.filter(({ isCpm }) => isCpm);
  for (const amount of prices) {
    const limit = limitIn(text, [amount]);
    const name = limit === null ? "target_cpm" : "max_cpm";
    if (limit?.isMost === false || kpis[name] !== undefined) unclear.push(quoted(text, amount));
    kpis[name] = amount.value;
  }
  // Two prices are one of each kind only where one is called the target.
  const isMixed = Object.keys(kpis).length === 2 && !/\btarget (?:price|cpm|of|is|at)\b|\bcpm target\b/i.test(text);
  return { kpis, unclear: isMixed ? [...unclear, ...prices.map((amount) => quoted(text, amount))] : unclear };
};

/** Words that nothing took, neighbours together. */
export const leftIn = (text: string, taken: ReadonlySet<string> = plainWords): readonly string[] => {
  const groups: string[] = [];
  let endBefore = -1;
  for (const match of text.matchAll(/[\p{L}\p{N}$€£¥%][\p{L}\p{N}$€£¥%'_-]*(?:[.,]\d+)*/gu)) {
    const [word] = match;
    if (taken.has(word.toLowerCase())) continue;
    const isNext = endBefore >= 0 && /^[ \t]$/.test(text.slice(endBefore, match.index));
    if (isNext) groups.push(`${groups.pop() ?? ""} ${word}`);
    else groups.push(word);
    endBefore = match.index + word.length;
  }
  return groups;
};

/** They would change what the budget or a price means. */
const measures =
  /\b(?:per|each|every|daily|weekly|monthly|days?|weeks?|months?|half|third|split|share|fees?|net|only)\b/i;

export const isBinding = (text: string): boolean =>
  measures.test(text) ||
  /[\d$€£¥%]/.test(text) ||
  negation.test(text) ||
  isConditional(text) ||
  new RegExp(dateWords.source, "i").test(text);

const requiredMembers = ["budget", "start_date", "end_date", "target_audience", "objectives"] as const;

export const missingIn = (brief: BriefInput): readonly string[] =>
  requiredMembers.filter((member) => brief[member] === undefined);

/** A name that nobody gave changes with the brief. */
export const withName = (brief: BriefInput): BriefInput => {
  const { name, channels, start_date: start, end_date: end } = brief;
  const title = channels == null || channels.length === 0 ? "Campaign" : channels.join(" and ");
  return { ...brief, name: name ?? `${title} ${start} to ${end}`.slice(0, 100) };
};

export const nameIn = (text: string): (Span & { readonly name: string }) | null => {
  const match = nameWords.exec(text);
  if (match === null) return null;
  return { name: match[1]?.trim() ?? "", start: match.index, end: match.index + match[0].length };
};

export const amountsIn = (text: string) => {
  const amounts = moneyIn(text);
  const spent = spentIn(blanked(text, amounts));
  const { kpis, unclear } = pricesIn(text, amounts);
  const foreign = amounts.filter(({ currency }) => currency !== null && currency !== "USD");
  return {
    kpis,
    budgets: [...amounts.filter(({ isCpm }) => !isCpm), ...spent],
    unclear: [...unclear, ...foreign.map((amount) => `${quoted(text, amount)} (budgets and prices are in USD)`)],
    spans: [...amounts, ...spent],
  };
};

const isPeople = (text: string): boolean =>
  mentionsIn(text, channelWords).length === 0 &&
  !plainWords.has(text.toLowerCase()) &&
  !/\d/.test(text.replace(agePattern, "")) &&
  !/\bcampaign$|\b(?:my|our|shops?|stores?|company|business)\b/i.test(text);

export const audiencesIn = (text: string): readonly (Span & { readonly text: string })[] =>
  [...text.matchAll(audienceWords)]
    .map((match) => ({ text: (match[1] ?? "").trim(), start: match.index, end: match.index + match[0].length }))
    .filter((found) => isPeople(found.text));

/** "Couples without" kids over 40. */
const ofWhom = /[\p{L}-]+\s+with(?:out)?\s+$/iu;

/** "Women 25-45", "18 to 30 years old". */
export const agesIn = (text: string): readonly Span[] =>
  demographicsIn(text, () => false)
    .filter((span) => /\d{2}/.test(quoted(text, span)))
    .filter((span) => !/[$€£%]|\b(?:cpm|usd|dollars?)\b/i.test(quoted(text, span)))
    .map(({ start, end }) => ({ start: start - (ofWhom.exec(text.slice(0, start))?.[0].length ?? 0), end }));

export const withoutLimitWords = (text: string): string => blanked(text, spansOf(text, limitWords));

/** Words behind "for" that name people come before others; "the" is no part of them. */
const peopleOf = (found: readonly { readonly text: string }[]): readonly string[] => {
  const texts = found.map(({ text }) => text.replace(/^(?:the|all|our) (?=\p{L})/iu, ""));
  const people = texts.filter((text) => isAudience(text));
  return people.length > 0 ? people : texts;
};

/** A budget that may be another is none. */
const budgetOf = (budgets: readonly { readonly value: number }[], unclear: readonly string[]): number | undefined => {
  const isDoubtful = budgets.length > 1 || unclear.some((words) => measures.test(words) || /[$€£¥]/.test(words));
  return isDoubtful ? undefined : budgets[0]?.value;
};

export const audienceOf = (said: readonly string[]): BriefInput["target_audience"] | undefined =>
  said.length === 0 ? undefined : { description: [...new Set(said)].join(", ") };

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

const traits = /\b(?:with(?:out)?|no) (?:kids|children)\b|\b(?:over|under|above|below) \d{2}\b/gi;

export const bareAudiences = (left: readonly string[]): readonly string[] =>
  left.filter((words) => isAudience(words) && !isBinding(words.replace(agePattern, "").replace(traits, "")));

/** "20k for display": the only large number of a brief that names no budget. */
const soleBudget = (text: string): readonly (Span & { readonly value: number })[] => {
  const bare = volumesIn(text).filter(
    ({ end, value }) => value >= leastBare && /^\s*(?:$|[,.;]|(?:for|on|in|to|over)\b)/i.test(text.slice(end)),
  );
  return bare.length === 1 ? bare : [];
};
const leastBare = 500;

/** The parts are read in turn, and what one has taken no later one sees. */
export const readBrief = (said: string, nowMs: number): ReadBrief => {
  const form = formIn(withPriceLines(said));
  const named = form.name === null ? nameIn(form.left) : null;
  const afterName = named === null ? form.left : blanked(form.left, [named]);
  const exclusions = exclusionsIn(afterName).filter(
    (span) => mentionsIn(quoted(afterName, span), channelWords).length === 0,
  );
  const afterExclusions = blanked(afterName, exclusions);
  const period = periodIn(afterExclusions, nowMs);
  const afterDays = blanked(afterExclusions, period?.spans ?? []);
  const { kpis, budgets: signed, unclear, spans } = amountsIn(afterDays);
  const budgets = signed.length > 0 ? signed : soleBudget(blanked(afterDays, spans));
  const afterMoney = blanked(afterDays, [...spans, ...budgets]);
  const objectives = mentionsIn(afterMoney, objectiveWords);
  const guesses = objectives.length > 0 ? [] : mentionsIn(afterMoney, objectiveGuesses);
  const afterObjectives = blanked(afterMoney, [...objectives, ...guesses]);
  const ages = agesIn(afterObjectives);
  const afterAges = blanked(afterObjectives, ages);
  const audiences = audiencesIn(afterAges);
  const channels = channelsIn(blanked(afterAges, audiences));
  const left = leftIn(withoutLimitWords(channels.left));
  const people = form.audience === null ? peopleOf(audiences) : [form.audience];
  const bare = people.length > 0 ? [] : bareAudiences(left);
  const over = left.filter((words) => !bare.includes(words));
  const open = [
    ...unclear,
    ...(budgets.length > 1 ? budgets.map((amount) => `${quoted(afterDays, amount)} (which is the budget?)`) : []),
    ...over.filter(isBinding),
  ];
  const { flight_start: start, flight_end: end } = period ?? {};
  const brief: BriefInput = given({
    name: form.name ?? named?.name,
    objectives: objectives.length + guesses.length === 0 ? undefined : namesOf([...objectives, ...guesses]),
    budget: budgetOf(budgets, open),
    start_date: start,
    end_date: end,
    target_audience: audienceOf([...people, ...bare, ...ages.map((span) => quoted(afterObjectives, span))]),
    kpis: Object.keys(kpis).length === 0 || unclear.length > 0 ? undefined : kpis,
    channels: channels.names.length === 0 ? undefined : channels.names,
  });
  return {
    brief,
    unclear: [...open, ...(isConditional(said) ? ["the condition"] : [])],
    excluded: exclusions.map((span) => quoted(afterName, span)),
    notUsed: [...over.filter((words) => !isBinding(words)), ...form.unused],
    places: form.places,
    guessed: guesses.map((span) => quoted(afterMoney, span)),
  };
};
