import { ask, clarify, type Spoken, type Talk } from "./speech.ts";
import { quoteTerms, termsText } from "./shown-terms.ts";

const dsps: Readonly<Record<string, { readonly name: string; readonly pattern: RegExp }>> = {
  ttd: { name: "The Trade Desk", pattern: /\bttd\b|\btrade ?desk\b/i },
  dv360: { name: "Display & Video 360", pattern: /\bdv ?360\b|\bdisplay (?:&|and) video\b/i },
  xandr: { name: "Xandr Invest", pattern: /\bxandr\b|\bappnexus\b/i },
};

const asksForDsp = /\bdsps?\b/i;

const anyDsp: Spoken = {
  skill: "deals",
  outcome: "answer",
  result: null,
  text:
    `Deals run in ${Object.values(dsps)
      .map(({ name }) => name)
      .join(", ")}: once booked, a deal has an ID and the ` + "steps for each of them. Another DSP? Ask for a person.",
};

/** The DSP that the message names, else each. */
const activationText = (instructions: Readonly<Record<string, string>>, text: string): string => {
  const named = Object.entries(dsps).find(([, { pattern }]) => pattern.test(text))?.[0];
  const own = named === undefined ? undefined : instructions[named];
  return own === undefined ? Object.values(instructions).join(" ") : `${String(named).toUpperCase()}: ${own}`;
};

export const readDeal = (talk: Talk): Promise<Spoken> | Spoken => {
  const { deal_id: id } = talk.memory.terms;
  if (typeof id !== "string" && asksForDsp.test(talk.text)) return anyDsp;
  if (typeof id !== "string") return clarify("deals", "Which deal do you mean? Give its deal ID.");
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => {
    const how = activationText((output["activation_instructions"] ?? {}) as Record<string, string>, talk.text);
    const what = termsText(quoteTerms(output));
    const text = `Deal ID ${String(output["deal_id"])} is ${String(output["status"])}: ${what}. ${how}`;
    return { outcome: "answer", result: output, text };
  });
};
