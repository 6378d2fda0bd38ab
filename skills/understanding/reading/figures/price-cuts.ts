import { anyOf } from "../any-of.ts";
import type { Span } from "../spans.ts";

/** "10% off": the price on the table less a share of it. */
export interface PriceCut extends Span {
  readonly percent: number;
}

/** Longer messages say more than a wish for a share. */
const mostLetters = 160;

const tooHigh =
  "(?:that(?:'s| is)|it(?:'s| is))? ?(?:still )?(?:too|a bit|rather) (?:high|expensive|much|steep|pricey)";
const greeting = "ok|okay|well|hmm?|please|pls|sorry|but|so|then|thanks|thank you|hi|hello";
const wouldTake =
  "(?:(?:(?:i|we)(?:'ll|'d| will| would|) )?(?:take|book|buy|sign|go for)(?: (?:it|this|that))?,? " +
  "if (?:you|we|i)\\s+)?";
const opening = `(?:(?:${greeting}|${tooHigh})[\\s,.;:!-]+){0,4}`;
const polite = "(?:(?:can|could|would|will) (?:you|we|i) (?:please |still |maybe )?)?";
const verb =
  "(?:(?:give|do|take|knock|shave|offer|get|have|go|come|make|manage|drop|lower|reduce|cut|say|let's say|how about|" +
  "what about|(?:we|i)(?:'d| would)? (?:like|want|need|offer|take)|(?:our|my) (?:offer|counter) is|" +
  "we counter (?:with|at))\\s+)?";
const object =
  "(?:(?:us|me|it|that|off|down|to|by|at|for|(?:the|your|that) (?:price|cpm|rate)|another|a further|an extra|" +
  "a discount of|a|at least|about)\\s+){0,4}";
const share = "(?:off\\s+)?(\\d{1,2}(?:\\.\\d)?)\\s?(?:%|percent\\b|per cent\\b)";
const direction = "(?:\\s+(?:more )?(?:off|less|lower|cheaper|better|down|discount|reduction|below))";
const ending =
  "(?:\\s+(?:on|from|of|off|than) (?:the|your|that|this)(?: (?:price|cpm|rate|quote|offer|list))?)?" +
  "(?:\\s+(?:please|pls|then))?" +
  "(?:,? and (?:we|i|it)(?:'(?:s|ll)| will)?(?: [a-z]+){1,4})?[\\s.!?]*$";
/** Before the share, these alone make it a cut. */
const lowering = /\b(?:knock|shave|lower|reduce|cut|drop|discount|off)\b/i;

const wish = new RegExp(`^\\s*${opening}${wouldTake}${polite}${verb}${object}${share}(${direction}?)${ending}`, "i");
/** Of something that is no price. */
const ofOther = anyOf(
  /\b(?:volume|imp\w*|budget|spend|audience|reach|time|days|weeks|views|inventory)\b/i,
  /\b(?:not|n't|never|no)\b/i,
);

/** Null unless the whole message asks for it: a remark about somebody's discount offers nothing. */
export const priceCutIn = (text: string): PriceCut | null => {
  if (text.length > mostLetters || !/\d/.test(text) || ofOther.test(text)) return null;
  const match = wish.exec(text);
  if (match === null) return null;
  const percent = Number(match[1]);
  const start = text.search(/\d/);
  const isCut = match[2] !== "" || lowering.test(text.slice(0, start));
  const end = start + (/^[\d.]+\s?(?:%|per ?cent)/i.exec(text.slice(start))?.[0].length ?? 0);
  return isCut && percent > 0 ? { percent, start, end } : null;
};
