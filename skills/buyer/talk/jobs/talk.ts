import { correctedBrief } from "../brief/corrections.ts";
import type { BriefInput } from "../brief/input.ts";
import { channelWords } from "../brief/vocabulary.ts";
import { mentionsIn, namesOf } from "../brief/mentions.ts";
import { exclusionsIn } from "../brief/plain-words.ts";
import { shownBrief } from "../brief/talk.ts";
import { dropped } from "../consent.ts";
import type { Said, Talk } from "../talk.ts";
import { approve, dropLines, linesMeant, movedBrief } from "./approval.ts";
import { asksCancel, cancel } from "./cancel.ts";
import { asksApproval } from "./choice.ts";
import { cannotChange } from "./deals.ts";
import { answered, isAboutJob } from "./questions.ts";
import { whichJob, type Which } from "./which.ts";
import { capital, titled, unfilledOf, waitingLines } from "./wording.ts";

const isHeldBack = /\b(?:not|never)\b|n't\b/i;
const isQuestion = /^\W*(?:and\W+)?(?:what|which|how|when|who|whom|why|where|is|are|was|were|do|does|did|have|has)\b/i;
const asksDrop = new RegExp(
  "\\b(?:drop|kill|remove|skip|reject|delete|lose|leave out|take out|get rid of|throw out|" +
    "don't want|do not want|without)\\b",
  "i",
);
const dropWords = new RegExp(
  "\\b(?:drop|kill|remove|skip|reject|delete|lose|leave out|take out|get rid of|throw out|(?:i |" +
    "we )?(?:don't|do not) (?:want|like))\\b",
  "gi",
);
const asksMove = /\b(?:move|shift|put|use|spend|give|transfer|reallocate|re-?allocate|plan)\b/i;
const asksChange = new RegExp(
  "\\b(?:change|move|shift|swap|replace|reduce|increase|raise|lower|extend|shorten|prolong|" +
    "postpone|delay|instead|make it|more budget|less budget|add|cheaper price|negotiate)\\b|" +
    "\\b(?:drop|cut|bring)\\b.*\\bto\\b.*\\d",
  "i",
);

/** "No, only line 1" about the lines that were just shown. */
const otherChoice = (talk: Talk, which: Which): Said | null => {
  const shown = talk.memory.life.context.shown[0];
  if (shown?.kind !== "approval" || which.job.job_id !== shown.id) return null;
  const head = /^\s*(?:(?:yes|ok|okay|no|sorry|actually|wait|rather)\b[\s,.;:!-]*)+(?:but\b)?/i;
  const choice = which.text.replace(head, "");
  const isChoice = head.test(which.text) || /\b(?:only|just)\b|^\s*(?:all )?(?:but|except)\b/i.test(choice);
  return isChoice && linesMeant(choice, waitingLines(which.job)) !== null
    ? approve(talk, { ...which, text: choice })
    : null;
};

/** Money of a channel without lines, as a second brief for channels that have some. */
const moved = (talk: Talk, { job, text }: Which): Said | null => {
  if (!asksMove.test(text) || unfilledOf(job).length === 0 || /\bdeal\b/i.test(text)) return null;
  const empty = new Set(unfilledOf(job).map(({ channel }) => channel));
  const filled = [...new Set((job.recommendations ?? []).map(({ channel }) => channel))];
  const named = namesOf(mentionsIn(text, channelWords)).filter((channel) => !empty.has(channel));
  const brief = movedBrief(job, named.length > 0 ? named : filled);
  if (brief === null) return null;
  const head =
    `Money cannot move inside ${titled(job)}, which is started. I can plan what found no line as a second campaign ` +
    "beside it:";
  return shownBrief(brief, talk.context.nowMs, undefined, head);
};

const asksAgain =
  /\b(?:try|run|start|plan|do|search) (?:it |this |that )?again\b|\bsame (?:again|campaign|brief)\b|\bonce more\b/i;

