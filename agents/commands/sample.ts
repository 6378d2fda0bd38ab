import { readFile } from "node:fs/promises";
import { listBookings } from "../../skills/buyer/bookings/contract.ts";
import { type BookingReport, bookBrief, briefOfText, type BuyerDoor, followBooking } from "../buyer/jobs/book.ts";
import type { AgentHost } from "../host/host.ts";
import { StartFailure } from "../settings.ts";
import { keysOf } from "./host/keys.ts";

/** The sample brief of the checkout: sources and built files lie two folders below the root alike. */
const briefFile = new URL("../../test/examples/brief.json", import.meta.url);

const dateMember = /^(start|end)_date$/;

const laterByYears = (value: unknown, years: number): unknown => {
  if (Array.isArray(value)) return value.map((item) => laterByYears(item, years));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) =>
    dateMember.test(key) && typeof member === "string"
      ? [key, `${Number(member.slice(0, 4)) + years}${member.slice(4)}`]
      : [key, laterByYears(member, years)],
  );
  return Object.fromEntries(entries) as unknown;
};

/** The dates moved on by whole years until the flight is in the future: a past one has no inventory. */
const upcoming = (brief: unknown, nowMs: number): unknown => {
  const start = (brief as { start_date?: unknown }).start_date;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  if (typeof start !== "string" || start > today) return brief;
  const thisYear = Number(today.slice(0, 4)) - Number(start.slice(0, 4));
  const years = `${today.slice(0, 4)}${start.slice(4)}` > today ? thisYear : thisYear + 1;
  return laterByYears(brief, years);
};

const readBrief = async (): Promise<unknown> => {
  const text = await readFile(briefFile, "utf8").catch(() => {
    throw new StartFailure("The sample brief test/examples/brief.json is missing from this checkout.");
  });
  return briefOfText(text).brief;
};

const sampleIdentity = {
  seat_id: "seat-sample",
  agency_id: "agency-sample",
  agency_name: "Sample Agency",
  label: "parley all: buyer",
};

const outputOf = async <T>(host: AgentHost, operation: string, input: unknown): Promise<T> => {
  const call = { operation, input, requestId: `sample-${operation}`, key: null, idempotencyKey: null, dryRun: false };
  const outcome = await host.run(call);
  if (outcome.kind === "done") return outcome.output as T;
  throw new StartFailure(outcome.kind === "bug" ? `${operation} failed.` : outcome.refusal.message);
};

/**
 * Issued by the operator and never stored: each start revokes the previous key and issues one with the same identity,
 * so that earlier bookings stay the buyer's.
 */
export const sampleBuyerKey = async (seller: AgentHost): Promise<string> => {
  for await (const { key_id, label, is_active } of keysOf(seller, "seller")) {
    if (is_active && label === sampleIdentity.label) await outputOf(seller, "revoke_api_key", { key_id });
  }
  return (await outputOf<{ api_key: string }>(seller, "create_api_key", sampleIdentity)).api_key;
};

interface ListedJobs {
  readonly total: number;
  readonly jobs: readonly { readonly job_id: string; readonly campaign_name: string }[];
}

const jobsAt = async (door: BuyerDoor, offset: number): Promise<ListedJobs> => {
  const said = await door(listBookings, { limit: 1, offset }, listBookings.name);
  if (said.ok) return said.output as ListedJobs;
  throw new StartFailure(`The buyer does not list its bookings: ${said.text}`);
};

/** The booking of this start or of an earlier one, which may have died in the middle. */
export interface SampleBooking {
  readonly isNew: boolean;
  readonly report: BookingReport;
}

/** Books the sample brief on the first run; later runs resume that job. Null: the buyer's first job is another one. */
export const bookSample = async (
  door: BuyerDoor,
  nowMs: number,
  signal: AbortSignal,
): Promise<SampleBooking | null> => {
  const brief = upcoming(await readBrief(), nowMs);
  signal.throwIfAborted();
  const { total } = await jobsAt(door, 0);
  if (total === 0) {
    const report = await bookBrief(door, brief, { autoApprove: true, idempotencyKey: "sample-brief", signal });
    return { isNew: true, report };
  }
  const first = (await jobsAt(door, total - 1)).jobs[0];
  if (first === undefined || first.campaign_name !== (brief as { name?: unknown }).name) return null;
  return { isNew: false, report: await followBooking(door, first.job_id, { signal }) };
};
