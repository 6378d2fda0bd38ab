import { anyOf } from "../any-of.ts";
import { isQuestion } from "../choice/mood.ts";
import { clausesOf } from "../clauses.ts";
import { month, weekdays } from "./month-words.ts";
import { matchesOf, type Span, spansOf } from "../spans.ts";

const moment = [
  `(?:${weekdays})\\b(?: (?:morning|noon|afternoon|evening|night))?`,
  "(?:today|tomorrow|tonight|noon|eod|eob|cob|eow|morgen|manana|demain|amanha)\\b" +
    "(?: (?:morning|noon|afternoon|evening|night))?",
  "(?:close of business|end of (?:the |this )?(?:day|week|month|business))\\b",
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+)?(?:${month})\\b`,
  `(?:${month})\\s+(?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b`,
  "\\d{4}-\\d{2}-\\d{2}\\b|\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?\\b|\\d{1,2}\\.\\d{1,2}\\.",
  "\\d{1,2}(?:st|nd|rd|th)\\b",
  "\\d{1,2}(?::\\d{2})?\\s?(?:am|pm|h|uhr|o'clock)\\b",
].join("|");

const hour = "(?:\\s+(?:at\\s+)?\\d{1,2}(?::\\d{2})?\\s?(?:am|pm|h|uhr)?(?![\\w.]))?";
const next = "(?:the |next |this |coming |zum |am |nachsten |el |le |a )?";

const untilWords = "by|before|until|till|through|no later than|bis|hasta|jusqu'a|jusqu'au|ate";
const deadline = new RegExp(`\\b(?:${untilWords})\\s+${next}(?:${moment})${hour}`, "gi");

/** What is to be done by then is an answer, and no delivery. */
const ofAnswer = anyOf(
  /\b(?:confirm|answer|reply|respond|revert|decide|decision|feedback|hear|sign|approv\w*|know|send)\b/i,
  /\b(?:get|come) back\b|\bneed (?:\w+ ){0,3}(?:answer|quotes?|prices?|rates?|proposal|reply)\b/i,
  /\bneed (?:\w+ ){0,3}(?:offer|numbers|confirmation|response)\b/i,
  /\b(?:respuesta|antwort|reponse|resposta|bescheid|ruckmeldung)\b/i,
);
/** Nobody runs a campaign only until then. */
const atOnce = /\bby\s+(?:tomorrow|today|noon|tonight|eod|eob|cob|eow|(?:close|end) of (?:the )?(?:day|business))\b/i;
/** "Hold it till Monday": what is kept, or stays open. A flight has a first day, or is a thing to run. */
const ofHold = anyOf(
  /\b(?:hold(?!ing)|on hold|keep|block|option|valid\w*|open|gultig\w*|valido|valida|valable|expires?|freeze)\b/i,
  /\b(?:reserve|guarantee|lock)\s+(?:it|this|that|them|these|those|both|me|us)\b/i,
  // With a volume or a first day it is a wish for a flight.
  /\b(?:reserve|guarantee|lock)\s[^\d]*$/i,
);
const runsFrom = /\b(?:from|starting|between|run(?:s|ning)?|live)\b/i;
const orElse = /\b(?:else|otherwise|or (?:else|we|i|it)|if not|failing that)\b/i;

const byWhen = new RegExp(`\\b(?:${untilWords})\\b`, "i");

const untilMonth = new RegExp(
  `\\b(?:by|before|until|till)\\s+(?:the )?(?:(?:end|start|middle) of |mid[ -])?(?:${month})\\b`,
  "gi",
);
/** What one asks about the end of a deal moves no flight. */
const ofEnding = /\b(?:cancel|terminat|withdraw|get out|stornier)\w*\b/i;

const byMeeting = anyOf(
  /\b(?:talk|call|speak|meet|chat|phone|ring|catch up|decides?|let you know|(?:come|get|be) back|approves?)\b/i,
  /\b(?:signs?|discuss|present|meld\w+ (?:mich|uns)|entscheid\w+|bescheid|reviendr\w+|reviens|volver\w+|decid\w+)\b/i,
);
const meeting = new RegExp(`(?:${byMeeting.source})[^.?!\\d]{0,24}?((?:on )?${next}(?:${moment})${hour})`, "gi");

const saysValid = /^\s*(?:gultig|valid|valido|valable)\b/i;

const isDeadline = (before: string, words: string, after: string): boolean => {
  const isHeld = (ofHold.test(before) || saysValid.test(after)) && !runsFrom.test(before);
  return isHeld || ofAnswer.test(before) || atOnce.test(words) || orElse.test(after);
};

const inClause = (text: string): readonly Span[] => {
  const asksAboutEnd = ofEnding.test(text) && isQuestion(text.toLowerCase());
  const until = spansOf(text, deadline).filter(
    ({ start, end }) => asksAboutEnd || isDeadline(text.slice(0, start), text.slice(start, end), text.slice(end)),
  );
  return [
    ...until,
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
