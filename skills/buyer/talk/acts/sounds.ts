/** What only asks how a job stands. */
export const questions = [
  "status",
  "why waiting",
  "total",
  "split",
  "compare",
  "extremes",
  "why dearer",
  "when",
  "negotiated",
  "ask seller",
  "delivery",
  "booked",
  "is cancelled",
] as const;

/** What a planner's message asks for; `terms` are those of a brief. */
export const sounds = [
  ...questions,
  "jobs",
  "approve",
  "drop",
  "cancel",
  "change",
  "swap",
  "exclude",
  "move money",
  "again",
  "keep",
  "agree",
  "new brief",
  "brief",
  "terms",
  "help",
  "thanks",
  "greet",
  "unknown",
] as const;

export type Sound = (typeof sounds)[number];

/** What stands before a message: `asked` is a question that a yes would answer. */
export const situations = ["start", "brief", "waiting", "booked", "over", "asked"] as const;

export type After = (typeof situations)[number];
