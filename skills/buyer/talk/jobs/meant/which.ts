import { blanked, spansOf } from "../../../../understanding/reading/spans.ts";
import { getBooking, listBookings } from "../../../bookings/contract.ts";
import { listDeals } from "../../../seller-deals/contract.ts";
import { withCampaigns } from "../../record.ts";
import { called, type Fetched, type Said, type Talk } from "../../talk.ts";
import { type Description, descriptionsIn, fits } from "./described.ts";
import { namingsIn, withoutName } from "./names.ts";
import { bookedLines, jobsWords, type Job, type JobSummary, notStartedWords, waitingLines } from "../wording.ts";

export interface Which {
  readonly job: Job;
  /** The message without the words that name the job. */
  readonly text: string;
  readonly isNamed: boolean;
}

const jobIdPattern = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const shortIdPattern = /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}\b/gi;
const dealIdPattern = /(?<![\w-])[A-Z][A-Z0-9]*-[A-Z0-9][A-Z0-9-]*(?![\w-])/gi;

const mostListed = 500;

export const listedJobs = async (talk: Talk): Promise<Fetched<readonly JobSummary[]>> => {
  const listed = await called(talk, listBookings, { limit: mostListed });
  return "failed" in listed ? listed : { output: listed.output.jobs };
};

export const jobOf = (talk: Talk, id: string): Promise<Fetched<Job>> => called(talk, getBooking, { job_id: id });

const found = async (talk: Talk, id: string, text: string): Promise<Which | { readonly failed: Said }> => {
  const job = await jobOf(talk, id);
  return "failed" in job ? job : { job: job.output, text, isNamed: true };
};

/** The job of a deal that the text names, or null. */
const ofDeal = async (talk: Talk): Promise<string | null> => {
  for (const [id] of [...talk.text.matchAll(dealIdPattern)].slice(0, 3)) {
    if (!/\d/.test(id)) continue;
    const listed = await called(talk, listDeals, { q: id, limit: 10 });
    const deals = "failed" in listed ? [] : listed.output.deals;
    const job = deals.find(({ deal_id: of }) => of?.toLowerCase() === id.toLowerCase())?.job_id;
    if (typeof job === "string") return job;
  }
  return null;
};

const asked = (text: string): { readonly failed: Said } => ({ failed: { outcome: "clarify", text } });

const mostCandidates = 5;

const whichOf = (candidates: readonly JobSummary[], ownId: string | undefined) =>
  asked(`Which campaign do you mean? Nothing is done.\n${jobsWords(candidates, ownId, mostCandidates)}`);

/** Goes on with another campaign, instead of only asking about it. */
export const movesTo = new RegExp(
  "\\b(?:switch|back|return|go|change|jump)(?: (?:over|back))? to\\b|\\b(?:i|we) (?:mean|meant|want the)\\b|" +
    "\\b(?:continue|go on|work) (?:with|on)\\b",
  "i",
);

const mostDescribed = 20;

/** Beside a booked line "drop the other one" means the line that waits. */
const ofLines = /\b(?:drop|remove|reject|approve|book|take|buy)\b/i;

interface Campaigns {
  readonly jobs: readonly JobSummary[];
  /** Those started or spoken of in this conversation, in order. */
  readonly here: readonly JobSummary[];
  readonly own: Job | null;
}

const fitting = async (talk: Talk, jobs: readonly JobSummary[], does: (job: Job) => boolean) => {
  const found: Job[] = [];
  for (const { job_id: id } of jobs.slice(0, mostDescribed)) {
    const read = await jobOf(talk, id);
    if (!("failed" in read) && does(read.output)) found.push(read.output);
  }
  return found;
};

/** The campaign in force before any other; one of another conversation is only asked about. */
const described = async (
  talk: Talk,
  said: Description,
  { jobs, here, own }: Campaigns,
): Promise<Fetched<Job> | null> => {
  const isCampaign = said.noun === "campaign" || (said.noun === "one" && movesTo.test(talk.text));
  const isLine =
    own !== null && waitingLines(own).length > (bookedLines(own).length > 0 && ofLines.test(talk.text) ? 0 : 1);
  const isOther = said.isOther && (isCampaign || (said.noun === "one" && !isLine));
  if (own !== null && !isOther && said.place === null && fits(own, said) === true) return { output: own };
  const isBriefOnly = own === null && talk.memory.brief !== null;
  if (isCampaign && said.place !== null) {
    const one = here.at(said.place);
    if (one !== undefined) return jobOf(talk, one.job_id);
    return isBriefOnly || jobs.length === 0 ? null : whichOf(jobs, own?.job_id);
  }
  const does = (job: Job): boolean => {
    const fit = fits(job, said);
    return fit === true || (isOther && fit === null);
  };
  const others = here.filter(({ job_id: id }) => id !== own?.job_id);
  const [one, ...more] = await fitting(talk, others, does);
  if (one !== undefined) return more.length === 0 ? { output: one } : whichOf([one, ...more], own?.job_id);
  if (own !== null && !isCampaign) return null;
  const elsewhere = jobs.filter((job) => !here.includes(job));
  const foreign = await fitting(talk, elsewhere, does);
  return foreign.length === 0 ? null : whichOf(foreign, own?.job_id);
};

