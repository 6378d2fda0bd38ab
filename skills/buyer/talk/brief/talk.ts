import { isDeepStrictEqual } from "node:util";
import { asksCancel } from "../jobs/cancel.ts";
import { isAskedToStart, type Said, type Talk } from "../talk.ts";
import { asWritten } from "./words/as-written.ts";
import { correctedBrief } from "./reading/reading.ts";
import type { BriefInput } from "./input.ts";
import { shownAgain, shownBrief } from "./shown.ts";
import { stillOpen } from "./turn/doubts.ts";
import { answerOf } from "./turn/questions.ts";
import { asksToSee, isOnlyAsking, isOnlyRemark, turnIn } from "./turn/sentences.ts";
import { changedWords } from "./wording.ts";

const asksBrief = new RegExp(
  "\\bbrief\\b|\\b(?:recap|summary|summari[sz]e|so far|missing|complete|(?:show|see|repeat|" +
    "read)\\b.*\\b(?:again|all|everything)|without (?:it|" +
    "that|them)|ignore (?:it|that|them)|(?:as|how|what(?:ever)?) (?:ever )?you (?:like|want|wish|think|prefer)|up " +
    "to you|" +
    "your choice)\\b|^\\s*(?:ok(?:ay)?[\\s,]+)?(?:go on|continue|" +
    "proceed)\\b",
  "i",
);
const asksOver = new RegExp(
  "\\b(?:forget|drop|delete|scrap|discard|throw away) (?:the|this|that|my) (?:whole )?brief\\b|" +
    "\\b(?:start over|start again|from scratch)\\b|" +
    "^\\W*(?:(?:ok|okay|no|please|sorry|then|just)\\W+)*(?:forget (?:about )?(?:it|that|this|everything|all of it)|" +
    "never ?mind(?: (?:it|that))?|discard (?:it|that|this)|scrap (?:it|that|this))(?:\\W+(?:please|then|thanks|" +
    "all))*\\W*$",
  "i",
);
/** About what was not used. */
const goesOn = new RegExp(
  "^\\W*(?:(?:ok|okay|fine|good|right|alright|sure|yes|yeah|then|well|so|please|hm+|no problem|just|and)\\W+)*" +
    "(?:go on|go ahead|continue|proceed|(?:do it |start it |go on |carry on )?without (?:it|that|them|those|this|" +
    "these|" +
    "all (?:that|of (?:it|that|them|those))|(?:the |a |any )?(?:split|exclusions?|conditions?))|(?:skip|ignore|" +
    "drop|leave out|never ?mind|forget) (?:it|that|them|those|" +
    "this|these|all that|the (?:exclusions?|conditions?|rest|wish(?:es)?))|leave (?:it|that|them|those|this) out|" +
    "the (?:exclusions?|conditions?|rest) (?:is|are|can be) (?:dropped|ignored|left out|gone))" +
    "(?:\\W+(?:then|please|thanks|now|for now))*\\W*$",
  "i",
);
const isWithout = /\bwithout\W*(?:$|[.!,])/i;
const asksMember = new RegExp(
  "\\b(?:correct|right|dates?|days|start|end|long|budget|channels?|audience|named?|objectives?|goals?|target|" +
    "advertiser|client|" +
    "split|caps?|limit|flight|everything)\\b",
  "i",
);

const asksLines =
  /\b(?:lines?|prices?|status|found|find|booked|sellers?|costs?|totals?|results?|progress|jobs?|going)\b/i;

/** What the message states, corrects, asks and doubts. Null where it is about something else. */
const correction = (talk: Talk, open: BriefInput, text: string): Said | null => {
  const { nowMs } = talk.context;
  const { brief: plain, isFound, ...beside } = correctedBrief(open, text, nowMs);
  const brief = asWritten(plain, talk.text);
  const { places, excluded, doubts, proposed } = beside;
  const isAbout = isFound || places.length + excluded.length + doubts.length + proposed.length > 0;
  const kept = stillOpen(talk.memory.doubts, text, open, brief);
  if (isAbout)
    return shownBrief(brief, nowMs, { ...beside, stillOpen: kept }, isFound ? changedWords(open, brief) : "");
  const isAnswered = beside.asked.some((asked) => answerOf(open, asked) !== null);
  return isAnswered ? shownAgain(talk, open, "", beside.asked) : null;
};

