import { offered, type Said, type Talk } from "../talk.ts";
import { dropLines, linesMeant } from "./approval.ts";
import { cancelDeal, dealsMeant, endedDeal } from "./deals.ts";
import { listedJobs, type Which } from "./meant/which.ts";
import {
  bookedLines,
  bookedWords,
  capital,
  isCancelled,
  type Job,
  jobsWords,
  nextWords,
  titled,
  usd,
  type WaitingLine,
  waitingLines,
} from "./wording.ts";

export const asksCancel = new RegExp(
  "\\b(?:cancel(?!l)|cancelling|call off|abort|get out of|back out(?: of)?|undo)\\b|\\b(?:stop|end|" +
    "kill) (?:it|this|that|(?:the|this|that|my|our) (?:job|campaign|booking))\\b",
  "i",
);

const cancelWords = new RegExp(
  "\\b(?:cancel|cancelling|call off|abort|undo|get out of|back out|stop|end|kill|please|pls|plz|" +
    "can|could|would|you|i|" +
    "we|want|need|like|to|now|yes|ok(?:ay)?|no|actually|sorry|just|also|then|so|right|it|this|" +
    "that|them|these|those|two|three|go|ahead|and|all|both|everything|whole|entire|complete|" +
    "the|my|our|a|of|for|in|on|with|job|" +
    "campaign|booking|order|thing|one|lines?|deals?|again|already|thanks|thank|hey|hi|bitte|" +
    "por|favor|svp|den|der|die|das|la|el|le|completely|immediately|asap)\\b",
  "gi",
);

/** The part of the message that cancels, without its reason. */
const cancellingPart = (text: string): string =>
  text.split(/[,.;:!?\n]|\b(?:because|since|as|due|cause)\b/i).find((part) => asksCancel.test(part)) ?? "";

/** The name of what is to be cancelled, as far as nothing known is called so. */
const unknownIn = (text: string): string =>
  cancellingPart(text)
    .replace(cancelWords, " ")
    .replace(/[^\p{L}\p{N}\s'&-]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

/** "The native booking" is a line as long as it waits. */
const linesIn = (text: string, waiting: readonly WaitingLine[]): readonly WaitingLine[] | null => {
  const whole = linesMeant(text.replace(asksCancel, "").replace(/\bthe (?:job|campaign|booking)\b/gi, ""), waiting);
  const part = cancellingPart(text).replace(asksCancel, "");
  return whole ?? linesMeant(part.replace(/\b(?:job|campaign|booking|order|deal)\b/gi, ""), waiting);
};

const overWords = (job: Job): string => {
  if (isCancelled(job)) return `${capital(titled(job))} is cancelled by you already; nothing of it is booked.`;
  const booked = bookedLines(job);
  if (booked.length === 0) return `${capital(titled(job))} is over, and nothing of it is booked. ${nextWords(job)}`;
  return [
    `${capital(titled(job))} is booked, so it cannot be cancelled as a whole. Each deal is cancelled by itself:`,
    ...booked.map(bookedWords),
    `Say for example "cancel deal ${booked[0]?.deal_id ?? ""}".`,
  ].join("\n");
};

const cancelJob = ({ job_id }: Job): Said => offered({ operation: "cancel_booking", input: { job_id } });

const isNoName = /n't\b|\b(?:not|wanted|wants?|says?|said|told|who|what|need|which|should)\b|(?:\S+\s+){5}/i;

const unclear = (job: Job): Said => {
  const deals = bookedLines(job);
  const what =
    deals.length > 0
      ? [`Deals of ${titled(job)}:`, ...deals.map(bookedWords), 'To cancel one, say "cancel deal" and its id.']
      : [`To cancel ${titled(job)}, say "cancel".`];
  const text = ["I am not sure what is to be cancelled, so nothing is.", ...what].join("\n");
  return { outcome: "clarify", text };
};

const unknown = async (talk: Talk, name: string): Promise<Said> => {
  const listed = await listedJobs(talk);
  const jobs = "failed" in listed ? [] : listed.output;
  const head = `I know no campaign, waiting line or booked deal called "${name}"; nothing is cancelled. Campaigns:`;
  const text = `${head}\n${jobsWords(jobs, talk.memory.job?.id)}`;
  return { outcome: "clarify", text, notUsed: [name] };
};

/** The whole job until something of it is booked; then single deals, and the lines that still wait. */
export const cancel = async (talk: Talk, which: Which): Promise<Said> => {
  const { job, text } = which;
  const booked = bookedLines(job);
  const deals = dealsMeant(text, job);
  if (deals.length > 0) return cancelDeal(job, deals);
  const ended = endedDeal(text, job);
  if (ended !== null) return ended;
  const waiting = waitingLines(job);
  const lines = linesIn(text, waiting);
  if (lines !== null && lines.length < waiting.length) return dropLines(job, lines);
  const name = unknownIn(text);
  if (isNoName.test(name)) return unclear(job);
  if (name !== "" && !which.isNamed && lines === null) return unknown(talk, name);
  if (job.status === "completed" || job.status === "failed") {
    const [only, other] = booked;
    if (only !== undefined && other === undefined && !isCancelled(job)) return cancelDeal(job, [only]);
    return { outcome: "answer", text: overWords(job), understood: { job_id: job.job_id } };
  }
  if (booked.length > 0 && waiting.length > 0) return dropLines(job, waiting);
  if (booked.length > 0) return { outcome: "answer", text: overWords(job), understood: { job_id: job.job_id } };
  return cancelJob(job);
};

/** Of a campaign that is to be given up for another one. */
export const replaced = ({ job }: Which): Said => {
  const [deal] = bookedLines(job);
  const ends =
    job.status === "failed" || job.status === "completed"
      ? []
      : [`Say "cancel" to end ${titled(job)}, budget ${usd(job.budget)}; I ask once more before I do.`];
  const text = [
    `${capital(titled(job))} cannot be changed, but it can be given up, and a new one planned.`,
    ...(deal === undefined
      ? ends
      : [`Its deals are cancelled one by one: say for example "cancel deal ${deal.deal_id}".`]),
    "For the new one send a brief with its budget, days, channels and audience. Nothing is cancelled or started yet.",
  ].join("\n");
  return { outcome: "answer", text, understood: { job_id: job.job_id } };
};