/** Null where the words describe none. */
const byWords = async (talk: Talk, text: string, all: Campaigns): Promise<Which | { readonly failed: Said } | null> => {
  for (const said of descriptionsIn(text)) {
    const read = await described(talk, said, all);
    if (read === null) continue;
    if ("failed" in read) return read;
    const job = read.output;
    const isOwn = job.job_id === all.own?.job_id;
    const left = said.noun === "campaign" || movesTo.test(talk.text) ? withoutName(text, said) : text;
    if (!isOwn || said.noun === "campaign") return { job, text: left, isNamed: true };
    return null;
  }
  return null;
};

/** By the ids that the text holds. */
const byId = async (talk: Talk, text: string, jobs: readonly JobSummary[]) => {
  const [id] = text.match(jobIdPattern) ?? [];
  const rest = (pattern: RegExp): string => {
    const [span] = spansOf(text, pattern);
    return span === undefined ? text : withoutName(text, span);
  };
  if (id !== undefined) return found(talk, id.toLowerCase(), rest(jobIdPattern));
  const [short] = text.match(shortIdPattern) ?? [];
  const matching = short === undefined ? [] : jobs.filter((job) => job.job_id.startsWith(short.toLowerCase()));
  const [only, other] = matching;
  if (only !== undefined && other === undefined) return found(talk, only.job_id, rest(shortIdPattern));
  const ofNamedDeal = await ofDeal({ ...talk, text });
  return ofNamedDeal === null ? null : found(talk, ofNamedDeal, text);
};

/** Words of the job in force name no other. */
const ownNames = (job: Job | null): string =>
  job === null ? "" : [job.campaign_name, ...(job.recommendations ?? []).map((line) => line.product_name)].join(" ");

const withoutOwnWords = (text: string, own: string): string => {
  const words = new Set(own.toLowerCase().match(/[\p{L}\d]+/gu) ?? []);
  const spans = spansOf(text, /[\p{L}\d]+/gu).filter(({ start, end }) =>
    words.has(text.slice(start, end).toLowerCase()),
  );
  return blanked(text, spans);
};

/** A brief that is open here is more of this conversation than a job that was only named. */
export const keptJob = ({ memory: { brief, job } }: Talk): Talk["memory"]["job"] =>
  job !== null && (job.isOwn || brief === null) ? job : null;

/**
 * The job whose id, deal or name the message holds, else that of the conversation; never another. `text` is the
 * message in English.
 */
export const whichJob = async (talk: Talk, text: string): Promise<Which | { readonly failed: Said }> => {
  const listed = await listedJobs(talk);
  if ("failed" in listed) return listed;
  const jobs = listed.output;
  const named = await byId(talk, text, jobs);
  if (named !== null) return named;
  const { brief } = talk.memory;
  const kept = keptJob(talk);
  const own = kept === null ? null : await jobOf(talk, kept.id);
  const ownJob = own === null || "failed" in own ? null : own.output;
  const here = withCampaigns(talk.memory, []).flatMap((id) => jobs.find((job) => job.job_id === id) ?? []);
  const names = jobs.flatMap((job) =>
    [job.campaign_name, job.advertiser ?? ""].flatMap((name) => (name === "" ? [] : [[job, name] as const])),
  );
  const whole = namingsIn(text, names).filter(({ isWhole }) => isWhole);
  const ofOwn = whole.find(({ named: job }) => job.job_id === ownJob?.job_id);
  if (ownJob !== null && ofOwn !== undefined) {
    return { job: ownJob, text: withoutName(text, ofOwn.span), isNamed: true };
  }
  const all = whole.length > 0 ? whole : namingsIn(withoutOwnWords(text, ownNames(ownJob)), names);
  const ofHere = all.filter(({ named: job }) => here.includes(job));
  const others = ofHere.length > 0 ? ofHere : all;
  const [one, other] = others;
  if (one !== undefined && other !== undefined) {
    return whichOf([...new Set(others.map((naming) => naming.named))], kept?.id);
  }
  if (one !== undefined) return found(talk, one.named.job_id, withoutName(text, one.span));
  const meant = await byWords(talk, text, { jobs, here, own: ownJob });
  if (meant !== null) return meant;
  if (brief?.name !== undefined && namingsIn(text, [[brief, brief.name]])[0]?.isWhole === true) {
    return asked(notStartedWords(brief));
  }
  if (ownJob !== null) {
    const span = namingsIn(text, [[ownJob, ownJob.campaign_name]])[0]?.span;
    return { job: ownJob, text: span === undefined ? text : withoutName(text, span), isNamed: span !== undefined };
  }
  if (brief !== null) return asked(notStartedWords(brief));
  if (jobs.length === 0) return asked("You have no campaign yet. Send me a brief: budget, days, channels, audience.");
  return asked(
    `This conversation has no campaign of its own. Say the name of the one that you mean.\n${jobsWords(jobs, null)}`,
  );
};
