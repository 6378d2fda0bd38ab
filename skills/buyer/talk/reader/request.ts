import type { Memory } from "../record.ts";
import type { Job, JobSummary } from "../replies/job.ts";

/** What a reader knows beside the message. */
export interface Situation {
  readonly nowMs: number;
  readonly memory: Memory;
  /** All of the caller's campaigns, the newest first. */
  readonly jobs: readonly JobSummary[];
  /** The one that words without a name mean. */
  readonly job: Job | null;
  /** Labels of what is open, in the order of their numbers, and whether a yes means the last one. */
  readonly open: readonly string[];
  /** What the last reply asked about, by its operation. */
  readonly asked: string | null;
}

/** One thing that is asked for: a command of `commands.ts`, and what its words say. */
export interface Request {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The words that each member was read from. */
  readonly evidence: Readonly<Record<string, string>>;
  /** The part of the message, as it was written. */
  readonly said: string;
  readonly isQuestion: boolean;
  /** A condition, a negation, a wish: nothing of it is asked about with a yes. */
  readonly isDoubt: boolean;
}

export interface Reading {
  readonly requests: readonly Request[];
  /** Runs of words that nobody used, as they were written. */
  readonly unread: readonly string[];
  readonly isForeign: boolean;
  /** Who read it: "grammar", or a model. */
  readonly by: string;
}

/** The grammar of this folder is one; a model behind the same interface answers in requests too. */
export interface Reader {
  read(message: string, situation: Situation): Promise<Reading> | Reading;
}
