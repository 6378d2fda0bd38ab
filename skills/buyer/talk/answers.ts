import { isForeign, mostRead, prepared } from "../../understanding/reading/clauses.ts";
import type { Sound } from "./acts/sounds.ts";
import { readingOf } from "./acts/standing.ts";
import { newBrief } from "./brief/shown.ts";
import { aboutBrief, changesBrief, isOfBrief, openQuestion } from "./brief/talk.ts";
import type { BriefInput, ReadBrief } from "./brief/input.ts";
import { asWritten } from "./brief/words/as-written.ts";
import { missingIn } from "./brief/complete.ts";
import { readBrief } from "./brief/reading/reading.ts";
import { withSameAudience } from "./brief/same-audience.ts";
import { inEnglish } from "./brief/words/vocabulary.ts";
import { besideYes, consented, dropped, stillWaits, thanked } from "./consent.ts";
import { explained } from "./glossary.ts";
import { greeted, help, lastResort } from "./help.ts";
import { asksCancel } from "./jobs/cancel.ts";
import { generalFact } from "./jobs/facts/facts.ts";
import { aboutJob, alsoOfBrief } from "./jobs/talk.ts";
import { keptJob, whichJob } from "./jobs/meant/which.ts";
import { bookedOfAll, listJobs } from "./jobs/lookups.ts";
import { isAskedToStart, type Said, type Talk } from "./talk.ts";
import { isAsking, partsOf } from "./turn/parts.ts";
import { heardEach, inParts, yesIn } from "./turn/turn.ts";

/** It says by itself what a campaign is: another one than the open one. */
const isWhole = (brief: BriefInput, open: BriefInput | null): boolean => {
  if (brief.budget === undefined || (brief.start_date === undefined && brief.channels === undefined)) return false;
  return open === null || (brief.target_audience !== undefined && brief.start_date !== undefined);
};

/** It has days, channels and a name of its own: no change of a campaign that runs. */
const isOwnCampaign = ({ name, start_date: start, channels }: BriefInput): boolean =>
  name !== undefined && start !== undefined && channels != null;

const isKnown = ({ brief }: ReadBrief): boolean => brief.budget !== undefined || Object.keys(brief).length > 1;

/** Beside a campaign that exists such words are no brief of their own. */
const orders: ReadonlySet<Sound | null> = new Set([
  "approve",
  "drop",
  "cancel",
  "change",
  "swap",
  "move money",
  "again",
  "split",
]);

const several = /\b(?:jobs|campaigns|bookings|all|every|other|others|everything)\b/i;

/** All of them, unless the message names one. */
const jobsOrOne = async (talk: Talk, text: string): Promise<Said | null> => {
  const which = several.test(text) ? null : await whichJob(talk, text);
  return which !== null && "job" in which && which.isNamed ? null : listJobs(talk);
};

/** What is said to the agent, beside any campaign. */
const besideCampaigns = async (talk: Talk, text: string, sound: Sound | null): Promise<Said | null> => {
  switch (sound) {
    case "thanks":
      return aboutBrief(talk, text) ?? thanked(talk);
    case "help":
      return help(talk);
    case "greet":
      return greeted(talk);
    case "jobs":
      return /\b(?:what|how much)\b.*\b(?:booked|bought|spent)\b/i.test(text) && several.test(text)
        ? bookedOfAll(talk)
        : jobsOrOne(talk, text);
    default:
      return null;
  }
};

const plans = new RegExp(
  "\\b(?:plan|run|spend|launch|make|create|set up|advertise|do|start)\\b(?!.*\\b(?:so far|already|yet)\\b)|" +
    "\\b(?:new|another|second) (?:campaign|brief|one)\\b",
  "i",
);

const saysNew = /\b(?:new|another|next|second|different|fresh|plan|adverti\w+|campaigns?|briefs?)\b/i;

const saysNotNew = /\b(?:not|no|isn't|wasn't) (?:a |any )?(?:new|another)\b/i;

/** Beside a campaign a question speaks of its figures, and opens no brief. */
const onlyAsks = (talk: Talk, text: string): boolean => talk.memory.job !== null && isAsking(text) && !plans.test(text);

