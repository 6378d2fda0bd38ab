import { correctedBrief } from "../brief/reading/reading.ts";
import { anyOf } from "../../../understanding/reading/any-of.ts";
import type { BriefInput } from "../brief/input.ts";
import { channelWords } from "../brief/words/vocabulary.ts";
import { mentionsIn, namesOf } from "../brief/words/mentions.ts";
import { shownBrief } from "../brief/shown.ts";
import type { Said, Talk } from "../talk.ts";
import { dropLines, linesMeant, movedBrief } from "./approval.ts";
import { cannotChange } from "./deals.ts";
import { status } from "./lookups.ts";
import type { Which } from "./meant/which.ts";
import { capital, exampleOf, titled, unfilledOf, type WaitingLine, waitingLines } from "./wording.ts";

/** Money of a channel without lines, as a second brief for channels that have some. */
export const moveMoney = (talk: Talk, which: Which): Said => {
  const { job, text } = which;
  const empty = new Set(unfilledOf(job).map(({ channel }) => channel));
  const filled = [...new Set((job.recommendations ?? []).map(({ channel }) => channel))];
  const named = namesOf(mentionsIn(text, channelWords)).filter((channel) => !empty.has(channel));
  const brief = /\bdeal\b/i.test(text) ? null : movedBrief(job, named.length > 0 ? named : filled);
  if (brief === null) return cannotChange(which);
  const head =
    `The money that found no line can be planned as a second campaign. ${capital(titled(job))} is started, and ` +
    "stays as it is beside it:";
  return shownBrief(brief, talk.context.nowMs, undefined, head);
};

const againWords = new RegExp(
  "\\b(?:try|run|start|plan|do|search|book) (?:it |this |that |the )?(?:same )?again\\b|\\bonce more\\b|" +
    "\\b(?:the )?same (?:again|campaign|brief)\\b",
  "gi",
);

/** A job that is over, as a new brief with what the message changes of it. */
export const again = (talk: Talk, which: Which): Said => {
  const { job, text } = which;
  if (job.status !== "failed" && job.status !== "completed") return status(which);
  const { name, objectives, budget, start_date, end_date, target_audience, kpis, channels } = job.brief as BriefInput;
  const before = { name, objectives, budget, start_date, end_date, target_audience, kpis, channels };
  const {
    brief,
    isFound: _isFound,
    ...beside
  } = correctedBrief(before, text.replace(againWords, " "), talk.context.nowMs);
  return shownBrief(brief, talk.context.nowMs, beside, `As a new campaign, by the brief of ${titled(job)}:`);
};

export const cannotExclude = ({ job }: Which): Said => {
  const waiting = waitingLines(job);
  const [book, drop] = [exampleOf("approve", job), exampleOf("drop", job)];
  const part = waiting.length === 0 ? "" : ` What you can do: book a part (${book}) or drop a line (${drop}).`;
  const text =
    `I cannot leave out sites, apps, people or days: sellers are not asked for it. ${capital(titled(job))} stays as ` +
    `it is.${part}`;
  return { outcome: "answer", text, understood: { job_id: job.job_id } };
};

/** Around a line they only say that it is not wanted. */
const dropWords = anyOf(
  /\b(?:drop|kill|stop|remove|skip|reject|delete|discard|decline|refuse|strike|ditch|dump|bin|exclude|lose)\b/gi,
  /\bscratch\b/gi,
  /\b(?:(?:leave|take|throw|kick|chuck|cross) out|turn down|pass on|get rid of|no need for|not interested in)\b/gi,
  /\b(?:leave|take|throw)\b(?=.*\b(?:out|off)\b)|\b(?:from|off) the (?:plan|list|proposal)\b/gi,
  /\b(?:out|off|away|kick|withdraw)\b/gi,
  /\b(?:(?:i|we) )?(?:do not|don't|no longer) (?:want|like|need)\b|\b(?:decided against|without|no thanks)\b/gi,
  /\b(?:is|are) (?:not|no longer) (?:needed|required|wanted)\b|\b(?:we regret that|any ?more|any longer)\b/gi,
  /\b(?:is|are) (?:out|too (?:expensive|dear|pricey)(?: for (?:us|me))?)\b|\bcan go\b/gi,
  /\b(?:(?:i|we) would|(?:can|could|would) (?:we|you|i)|rather|do|streichen|entfernen)\b/gi,
);
const restWords = anyOf(
  /\b(?:the |everything |all )?(?:rest|else|others?(?: (?:two|three|ones?|lines?|things?))?)\b/gi,
  /\b(?:the )?remaining(?: ones?| lines?)?\b/gi,
);
const wanted = (text: string): string => text.replace(/^\W*(?:no|not|nah|nope)\b/i, " ").replace(/\?/g, "");

/** Null where the words leave it open. */
export const dropMeant = (text: string, lines: readonly WaitingLine[]): readonly WaitingLine[] | null =>
  linesMeant(wanted(text.replace(dropWords, " ").replace(restWords, "all")), lines);

/** The lines that are not wanted; which ones is asked where the words leave it open. */
export const dropLine = (_talk: Talk, which: Which): Said => {
  const { job } = which;
  const lines = waitingLines(job);
  if (lines.length === 0) return cannotChange(which);
  const [first] = lines;
  const meant = dropMeant(which.text, lines) ?? (lines.length === 1 && first !== undefined ? [first] : null);
  if (meant !== null) return dropLines(job, meant);
  const example = `Say for example ${exampleOf("drop", job)}. Nothing is dropped.`;
  const head = `Which line of ${titled(job)} shall I drop? ${example}`;
  return { outcome: "clarify", text: [head, ...lines.map(({ words }) => words)].join("\n") };
};

/** Which product comes in a line's place the search decides, not the caller. */
export const swap = (_talk: Talk, which: Which): Said => {
  const lines = waitingLines(which.job);
  const [first] = lines;
  if (first === undefined) return cannotChange(which);
  const place = lines.find(({ place: one }) => new RegExp(`\\b${one}\\b`).test(which.text))?.place ?? first.place;
  const text = [
    `I cannot put a product of your choice in the place of a line of ${titled(which.job)}. What I can do: "drop ` +
      `${place}" gives the line up, and its money is offered anew in the same channel; "compare" shows what was not ` +
      "chosen and why. Nothing is changed.",
    ...lines.map(({ words }) => words),
  ].join("\n");
  return { outcome: "answer", text, understood: { job_id: which.job.job_id } };
};
