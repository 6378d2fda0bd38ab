import type { AgenticExtension } from "../../protocol/audience-plan/openrtb.ts";
import type { KeyUses } from "../../protocol/seam/key-use.ts";
import type { BookingRow } from "./bookings/record.ts";

/** What the buyer's operations are handed beside the store and the clock. */
export interface BuyerPorts {
  /** ENABLE_AGENTIC_OPENRTB_EXT and AGENTIC_OPENRTB_RATIFIED: how agentic audiences travel in OpenRTB requests. */
  readonly agenticExtension: AgenticExtension;
  readonly keyUses: KeyUses;
  /** Base URLs of the sellers that a job asks, in order. */
  readonly sellerUrls: readonly string[];
  /** Resolves with the job once no worker has anything to do on it; null when the buyer stops before. */
  readonly settledBooking: (jobId: string) => Promise<BookingRow | null>;
}
