import { isDeepStrictEqual } from "node:util";
import { dateWords } from "../../../../understanding/reading/dates/words.ts";
import type { BriefInput } from "../input.ts";
import { mentionsIn } from "../words/mentions.ts";
import { isAudience } from "../words/plain-words.ts";
import { channelWords, objectiveWords } from "../words/vocabulary.ts";

type Member = keyof BriefInput;

/** What a doubt is about; null where no member of a brief is named. */
const membersOf = (doubt: string): readonly Member[] | null => {
  if (new RegExp(dateWords.source, "i").test(doubt) || /\b(?:dates?|days|flight)\b/i.test(doubt))
    return ["start_date", "end_date"];
  if (mentionsIn(doubt, channelWords).length > 0 || /\bchannels?\b/i.test(doubt)) return ["channels"];
  if (isAudience(doubt) || /\b(?:audience|target)\b/i.test(doubt)) return ["target_audience"];
  if (mentionsIn(doubt, objectiveWords).length > 0) return ["objectives"];
  return /[\d$€£¥]|\b(?:budget|money|price|cpm)\b/i.test(doubt) ? ["budget", "kpis"] : null;
};

const remark = / \((?:which is the budget\?|budgets and prices are in USD)\)$/;

export const isForeignMoney = (unclear: string): boolean => unclear.endsWith("(budgets and prices are in USD)");

/** Of words that were not understood, those that ask for an answer; the others end with the next change. */
export const lasting = (unclear: readonly string[]): readonly string[] =>
  unclear.map((words) => words.replace(remark, "")).filter((words) => membersOf(words) !== null);

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
const common = new Set(
  (
    "sure about still maybe know that this with have think want what from until which not yet the and but for " +
    "are our " +
    "you can may let its out too also will would should could how who why one all any was has had they them"
  ).split(" "),
);

/** A doubt ends when what it is about changes, or when the planner comes back to it. */
export const stillOpen = (
  doubts: readonly string[],
  said: string,
  before: BriefInput,
  after: BriefInput,
): readonly string[] => {
  const spoken = new Set(wordsOf(said).filter((word) => !common.has(word)));
  return doubts.filter((doubt) => {
    const members = membersOf(doubt);
    const isChanged =
      members === null
        ? !isDeepStrictEqual(before, after)
        : members.some((member) => !isDeepStrictEqual(before[member], after[member]));
    return !isChanged && !wordsOf(doubt).some((word) => spoken.has(word));
  });
};
