import { bookingKind, type BookingRow, isOnlyHeld, isWorking } from "../../../skills/buyer/bookings/record.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";

/** `stop` ends every wait with null, and so does the end of its time. */
export interface SettledBookings {
  wait(jobId: string, withinMs?: number): Promise<BookingRow | null>;
  stop(): void;
}

/** Another process's commit may be seen late, so a wait also polls. */
const lookEveryMs = 250;

export const watchSettledBookings = (store: Store): SettledBookings => {
  const stopping = new AbortController();

  const look = async (jobId: string): Promise<BookingRow | null> => {
    const row = (await store.get(bookingKind.name, jobId)) as StoredRow<BookingRow> | null;
    return row === null || (isWorking(row.body) && !isOnlyHeld(row.body)) ? null : row.body;
  };

  const wait = (jobId: string, withinMs?: number): Promise<BookingRow | null> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearInterval(timer);
        clearTimeout(limit);
        unwatch();
        stopping.signal.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => {
        end();
        resolve(null);
      };
      const check = (): void => {
        look(jobId).then(
          (job) => {
            if (job === null) return;
            end();
            resolve(job);
          },
          (error: unknown) => {
            end();
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      };
      const timer = setInterval(check, lookEveryMs);
      const limit = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      const unwatch = store.watch(bookingKind.name, (id) => {
        if (id === jobId) check();
      });
      stopping.signal.addEventListener("abort", giveUp, { once: true });
      if (stopping.signal.aborted) giveUp();
      else check();
    });

  return { wait, stop: () => stopping.abort() };
};
