import type { Guess } from "../../../understanding/reading/choice/act-model.ts";
import { isAskedToStart, type Talk } from "../talk.ts";
import { jobOf, keptJob } from "../jobs/meant/which.ts";
import { bookedLines, type Job, waitingLines } from "../jobs/wording.ts";
import { heardAs } from "./hearing.ts";
import { type After, questions, type Sound } from "./sounds.ts";

const afterJob = (job: Job): After => {
  if (job.status === "pending" || job.status === "running" || waitingLines(job).length > 0) return "waiting";
  return bookedLines(job).length > 0 ? "booked" : "over";
};

const afterOf = (talk: Talk, job: Job | null): After => {
  if (isAskedToStart(talk)) return "brief";
  if (talk.asked !== null) return "asked";
  if (job !== null) return afterJob(job);
  return talk.memory.brief === null ? "start" : "brief";
};

export interface Reading {
  /** Null where nothing is likely enough. */
  readonly sound: Sound | null;
  readonly guesses: readonly Guess<Sound>[];
}

const leastToDo = 0.28;
/** What is only looked up does no harm where another thing was meant. */
const leastToTell = 0.18;

const tells: ReadonlySet<Sound> = new Set(questions);

const holdOn = new RegExp(
  "^\\W*(?:(?:no|nah|nope|hm+|wait|stop|actually|sorry|hold (?:on|it)|hang on|one (?:moment|sec(?:ond)?)|a moment|" +
    "moment|(?:i|we) (?:only|just) asked(?: (?:a question|you))?|(?:i|we) was (?:only|just) asking|but|" +
    "(?:keep|leave) (?:it|that|this|them|the [\\w-]+(?: (?:line|one|deal))?))\\b\\W*)+",
  "i",
);
/** They only say that it cannot be done. */
const cannot: ReadonlySet<Sound> = new Set(["change", "exclude"]);
const sure = 0.3;

/** "Hang on, is that gross?" asks, and holds nothing back. */
const heardOn = (text: string, names: readonly string[], after: After): readonly Guess<Sound>[] => {
  const guesses = heardAs(text, names, after);
  const [first] = guesses;
  if (first !== undefined && first.name !== "keep" && first.share >= sure) return guesses;
  const rest = text.replace(holdOn, "");
  const [best, ...others] = rest === "" || rest === text ? [] : heardAs(rest, names, after);
  return best !== undefined && (tells.has(best.name) || cannot.has(best.name)) && best.share > sure
    ? [best, ...others]
    : guesses;
};

export const readingOf = async (talk: Talk): Promise<Reading> => {
  const kept = keptJob(talk);
  const found = kept === null ? null : await jobOf(talk, kept.id);
  const job = found === null || "failed" in found ? null : found.output;
  const names = [...new Set((job?.recommendations ?? []).map((line) => line.product_name))];
  const guesses = heardOn(talk.text, names, afterOf(talk, job));
  const [best] = guesses;
  const least = best !== undefined && tells.has(best.name) ? leastToTell : leastToDo;
  return { sound: best === undefined || best.share < least ? null : best.name, guesses };
};
