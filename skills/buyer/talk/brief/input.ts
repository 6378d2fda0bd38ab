import type { z } from "zod";
import type { campaignBrief } from "../../bookings/contract.ts";

export type BriefInput = z.input<typeof campaignBrief>;

/** The brief has its name only where one was given. */
export interface ReadBrief {
  readonly brief: BriefInput;
  /** Nothing starts in the same answer. */
  readonly unclear: readonly string[];
  /** What no part of a brief can hold. */
  readonly excluded: readonly string[];
  /** Prices and shares of single channels, which a brief has no member for either. */
  readonly prices: readonly string[];
  readonly shares: readonly string[];
  readonly notUsed: readonly string[];
  /** Called channels, and none here. */
  readonly unsold: readonly string[];
  readonly places: readonly string[];
  /** Words that were taken for an objective. */
  readonly guessed: readonly string[];
  /** Questions beside the terms. */
  readonly asked: readonly string[];
  /** Of those, what would change the brief as a wish: a yes behind it could mean either. */
  readonly proposed: readonly string[];
  /** What the planner is not sure of. */
  readonly doubts: readonly string[];
  /** What earlier messages left open. */
  readonly stillOpen: readonly string[];
  /** Whole sentences about what was read. */
  readonly notes: readonly string[];
}

/** What was read beside the members of a brief. */
export type Beside = Omit<ReadBrief, "brief">;

export const nothingBeside: Beside = {
  unclear: [],
  excluded: [],
  prices: [],
  shares: [],
  notUsed: [],
  unsold: [],
  places: [],
  guessed: [],
  asked: [],
  proposed: [],
  doubts: [],
  stillOpen: [],
  notes: [],
};
