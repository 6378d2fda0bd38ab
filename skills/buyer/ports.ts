import type { BookingRow } from "./bookings/record.ts";

/** What the buyer's operations are handed beside the store and the clock. */
export interface BuyerPorts {
  /** Whether agentic audiences may travel in an OpenRTB extension that is not ratified (ENABLE_AGENTIC_OPENRTB_EXT). */
  readonly agenticExtension: boolean;
  /** Resolves with the job once no worker has anything to do on it; null when the buyer stops before. */
  readonly settledBooking: (jobId: string) => Promise<BookingRow | null>;
}
