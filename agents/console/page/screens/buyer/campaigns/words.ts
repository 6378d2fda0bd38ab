import { wordOf } from "../../../words.ts";

const words: Readonly<Record<string, string>> = {
  pending: "Waits for its turn",
  running: "Working",
  awaiting_approval: "Waits for you",
  completed: "Done",
  failed: "Failed",
};

export const jobWords = (status: string): string => wordOf(words, status);
