import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { callContract, type Client } from "../../../protocol/client/client.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import { createBooking, getBooking, listBookings } from "../../../skills/buyer/bookings/contract.ts";
import type { AgentHost } from "../../host/host.ts";
import { jsonOfText } from "../../host/json-text.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";

type Said = { readonly ok: true; readonly output: unknown } | { readonly ok: false; readonly text: string };

export type BuyerDoor = (contract: Contract, input: unknown, idempotencyKey: string) => Promise<Said>;

export const doorOfHost =
  (host: AgentHost, key: string | null = null): BuyerDoor =>
  async (contract, input, idempotencyKey) => {
    const isWrite = contract.effect !== "read";
    const outcome = await host.run({
      operation: contract.name,
      input,
      requestId: randomUUID(),
      key,
      idempotencyKey: isWrite ? idempotencyKey : null,
      dryRun: false,
    });
    if (outcome.kind === "done") return { ok: true, output: outcome.output };
    if (outcome.kind === "bug") return { ok: false, text: `internal error, request ${outcome.requestId}` };
    const issues = (outcome.refusal.issues ?? []).map((issue) => `${issue.loc.join(".")}: ${issue.msg}`);
    return { ok: false, text: `${outcome.refusal.code}: ${[outcome.refusal.message, ...issues].join("; ")}` };
  };

export const doorOfUrl =
  (client: Client): BuyerDoor =>
  async (contract, input, idempotencyKey) => {
    const answer = await callContract(client, contract, input, { idempotencyKey });
    return answer.ok ? { ok: true, output: answer.output } : { ok: false, text: `${answer.code}: ${answer.detail}` };
  };

const lineForm = z.looseObject({
  deal_id: z.string(),
  product_name: z.string(),
  channel: z.string(),
  deal_type: z.string(),
  buyer_tier: z.string(),
  impressions: z.number(),
  cpm: z.number(),
  cost: z.number(),
  flight_start: z.string().nullable(),
  flight_end: z.string().nullable(),
});

const jobForm = z.looseObject({
  job_id: z.string(),
  status: z.string(),
  booked_lines: z.array(lineForm).nullable(),
  recommendations: z.array(z.looseObject({ cost: z.number() })).nullable(),
  budget_allocations: z.record(z.string(), z.looseObject({ budget: z.number() })).nullable(),
  errors: z.array(z.string()).nullable(),
  warnings: z.array(z.looseObject({ field: z.string(), message: z.string() })).default([]),
});

export type BookedDeal = z.output<typeof lineForm>;

export interface BookingReport {
  readonly job_id: string;
  readonly status: string;
  readonly deals: readonly BookedDeal[];
  readonly recommended: number;
  readonly budget: number;
  readonly spent: number;
  readonly errors: readonly string[];
  readonly warnings: readonly { readonly field: string; readonly message: string }[];
}

const inCents = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100;

const reportOf = (job: z.output<typeof jobForm>): BookingReport => {
  const deals = job.booked_lines ?? [];
  return {
    job_id: job.job_id,
    status: job.status,
    deals,
    recommended: job.recommendations?.length ?? 0,
    budget: inCents(Object.values(job.budget_allocations ?? {}).map((allocation) => allocation.budget)),
    spent: inCents(deals.map((deal) => deal.cost)),
    errors: job.errors ?? [],
    warnings: job.warnings,
  };
};

export interface BookOptions {
  readonly autoApprove: boolean;
  /** The same key books the same brief once within a day. */
  readonly idempotencyKey?: string;
  readonly pollMs?: number;
  readonly deadlineMs?: number;
  /** Ends the waiting only; the job goes on. */
  readonly signal?: AbortSignal | undefined;
}

const isOpen = (status: string): boolean => status === "pending" || status === "running";

const heard = (said: Said): unknown => {
  if (said.ok) return said.output;
  throw new StartFailure(`The buyer refused: ${said.text}`);
};

export const howToLook = (jobId: string): string =>
  `Look at it with: parley call --agent buyer get_booking '${JSON.stringify({ job_id: jobId })}'`;

/** A process that ended in the middle may have left them. */
export const unfinishedBookings = async (
  door: BuyerDoor,
): Promise<readonly { readonly job_id: string; readonly campaign_name: string }[]> => {
  const listed = ["running", "pending"].map((status) => door(listBookings, { status }, listBookings.name));
  return (await Promise.all(listed)).flatMap((said) => listBookings.output.parse(heard(said)).jobs);
};

/** Throws `StartFailure` when the buyer rejects the brief, or when the job still runs at the deadline. */
export const bookBrief = async (door: BuyerDoor, brief: unknown, options: BookOptions): Promise<BookingReport> => {
  const { idempotencyKey = randomUUID() } = options;
  const input = { brief, auto_approve: options.autoApprove };
  const created = createBooking.output.parse(heard(await door(createBooking, input, idempotencyKey)));
  return followBooking(door, created.job_id, options);
};

export const followBooking = async (
  door: BuyerDoor,
  jobId: string,
  options: Pick<BookOptions, "pollMs" | "deadlineMs" | "signal"> = {},
): Promise<BookingReport> => {
  const { pollMs = 100, deadlineMs = 600_000, signal } = options;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    signal?.throwIfAborted();
    const said = await door(getBooking, { job_id: jobId }, getBooking.name);
    const job = jobForm.parse(heard(said));
    if (!isOpen(job.status)) return reportOf(job);
    if (waitedMs >= deadlineMs) {
      throw new StartFailure(`Booking ${job.job_id} still goes on. ${howToLook(job.job_id)}`);
    }
    await wait(pollMs, undefined, signal === undefined ? {} : { signal });
  }
};

interface WrittenBrief {
  readonly brief: unknown;
  readonly waits: boolean;
}

/** A byte order mark may be first. Throws `StartFailure`. */
export const briefOfText = (text: string): WrittenBrief => {
  const read = jsonOfText(text.replace(/^\uFEFF/, ""));
  if ("wrong" in read) throw new StartFailure(`The brief ${read.wrong}. test/examples/brief.json shows one.`);
  const { value } = read;
  return isMembers(value) && "brief" in value
    ? { brief: value["brief"], waits: value["auto_approve"] === false }
    : { brief: value, waits: false };
};
