import { applied, type BriefInput, type Term } from "../brief/form.ts";
import { shownBrief } from "../brief/shown.ts";
import type { Request } from "../reader/request.ts";
import { isIn, says } from "../reader/words.ts";
import type { Said, Talk } from "../talk.ts";
import { bookedLines, type Job, titled } from "./job.ts";
import { status } from "./lookups.ts";

const isOver = (job: Job): boolean => job.status === "failed" || job.status === "completed";

/** What a new brief may take from that of a campaign; its name is its own. */
export const copiedTerms = (job: Job): BriefInput => {
  const { objectives, budget, start_date, end_date, target_audience, kpis, channels, advertiser } =
    job.brief as BriefInput;
  const all = { objectives, budget, start_date, end_date, target_audience, kpis, channels, advertiser };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

/** A new brief, filled from that of a campaign. */
export const plannedAgain = (talk: Talk, job: Job, terms: readonly Term[]): Said => {
  const { name } = job.brief as BriefInput;
  const before = copiedTerms(job);
  const isSame = isOver(job) && !terms.some(({ kind }) => kind === "channels");
  const { brief, notes } = applied(isSame ? { ...before, name } : before, terms);
  const head = [`This is a new campaign, by the brief of ${titled(job)}.`];
  return shownBrief(brief, talk.context.nowMs, { notes, head });
};

export const again = (talk: Talk, job: Job, terms: readonly Term[]): Said =>
  isOver(job) ? plannedAgain(talk, job, terms) : status(job);

/** "100% CTV, same budget and dates", and other terms where nothing was found. */
export const isPlannedAgain = (job: Job, { isQuestion, said }: Request, terms: readonly Term[]): boolean =>
  !isQuestion &&
  terms.some(({ kind }) => isIn(kind, "channels share split")) &&
  (says(said.toLowerCase(), "same") || (isOver(job) && bookedLines(job).length === 0));
