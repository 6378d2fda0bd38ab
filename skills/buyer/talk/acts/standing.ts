import type { Guess } from "../../../understanding/reading/choice/act-model.ts";
import { isAskedToStart, openOffer, type Talk } from "../talk.ts";
import { jobOf, keptJob } from "../jobs/which.ts";
import { bookedLines, type Job, waitingLines } from "../jobs/wording.ts";
import { heardAs } from "./hearing.ts";
import type { After, Sound } from "./sounds.ts";

const afterJob = (job: Job): After => {
  if (job.status === "pending" || job.status === "running" || waitingLines(job).length > 0) return "waiting";
  return bookedLines(job).length > 0 ? "booked" : "over";
};

const afterOf = (talk: Talk, job: Job | null): After => {
  if (isAskedToStart(talk)) return "brief";
  if (openOffer(talk) !== undefined) return "asked";
  if (job !== null) return afterJob(job);
  return talk.memory.brief === null ? "start" : "brief";
};

export interface Reading {
  /** Null where nothing is likely enough. */
  readonly sound: Sound | null;
  readonly share: number;
  readonly guesses: readonly Guess<Sound>[];
}

const least = 0.28;

export const readingOf = async (talk: Talk): Promise<Reading> => {
  const kept = keptJob(talk);
  const found = kept === null ? null : await jobOf(talk, kept.id);
  const job = found === null || "failed" in found ? null : found.output;
  const names = [...new Set((job?.recommendations ?? []).map((line) => line.product_name))];
  const guesses = heardAs(talk.text, names, afterOf(talk, job));
  const [best] = guesses;
  if (best === undefined || best.share < least) return { sound: null, share: 0, guesses };
  return { sound: best.name, share: best.share, guesses };
};
