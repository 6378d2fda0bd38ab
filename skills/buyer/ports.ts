import type { BookingRow } from "./bookings/record.ts";

/** What the buyer's operations are handed beside the store and the clock. */
export interface BuyerPorts {
  /** Resolves with the job once no worker has anything to do on it; null when the buyer stops before. */
  readonly settledBooking: (jobId: string) => Promise<BookingRow | null>;
}
