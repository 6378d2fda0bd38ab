import type { Deal, OfferedDeals } from "./deals/deal.ts";

export type Size = readonly [width: number, height: number];

export type Params = Readonly<Record<string, unknown>>;

/** A player's size, and `imp.video` as it goes out. */
export interface Video {
  readonly size: Size;
  readonly imp: Params;
}

/**
 * May stored demand of the slot be asked for? `inferred`: only where the slot's bidders are named without parameters.
 */
export type StoredDemand = "permitted" | "denied" | "inferred";

export interface Slot {
  readonly code: string;
  /** The banner's sizes; the list is empty where there is no banner. */
  readonly sizes: readonly Size[];
  readonly video?: Video;
  readonly native?: Params;
  readonly floor?: number;
  /** Floors by size, where the operator has rules. */
  readonly sizeFloors?: ReadonlyMap<string, number>;
  /** Global placement id: the same for every bidder and for the ad server. */
  readonly gpid?: string;
  /** The deals that the page names. */
  readonly deals?: readonly Deal[];
  /** Only bids on deals are taken. */
  readonly isPrivate?: true;
  readonly zone: string | null;
  readonly bidders: ReadonlyMap<string, Params>;
  readonly stored: StoredDemand;
}

/** A slot as one provider is asked about it. */
export interface PlannedSlot {
  readonly slot: Slot;
  readonly bidders: Readonly<Record<string, Params>>;
  readonly isStored: boolean;
  readonly deals?: OfferedDeals;
}

export interface DemandDefects {
  malformed_envelope_count: number;
  malformed_direct_demand_count: number;
  unroutable_bidder_count: number;
}

export const isEmpty = (params: Params): boolean => Object.keys(params).length === 0;
