/** What the wire's words are called on a screen. */
export const flowWords: Readonly<Record<string, string>> = {
  deal: "Booking",
  negotiation: "Offer",
  proposal: "Proposal",
  api_key: "New key",
};

export const decisionWords: Readonly<Record<string, string>> = {
  approve: "approved",
  reject: "rejected",
  counter: "countered",
};

export const statusWords: Readonly<Record<string, string>> = {
  pending: "Waiting",
  approved: "Approved",
  rejected: "Rejected",
  timed_out: "Timed out",
};

/** An unknown word of the wire is shown without its underscores. */
export const wordOf = (words: Readonly<Record<string, string>>, name: string | null | undefined): string => {
  if (name == null || name === "") return "none";
  const known = Object.hasOwn(words, name) ? words[name] : undefined;
  return known ?? name.replaceAll("_", " ");
};
