import { dateWords } from "../../../understanding/reading/dates/words.ts";
import { allocateBudget } from "../../../../machines/booking/allocation.ts";
import { knownChannels, tableChannels } from "../../../../machines/booking/weights.ts";
import { toMicros } from "../../../../machines/money.ts";
import { usd } from "../jobs/wording.ts";
import type { Beside, BriefInput } from "./input.ts";
import { missingIn, withName } from "./complete.ts";

const listed = (words: readonly string[]): string => words.map((one) => `"${one}"`).join(", ");

const notUsedWords = (words: readonly string[]): string =>
  `${listed(words)} ${words.length > 1 ? "are" : "is"} not used`;

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

const isForeignMoney = / \(budgets and prices are in USD\)$/;
const isSecondBudget = / \(which is the budget\?\)$/;
const wouldBeNone = /^(?:the brief names no channel|no channel would be left)/;
const partOfMonth = /^(?:early|mid|late|beginning of|end of|middle of)\b/i;

const unclearWords = (unclear: readonly string[]): readonly string[] => {
  const budgets = unclear.filter((words) => isSecondBudget.test(words));
  const rest = unclear.filter((words) => !isSecondBudget.test(words));
  return [
    ...(budgets.length === 0
      ? []
      : [`Which is the budget: ${budgets.map((words) => words.replace(isSecondBudget, "")).join(" or ")}?`]),
    ...rest.map((words) => {
      if (words === "the condition") return "I cannot hold a condition: say it as something that is so.";
      if (wouldBeNone.test(words))
        return `${words[0]?.toUpperCase()}${words.slice(1)}: say for example "only ` + `display and ctv".`;
      if (isForeignMoney.test(words)) return `"${words.replace(isForeignMoney, "")}": budgets and prices are in USD.`;
      if (partOfMonth.test(words)) return `"${words}" is not exact: name the days, as in "10 to 20 september 2027".`;
      const isDay = new RegExp(dateWords.source, "i").test(words);
      if (isDay) return `I do not understand which days "${words}" means: say "from 1 March until 31 March 2027".`;
      return `I do not understand "${words}".`;
    }),
  ];
};

const onePerChannel = "For that, send a brief per channel.";

export const besideWords = (beside: Beside, brief: BriefInput): readonly string[] => {
  const { unclear, proposed, doubts, stillOpen, excluded, prices, shares, notUsed, unsold, places, guessed, notes } =
    beside;
  return [
    ...notes,
    ...(prices.length === 0
      ? []
      : [
          `One price limit holds for all channels of a brief, so ${notUsedWords(prices)}: say for example ` +
            `"max 25 CPM" ` +
            `for all of them. ${onePerChannel}`,
        ]),
    ...(shares.length === 0
      ? []
      : [
          `The objectives decide how the budget is split over the channels, so ${notUsedWords(shares)}: it will be ` +
            `${splitWords(brief)}. ${onePerChannel}`,
        ]),
    ...(unsold.length === 0
      ? []
      : [
          `${listed(unsold)} cannot be bought here: the channels are ` +
            `${knownChannels.slice(tableChannels.length).join(", ")}, ctv, mobile_app.`,
        ]),
    ...(guessed.length === 0
      ? []
      : [`The objective is my guess from ${listed(guessed)}: say for example "the objective is sales" for another.`]),
    ...(excluded.length === 0
      ? []
      : [
          `I cannot leave out or choose sites, apps, people, days or hours (${listed(excluded)}): sellers are not ` +
            "asked for it.",
        ]),
    ...(places.length === 0 ? [] : [`Places are not used (${listed(places)}): sellers are not asked for them.`]),
    ...unclearWords(unclear),
    ...proposed.map((words) => `"${words}" asks and changes nothing: say it as a wish, as in "make it 60k".`),
    ...doubts.map((words) => `Open, as you are not sure: "${words}".`),
    ...stillOpen.map((words) => `Still open: "${words}".`),
    ...(notUsed.length === 0 ? [] : [`Not understood and not used: ${listed(notUsed)}.`]),
  ];
};

/** In words, or as the members that a brief over another door has. */
const audienceWords = (audience: BriefInput["target_audience"]): string => {
  const { description } = audience ?? {};
  return typeof description === "string" ? description : JSON.stringify(audience);
};

export const splitWords = ({ budget = 0, objectives = [], channels }: BriefInput): string =>
  allocateBudget({ budgetMicros: toMicros(budget) ?? 0, objectives, channels: channels ?? null })
    .map(({ channel, percentage }) => `${channel} ${percentage} %`)
    .join(", ");

type Line = readonly [label: string, words: string];

/** All of a brief that is sent, as far as it is known. */
const linesOf = (brief: BriefInput): readonly Line[] => {
  const { name, advertiser, budget, start_date: start, end_date: end, channels, target_audience: audience } = brief;
  const { objectives } = brief;
  const { max_cpm: most, target_cpm: target } = brief.kpis ?? {};
  return [
    ...(name === undefined ? [] : [["Name", name] as const]),
    ...(advertiser == null ? [] : [["Advertiser", advertiser] as const]),
    ...(budget === undefined ? [] : [["Budget", `at most ${usd(budget)}`] as const]),
    ...(start === undefined && end === undefined ? [] : [["Days", `${start ?? "?"} to ${end ?? "?"}`] as const]),
    ...(channels == null ? [] : [["Channels", channels.join(", ")] as const]),
    ...(audience === undefined ? [] : [["Audience", audienceWords(audience)] as const]),
    ...(objectives === undefined ? [] : [["Objectives", objectives.join(", ")] as const]),
    ...(most == null ? [] : [["Highest price", `${usd(most)} CPM`] as const]),
    ...(target == null ? [] : [["Price asked for", `${usd(target)} CPM`] as const]),
  ];
};

const labelOf: readonly (readonly [asked: RegExp, label: string])[] = [
  [/budget/, "Budget"],
  [/day|date|flight|start|end/, "Days"],
  [/channel/, "Channels"],
  [/audience|target/, "Audience"],
  [/name/, "Name"],
  [/advertiser|client/, "Advertiser"],
  [/objective|goal/, "Objectives"],
  [/cpm|limit|price/, "Highest price"],
];

/** One member, by what a planner calls it. */
export const termWords = (brief: BriefInput, asked: string): string => {
  const label = labelOf.find(([words]) => words.test(asked))?.[1];
  const line = linesOf(brief).find(([name]) => name === label);
  return line === undefined ? `No ${String(label).toLowerCase()} is named.` : `${line[0]}: ${line[1]}.`;
};

const small = ([label, words]: Line): string => `${label.toLowerCase()} ${words}`;

/** In one line, as far as it is known. */
export const keptWords = (brief: BriefInput): string => {
  const parts = linesOf(brief).map(small);
  return parts.length === 0 ? "Of the brief nothing is known yet." : `Kept so far: ${parts.join("; ")}.`;
};

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
    `Split by the objectives: ${splitWords(brief)}`,
  ];
};
