import type { z } from "zod";
import type { ProviderAnswer, RawAnswer } from "../provider/bid-answer.ts";
import type { AuctionFacts, OutgoingBidRequest } from "../provider/bid-request.ts";
import type { Cut, CutWidth } from "../provider/rejected.ts";
import type { Params, PlannedSlot, Slot } from "../slot.ts";

export interface ProfileInput<Settings> {
  readonly facts: AuctionFacts;
  readonly impressions: readonly PlannedSlot[];
  readonly settings: Settings;
  readonly tmaxMs: number;
}

/** The slot's bidders that the operator routes to a provider, with their parameters. */
export type Routed = ReadonlyMap<string, Params>;

export interface Routing<Settings> {
  readonly routing: "explicit" | "all_eligible";
  readonly settings: Settings;
}

/** Everything that the auction knows of a kind of provider. */
export interface Profile<Settings = unknown> {
  /** What messages call the provider. */
  readonly title: string;
  readonly settings: z.ZodType<Settings>;
  /** How long a call takes at most where the operator sets nothing; without it, as long as the auction. */
  readonly timeoutMs?: number;
  /** Its creatives can carry the mark by which a seller's deal is counted. */
  readonly marksCreatives: boolean;
  /** It answers under its bidders' names, whatever seat they bid for. */
  readonly answersAsBidders?: true;
  plan(slot: Slot, routed: Routed, routing: Routing<Settings>): PlannedSlot | null;
  makeRequest(input: ProfileInput<Settings>): OutgoingBidRequest;
  parseAnswer(body: Readonly<Record<string, unknown>>, input: ProfileInput<Settings>): ProviderAnswer;
  /** Adds to the answer that stands for one without bids to read. */
  withFailure?(answer: ProviderAnswer, raw: RawAnswer, settings: Settings): ProviderAnswer;
  /** What to ask for after a 400 with this message; without it a refused request is not repeated. */
  readonly cutRefused?: (message: string, impressions: readonly PlannedSlot[], width: CutWidth) => Cut | null;
}

export const planRouted = (slot: Slot, routed: Routed, { routing }: Pick<Routing<unknown>, "routing">) =>
  routing === "all_eligible" || routed.size > 0 ? { slot, bidders: {}, isStored: false } : null;
