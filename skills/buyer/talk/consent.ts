import type { Offer } from "../../../machines/conversation/machine.ts";
import { prepared } from "../../understanding/reading/clauses.ts";
import { anyCount, type PlainConsent, plainConsent } from "../../understanding/reading/consent.ts";
import { shownLate } from "./brief/shown.ts";
import { answerOf } from "./brief/turn/questions.ts";
import { startIn } from "./brief/turn/sentences.ts";
import {
  approvedAgain,
  book,
  drop,
  droppedAgain,
  isSameChoice,
  shownApproval,
  shownDrop,
  withoutShown,
} from "./jobs/approval.ts";
import { cancelJob, cancelled } from "./jobs/cancel.ts";
import { askedToCancel, dealCancelledAgain, shownCancellation } from "./jobs/deals.ts";
import { jobOf } from "./jobs/meant/which.ts";
import { isCancelled, nextWords, titled } from "./jobs/wording.ts";
import { called, heldOffer, openOffer, type Said, type Talk } from "./talk.ts";
import { isAsking } from "./turn/parts.ts";

const start = async (talk: Talk, offer: Offer): Promise<Said> => {
  const started = await called<{ job_id: string }>(talk, "create_booking", offer.change);
  if ("failed" in started) return started.failed;
  const { job_id: id } = started.output;
  const brief = offer.change?.["brief"] as { readonly name?: string } | undefined;
  const next = 'Ask "status" to see what is found; nothing is booked yet.';
  const text = `Started: campaign "${brief?.name ?? ""}" (job ${id}). ${next}`;
  return { outcome: "started", text, result: started.output, job: { id, isOwn: true } };
};

const nothingAgain = async (): Promise<Said | null> => null;

type OfferKind = Offer["kind"];

/** What a yes does, and first whether the record still reads as it was shown. */
const takers: Partial<
  Record<
    OfferKind,
    {
      readonly again: (talk: Talk, offer: Offer) => Promise<Said | null>;
      readonly done: (talk: Talk, offer: Offer) => Promise<Said>;
    }
  >
> = {
  campaign: { again: nothingAgain, done: start },
  approval: { again: approvedAgain, done: book },
  "line drop": { again: droppedAgain, done: drop },
  "campaign cancellation": { again: nothingAgain, done: cancelled },
  "deal cancellation": { again: dealCancelledAgain, done: askedToCancel },
};

const take = async (talk: Talk, offer: Offer): Promise<Said> => {
  const taker = takers[offer.kind];
  if (taker === undefined) throw new Error(`nothing takes an offer of the kind ${offer.kind}`);
  const again = await taker.again(talk, offer);
  if (again !== null) return again;
  const taken = await called(talk, "take_talk_offer", { context_id: talk.contextId, digest: offer.digest });
  return "failed" in taken ? taken.failed : { ...(await taker.done(talk, offer)), isTaken: true };
};

const politeLead = /^\s*very well\b[\s,.;:!-]*/i;
const approveWords =
  /\b(?:approve|authori[sz]e)(?= (?:it|this|that|them|these|those|the (?:booking|proposal|order))\b)/gi;
/** Beside a yes it only says why. */
const approvedBy =
  /^\s*(?:approved|agreed|signed off|confirmed|ok) by (?:(?:the|my|our) )?(?:client|boss|team|manager)[\s,.;:!-]+/i;
/** Beside a yes to a question about dropping. */
const dropWords = new RegExp(
  "\\b(?:drop|remove|reject|delete) " +
    "(?:(?:the|this|that|these|those) (?:line|one)s?|it|this|that|them|these|those|both)\\b",
  "gi",
);
const leadingYes = /^\s*(?:yes|yep|yeah|yup|ok|okay|sure)\b/i;
const shortYes = /^\s*[yj]\s*[.!]*\s*$/i;
const isCancelling = (kind: OfferKind): boolean => kind === "campaign cancellation" || kind === "deal cancellation";

/** What is said of the open question in words of its own, in the words of a plain yes. */
const plainWords = (text: string, offer: Offer | undefined, isBrief: boolean): string => {
  const said = text.replace(shortYes, "yes").replace(approvedBy, "").replace(politeLead, "ok, ");
  if (isBrief) return said;
  const isDrop = offer?.kind === "line drop" && leadingYes.test(text);
  return (isDrop ? said.replace(dropWords, "do it") : said).replace(approveWords, "confirm");
};

