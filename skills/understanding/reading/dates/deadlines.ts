import { anyOf } from "../any-of.ts";
import { isQuestion } from "../choice/mood.ts";
import { clausesOf } from "../clauses.ts";
import { month, weekdays } from "./month-words.ts";
import { matchesOf, type Span, spansOf } from "../spans.ts";

const moment = [
  `(?:${weekdays})\\b`,
  "(?:today|tomorrow|tonight|noon|eod|eob|cob|eow)\\b",
  "(?:close of business|end of (?:the )?(?:day|week|business))\\b",
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+)?(?:${month})\\b`,
  `(?:${month})\\s+(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b`,
  "\\d{4}-\\d{2}-\\d{2}\\b|\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?\\b|\\d{1,2}\\.\\d{1,2}\\.",
  "\\d{1,2}(?::\\d{2})?\\s?(?:am|pm|h|uhr|o'clock)\\b",
].join("|");

const hour = "(?:\\s+(?:at\\s+)?\\d{1,2}(?::\\d{2})?\\s?(?:am|pm|h|uhr)?(?![\\w.]))?";

const deadline = new RegExp(
  `\\b(?:by|before|until|till|no later than)\\s+(?:the |next |this |coming )?(?:${moment})${hour}`,
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

const untilMonth = new RegExp(
  `\\b(?:by|before|until|till)\\s+(?:the )?(?:(?:end|start|middle) of |mid[ -])?(?:${month})\\b`,
  "gi",
);
/** What one asks about the end of a deal moves no flight. */
const ofEnding = /\b(?:cancel|terminat|withdraw|get out|stornier)\w*\b/i;

const byMeeting = /\b(?:talk|call|speak|meet|chat|phone|ring|catch up)\b/i;
const meeting = new RegExp(`${byMeeting.source}[^.?!\\d]{0,24}?((?:${moment})${hour})`, "gi");

const inClause = (text: string): readonly Span[] => {
  const untilIn = (pattern: RegExp, isMeant: (before: string, after: string) => boolean): readonly Span[] =>
    spansOf(text, pattern).filter(({ start, end }) => isMeant(text.slice(0, start), text.slice(end)));
  const asksAboutEnd = ofEnding.test(text) && isQuestion(text.toLowerCase());
  return [
    ...untilIn(deadline, (before, after) => asksAboutEnd || ofAnswer.test(before) || orElse.test(after)),
    ...(asksAboutEnd ? spansOf(text, untilMonth) : []),
    ...matchesOf(text, meeting).map((match) => {
      const end = match.index + match[0].length;
      return { start: end - (match[1]?.length ?? 0), end };
    }),
  ];
};

/** "Confirm by 20 May, otherwise we walk": when an answer is wanted, not when the flight ends. */
export const deadlinesIn = (text: string): readonly Span[] =>
  !byWhen.test(text) && !byMeeting.test(text)
    ? []
    : clausesOf(text).flatMap((clause) =>
        inClause(clause.text).map(({ start, end }) => ({ start: clause.start + start, end: clause.start + end })),
      );
