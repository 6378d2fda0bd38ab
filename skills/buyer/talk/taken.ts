import type { z } from "zod";
import { refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { Took } from "../../talk/gate/gate.ts";
import type { approveBooking } from "../booking-approvals/contract.ts";
import type { createBooking } from "../bookings/contract.ts";
import { outcomeWords, dealIn } from "./replies/deals.ts";
import { jobOf } from "./which.ts";
import {
  bookedLines,
  capital,
  count,
  type Job,
  linesCounted,
  stateWords,
  statusWords,
  titled,
  usd,
  waitingLines,
} from "./replies/job.ts";
import { kindOf, offered, type Said, type Talk } from "./talk.ts";

type Done = Extract<Took, { kind: "done" }>;
type Act = (done: Done, job: Job) => Said;

const idsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

const failedWords = (job: Job, ids: readonly unknown[]): readonly string[] =>
  (job.recommendations ?? [])
    .filter((line) => ids.includes(line.recommendation_id) && line.error !== null)
    .map((line) => `- ${line.product_name}: not booked, ${line.error}`);

const booked: Act = ({ option, output }, job) => {
  const {
    booked: size,
    approved_count: asked,
    total_cost: cost,
    lines,
  } = output as z.output<typeof approveBooking.output>;
  const ids = idsIn(option.input["recommendation_ids"]);
  const deals = bookedLines(job).filter((line) => ids.includes(line.recommendation_id));
  const rejected = lines.filter(({ outcome }) => outcome === "rejected").length;
  const left = waitingLines(job).length;
  const text = [
    size === 0
      ? `Nothing is booked for ${titled(job)}.`
      : `Booked: ${size} of ${asked} approved ${asked === 1 ? "line" : "lines"}, ${usd(cost)} in total, for ` +
        `${titled(job)}.`,
    ...deals.map((line) => `- ${line.product_name}: ${line.status_text}`),
    ...failedWords(job, ids),
    ...(rejected === 0 ? [] : [`${linesCounted(rejected)} ${rejected === 1 ? "is" : "are"} dropped.`]),
    ...(left === 0 ? [] : [`${linesCounted(left)} still ${left === 1 ? "waits" : "wait"} for your approval.`]),
  ].join("\n");
  return { outcome: size === 0 ? "refuse" : "booked", text };
};

const dropped: Act = ({ option: { operation, input }, output }, job) => {
  const isAll = operation === "approve_booking";
  const { lines } = output as Partial<z.output<typeof approveBooking.output>>;
  const size = isAll ? (lines?.length ?? 0) : idsIn(input["reject"]).length;
  const next = isAll
    ? "Nothing of the job waits any more, and its money stays unbooked."
    : "Its money is offered anew.";
  const head = size === 1 ? "1 line is" : `${count(size)} lines are`;
  const text = `${head} dropped; nothing was booked by this. ${next}`;
  return { outcome: "cancelled", text: isAll ? text : `${text}\n${statusWords(job)}` };
};

const acts: Readonly<Record<Exclude<ReturnType<typeof kindOf>, "start">, Act>> = {
  book: booked,
  drop: dropped,
  "cancel campaign": (_done, job) => ({
    outcome: "cancelled",
    text: `${capital(titled(job))} is cancelled by you. Nothing of it is booked.`,
  }),
  "cancel deal": ({ option }, job) => {
    const line = dealIn(job, option.input["line_id"]);
    return { outcome: "cancelled", text: line === undefined ? "It is asked for." : outcomeWords(job, line) };
  },
};

const started = async (talk: Talk, { option, output }: Done): Promise<Said> => {
  const { job_id: id } = output as z.output<typeof createBooking.output>;
  const { name = "" } = option.input["brief"] as { readonly name?: string };
  const said = { outcome: "started" as const, result: output, job: { id, isOwn: true } };
  const head = `Started: campaign "${name}" (job ${id}).`;
  const job = await jobOf(talk, id);
  if ("failed" in job || job.output.status === "pending" || job.output.status === "running")
    return { ...said, text: `${head} Ask "status" to see what is found; nothing is booked yet.` };
  return { ...said, text: statusWords(job.output, `${head} ${capital(stateWords(job.output))}`) };
};

const changed = async (talk: Talk, { option, now, why }: Extract<Took, { kind: "changed" }>): Promise<Said> => {
  const head = "What was shown has changed since, so nothing is done.";
  if (now !== null) return offered({ operation: now.operation, input: now.input }, { text: head });
  const job = await jobOf(talk, String(option.input["job_id"]));
  const next = "failed" in job ? "" : `\n${statusWords(job.output)}`;
  return { outcome: "answer", text: `${head} ${why}${next}` };
};

/** A caller that waits for a reply is told what was found; a slow seller's prices come with "status". */
const longestSearchMs = 5000;

/**
 * What was done, by the record as it stands after it.
 *
 * @param settled waits until no seller is asked for the job any more, at most so many milliseconds
 */
export const saidOfTook = async (
  talk: Talk,
  took: Took,
  settled: (jobId: string, withinMs: number) => Promise<unknown>,
): Promise<Said> => {
  if (took.kind === "changed") return changed(talk, took);
  if (took.kind === "refused") {
    const { refusal, status } = took;
    return { outcome: "refuse", text: refusal.message, result: { ...refusalBody(refusal), status } };
  }
  const kind = kindOf(took.option);
  const id = String(took.option.input["job_id"] ?? (took.output as { readonly job_id?: unknown }).job_id);
  if (kind === "start" || took.option.operation === "replan_booking") await settled(id, longestSearchMs);
  if (kind === "start") return started(talk, took);
  const job = await jobOf(talk, id);
  return "failed" in job ? job.failed : { ...acts[kind](took, job.output), result: took.output };
};
