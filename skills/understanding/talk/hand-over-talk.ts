import type { Slots } from "../reading/slots.ts";
import { pick, type Spoken, type Talk } from "./speech.ts";

const longestWords = 500;
const passedOn = ["product_id", "quote_id", "proposal_id", "negotiation_id", "deal_id"];

const said = (outcome: Spoken["outcome"], text: string): Spoken => ({ skill: null, outcome, result: null, text });

const whereAnswered = "The answer comes with your next message in this conversation, and list_handovers has it.";

/** With the buyer's words and records. */
export const handOver = (talk: Talk): Spoken => {
  const { context, memory, text } = talk;
  if (context.caller.kind === "anonymous")
    return said("clarify", "A person can answer you when you sign in with an API key.");
  const opening = memory.isHandedOver
    ? "No answer has come yet. Shall I pass these words on as well?"
    : "Shall I pass this on to a person of our team?";
  const change = { words: text.slice(0, longestWords), ...pick(memory.terms, passedOn) };
  return {
    ...said("clarify", `${opening} Nothing is booked or changed by it.`),
    offers: [{ kind: "hand over", id: "person", digest: null, change }],
  };
};

export const handedOver = (output: Slots): Spoken => ({
  ...said("pending", `I have asked a person of our team to answer you. ${whereAnswered}`),
  result: output,
  isHandedOver: true,
});
