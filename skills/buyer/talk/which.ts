import { getBooking, listBookings } from "../bookings/contract.ts";
import { listDeals } from "../seller-deals/contract.ts";
import type { Campaign } from "./reader/campaign.ts";
import { bookedLines, type Job, type JobSummary, jobsWords, waitingLines } from "./replies/job.ts";
import { called, type Fetched, type Said, type Talk } from "./talk.ts";

export type Which = { readonly job: Job } | { readonly failed: Said };

const mostListed = 500;

export const listedJobs = async (talk: Pick<Talk, "context">): Promise<Fetched<readonly JobSummary[]>> => {
  const listed = await called(talk, listBookings, { limit: mostListed });
  return "failed" in listed ? listed : { output: listed.output.jobs };
};

export const jobOf = (talk: Pick<Talk, "context">, id: string): Promise<Fetched<Job>> =>
  called(talk, getBooking, { job_id: id });

const mostCandidates = 3;

const asked = (text: string): Which => ({ failed: { outcome: "clarify", text, reason: "which_campaign" } });

const named = async (talk: Talk, id: string): Promise<Which> => {
  const job = await jobOf(talk, id);
  return "failed" in job ? job : { job: job.output };
};

const whichOf = (talk: Talk, ids: readonly string[]): Which => {
  const { jobs, memory } = talk.situation;
  const candidates = jobs.filter(({ job_id: id }) => ids.includes(id));
  return asked(
    `Which campaign do you mean? Nothing is done.\n${jobsWords(candidates, memory.job?.id, mostCandidates)}`,
  );
};

/** The job of a deal; null where no deal is called so. */
const ofDeal = async (talk: Talk, id: string): Promise<Which | null> => {
  const listed = await called(talk, listDeals, { q: id, limit: 10 });
  const deals = "failed" in listed ? [] : listed.output.deals;
  const deal = deals.find(({ deal_id: of }) => of?.toLowerCase() === id.toLowerCase());
  if (deal === undefined) return null;
  const { job_id: job, deal_id: known, product_name: product, seller_url: seller } = deal;
  if (typeof job === "string") return named(talk, job);
  return asked(
    `Deal ${known} (${product}) was booked directly, for no campaign, and I tell and change only deals of campaigns. ` +
      `It stands in the console under Deals; its seller is ${seller}. Nothing is done.`,
  );
};

const mostDescribed = 20;

/** Those that begin in the month, or have the budget. */
const fitting = async (talk: Talk, ids: readonly string[], campaign: Campaign): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const id of ids.slice(0, mostDescribed)) {
    const read = await jobOf(talk, id);
    if ("failed" in read) continue;
    const { start_date: start = "" } = read.output.brief as { readonly start_date?: string };
    const isOfMonth = campaign.by === "month" && start.slice(5, 7) === campaign.start.slice(5, 7);
    if (isOfMonth || (campaign.by === "budget" && read.output.budget === campaign.value)) found.push(id);
  }
  return found;
};

/** Of those of this conversation; campaigns of others are named only by their names. */
const described = async (talk: Talk, campaign: Campaign): Promise<Which | null> => {
  const { jobs, job: own, memory } = talk.situation;
  const here = memory.campaigns.filter((id) => jobs.some((job) => job.job_id === id));
  if (campaign.by === "both")
    return asked(`One campaign at a time, please. Nothing is done.\n${jobsWords(jobs, memory.job?.id, 5)}`);
  if (campaign.by === "place") {
    const one = here.at(campaign.value > 0 ? campaign.value - 1 : campaign.value);
    if (one !== undefined) return named(talk, one);
    return whichOf(
      talk,
      jobs.map(({ job_id: id }) => id),
    );
  }
  const found = campaign.by === "other" ? here.filter((id) => id !== own?.job_id) : await fitting(talk, here, campaign);
  const [one, second] = found;
  if (one === undefined) return null;
  return second === undefined ? named(talk, one) : whichOf(talk, found);
};

/** A channel of which the campaign in force has no line, and another one of this conversation has. */
const byChannel = async (talk: Talk, own: Job, channels: readonly string[]): Promise<Which | null> => {
  const has = (job: Job): boolean =>
    [...waitingLines(job), ...bookedLines(job)].some(({ channel }) => channels.includes(channel));
  if (channels.length === 0 || (own.recommendations ?? []).some(({ channel }) => channels.includes(channel)))
    return null;
  for (const id of talk.memory.campaigns.filter((one) => one !== own.job_id)) {
    const read = await jobOf(talk, id);
    if (!("failed" in read) && has(read.output)) return { job: read.output };
  }
  return null;
};

/** The one that the words name, else that of the conversation; what is only looked up, of the only one there is. */
export const whichJob = async (
  talk: Talk,
  campaign: Campaign | null,
  { channels = [], isLookup = false }: { readonly channels?: readonly string[]; readonly isLookup?: boolean } = {},
): Promise<Which> => {
  const { situation, memory } = talk;
  const { job: own, jobs } = situation;
  if (campaign?.by === "id") {
    const [only, other] = campaign.ids;
    const isOwn = own !== null && campaign.ids.includes(own.job_id);
    if (isOwn) return { job: own };
    return only !== undefined && other === undefined ? named(talk, only) : whichOf(talk, campaign.ids);
  }
  if (campaign?.by === "several") return whichOf(talk, campaign.ids);
  if (campaign?.by === "deal") {
    return (await ofDeal(talk, campaign.id)) ?? asked(`No deal is called ${campaign.id}; nothing is done.`);
  }
  if (campaign?.by === "unknown")
    return asked(
      `No campaign is called "${campaign.name}"; nothing is done. Campaigns:\n${jobsWords(jobs, memory.job?.id, 10)}`,
    );
  const found = campaign === null ? null : await described(talk, campaign);
  if (found !== null) return found;
  if (own !== null) return (await byChannel(talk, own, channels)) ?? { job: own };
  const [only, second] = jobs;
  if (isLookup && only !== undefined && second === undefined) return named(talk, only.job_id);
  if (jobs.length === 0) return asked("You have no campaign yet. Send me a brief: budget, days, channels, audience.");
  return asked(
    `This conversation has no campaign of its own. Say the name of the one that you mean.\n${jobsWords(jobs, null)}`,
  );
};
