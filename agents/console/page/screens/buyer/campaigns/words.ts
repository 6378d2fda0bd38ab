import { wordOf } from "../../../words.ts";

const words: Readonly<Record<string, string>> = {
  pending: "Waits for its turn",
  running: "Working",
  awaiting_approval: "Waits for you",
  completed: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

export const jobWords = (status: string): string => wordOf(words, status);

/** What its operator ended has not failed. */
export const stateOf = (job: { readonly status: string; readonly is_cancelled?: boolean | undefined }): string =>
  job.is_cancelled === true ? "cancelled" : job.status;
