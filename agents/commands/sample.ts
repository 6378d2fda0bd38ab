import { readFile } from "node:fs/promises";
import { listBookings } from "../../skills/buyer/bookings/contract.ts";
import {
  type BookedDeal,
  type BookingReport,
  bookBrief,
  briefOfText,
  type BuyerDoor,
  followBooking,
} from "../buyer/jobs/book.ts";
import type { AgentHost } from "../host/host.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { keysOf } from "./host/keys.ts";
import type { SampleSeller } from "./sample-edge.ts";

/** The sample brief of the checkout: sources and built files lie two folders below the root alike. */
const briefFile = new URL("../../test/examples/brief.json", import.meta.url);

const dateMember = /^(start|end)_date$/;
const dayMs = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const movedBy = (value: unknown, ms: number): unknown => {
  if (Array.isArray(value)) return value.map((item) => movedBy(item, ms));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) =>
    dateMember.test(key) && typeof member === "string"
      ? [key, dayOf(Date.parse(member) + ms)]
      : [key, movedBy(member, ms)],
  );
  return Object.fromEntries(entries) as unknown;
};

/** The dates moved so that the flight begins today: the sample page shows a deal in flight alone. */
const fromToday = (brief: unknown, nowMs: number): unknown => {
  const start = (brief as { start_date?: unknown }).start_date;
  return typeof start === "string" ? movedBy(brief, nowMs - (nowMs % dayMs) - Date.parse(start)) : brief;
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

const edgeLabel = "parley all: edge";

const revokeNamed = async (seller: AgentHost, label: string): Promise<void> => {
  for await (const key of keysOf(seller, "seller")) {
    if (key.is_active && key.label === label) await outputOf(seller, "revoke_api_key", { key_id: key.key_id });
  }
};

/**
 * Issued by the operator and never stored: each start revokes the previous key and issues one with the same identity,
 * so that earlier bookings stay the buyer's.
 */
export const sampleBuyerKey = async (seller: AgentHost): Promise<string> => {
  await revokeNamed(seller, sampleIdentity.label);
  return (await outputOf<{ api_key: string }>(seller, "create_api_key", sampleIdentity)).api_key;
};

/** What the sample edge needs to deliver the seller's deals; its key is issued anew at every start too. */
export const sampleSeller = async (seller: AgentHost, url: string): Promise<SampleSeller> => {
  await revokeNamed(seller, edgeLabel);
  const input = { label: edgeLabel, role: "edge" };
  const { api_key: key } = await outputOf<{ api_key: string }>(seller, "create_operator_key", input);
  const listed = await outputOf<{ products: { product_id: string }[] }>(seller, "list_products", { limit: 500 });
  return { url, key, products: listed.products.map(({ product_id: id }) => id), seat: sampleIdentity.seat_id };
};

interface SampleDeal {
  readonly status: string;
  readonly approval_id?: string | null;
}

const isInFlight = ({ flight_start: start, flight_end: end }: BookedDeal, today: string): boolean =>
  start !== null && end !== null && start <= today && today <= end;

/** Approves and activates the display deals that are in flight, as their operator would: the sample page shows them. */
export const showSample = async (seller: AgentHost, { deals }: BookingReport, nowMs: number): Promise<void> => {
  const today = dayOf(nowMs);
  for (const line of deals.filter((one) => one.channel === "branding" && isInFlight(one, today))) {
    const { deal_id } = line;
    const deal = await outputOf<SampleDeal>(seller, "get_deal", { deal_id });
    if (deal.status !== "proposed") continue;
    const { approval_id } = deal;
    if (approval_id != null) await outputOf(seller, "approve_or_reject", { approval_id, decision: "approve" });
    await outputOf(seller, "transition_deal", { deal_id, to_status: "active", reason: "Shown on the sample page" });
  }
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
  const brief = fromToday(await readBrief(), nowMs);
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