const heard = async (talk: Talk, text: string): Promise<Said> => {
  const { brief: open } = talk.memory;
  const job = keptJob(talk);
  const isAsked = onlyAsks(talk, text);
  const term = explained(text);
  if (term !== null) return { outcome: "answer", text: term };
  const general = open === null && job === null && isAsking(text) ? generalFact(text) : null;
  if (general !== null) return general;
  const { brief: plain, ...others } = readBrief(text, talk.context.nowMs);
  const read = await withSameAudience(talk, { brief: asWritten(plain, talk.text), ...others });
  const { sound, guesses } = await readingOf(talk);
  const isOrder = orders.has(sound);
  if (isWhole(read.brief, open) && !isAsked && !(job !== null && isOrder && !isOwnCampaign(read.brief)))
    return newBrief(read, talk.context.nowMs, open);
  const isOrdered = job !== null && sound === "jobs" && partsOf(text).some(({ kind }) => kind === "order");
  const saysNothing = open === null || (Object.keys(read.brief).length === 0 && !isOfBrief(text));
  const beside = saysNothing && !isOrdered ? await besideCampaigns(talk, text, sound) : null;
  if (beside !== null) return beside;
  const isOwnBrief = open === null && job === null && isKnown(read);
  if (isOwnBrief && !isOrder) return newBrief(read, talk.context.nowMs);
  const isReplaced =
    job !== null && sound === "new brief" && /\b(?:this|it|that)\b/i.test(text) && asksCancel.test(text);
  const isNew = job === null || isWhole(read.brief, null) || (saysNew.test(text) && !saysNotNew.test(text));
  if (open === null && sound === "new brief" && isNew && !isReplaced) return newBrief(read, talk.context.nowMs);
  const isCollected = open !== null && missingIn(open).length > 0;
  const soundsOfBrief = open !== null && (sound === "terms" || (isCollected && alsoOfBrief.has(sound)));
  const isChange = open !== null && talk.memory.isOfBrief && changesBrief(open, text, talk.context.nowMs);
  const isBriefFirst = isChange || isAskedToStart(talk) || job === null || soundsOfBrief || /\bbrief\b/i.test(text);
  const first = isBriefFirst ? aboutBrief(talk, text) : null;
  const said =
    first ??
    (await aboutJob(talk, text, sound)) ??
    openQuestion(talk, text) ??
    (isBriefFirst ? null : aboutBrief(talk, text));
  if (said !== null) return said;
  if (open === null && isKnown(read) && !isAsked && (job === null || isNew)) return newBrief(read, talk.context.nowMs);
  if (sound === "keep") return dropped(talk);
  return lastResort(talk, guesses);
};

/** "Dont", "cant" as they are said in chats. */
const apostrophes = (text: string): string =>
  text
    .replace(/\b(do|does|is|are|was|did|should|would|could|have|ca)nt\b/gi, "$1n't")
    .replace(/\bn(?= (?:book|drop|take|approve|remove|cancel|what|when|how|which|is|can)\b)/gi, "and")
    .replace(/\bnoo+\b/gi, "no");

const readable = (text: string): string => inEnglish(apostrophes(prepared(text)));

/** Null where the message is not a yes beside other things. */
export const yesBeside = async (talk: Talk) =>
  talk.text.length > mostRead ? null : yesIn(talk, readable(talk.text), heard);

/** What was said beside a yes. */
export const answerRest = (talk: Talk, rest: readonly string[]): Promise<readonly Said[]> =>
  heardEach(talk, rest, heard);

const readWhole = async (talk: Talk, text: string): Promise<Said> =>
  (await inParts(talk, text, heard)) ?? heard(talk, text);

const discards = new RegExp(
  "\\b(?:forget|discard|disregard|scrap|drop|delete|ignore|throw (?:away|out)|get rid of)\\b[^.?!]*\\bbrief\\b|" +
    "\\bthere is no (?:new )?brief\\b|^\\W*(?:(?:no|please|just|ok|then|discard)\\W+)*(?:(?:throw|chuck) (?:it|that|" +
    "this)(?: away)?|discard (?:it|that|this))\\W*$",
  "i",
);

/** An open brief is given up first, and then what else is said is answered. */
const withoutBrief = async (talk: Talk, text: string): Promise<Said | null> => {
  const parts = partsOf(text);
  const { memory } = talk;
  if (memory.brief === null || !parts.some((part) => discards.test(part.text))) return null;
  const head = "The brief is forgotten, and nothing of it is started.";
  const rest = parts.filter((part) => !discards.test(part.text) && part.kind !== "courtesy" && part.kind !== "no");
  const forgotten = { ...memory, brief: null, isOfBrief: false };
  const left = rest.map((part) => part.text).join(" ");
  if (left === "") return { outcome: "answer", text: `${head} Send a new one.`, brief: null };
  const said = await readWhole({ ...talk, text: left, memory: forgotten, asked: null, held: null }, left);
  return { ...said, text: `${head}\n\n${said.text}`, brief: said.brief ?? null };
};

export const answer = async (talk: Talk): Promise<Said> => {
  const agreed = await consented(talk);
  if (agreed !== null) return agreed;
  if (talk.text.length > mostRead) {
    return {
      outcome: "clarify",
      text: `I read at most ${mostRead} characters. Send a shorter message.`,
      notUsed: ["all"],
    };
  }
  const plain = prepared(talk.text);
  const text = readable(talk.text);
  const plainly = (await withoutBrief(talk, text)) ?? (await readWhole(talk, text));
  const said = await stillWaits(talk, besideYes(talk, plainly));
  return isForeign(talk.text) || text !== apostrophes(plain)
    ? { ...said, text: `${said.text}\nI answer in English.` }
    : said;
};
