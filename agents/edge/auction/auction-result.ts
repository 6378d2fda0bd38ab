import type { Eid } from "../identity/eids.ts";
import type { EcSession } from "../identity/session.ts";
import type { EdgeRefusalCode } from "../http/refusals.ts";
import type { Bid } from "./provider/bid-answer.ts";
import type { ProviderOutcome } from "./provider/call-provider.ts";
import type { DemandDefects, Params, Slot } from "./slot.ts";

/** Where an auction comes from; the log says so. */
export type AuctionSource = "auction_api" | "page_bids" | "page";

/** What an auction is run for. `eids` have passed the consent gate. */
export type AuctionInput = {
  readonly id: string;
  readonly source: AuctionSource;
  readonly slots: readonly Slot[];
  readonly session: EcSession;
  readonly eids: readonly Eid[];
  readonly pageContext: Params;
  readonly timeoutMs: number;
  readonly defects: DemandDefects;
  /** Page that the slots are on, when it is not the request's referrer. */
  readonly page?: string;
};

/** The best bid of a slot, and what became of every provider. */
export type AuctionResult = {
  readonly id: string;
  /** Address of the page that the slots are on, as bidders are told. */
  readonly page: string;
  readonly winners: readonly Bid[];
  readonly providers: readonly ProviderOutcome[];
  readonly timeMs: number;
  readonly defects: DemandDefects;
  /** Why nobody was asked, or `null`. */
  readonly skipped: SkipReason | null;
  /** Refusal of an auction that could not be held, or that no provider answered; `null` where it is a result. */
  readonly failure: AuctionFailure | null;
};

/** A no-bid by intention, or (the last two) an auction that could not be held. */
export type SkipReason =
  | "auction_disabled"
  | "consent_denied"
  | "no_slots"
  | "no_providers"
  | "single_fanout"
  | "signing_key_unavailable";

/** Rows of the shared error table that a failed auction is answered with. */
export type AuctionFailure = Extract<EdgeRefusalCode, "upstream_failed" | "upstream_timeout">;
