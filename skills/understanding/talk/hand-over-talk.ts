import { pick, type Spoken, type Talk } from "./speech.ts";

const longestWords = 500;
const passedOn = ["product_id", "quote_id", "proposal_id", "negotiation_id", "deal_id"];

const said = (outcome: Spoken["outcome"], text: string): Spoken => ({ skill: null, outcome, result: null, text });

const whereAnswered = "The answer comes with your next message in this conversation, and list_handovers has it.";

/** The conversation's handler asks for the person, with the buyer's words and records. */
export const handOver = (talk: Talk): Spoken => {
  const { context, memory, text } = talk;
  if (context.caller.kind === "anonymous")
    return said("clarify", "A person can answer you when you sign in with an API key.");
  const opening = memory.isHandedOver
    ? "No answer has come yet. A person of our team has your request already, with what you just wrote."
    : "I have asked a person of our team to answer you.";
  return {
    ...said("pending", `${opening} ${whereAnswered} Nothing is booked or changed meanwhile.`),
    isHandedOver: true,
    events: [
      {
        event_type: "handover.requested",
        payload: { words: text.slice(0, longestWords), ...pick(memory.terms, passedOn) },
      },
    ],
  };
};
