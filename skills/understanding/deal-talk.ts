import { ask, clarify, type Spoken, type Talk } from "./speech.ts";
import { quoteTerms, termsText } from "./shown-terms.ts";

export const readDeal = (talk: Talk): Promise<Spoken> | Spoken => {
  const { deal_id: id } = talk.memory.terms;
  if (typeof id !== "string") return clarify("deals", "Which deal do you mean? Give its deal ID.");
  return ask(talk, "deals", { name: "get_deal", input: { deal_id: id } }, (output) => {
    const how = Object.values((output["activation_instructions"] ?? {}) as Record<string, string>).join(" ");
    const what = termsText(quoteTerms(output));
    const text = `Deal ID ${String(output["deal_id"])} is ${String(output["status"])}: ${what}. ${how}`;
    return { outcome: "answer", result: output, text };
  });
};
