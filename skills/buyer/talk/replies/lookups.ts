import { getNegotiationRounds } from "../../bookings/contract.ts";
import { called, type Said, type Talk } from "../talk.ts";
import type { BriefInput } from "../brief/form.ts";
import { keptWords } from "../brief/wording.ts";
import { listedJobs } from "../which.ts";
import { ofLines, sellersOfLines } from "./facts.ts";
import { monthWords } from "./figures.ts";
import {
  bookedLines,
  bookedStatusWords,
  bookedWords,
  capital,
  dropWords,
  endedWords,
  feesOf,
  isCancelled,
  type Job,
  jobsWords,
  type LineRow,
  linesCounted,
  linesInForce,
  moneyWords,
  nextWords,
  placeWords,
  stateWords,
  statusWords,
  titled,
  totalOf,
  unfilledWords,
  usd,
  waitingLines,
} from "./job.ts";

const about = (job: Job, lines: readonly string[], result?: unknown): Said => ({
  outcome: "answer",
  text: lines.join("\n"),
  understood: { job_id: job.job_id },
  ...(result === undefined ? {} : { result }),
});

export const status = (job: Job, isOfSellers = false): Said =>
  about(job, [statusWords(job), ...(isOfSellers ? sellersOfLines(job) : [])], job);

export const listJobs = async (talk: Talk): Promise<Said> => {
  const listed = await listedJobs(talk);
  if ("failed" in listed) return listed.failed;
  const jobs = listed.output;
  const { brief, job: own } = talk.memory;
  const size = jobs.length === 1 ? "1 campaign" : `${jobs.length} campaigns`;
  const open = brief === null ? [] : [`Not started yet: the brief ${brief.name ?? "of this conversation"}.`];
  const head = jobs.length === 0 ? "You have no campaign yet." : `You have ${size}:\n${jobsWords(jobs, own?.id)}`;
  return { outcome: "answer", text: [head, ...open].join("\n"), result: { jobs } };
};

export const totals = (job: Job, isOfFees = false): Said => {
  const lines = isCancelled(job) ? [] : linesInForce(job);
  const fees = lines.reduce((sum, line) => sum + Math.round(feesOf(line) * 100), 0) / 100;
  const booked = bookedLines(job);
  const waiting = waitingLines(job);
  const feeWords =
    lines.length === 0 || (fees === 0 && !isOfFees)
      ? []
      : fees === 0
        ? ["No fees come on top: the totals are all that the sellers charge, and I know of no other fees."]
        : [`Fees beside the sellers' prices: ${usd(fees)}, so ${totalOf([...lines, { cost: fees }])} with fees.`];
  return about(job, [
    `${capital(titled(job))}: ${stateWords(job)}`,
    ...lines.map((line) => {
      const fee = feesOf(line) === 0 ? "" : `, fees ${usd(feesOf(line))}`;
      const deal = booked.find(({ recommendation_id: id }) => id === line.recommendation_id)?.deal_id;
      const name = deal === undefined ? line.product_name : `${line.product_name}, deal ${deal}`;
      return `- ${name}: ${usd(line.cost)} at ${usd(line.cpm)} CPM${fee}`;
    }),
    ...(waiting.length === 0 ? [] : [`Waiting for approval in total: ${totalOf(waiting)}.`]),
    ...(booked.length === 0 ? ["Nothing is booked yet."] : [`Booked in total: ${totalOf(booked)}.`]),
    ...feeWords,
    moneyWords(job),
  ]);
};

export const why = (job: Job): Said => {
  const waiting = waitingLines(job);
  const reason =
    waiting.length === 0
      ? []
      : [`I book nothing without your yes: ${totalOf(waiting)} in ${linesCounted(waiting.length)} wait for it.`];
  return about(job, [
    `${capital(titled(job))}: ${stateWords(job)}`,
    ...reason,
    ...waiting.map(({ words }) => words),
    ...unfilledWords(job),
    nextWords(job),
  ]);
};

const mostTold = 3;

/** What no line was made of, and why. */
const notChosenWords = (job: Job, channels: readonly string[] = []): readonly string[] => {
  const others = job.not_chosen.filter(({ channel }) => channels.length === 0 || channels.includes(channel));
  return others
    .slice(0, mostTold)
    .map(({ product_name: name, cpm, reason }) => `Not chosen: ${name} at ${usd(cpm)} CPM, as ${reason}.`);
};

