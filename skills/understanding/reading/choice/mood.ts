import { anyOf } from "../any-of.ts";

/** Said before a question without changing it. */
const before = new RegExp(
  "^(?:\\W|\\b(?:and|so|but|ok|okay|well|hi|hello|hey|thanks|thank you|please|sorry|also|right|hm+|great|cool|fine|" +
    "then|now|just|wait)\\b)*",
);

const asking = anyOf(
  /^(?:what|whats|which|who|whose|when|where|why|how|until when|in which|at what|for which|is|are|was|were|am)\b/,
  /^(?:do|does|did|has|have|had|can|could|would|will|should|shall|may|might|isn't|aren't|don't (?:you|we|i))\b/,
  /^(?:explain|describe|differences?|compare|contrast)\b/,
  /^(?:wie|wieviel|welche\w*|ist|sind|gibt|kann|wann|was)\b/,
  /^(?:cuanto|cual|que|esta|combien|quel\w*|est-ce|quanto|qual)\b/,
  /\b(?:tell me|let me know|i wonder)\b.{0,12}\b(?:what|which|who|when|where|why|how|if|whether)\b/,
  /\b(?:wondering|remind me)\b.{0,12}\b(?:what|which|who|when|where|why|how|if|whether)\b/,
  /\b(?:do you know|can you say)\b.{0,12}\b(?:what|which|who|when|where|why|how|if|whether)\b/,
);

/** `text` is `plainText`: a question mark, or words that open a question. */
export const isQuestion = (text: string): boolean => /\?\s*$/.test(text) || asking.test(text.replace(before, ""));
