import { isConditional } from "../../../understanding/reading/clauses.ts";
import type { Sound } from "../acts/sounds.ts";
import { again as shownAgain, dropped, notExact } from "../consent.ts";
import { kindOf, type Said, shownBooking, type Talk } from "../talk.ts";
import { approve, isChoice, linesMeant } from "./approval.ts";
import { asksCancel, cancel, replaced } from "./cancel.ts";
import { compare, extremes, whyDearer } from "./compare.ts";
import { asksSellers, factOf, knownSellers } from "./facts/facts.ts";
import { holdsQuestion } from "../turn/parts.ts";
import { cannotChange, delivery, isItCancelled } from "./deals.ts";
import {
  bookedOfAll,
  briefOf,
  listJobs,
  negotiated,
  notKnown,
  status,
  totals,
  whatIsBooked,
  when,
  why,
  whyLittle,
} from "./lookups.ts";
import { mixedOrder } from "./mixed.ts";
import { again, cannotExclude, dropLine, moveMoney, swap } from "./orders.ts";
import { jobOf, movesTo, whichJob, type Which } from "./meant/which.ts";
import { bookedLines, titled, waitingLines } from "./wording.ts";

const isHeldBack = /\b(?:do not|don't|never|not)\b/i;
const asksWhether = /^\W*(?:and\W+)?(?:what|which|how|when|who|whom|why|where|is|are|was|were|does|did|have|has)\b/i;
const asksLeave =
  /^\W*(?:(?:and|then|ok|so)\W+)*(?:do (?:we|i|you|they)|can|could|would|will|should|shall|may|might|what if)\b/i;

/** In any part of the message: "Well, would you book it". */
const isAsking = (text: string): boolean =>
  /\?\W*$/.test(text) || text.split(/[.!,:;]\s+/).some((part) => asksWhether.test(part) || asksLeave.test(part));

const isPolite = /^\W*(?:(?:and|then|ok|so|hi|hello)\W+)*(?:can|could|would|will) you\b.*\b(?:please|pls|kindly)\b/i;

/** "No, only line 1" about the lines that were just shown. */
const otherChoice = (talk: Talk, which: Which): Said | null => {
  if (shownBooking(talk)?.input["job_id"] !== which.job.job_id) return null;
  const head = /^\s*(?:(?:yes|ok|okay|no|sorry|actually|wait|rather)\b[\s,.;:!-]*)+(?:but\b)?/i;
  const left = which.text.replace(head, "");
  const isExcept = /^\s*(?:not|except|without|minus)\b/i.test(left) && /\bbut\b/i.test(which.text);
  const choice = isExcept ? `all but ${left.replace(/^\s*\w+/, "")}` : left;
  const isChoice = head.test(which.text) || /\b(?:only|just)\b|^\s*(?:all )?(?:but|except)\b/i.test(choice);
  return isChoice && linesMeant(choice, waitingLines(which.job)) !== null
    ? approve(talk, { ...which, text: choice })
    : null;
};

/** "Yes yes do both" beside a line that is to be dropped books nothing. */
const isOfEnding = (talk: Talk, { text }: Which): boolean => {
  const { asked } = talk;
  return (
    asked !== null && kindOf(asked) !== "book" && /^\W*(?:yes|yeah|yep|ok)\b/i.test(text) && !ordersElse.test(text)
  );
};

const approveOrAnswer = (talk: Talk, which: Which): Said | Promise<Said> => {
  if (isOfEnding(talk, which)) return why(which);
  if (isHeldBack.test(which.text) && linesMeant(which.text, waitingLines(which.job)) === null) return dropped(talk);
  if (isPolite.test(which.text)) return approve(talk, { ...which, text: which.text.replace(/\?\s*$/, "") });
  if (!isAsking(which.text)) return approve(talk, which);
  const { text, ...said } = why(which);
  return { ...said, text: `A question books nothing.\n${text}` };
};

const asksAdvice = /^\W*(?:(?:and|then|ok|so|yes|well|hi|hello)\W+)*(?:should|shall|may|might|do (?:we|i)|what if)\b/i;
const ordersElse = /\b(?:approve|book|take|accept|buy|confirm|order|go ahead|start|launch)\b/i;

/** What asks, depends on something or orders something else ends nothing, nor is a yes behind it taken for that. */
const isNoOrder = (text: string): boolean => asksWhether.test(text) || asksAdvice.test(text) || isConditional(text);

/** "List what is booked and cancelled" asks to see, whatever it names. */
const asksToSee = new RegExp(
  "^\\W*(?:(?:please|kindly|and|hi|hello|ok|so|then|now|(?:can|could|would|will) you|(?:i|" +
    "we) (?:want|need|would like)" +
    "(?: to)?)\\W+)*(?:list|show|display|summari[sz]e|recap|tell|see|know|" +
    "(?:send|give|provide|prepare|get|have)\\b.*\\b(?:summary|list|overview|recap|report|breakdown|" +
    "statement|status))\\b|" +
    "^\\W*(?:summary|list|overview|recap|breakdown|status) of\\b",
  "i",
);
const seen: ReadonlySet<Sound | null> = new Set([
  null,
  "approve",
  "drop",
  "cancel",
  "change",
  "exclude",
  "swap",
  "booked",
]);

const bookedOrStatus = (talk: Talk, which: Which): Said | Promise<Said> => {
  if (severalCampaigns.test(talk.text)) return bookedOfAll(talk);
  return bookedLines(which.job).length > 0 ? whatIsBooked(which) : status(which);
};

const cancelOrAnswer = (talk: Talk, which: Which): Said | Promise<Said> => {
  const { text } = which;
  const isCancelled = text
    .split(/[.!;]\s+/)
    .some((sentence) => asksCancel.test(sentence.replace(/\b(?:do not|don't|never|not)\b.*/i, "")));
  if (isNoOrder(text) || (!isCancelled && ordersElse.test(text))) {
    const said = status(which);
    const head = `Nothing is cancelled by this. To cancel ${titled(which.job)} or a deal of it, say "cancel".`;
    return { ...said, text: `${head}\n${said.text}` };
  }
  return isHeldBack.test(text) && !isCancelled ? dropped(talk) : cancel(talk, which);
};

const dropOrAnswer = (talk: Talk, which: Which): Said => (isNoOrder(which.text) ? why(which) : dropLine(talk, which));

const severalCampaigns =
  /\b(?:both|all|every|each|two|three|my|our) (?:of )?(?:(?:the|my|our) )?(?:campaigns?|jobs?)\b/i;

const asksOther = /\b(?:show|see|open|look|mean|meant|status|talk)\b/i;

/** "That is not my campaign: show me Winter Sale" is a no and a question. */
const keep = (talk: Talk, which: Which): Said | Promise<Said> =>
  which.isNamed && asksOther.test(which.text) ? status(which) : dropped(talk);

const agree = (talk: Talk, which: Which): Said | Promise<Said> => {
  const { asked } = talk;
  return asked !== null && kindOf(asked) === "book" ? shownAgain(asked, notExact) : why(which);
};

const asksKnown = /\b(?:know|work with|set up|are there|available)\b|\bdo you have\b/i;
const orders = /\b(?:drop|remove|reject|cancel|stop|delete|change|swap|move)\b/i;

const asksEnded = new RegExp(
  "^\\W*(?:(?:and|so|ok|then|hey)\\W+)*(?:did|have|has|is|are|was|were)\\b.*" +
    "\\b(?:drop(?:ped)?|removed?|reject(?:ed)?|withdrawn)\\b",
  "i",
);

/** "Back to the first one" asks to see it. */
const isMoveAlone = (talk: Talk, { isNamed, text }: Which): boolean =>
  isNamed && movesTo.test(talk.text) && !ordersElse.test(text) && !orders.test(text.replace(movesTo, ""));

const ofAll: ReadonlySet<Sound | null> = new Set(["status", "total", "booked", "is cancelled", "why waiting"]);
const oneByOne: ReadonlySet<Sound | null> = new Set(["approve", "drop", "cancel"]);

/** Null where one campaign is meant. */
const ofSeveral = async (talk: Talk, text: string, sound: Sound | null): Promise<Said | null> => {
  if (!severalCampaigns.test(text)) return null;
  if (ofAll.has(sound)) return bookedOfAll(talk);
  if (!oneByOne.has(sound)) return null;
  const { text: listed } = await listJobs(talk);
  return {
    outcome: "clarify",
    text: `One campaign at a time: say it again with its name. Nothing is done.\n${listed}`,
  };
};

const asksDays =
  /\bwhen\b.*\b(?:ads?|spots?|banners?|adverts?|advertisements?)\b.*\b(?:appear|run|start|shown?|visible|live)\b/i;

type Answer = (talk: Talk, which: Which) => Said | Promise<Said>;

const answers: Readonly<Partial<Record<Sound, Answer>>> = {
  status: (_talk, which) => status(which),
  "why waiting": (_talk, which) => why(which),
  total: (_talk, which) => totals(which),
  split: (_talk, which) => whyLittle(which),
  compare: (_talk, which) => compare(which),
  extremes: (_talk, which) => extremes(which) ?? compare(which),
  "why dearer": (_talk, which) => whyDearer(which),
  when: (_talk, which) => when(which),
  negotiated,
  "ask seller": (_talk, which) => (asksDays.test(which.text) ? when(which) : notKnown(which)),
  delivery,
  booked: (_talk, which) => whatIsBooked(which),
  "is cancelled": isItCancelled,
  approve: approveOrAnswer,
  drop: dropOrAnswer,
  cancel: cancelOrAnswer,
  change: (_talk, which) => cannotChange(which),
  swap,
  exclude: (_talk, which) => cannotExclude(which),
  "move money": moveMoney,
  again,
  keep,
  agree,
  brief: (_talk, which) => briefOf(which),
  "new brief": (_talk, which) => replaced(which),
};

/** Said of an open brief they correct or answer it. */
export const alsoOfBrief: ReadonlySet<Sound | null> = new Set([
  "drop",
  "change",
  "swap",
  "exclude",
  "move money",
  "again",
  "keep",
  "agree",
  "brief",
]);

/** Read as these, a message may hold an order beside a no or a doubt. */
const mayBeMixed: ReadonlySet<Sound | null> = new Set([
  null,
  "keep",
  "approve",
  "drop",
  "agree",
  "help",
  "cancel",
  "jobs",
]);

/** Words without a name go on to mean the campaign that was in force. */
const inTalk = async (talk: Talk, which: Which, answered: Said): Promise<Said> => {
  const { job } = talk.memory;
  const id = which.job.job_id;
  const said = { ...answered, about: [id] };
  if (!which.isNamed || job?.id === id) return said;
  if (movesTo.test(talk.text)) return { ...said, job: { id, isOwn: true } };
  if (job?.isOwn !== true) return { ...said, job: { id, isOwn: false } };
  const own = await jobOf(talk, job.id);
  if ("failed" in own) return said;
  return { ...said, text: `${said.text}\nWords without a name still mean ${titled(own.output)}.` };
};

/** Null where the message is about no job. */
export const aboutJob = async (talk: Talk, text: string, sound: Sound | null): Promise<Said | null> => {
  const say = sound === null ? undefined : answers[sound];
  const several = await ofSeveral(talk, text, sound);
  if (several !== null) return several;
  const which = await whichJob(talk, text);
  const isAsked = holdsQuestion(text);
  if (isAsked && asksSellers.test(text) && ("failed" in which || asksKnown.test(text))) return knownSellers(talk);
  if ("failed" in which) {
    // What changes a brief is no word about a job that is not there.
    const isOfBrief = talk.memory.brief !== null && alsoOfBrief.has(sound);
    return say === undefined || isOfBrief ? null : which.failed;
  }
  const fact = await factOf(talk, which, isAsked);
  if (fact !== null) return inTalk(talk, which, fact);
  const isSeen = seen.has(sound) && asksToSee.test(which.text) && !ordersElse.test(which.text);
  if (isSeen) return inTalk(talk, which, await bookedOrStatus(talk, which));
  if (isMoveAlone(talk, which) && (say === undefined || oneByOne.has(sound) || sound === "keep"))
    return inTalk(talk, which, status(which));
  if (asksEnded.test(which.text)) return inTalk(talk, which, isItCancelled(talk, which));
  const other = otherChoice(talk, which);
  if (other !== null) return inTalk(talk, which, other);
  const lines = waitingLines(which.job);
  const mixed = mayBeMixed.has(sound) && !isChoice(which.text, lines) ? mixedOrder(talk, which) : null;
  if (mixed !== null) return inTalk(talk, which, mixed);
  if (say === undefined && linesMeant(which.text, lines) !== null)
    return inTalk(talk, which, await approveOrAnswer(talk, which));
  if (say === undefined) return which.isNamed ? inTalk(talk, which, status(which)) : null;
  return inTalk(talk, which, await say(talk, which));
};