/** Whoever cancels must not be asked to start. */
const notStarted: Said = {
  outcome: "answer",
  text:
    'The brief is not started, so there is nothing to cancel. Say "forget the brief" to discard it, or "show the ' +
    'brief" to go on. A campaign that runs is cancelled by its name: "cancel" and the name.',
};

const notUnderstood = "I did not understand that, and nothing is changed.";

const asksBefore = new RegExp(
  "^\\W*(?:(?:no|sorry|please|oh|wait|ok|okay|hm+|actually|can you|could you|just)\\W+)*" +
    "(?:undo|revert|go back|(?:take|change|put) (?:it|that|this) back|(?:keep|leave) it as it was|(?:as )?it was " +
    "before)" +
    "(?:\\W+(?:that|it|this|please|again|the|last|change|to|before|previous|one|brief))*\\W*$",
  "i",
);

/** What goes on with a brief, takes a change back or makes one, though it names no member of it. */
export const isOfBrief = (text: string): boolean =>
  isOnlyAsking(text) ? answerOf({}, text) !== null : [goesOn, asksOver, asksBefore].some((words) => words.test(text));

/** Channels alone may be those of a campaign's lines. */
export const changesBrief = (open: BriefInput, text: string, nowMs: number): boolean => {
  const { brief } = correctedBrief(open, text, nowMs);
  return !isDeepStrictEqual({ ...brief, channels: null }, { ...open, channels: null });
};

const isBriefMeant = (talk: Talk): boolean => talk.memory.job === null || isAskedToStart(talk);

/** The change before the last one is not kept. */
const asBefore = ({ memory: { before }, context: { nowMs } }: Talk, open: BriefInput): Said =>
  before === null
    ? shownBrief(open, nowMs, undefined, "Nothing was changed that I could take back.")
    : shownBrief(before, nowMs, undefined, `As it was before. ${changedWords(open, before)}`);

/** Words that no other part of the talk took, and that would change the open brief if they were understood. */
export const openQuestion = ({ memory: { brief, doubts }, context: { nowMs } }: Talk, text: string): Said | null => {
  if (brief === null) return null;
  const { brief: changed, isFound: _none, ...beside } = correctedBrief(brief, text, nowMs);
  const kept = stillOpen(doubts, text, brief, changed);
  return beside.unclear.length === 0 ? null : shownBrief(changed, nowMs, { ...beside, stillOpen: kept });
};

/** A message that follows the brief which was just shown, or completes one. */
export const aboutBrief = (talk: Talk, text: string): Said | null => {
  const { brief: open } = talk.memory;
  const { nowMs } = talk.context;
  if (open === null) return null;
  if (asksOver.test(text)) {
    return {
      outcome: "answer",
      text: "The brief is forgotten, and nothing of it is started. Send a new one.",
      brief: null,
    };
  }
  const asks = isOnlyAsking(text);
  if (asksBefore.test(text) && isBriefMeant(talk)) return asBefore(talk, open);
  if (asksCancel.test(text) && !asks && !changesBrief(open, text, nowMs))
    return talk.memory.job === null ? notStarted : null;
  if (/\b(?:approve|book)\b/i.test(text) && !asks) return null;
  if (isWithout.test(text) || goesOn.test(text)) return shownBrief(open, nowMs);
  const isLines = asks && asksLines.test(text) && (talk.memory.job !== null || /\blines?\b/i.test(text));
  const corrected = isLines ? null : correction(talk, open, text);
  if (corrected !== null) return corrected;
  if ((asksBrief.test(text) || asksToSee(text)) && !isLines) return shownBrief(open, nowMs);
  if (!isAskedToStart(talk) || isLines) return null;
  if (asks) return shownAgain(talk, open, "", turnIn(text).asked);
  if (isOnlyRemark(text)) return shownAgain(talk, open);
  const isOfBrief = asksMember.test(text) && openQuestion(talk, text) === null;
  return isOfBrief ? { ...shownAgain(talk, open, notUnderstood), notUsed: [text] } : null;
};
