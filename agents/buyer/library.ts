import { create, update } from "../../protocol/seam/changes.ts";
import { eventKind, type EventRow } from "../../protocol/seam/events.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import { toMicros } from "../../machines/money.ts";
import { bookingKind, type BookingRow } from "../../skills/buyer/bookings/record.ts";
import type { BusEvent } from "../../skills/buyer/events/bus.ts";
import { type DealLibrary, sellerDealKind, type SellerDealRow } from "../../skills/buyer/seller-deals/record.ts";
import { rowIdOf } from "../../skills/buyer/seller-deals/view.ts";
import type { Store, StoredRow } from "../../storage/store.ts";
import { busEventOf, type EventBus } from "./event-bus.ts";

export interface LibraryParts {
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
}

const mostAttempts = 5;

/** One row each; a later write keeps the first time and the job. */
export const createLibrary = ({ store, log }: LibraryParts): DealLibrary => {
  const put = async (row: SellerDealRow): Promise<void> => {
    const id = rowIdOf(row);
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const loaded = (await store.get(sellerDealKind.name, id)) as StoredRow<SellerDealRow> | null;
      const before = loaded?.body;
      const created_at_ms = before?.created_at_ms ?? row.created_at_ms;
      const body = { ...row, created_at_ms, job_id: row.job_id ?? before?.job_id ?? null };
      const change = loaded === null ? create(sellerDealKind, id, body) : update(sellerDealKind, loaded, body);
      if ((await store.commit({ changes: [change], audit: null })).ok) return;
    }
    log.warn({ seller: row.seller_url }, "a deal could not be kept: its row changes too fast");
  };
  return {
    keep: async (row) => {
      try {
        await put(row);
      } catch (error) {
        log.warn({ seller: row.seller_url, error: String(error) }, "a deal could not be kept");
      }
    },
  };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

const bookedRow = async (store: Pick<Store, "get">, event: BusEvent, nowMs: number): Promise<SellerDealRow> => {
  const { payload, deal_id, flow_id } = event;
  const job = (await store.get(bookingKind.name, flow_id)) as StoredRow<BookingRow> | null;
  const line = job?.body.booked_lines.find((one) => one.deal_id === deal_id);
  const flight = line === undefined ? undefined : job?.body.brief.flights[line.flight];
  const cpm = numberOf(payload["final_cpm"]);
  return {
    seller_url: textOf(payload["seller_url"]),
    quote_id: textOf(payload["quote_id"]) || `deal:${deal_id}`,
    deal_id,
    status: "booked",
    product_id: textOf(payload["product_id"]),
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
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  };
};

const flowType = "deal_booking";
const mostMissed = 500;

/** Those of this process as they come; those of the process before at the start. */
export const keepBookedDeals = (parts: {
  readonly bus: Pick<EventBus, "subscribe">;
  readonly library: DealLibrary;
  readonly store: Pick<Store, "get" | "list">;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } => {
  const { bus, library, store, clock, log } = parts;
  const take = async (event: BusEvent): Promise<void> => {
    if (event.flow_type !== flowType) return;
    const row = await bookedRow(store, event, clock.nowMs());
    if ((await store.get(sellerDealKind.name, rowIdOf(row))) === null) await library.keep(row);
  };
  const missed = async (): Promise<void> => {
    const terms = ["type=deal.booked"];
    const rows = await store.list({ kind: eventKind.name, terms, order: "newest", limit: mostMissed });
    for (const row of rows as readonly StoredRow<EventRow>[]) await take(busEventOf(row));
  };
  const failed = (error: unknown): void => log.warn({ error: String(error) }, "a booked deal could not be kept");
  let queue = missed().catch(failed);
  const unsubscribe = bus.subscribe("deal.booked", (event) => {
    queue = queue.then(() => take(event)).catch(failed);
  });
  return {
    stop: async () => {
      unsubscribe();
      await queue;
    },
  };
};
