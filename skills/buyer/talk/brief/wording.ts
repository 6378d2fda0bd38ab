import { plannedSplit } from "../../bookings/rules.ts";
import { usd } from "../replies/job.ts";
import {
  allChannels,
  type Applied,
  audienceOf,
  type BriefInput,
  inUsd,
  missingIn,
  type Note,
  withName,
} from "./form.ts";

const listed = (words: readonly string[]): string => words.map((one) => `"${one}"`).join(", ");

const questions: Readonly<Record<string, string>> = {
  budget: 'the budget ("50k USD")',
  start_date: 'the first day ("from 2027-03-01")',
  end_date: 'the last day ("until 2027-03-31")',
  target_audience: 'whom to reach ("for sports fans", "for everyone")',
  objectives: 'the objective ("brand awareness", "conversions", "traffic")',
};

export const missingWords = (brief: BriefInput): readonly string[] => {
  const missing = missingIn(brief).map((member) => questions[member] ?? member);
  return missing.length === 0 ? [] : [`The brief still lacks ${missing.join(", ")}.`];
};

const partOfMonth = new Set(["early", "mid", "late", "middle", "beginning", "end"]);

/** What a brief may not be, in the words that a person has for its members. */
export const problemWords = (problem: string, { budget = 0, channel_limits: limits }: BriefInput): string => {
  const parts = limits == null ? "" : ` (${limitsWords(limits)})`;
  const words = problem
    .replace(
      /^channel_limits: the least of all channels is.*/,
      `the parts of the channels${parts} make more than the budget of ${usd(budget)}`,
    )
    .replace(
      /^channel_limits\.(\w+): its least is more than its most/,
      "$1 would get more at least than it may at most",
    )
    .replace("channel_limits leave no channel", "the limits leave no channel")
    .replace("channel_limits: ", "limits: ")
    .replace("kpis.max_cpm", "the highest price")
    .replace("kpis.target_cpm", "the price asked for")
    .replaceAll("end_date", "the last day")
    .replaceAll("start_date", "the first day");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const severalDays = /^\d{4}-\d\d-\d\d to .* and /;

const unclearWords = (words: string): string => {
  if (words.startsWith("the condition"))
    return `I cannot hold a condition${words.slice("the condition".length)}: say it as something that is so.`;
  if (severalDays.test(words)) return `Which days are meant: ${words.replaceAll(" and ", " or ")}?`;
  if (words.endsWith(" CPM")) return `Which is the highest price: ${words.replaceAll(" and ", " or ")}?`;
  if (words.startsWith("budget must") || words.includes("must not precede")) return `${problemWords(words, {})}.`;
  if (words.startsWith("the brief names") || words.startsWith("no channel would"))
    return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}: say for example "only display and ctv".`;
  const [first = ""] = words.toLowerCase().split(" ");
  if (partOfMonth.has(first)) return `"${words}" is not exact: name the days, as in "10 to 20 september 2027".`;
  return `I do not understand "${words}".`;
};

export const notUsedWords = (words: readonly string[]): string => `Not used: ${listed(words)}.`;

/** Asked once for each figure; the answer takes it in USD. */
export const foreignWords = (words: string): string => {
  const [said = "", same] = words.split(inUsd);
  const ask = same === undefined ? "" : ` Say "yes, USD" to take it as "${same}".`;
  return `"${said}": budgets and prices are in USD.${ask}`;
};

/** Each kind of note in one sentence; `isOld`: it was said before and is not settled. */
const noteWords: Readonly<Record<Note, (words: readonly string[], brief: BriefInput) => readonly string[]>> = {
  said: (words) => words,
  price: (words) => [
    `One price limit holds for all channels of a brief; not used: ${listed(words)}. Each line shows its CPM before ` +
      'you approve it; say "max 25 CPM" to limit all.',
  ],
  unsold: (words) => [`${listed(words)} cannot be bought here: the channels are ${allChannels.join(", ")}.`],
  excluded: (words) => [
    `I cannot leave out or choose sites, apps, people, days or hours (${listed(words)}): sellers are not asked for it.`,
  ],
  place: (words) => [
    `Places are not used (${listed(words)}): sellers are not asked for places, so no line is limited to them.`,
  ],
  kpi: (words) => [`Of KPIs only a CPM is kept (${listed(words)}): sellers are not asked for others.`],
  one: (words) => [
    `No limit of one seller or one line can be held (${listed(words)}): each line waits for your approval with its ` +
      "seller and price.",
  ],
  "two budgets": (words, { budget }) => [
    `${listed(words)}: which is the budget?${budget === undefined ? "" : ` It stays ${usd(budget)} until you say.`}`,
  ],
  "foreign money": (words) => words.map(foreignWords),
  unclear: (words) => words.map(unclearWords),
  proposed: (words) => [`${listed(words)} asks and changes nothing: say it as a wish, as in "make it 60k".`],
  doubt: (words) => [`Open, as you are not sure: ${listed(words)}.`],
  "not used": (words) => [notUsedWords(words)],
};

export const besideWords = (notes: Applied["notes"], brief: BriefInput): readonly string[] =>
  (Object.keys(noteWords) as Note[]).flatMap((kind) => {
    const words = [...new Set(notes.filter((note) => note.kind === kind).map((note) => note.words))];
    return words.length === 0 ? [] : noteWords[kind](words, brief);
  });

export const splitWords = (brief: BriefInput): string =>
  plannedSplit(brief)
    .map(({ channel, percentage }) => `${channel} ${percentage} %`)
    .join(", ");

const sumsWords = (brief: BriefInput): string => {
  const split = plannedSplit(brief);
  const left = (brief.budget ?? 0) - split.reduce((sum, { budgetMicros }) => sum + budgetMicros, 0) / 1e6;
  const sums = split.map(({ channel, budgetMicros }) => `${channel} ${usd(budgetMicros / 1e6)}`).join(", ");
  return left < 1 ? sums : `${sums}; ${usd(left)} stay unspent within these limits`;
};

const limitsWords = (limits: NonNullable<BriefInput["channel_limits"]>): string =>
  Object.entries(limits)
    .map(([channel, { min_share: least, max_share: most, min_amount: from, max_amount: to }]) => {
      const share = (value: number): string => `${Math.round(value * 10_000) / 100} %`;
      const [low, high] = [
        least == null ? (from == null ? null : usd(from)) : share(least),
        most == null ? (to == null ? null : usd(to)) : share(most),
      ];
      if (low !== null && low === high) return `${channel} ${low}`;
      const ends = [...(low === null ? [] : [`at least ${low}`]), ...(high === null ? [] : [`at most ${high}`])];
      return `${channel} ${ends.join(", ")}`;
    })
    .join("; ");

type Line = readonly [label: string, words: string];

const linesOf = (brief: BriefInput): readonly Line[] => {
  const { name, advertiser, budget, start_date: start, end_date: end, channels, channel_limits: limits } = brief;
  const { max_cpm: most, target_cpm: target } = brief.kpis ?? {};
  const audience =
    brief.target_audience === undefined ? null : (audienceOf(brief) ?? JSON.stringify(brief.target_audience));
  const lines: readonly (readonly [string, string | null])[] = [
    ["Name", name ?? null],
    ["Advertiser", advertiser ?? null],
    ["Budget", budget === undefined ? null : `at most ${usd(budget)}`],
    ["Days", start === undefined && end === undefined ? null : `${start ?? "?"} to ${end ?? "?"}`],
    ["Channels", channels?.join(", ") ?? null],
    ["Limits", limits == null || Object.keys(limits).length === 0 ? null : limitsWords(limits)],
    ["Audience", audience],
    ["Objectives", brief.objectives?.join(", ") ?? null],
    ["Highest price", most == null ? null : `${usd(most)} CPM`],
    ["Price asked for", target == null ? null : `${usd(target)} CPM`],
  ];
  return lines.filter((line): line is Line => line[1] !== null);
};

/** One member, by its label. */
export const termWords = (brief: BriefInput, label: string): string => {
  const line = linesOf(brief).find(([name]) => name === label);
  return line === undefined ? `No ${label.toLowerCase()} is named.` : `${line[0]}: ${line[1]}.`;
};

const small = ([label, words]: Line): string => `${label.toLowerCase()} ${words}`;

/** In one line, as far as it is known. */
export const keptWords = (brief: BriefInput): string => {
  const parts = linesOf(brief).map(small);
  return parts.length === 0 ? "Of the brief nothing is known yet." : `Kept so far: ${parts.join("; ")}.`;
};

export const setAsideWords = (before: BriefInput): string =>
  `This is a brief of its own. The one before is not started (${linesOf(before).map(small).join("; ")}): "undo" ` +
  "brings it back.";

/** What a correction did. */
export const changedWords = (before: BriefInput, after: BriefInput): string => {
  const [was, is] = [new Map(linesOf(before)), new Map(linesOf(after))];
  const changes = [...new Set([...was.keys(), ...is.keys()])].flatMap((label) => {
    const [old, now] = [was.get(label), is.get(label)];
    if (old === now) return [];
    if (now === undefined) return [`${label.toLowerCase()} taken out (was ${old})`];
    return [`${label.toLowerCase()} ${now}${old === undefined ? "" : ` (was ${old})`}`];
  });
  return changes.length === 0 ? "Nothing of the brief is changed." : `Changed: ${changes.join("; ")}.`;
};

/** A whole brief, line by line. */
export const fullWords = (given: BriefInput): readonly string[] => {
  const brief = withName(given);
  const own = given.name === undefined ? ' (no name was given: say "call it ..." for another)' : "";
  const lines = linesOf({ ...brief, name: undefined }).map(([label, words]) => `${label}: ${words}`);
  return [
    `Campaign brief "${brief.name ?? ""}"${own}:`,
    ...lines,
    ...(brief.channels == null ? ["Channels: chosen by the objectives"] : []),
    brief.channel_limits == null ? `Split by the objectives: ${splitWords(brief)}` : `Split: ${sumsWords(brief)}`,
  ];
};