/** "Yes, book them" is a yes; "book them" alone is none. */
const isYes = (text: string, { kind }: PlainConsent, offer: Offer): boolean => {
  if (kind === "yes") return true;
  if (!leadingYes.test(text)) return false;
  if (offer.kind === "approval") return kind === "book" || kind === "accept";
  return isCancelling(offer.kind) && kind === "cancel";
};

/** What was open is closed; what is kept is said. */
export const dropped = async (talk: Talk): Promise<Said> => {
  const { brief, job: kept } = talk.memory;
  const head = "Nothing is started, booked or cancelled.";
  const offer = openOffer(talk);
  if (brief !== null && (offer === undefined || offer.kind === "campaign")) {
    return { outcome: "answer", text: `${head} The brief is kept: say what to change, or "show the brief".` };
  }
  const job = kept === null ? null : await jobOf(talk, kept.id);
  const next = job === null || "failed" in job ? "" : ` Of ${titled(job.output)}: ${nextWords(job.output)}`;
  return { outcome: "answer", text: `${head}${next}` };
};

const lateYes = "Nothing waits for a yes at once, as something was asked in between. Once more:";

/** A brief is kept until it is started: a yes that comes late shows it in full again, as all that was asked about. */
const late = async (talk: Talk): Promise<Said> => {
  const { brief } = talk.memory;
  const held = heldOffer(talk);
  const again = held === undefined ? null : await shownAgain(talk, held, lateYes);
  if (again !== null) return again;
  if (brief !== null) return shownLate(talk, brief);
  const { text, ...said } = await dropped(talk);
  return { ...said, outcome: "clarify", text: `Nothing waits for a yes. ${text}` };
};

/** Thanks and praise are no yes: what is open is shown anew. */
export const thanked = (talk: Talk): Promise<Said> => {
  const offer = openOffer(talk);
  if (offer?.kind === "campaign") return late(talk);
  if (offer?.kind === "approval") return shownApproval(talk, offer);
  const text = "You are welcome. Nothing was changed by this message.";
  return Promise.resolve({ outcome: "answer", text });
};

/** What was shown is shown again, as it reads now. */
const shownAgain = async (talk: Talk, offer: Offer, head: string): Promise<Said | null> => {
  if (offer.kind === "approval") return shownApproval(talk, offer, head);
  const found = offer.kind === "campaign" ? null : await jobOf(talk, offer.id);
  if (found === null || "failed" in found) return null;
  const lineIds = offer.change?.["recommendation_ids"];
  if (offer.kind === "line drop" && Array.isArray(lineIds)) return shownDrop(found.output, lineIds, head);
  if (offer.kind === "deal cancellation") return shownCancellation(found.output, offer, head);
  const said = isCancelled(found.output) ? null : cancelJob(found.output);
  return said === null ? null : { ...said, text: `${head}\n${said.text}` };
};

const openWords = async (talk: Talk, offer: Offer): Promise<string> => {
  const found = await jobOf(talk, offer.id);
  const name = "failed" in found ? `job ${offer.id}` : titled(found.output);
  switch (offer.kind) {
    case "approval":
      return `the booking that I showed for ${name}`;
    case "line drop":
      return `what I asked about dropping of ${name}`;
    default:
      return `the cancellation that I asked about of ${name}`;
  }
};

/** An answered question leaves open what was asked before it, but a yes must see it again. */
export const stillWaits = async (talk: Talk, said: Said): Promise<Said> => {
  const offer = openOffer(talk) ?? heldOffer(talk);
  const isOther = offer === undefined || offer.kind === "campaign" || said.offer !== undefined;
  if (isOther || said.outcome !== "answer" || !isAsking(talk.text)) return said;
  const words = `Still open, and not done: ${await openWords(talk, offer)}. Say "yes" to see it again.`;
  return { ...said, text: `${said.text}\n${words}`, isBeside: true };
};

const moreThanYes = "Your message was more than a plain yes, so what I asked is still open:";
const asksBesideYes =
  /^\s*(?:yes|yep|yeah|yup|sure|ok|okay|fine)\b.*(?:\?\W*$|\b(?:what|how|which|when|who|where|why)\b)/is;
const holdsBack = /\b(?:not|no|never|wait|hold|stop)\b|n't\b/i;

/** A yes beside a question is no plain yes, nor is it lost: the question is answered, and what was open stays open. */
export const besideYes = async (talk: Talk, said: Said): Promise<Said> => {
  const offer = openOffer(talk);
  const isAsking = asksBesideYes.test(talk.text) && !holdsBack.test(talk.text);
  if (offer === undefined || said.offer !== undefined || said.outcome !== "answer" || !isAsking) return said;
  const again = await shownAgain(talk, offer, moreThanYes);
  return again?.offer === undefined ? said : { ...again, text: `${said.text}\n${again.text}` };
};

