/** Width and height of a banner, in CSS pixels. */
export type Size = readonly [width: number, height: number];

export type Params = Readonly<Record<string, unknown>>;

/**
 * May stored demand of the slot be asked for? `inferred`: only where the slot's bidders are named without parameters
 * (edge spec, Auction request, legacy inference).
 */
export type StoredDemand = "permitted" | "denied" | "inferred";

/** One ad unit of an auction. */
export type Slot = {
  /** Impression id on the wire. */
  readonly code: string;
  readonly sizes: readonly Size[];
  /** USD per thousand impressions. */
  readonly floor?: number;
  readonly zone: string | null;
  /** Parameters by bidder name. */
  readonly bidders: ReadonlyMap<string, Params>;
  readonly stored: StoredDemand;
};

/** What was wrong with the demand of a request, counted; only the entries concerned are dropped. */
export type DemandDefects = {
  malformed_envelope_count: number;
  malformed_direct_demand_count: number;
  unroutable_bidder_count: number;
};

export const isEmpty = (params: Params): boolean => Object.keys(params).length === 0;
