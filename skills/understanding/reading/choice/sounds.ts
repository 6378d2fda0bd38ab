/** What a message may ask for; "terms" only adds to the request before. */
export const sounds = [
  "list",
  "describe",
  "formats",
  "rank",
  "compare",
  "deal types",
  "about product",
  "packages",
  "media kit",
  "rate card",
  "availability",
  "targeting",
  "reach",
  "price",
  "quote",
  "steps",
  "discounts",
  "plan",
  "propose",
  "offer",
  "accept",
  "reject",
  "book",
  "withdraw",
  "read quote",
  "read proposal",
  "read negotiation",
  "open terms",
  "my deals",
  "my quotes",
  "my proposals",
  "my negotiations",
  "my spend",
  "my changes",
  "read deal",
  "activate",
  "cancel",
  "cancel terms",
  "change deal",
  "summary",
  "policy",
  "terms",
  "correct",
  "wait",
  "hand over",
  "withhold",
  "elsewhere",
  "greet",
  "thanks",
  "unknown",
] as const;

export type Sound = (typeof sounds)[number];

/** What is answered. */
export type Act = Exclude<Sound, "terms"> | "open question" | "not sold" | "unclear";

/** What stands when a message comes in. */
export const situations = ["start", "talked", "listed", "asked", "quote", "quotes", "counter", "deal"] as const;

export type After = (typeof situations)[number];
