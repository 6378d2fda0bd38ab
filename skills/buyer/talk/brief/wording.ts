import { dateWords } from "../../../understanding/reading/dates/words.ts";
import { usd } from "../jobs/wording.ts";
import { type BriefInput, missingIn, type ReadBrief, withName } from "./reading.ts";

/** What was read beside the members of a brief. */
export type Beside = Omit<ReadBrief, "brief">;

export const nothingBeside: Beside = { unclear: [], excluded: [], notUsed: [], places: [], guessed: [] };

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

const isForeignMoney = / \(budgets and prices are in USD\)$/;
const isSecondBudget = / \(which is the budget\?\)$/;
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
      if (isForeignMoney.test(words)) return `"${words.replace(isForeignMoney, "")}": budgets and prices are in USD.`;
      if (partOfMonth.test(words)) return `"${words}" is not exact: name the days, as in "10 to 20 september 2027".`;
      if (new RegExp(dateWords.source, "i").test(words)) return `I do not understand which days "${words}" means.`;
      return `I do not understand "${words}".`;
    }),
  ];
};

export const besideWords = ({ unclear, excluded, notUsed, places, guessed }: Beside): readonly string[] => [
  ...(guessed.length === 0
    ? []
    : [`The objective is my guess from ${listed(guessed)}: say for example "the objective is sales" for another.`]),
  ...(excluded.length === 0
    ? []
    : [`I cannot leave out sites, apps, people or days (${listed(excluded)}): sellers are not asked for it.`]),
  ...(places.length === 0 ? [] : [`Places are not used (${listed(places)}): sellers are not asked for them.`]),
  ...unclearWords(unclear),
  ...(notUsed.length === 0 ? [] : [`Not understood and not used: ${listed(notUsed)}.`]),
];

/** In words, or as the members that a brief over another door has. */
const audienceWords = (audience: BriefInput["target_audience"]): string => {
  const { description } = audience ?? {};
  return typeof description === "string" ? description : JSON.stringify(audience);
};

/** In one line, as far as it is known. */
export const keptWords = (brief: BriefInput): string => {
  const { name, budget, start_date: start, end_date: end, channels, target_audience: audience, objectives } = brief;
  const { max_cpm: most, target_cpm: target } = brief.kpis ?? {};
  const parts = [
    ...(name === undefined ? [] : [`name ${name}`]),
    ...(budget === undefined ? [] : [`budget ${usd(budget)}`]),
    ...(start === undefined && end === undefined ? [] : [`days ${start ?? "?"} to ${end ?? "?"}`]),
    ...(channels == null ? [] : [`channels ${channels.join(", ")}`]),
    ...(audience === undefined ? [] : [`audience ${audienceWords(audience)}`]),
    ...(objectives === undefined ? [] : [`objectives ${objectives.join(", ")}`]),
    ...(most == null ? [] : [`at most ${usd(most)} CPM`]),
    ...(target == null ? [] : [`price asked for ${usd(target)} CPM`]),
  ];
  return parts.length === 0 ? "Of the brief nothing is known yet." : `Kept so far: ${parts.join("; ")}.`;
};

export const briefWords = (given: BriefInput, beside: Beside): string => {
  const brief = withName(given);
  const { target_cpm: target, max_cpm: most } = brief.kpis ?? {};
  const { channels, target_audience: audience } = brief;
  const own = given.name === undefined ? ' (no name was given: say "call it ..." for another)' : "";
  return [
    `Campaign brief "${brief.name ?? ""}"${own}:`,
    `Budget: at most ${usd(brief.budget)}`,
    `Days: ${brief.start_date ?? ""} to ${brief.end_date ?? ""}`,
    `Channels: ${channels == null ? "chosen by the objectives" : channels.join(", ")}`,
    `Audience: ${audienceWords(audience)}`,
    `Objectives: ${(brief.objectives ?? []).join(", ")}`,
    ...(most == null ? [] : [`Highest price: ${usd(most)} CPM`]),
    ...(target == null ? [] : [`Price asked for: ${usd(target)} CPM`]),
    ...besideWords(beside),
    "Shall I start it? Sellers are asked for prices, and nothing is booked without your approval. " +
      "Only a plain yes as your next message starts it; to change something, say what.",
  ].join("\n");
};
