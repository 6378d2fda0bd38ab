import { create, update } from "../../protocol/seam/changes.ts";
import { eventKind, type EventRow } from "../../protocol/seam/events.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import { toMicros } from "../../machines/money.ts";
import { bookingKind, type BookingRow } from "../../skills/buyer/bookings/record.ts";
import type { BusEvent } from "../../skills/buyer/events/bus.ts";
import {
  type DealLibrary,
  dealTerm,
  sellerDealKind,
  type SellerDealRow,
} from "../../skills/buyer/seller-deals/record.ts";
import { rowIdOf } from "../../skills/buyer/seller-deals/view.ts";
import { isCommitted, type Store, type StoredRow } from "../../storage/store.ts";
import { eventView } from "../../skills/buyer/events/view.ts";
import type { EventBus } from "./event-bus.ts";

export interface LibraryParts {
  readonly store: Pick<Store, "get" | "list" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
}

/** One row each; a later write keeps the first time and the job. */
export const createLibrary = ({ store, log }: LibraryParts): DealLibrary => {
  const put = async (row: SellerDealRow): Promise<void> => {
    const id = rowIdOf(row);
    const isKept = await isCommitted(async () => {
      const loaded = (await store.get(sellerDealKind.name, id)) as StoredRow<SellerDealRow> | null;
      const before = loaded?.body;
      const created_at_ms = before?.created_at_ms ?? row.created_at_ms;
      const booked_at_ms = before?.booked_at_ms ?? (row.deal_id === null ? null : row.updated_at_ms);
      const body = { ...row, created_at_ms, booked_at_ms, job_id: row.job_id ?? before?.job_id ?? null };
      const change = loaded === null ? create(sellerDealKind, id, body) : update(sellerDealKind, loaded, body);
      return (await store.commit({ changes: [change], audit: null })).ok;
    });
    if (!isKept) log.warn({ seller: row.seller_url }, "a deal could not be kept: its row changes too fast");
  };
  const kept = async (seller: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ seller, error: String(error) }, "a deal could not be kept");
    }
  };
  const tell: DealLibrary["tell"] = ({ seller_url, deal_id }, change) =>
    kept(seller_url, async () => {
      const terms = [dealTerm(deal_id), `seller=${seller_url}`];
      const rows = await store.list({ kind: sellerDealKind.name, terms, order: "newest", limit: 1 });
      const [row] = rows as readonly StoredRow<SellerDealRow>[];
      if (row !== undefined) await put({ ...row.body, ...change });
    });
  return { keep: (row) => kept(row.seller_url, () => put(row)), tell };
};

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

const bookedRow = async (store: Pick<Store, "get">, event: BusEvent): Promise<SellerDealRow> => {
  const atMs = Date.parse(event.timestamp);
  const { payload, deal_id, flow_id } = event;
  const job = (await store.get(bookingKind.name, flow_id)) as StoredRow<BookingRow> | null;
  const line = job?.body.booked_lines.find((one) => one.deal_id === deal_id);
  const flight = line === undefined ? undefined : job?.body.brief.flights[line.flight];
  const cpm = numberOf(payload["final_cpm"]);
  return {
    seller_url: textOrEmpty(payload["seller_url"]),
    quote_id: textOrEmpty(payload["quote_id"]) || `deal:${deal_id}`,
    deal_id,
    status: "booked",
    seller_status: line?.booking_status ?? null,
    product_id: textOrEmpty(payload["product_id"]),
    product_name: line?.product_name ?? "",
    deal_type: line?.deal_type ?? "",
    cpm_micros: cpm === null ? null : toMicros(cpm),
    currency: "USD",
    impressions: numberOf(payload["impressions"]),
    flight_start: flight?.start_date ?? null,
    flight_end: flight?.end_date ?? null,
    buyer_tier: line?.buyer_tier ?? "",
    expires_at: null,
    job_id: flow_id,
    created_at_ms: atMs,
    updated_at_ms: atMs,
  };
};

const flowType = "deal_booking";
const mostMissed = 500;

/** Those of this process as they come; those of the process before at the start. */
export const keepBookedDeals = (parts: {
  readonly bus: Pick<EventBus, "subscribe">;
  readonly library: DealLibrary;
  readonly store: Pick<Store, "get" | "list">;
  readonly log: Log;
}): { stop(): Promise<void> } => {
  const { bus, library, store, log } = parts;
  const book = async (event: BusEvent): Promise<void> => {
    const row = await bookedRow(store, event);
    if ((await store.get(sellerDealKind.name, rowIdOf(row))) === null) await library.keep(row);
  };
  const cancel = async ({ deal_id, payload, timestamp }: BusEvent): Promise<void> => {
    const status = textOrEmpty(payload["status"]) || "cancelled";
    const change = {
      status,
      seller_status: status,
      status_reason: textOrEmpty(payload["reason"]),
      updated_at_ms: Date.parse(timestamp),
    };
    await library.tell({ seller_url: textOrEmpty(payload["seller_url"]), deal_id }, change);
  };
  const take = async (event: BusEvent): Promise<void> => {
    if (event.flow_type === flowType) await (event.event_type === "deal.booked" ? book : cancel)(event);
  };
  const missed = async (): Promise<void> => {
    for (const type of ["deal.booked", "deal.cancelled"]) {
      const terms = [`type=${type}`];
      const rows = await store.list({ kind: eventKind.name, terms, order: "newest", limit: mostMissed });
      for (const row of rows as readonly StoredRow<EventRow>[]) await take(eventView(row));
    }
  };
  const failed = (error: unknown): void => log.warn({ error: String(error) }, "a booked deal could not be kept");
  let queue = missed().catch(failed);
  const takeNext = (event: BusEvent): void => {
    queue = queue.then(() => take(event)).catch(failed);
  };
  const unsubscribes = (["deal.booked", "deal.cancelled"] as const).map((type) => bus.subscribe(type, takeNext));
  return {
    stop: async () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      await queue;
    },
  };
};
