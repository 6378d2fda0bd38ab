import type { Topic } from "../memory.ts";
import type { Act } from "../reading/choice/acts.ts";
import { anyOf } from "../reading/any-of.ts";
import { isQuestion } from "../reading/choice/mood.ts";
import { plainText } from "../reading/choice/spelling.ts";
import { changesTerms } from "../terms.ts";
import { openTopics } from "../topics.ts";
import { leaveOutTopics } from "./drop-talk.ts";
import { asLines, type Spoken, type Talk } from "./speech.ts";
import { quoteTerms, shortTerms } from "./shown-terms.ts";
import { type Line, linesIn, linesOf, showLines } from "./subset-talk.ts";

/** Their answers end in a question that a yes would book. */
const asksToBook: ReadonlySet<Act> = new Set(["book", "accept", "reject", "quote", "price", "offer"]);

const not = "(?:\\bnot|\\bnever|\\bcannot|\\b(?:do|does|did|ca|wo|is|are|should|would)n['’]?t)";
const refusing = anyOf(
  /\b(?:declin\w*|reject\w*|refus\w*|turn(?:ed|ing)? down|against|out of the question)\b/i,
  /\b(?:skip|drop|leave out|no longer)\b/i,
  /\b(?:pass on|no (?:interest|need)|(?:prefer|rather) not)\b|^\W*(?:and |but )?not\b/i,
  new RegExp(
    `${not} (?:(?:really|be|to|go|going|proceed) )*(?:ahead |want|need|tak|book|do\\b|buy|order|interested|required|` +
      "with\\b|for (?:us|me)\\b|suit|fit\\b|an option)",
    "i",
  ),
);
const notRefusing = /\b(?:forget|miss|mind|lose|hesitate|only|object|wait)\b|\bnothing against\b|\bno problem\b/i;
const undecided = anyOf(
  /\b(?:still|yet to) (?:\w+ )?(?:choos|decid|think|consider|compar)\w*|\b(?:torn|undecided|either|leaning|tempted)\b/i,
  /\bnot (?:yet )?(?:quite |really )?(?:sure|decided|convinced|certain)\b|n['’]t (?:yet )?(?:decided|convinced|me)\b/i,
  /(?<!\b(?:first|second|third|last|cheap\w*|other) )\bone of (?:them|these|those)\b/i,
  /(?<!\b(?:first|second|third|last|cheap\w*|other) )\bone of the (?:two|three|four|five|lines)\b/i,
  /\b(?:tell you|let you know)\b|\basking (?:the|our|my)\b/i,
  /\b(?:probably|maybe|perhaps|might)\b|\btoo (?:expensive|dear)\b/i,
  /\b(?:if(?! possible)|unless|depend\w*)\b|^\W*(?:someone|somebody|everybody|everyone|anyone|nobody)\b/i,
);
const ordering = /\b(?:book|reserve|take|accept|order|buy|confirm|want|go (?:ahead )?with|proceed with)\b/i;
/** Such an order shows the rest, which is what it asks for. */
const drops = /\b(?:drop|skip|leave out)\b/i;

const seams = /[.;!\n,]|\bbut (?=we|i\b|not|do)|\band (?=skip|drop|leave|not|we|i\b|do(?:n't| not))/i;

const stayOpen = (lines: readonly Line[]): Spoken => ({
  skill: "deals",
  outcome: "clarify",
  result: null,
  learnt: { quote_id: null },
  offers: lines.map(({ offer }) => offer),
  text: `${asLines(
    "Nothing is booked by this message. Still open:",
    lines.map(({ offer, output, place }) => `${place + 1}. ${offer.id}: ${shortTerms(quoteTerms(output))}`),
  )}\nTell me which one you want when you know.`,
});

const topicsOf = ({ memory }: Talk, lines: readonly Line[]): readonly Topic[] =>
  openTopics(memory).filter(({ terms }) => lines.some(({ offer }) => offer.id === terms["quote_id"]));

/** A line that is refused is left out; an open choice leaves all lines open. Null where the message does neither. */
export const heldOpen = async (talk: Talk, act: Act): Promise<readonly Spoken[] | null> => {
  const { text, heard } = talk;
  const hasTerms = changesTerms(heard) || heard.slots["target_cpm"] !== undefined || heard.barePrice !== null;
  if (!asksToBook.has(act) || heard.slots["quote_id"] !== undefined || isQuestion(plainText(text))) return null;
  const clauses = text.split(seams);
  const refusals = clauses.filter((clause) => refusing.test(clause) && !notRefusing.test(clause));
  const isOpen = undecided.test(text);
  if (hasTerms || (refusals.length === 0 && !isOpen)) return null;
  const lines = await linesOf(talk);
  const named = (of: readonly string[]) => of.flatMap((clause) => linesIn(talk, lines, clause));
  const refused = [...new Set(named(refusals))];
  const others = clauses.filter((clause) => !refusals.includes(clause));
  const orders = others.filter((clause) => ordering.test(clause) && !undecided.test(clause));
  const ordered = named(orders).filter((line) => !refused.includes(line));
  if (ordered.length === 0 && drops.test(text)) return null;
  if (lines.length > 1 && isOpen && ordered.length === 0) return [stayOpen(lines)];
  const isOther = refused.length === 0 || (ordered.length === 0 && orders.length > 0);
  const topics = topicsOf(talk, refused);
  if (isOther || topics.length !== refused.length) return null;
  const left = await leaveOutTopics(talk, topics);
  if (ordered.length === 0) return [left];
  return showLines(talk, ordered).map((one, place) => (place === 0 ? { ...one, dropped: topics } : one));
};
