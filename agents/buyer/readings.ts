import { bookingStatuses } from "../../machines/booking/machine.ts";
import type { Clock } from "../../protocol/seam/ports.ts";
import { bookingKind, type BookingRow, statusTerm, workTerm } from "../../skills/buyer/bookings/record.ts";
import type { StoreReader } from "../../storage/store.ts";
import type { Pushes } from "../delivery/push.ts";
import type { EventStream } from "../server/event-stream.ts";
import type { Readings } from "../watch/metrics.ts";

interface BuyerReadingParts {
  readonly store: StoreReader;
  readonly clock: Clock;
  readonly pushes: Pick<Pushes, "queued">;
  readonly stream: Pick<EventStream, "open">;
}

export const buyerReadings = async ({ store, clock, pushes, stream }: BuyerReadingParts): Promise<Readings> => {
  const kind = bookingKind.name;
  const [oldest] = await store.list({ kind, terms: [workTerm], order: "oldest", limit: 1 });
  const bornMs = oldest === undefined ? null : (oldest.body as BookingRow).created_at_ms;
  const jobs = bookingStatuses.map(async (state) => ({
    labels: { state },
    value: await store.count(kind, statusTerm(state)),
  }));
  return {
    parley_delivery_queue: pushes.queued(),
    parley_event_streams_open: [{ labels: {}, value: stream.open() }],
    parley_jobs: await Promise.all(jobs),
    parley_jobs_oldest_open_seconds: [
      { labels: {}, value: bornMs === null ? 0 : Math.max(0, clock.nowMs() - bornMs) / 1000 },
    ],
  };
};
