import { anyOf } from "../any-of.ts";
import { clausesOf } from "../clauses.ts";
import { month, weekdays } from "./month-words.ts";
import type { Span } from "../spans.ts";

const moment = [
  `(?:${weekdays})\\b`,
  "(?:today|tomorrow|tonight|noon|eod|eob|cob|eow)\\b",
  "(?:close of business|end of (?:the )?(?:day|week|business))\\b",
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+)?(?:${month})\\b`,
  `(?:${month})\\s+(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b`,
  "\\d{4}-\\d{2}-\\d{2}\\b|\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?\\b|\\d{1,2}\\.\\d{1,2}\\.",
  "\\d{1,2}(?::\\d{2})?\\s?(?:am|pm|h|uhr|o'clock)\\b",
].join("|");

const deadline = new RegExp(
  `\\b(?:by|before|until|till|no later than)\\s+(?:the |next |this |coming )?(?:${moment})` +
    "(?:\\s+(?:at\\s+)?\\d{1,2}(?::\\d{2})?\\s?(?:am|pm|h|uhr)?(?![\\w.]))?",
  "gi",
);

/** What is to be done by then is an answer, and no delivery. */
const ofAnswer = anyOf(
  /\b(?:confirm|answer|reply|respond|revert|decide|decision|feedback|hear|sign|approv\w*|know|send)\b/i,
  /\b(?:get|come) back\b|\bneed (?:it |an? |the |your )?(?:answer|quote|prices?|rates?|proposal|reply)\b/i,
  /\bneed (?:an? |the |your )?(?:offer|numbers|confirmation|response)\b/i,
);
const orElse = /\b(?:else|otherwise|or (?:else|we|i|it)|if not|failing that)\b/i;

const byWhen = /\b(?:by|before|until|till|no later than)\b/i;

/** "Confirm by 20 May, otherwise we walk": when an answer is wanted, not when the flight ends. */
export const deadlinesIn = (text: string): readonly Span[] =>
  !byWhen.test(text)
    ? []
    : clausesOf(text).flatMap((clause) =>
        [...clause.text.matchAll(deadline)].flatMap((match) => {
          const end = match.index + match[0].length;
          const isMeant = ofAnswer.test(clause.text.slice(0, match.index)) || orElse.test(clause.text.slice(end));
          return isMeant ? [{ start: clause.start + match.index, end: clause.start + end }] : [];
        }),
      );