/** A job that is over, as a new brief with what the message changes of it. */
const again = (talk: Talk, { job, text }: Which): Said | null => {
  if (!asksAgain.test(text) || (job.status !== "failed" && job.status !== "completed")) return null;
  const { name, objectives, budget, start_date, end_date, target_audience, kpis, channels } = job.brief as BriefInput;
  const before = { name, objectives, budget, start_date, end_date, target_audience, kpis, channels };
  const {
    brief,
    isFound: _isFound,
    ...beside
  } = correctedBrief(before, text.replace(asksAgain, " "), talk.context.nowMs);
  return shownBrief(brief, talk.context.nowMs, beside, `As a new campaign, by the brief of ${titled(job)}:`);
};

const cannotExclude = ({ job }: Which): Said => {
  const waiting = waitingLines(job);
  const part = waiting.length === 0 ? "" : ' What you can do: book a part ("approve 1") or drop a line ("drop 1").';
  const text =
    `I cannot leave out sites, apps, people or days: sellers are not asked for it. ${capital(titled(job))} stays as ` +
    `it is.${part}`;
  return { outcome: "answer", text, understood: { job_id: job.job_id } };
};

const restWords = /\b(?:the )?(?:rest|others?|other ones?|remaining(?: ones?| lines?)?)\b/gi;

const dropOf = (which: Which): Said | null => {
  const lines = waitingLines(which.job);
  const text = which.text.replace(dropWords, " ").replace(/^\W*(?:can|could|would) (?:we|you|i)\b/i, " ");
  const meant = linesMeant(text.replace(restWords, "all").replace(/\?/g, ""), lines);
  return meant === null ? null : dropLines(which.job, meant);
};

const commanded = async (talk: Talk, which: Which): Promise<Said | null> => {
  const { text } = which;
  const asks = isQuestion.test(text);
  if (asksCancel.test(text) && !asks) return isHeldBack.test(text) ? dropped(talk) : cancel(talk, which);
  const repeated = again(talk, which);
  if (repeated !== null) return repeated;
  const money = moved(talk, which);
  if (money !== null) return money;
  const other = otherChoice(talk, which);
  if (other !== null) return other;
  if (asksApproval(text) && !asks) return approve(talk, which);
  if (asks) return null;
  if (asksDrop.test(text) && !/\bto\b.*\d/i.test(text)) {
    const said = dropOf(which);
    if (said !== null) return said;
  }
  if (exclusionsIn(text).length > 0) return cannotExclude(which);
  return asksChange.test(text) ? cannotChange(which) : null;
};

const isCommand = (text: string): boolean =>
  asksCancel.test(text) || asksApproval(text) || asksDrop.test(text) || asksChange.test(text) || asksMove.test(text);

/** Words without a name go on to mean the campaign that was started here. */
const inTalk = (talk: Talk, which: Which, said: Said): Said => {
  const { job } = talk.memory;
  const id = which.job.job_id;
  if (!which.isNamed || job?.id === id) return said;
  if (job?.isOwn !== true) return { ...said, job: { id, isOwn: false } };
  const note = "Words without a name still mean the campaign that was started in this conversation.";
  return { ...said, text: `${said.text}\n${note}` };
};

/** Null where the message is about no job. */
export const aboutJob = async (talk: Talk, text: string): Promise<Said | null> => {
  const isAbout = isCommand(text) || asksAgain.test(text) || isAboutJob(text) || exclusionsIn(text).length > 0;
  const which = await whichJob(talk, text);
  if ("failed" in which) {
    // What changes a brief is no word about a job that is not there.
    const isOfBrief = talk.memory.brief !== null && !asksCancel.test(text) && !asksApproval(text) && !isAboutJob(text);
    return isAbout && !isOfBrief ? which.failed : null;
  }
  const said = (await commanded(talk, which)) ?? (await answered(talk, which));
  return said === null ? null : inTalk(talk, which, said);
};
