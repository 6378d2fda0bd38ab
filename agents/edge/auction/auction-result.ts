import type { Eid } from "../identity/eids.ts";
import type { EcSession } from "../identity/session.ts";
import type { EdgeRefusalCode } from "../http/refusals.ts";
import type { Bid } from "./provider/bid-answer.ts";
import type { ProviderOutcome } from "./provider/call-provider.ts";
import type { DemandDefects, Params, Slot } from "./slot.ts";

export type AuctionSource = "auction_api" | "page_bids" | "page";

export interface AuctionInput {
  readonly id: string;
  readonly source: AuctionSource;
  readonly slots: readonly Slot[];
  readonly session: EcSession;
  readonly eids: readonly Eid[];
  readonly pageContext: Params;
  readonly timeoutMs: number;
  readonly defects: DemandDefects;
  readonly page?: string;
}

export interface AuctionResult {
  readonly id: string;
  /** The page's path as the log may keep it. */
  readonly path: string;
  readonly winners: readonly Bid[];
  readonly bestOfSeats: readonly Bid[];
  readonly providers: readonly ProviderOutcome[];
  readonly timeMs: number;
  readonly stages: AuctionStages;
  readonly defects: DemandDefects;
  readonly skipped: SkipReason | null;
  readonly failure: AuctionFailure | null;
}

/** `prepareMs` ends with the first bid request, `askMs` with the last answer. */
export interface AuctionStages {
  readonly prepareMs: number;
  readonly askMs: number;
}

export type SkipReason =
  | "auction_disabled"
  | "consent_denied"
  | "no_slots"
  | "no_providers"
  | "single_fanout"
  | "signing_key_unavailable";

export type AuctionFailure = Extract<EdgeRefusalCode, "upstream_failed" | "upstream_timeout">;