const finalAct =
  "(?:book|approve|authori[sz]e|reserve|confirm|buy|purchase|order|take|accept|cancel|drop|remove|reject)";
/** "Do it" and "go for it" mean the whole of what was shown; "book it" means one thing. */
const ofOne = new RegExp(
  "\\b(?:this|that|the) (?:one|line|deal|product|offer)\\b|" +
    `\\b${finalAct} (?:it|this|that)\\b(?! (?:all|booking|order))`,
  "i",
);
const ofSeveral = new RegExp(
  "\\b(?:both|the two|all|each|everything)\\b(?! (?:good|fine|right|clear|set))|\\b(?:them|these|those)\\b" +
    "(?! (?:terms|conditions|prices|figures|numbers|days|dates|details))|" +
    "\\bthe (?:lines|deals|ones|products|offers)\\b",
  "i",
);
/** Each act is final: there is nothing to hold for a time. */
const holds =
  /\b(?:for (?:now|the moment|the time being|a while)|provisional(?:ly)?|tentative(?:ly)?|temporar(?:y|ily))\b/i;
/** Thanks end a talk as often as they agree, and what comes "then" is not now. */
const leavesOpen = new RegExp(
  "^\\W*(?:ok|okay|k|kk|alright|all right|fine|good|great|perfect)\\W+(?:many |very many )?(?:thanks|thank you|thx|" +
    "ty|cheers)\\b[\\s\\w]{0,20}\\W*$|\\bthen\\W*$",
  "i",
);

const sizeOf = ({ kind, change }: Offer): number => {
  const ids = change?.["recommendation_ids"];
  return kind !== "campaign" && Array.isArray(ids) ? ids.length : 1;
};

const otherNumber = ({ count }: PlainConsent, offer: Offer): string | null => {
  const size = sizeOf(offer);
  const fits = offer.kind === "campaign" || (count.least <= size && size <= count.most);
  return fits ? null : `You speak of another number, and ${size} ${size === 1 ? "waits" : "wait"} for your yes:`;
};

/** Why the words are no yes to exactly what is open; null where they are. */
const unlike = (text: string, offer: Offer): string | null => {
  const { kind } = offer;
  const size = sizeOf(offer);
  if (leavesOpen.test(text)) return 'That leaves open whether it is a yes. Say "yes" or "go ahead" to agree:';
  if (kind === "campaign") return null;
  if (holds.test(text)) return 'Nothing can be held or done only for now: a yes is final. Say "yes" to agree:';
  if (size > 1 && ofOne.test(text)) return `You speak of one, and ${size} lines wait for your yes:`;
  return size === 1 && ofSeveral.test(text) ? "You speak of several, and one thing waits for your yes:" : null;
};

const answeredBeside = (said: Said, asked: readonly string[]): Said => {
  const answers = said.isTaken === true ? asked.flatMap((one) => answerOf({}, one) ?? []) : [];
  return { ...said, text: [said.text, ...answers].join("\n") };
};

const startConsent: PlainConsent = { kind: "yes", isForAll: false, count: anyCount };

/** Null where the message is no plain yes or no. */
export const consented = async (talk: Talk): Promise<Said | null> => {
  const offer = openOffer(talk);
  const isBrief = offer?.kind === "campaign" || (offer === undefined && talk.memory.brief !== null);
  const doubt = offer === undefined ? null : unlike(talk.text, offer);
  if (offer !== undefined && doubt === null && (await isSameChoice(talk, talk.text, offer))) return take(talk, offer);
  const started = isBrief ? startIn(prepared(talk.text)) : null;
  const consent =
    started !== null ? startConsent : plainConsent(plainWords(await withoutShown(talk, offer), offer, isBrief));
  if (consent === null) return null;
  if (consent.kind === "no") return dropped(talk);
  if (offer === undefined) return consent.kind === "yes" ? late(talk) : null;
  if (isYes(talk.text, consent, offer)) {
    const why = doubt ?? otherNumber(consent, offer);
    if (why !== null) return (await shownAgain(talk, offer, why)) ?? late(talk);
    return answeredBeside(await take(talk, offer), started?.asked ?? []);
  }
  if (["reject", "cancel"].includes(consent.kind)) return isCancelling(offer.kind) ? null : dropped(talk);
  const isOtherNumber = consent.isForAll && doubt !== null;
  return offer.kind === "approval" && !isOtherNumber ? shownApproval(talk, offer) : null;
};