/** What becomes of the money of a line that is dropped. */
export const dropped = (job: Job, named: readonly LineRow[]): Said => {
  const lines = named.length > 0 ? named : waitingLines(job);
  if (waitingLines(job).length === 0) return status(job);
  return about(job, [
    `${totalOf(lines)} of ${titled(job)} wait in ${lines.map(placeWords).join(", ")}.`,
    `You can ${dropWords(job, lines)}.`,
    ...notChosenWords(
      job,
      lines.map(({ channel }) => channel),
    ),
    "What a new search finds waits for your approval; a dropped product is not offered again.",
  ]);
};

/** What became of the budget, channel by channel. */
const isOfMonths = /\b(?:months?|monthly|weeks?|weekly|daily)\b/i;

export const whyLittle = (job: Job, said: string): Said => {
  if (isOfMonths.test(said)) return about(job, monthWords(job));
  const lines = linesInForce(job);
  const parts = Object.values(job.budget_allocations ?? {}).map(({ channel, budget, percentage }) => {
    const own = lines.filter((line) => line.channel === channel);
    return `- ${channel}: ${usd(budget)} (${percentage} %) planned, ${totalOf(own)} found`;
  });
  if (job.status === "pending" || job.status === "running") return status(job);
  const by =
    Object.keys((job.brief as BriefInput).channel_limits ?? {}).length === 0 ? "its objectives" : "your limits";
  return about(job, [
    `The budget of ${titled(job)} is split over the channels by ${by}, and each part stays in its channel:`,
    ...parts,
    ...notChosenWords(job),
    ...unfilledWords(job),
    moneyWords(job),
  ]);
};

const ofDecision =
  /\b(?:they|sellers?|publishers?|it)\b.*\b(?:decide|answer|reply|respond|confirm|agree)\b|\bdeadline\b/i;

export const when = (job: Job, said: string): Said => {
  // "Until when do they have to decide?"
  if (ofDecision.test(said))
    return about(job, [`Until when a seller must decide is not on record; only the seller tells: ${ofLines(job)}.`]);
  const { start_date: start, end_date: end } = job.brief as { start_date?: string; end_date?: string };
  const booked = bookedLines(job);
  return about(job, [
    `${capital(titled(job))} runs from ${start ?? "?"} to ${end ?? "?"}: ${stateWords(job)}`,
    ...waitingLines(job).map(({ words }) => words),
    ...booked.map(bookedWords),
  ]);
};

export const negotiated = async (talk: Talk, job: Job): Promise<Said> => {
  const rounds = await called(talk, getNegotiationRounds, { job_id: job.job_id });
  const talks = "failed" in rounds ? [] : rounds.output.negotiations;
  const lines = talks.map(
    (one) =>
      `- ${String(one["product_name"])}: quoted at ${usd(one["quote_cpm"])} CPM, ` +
      (one["agreed_cpm"] == null
        ? `not agreed (${String(one["outcome"])})`
        : `agreed at ${usd(one["agreed_cpm"])} CPM`),
  );
  const head = lines.length === 0 ? "No price was negotiated for" : "Negotiated for";
  return about(job, [`${head} ${titled(job)}.`, ...lines, moneyWords(job)]);
};

/** What sellers know of their products and this record does not. */
export const notKnown = (job: Job): Said => {
  return about(job, [
    `That I do not know for ${titled(job)}: I know its products, days, impressions and prices; sites, formats, ` +
      `creatives, people reached, targeting and invoices are the seller's. Ask the seller: ${ofLines(job)}.`,
  ]);
};

/** "What have we bought?" */
export const whatIsBooked = (job: Job): Said => {
  const booked = bookedLines(job);
  const waiting = waitingLines(job);
  const left = waiting.map(({ place, names }) => `${place}. ${names[0] ?? ""}`).join(", ");
  return about(
    job,
    [
      booked.length === 0
        ? `Nothing of ${titled(job)} is booked.`
        : `Booked for ${titled(job)}, ${totalOf(booked)} in total:`,
      ...booked.map(bookedStatusWords),
      ...endedWords(job),
      moneyWords(job),
      ...(waiting.length === 0 ? [nextWords(job)] : [`Not booked, and waiting for your approval: ${left}.`]),
    ],
    job,
  );
};

/** What the caller asked for once. */
export const briefOf = (job: Job): Said => {
  const brief = job.brief as BriefInput;
  const words = keptWords(brief).replace(/^Kept so far/, "Its brief");
  return about(job, [`${capital(titled(job))}: ${stateWords(job)}`, words]);
};
