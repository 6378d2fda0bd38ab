import type { AuctionConfig, ProviderConfig } from "../../config.ts";
import type { Audience, DealBook } from "../deals/deal-book.ts";
import type { OfferedDeals } from "../deals/deal.ts";
import { applyOverrides } from "./overrides.ts";
import { isEmpty } from "../slot.ts";
import type { DemandDefects, Params, Slot } from "../slot.ts";

export interface PlannedSlot {
  readonly slot: Slot;
  readonly bidders: Readonly<Record<string, Params>>;
  readonly isStored: boolean;
  readonly deals?: OfferedDeals;
}

/** What one provider is asked for; an empty list of impressions means that it is not called. */
export interface ProviderPlan {
  readonly id: string;
  readonly provider: ProviderConfig;
  readonly impressions: readonly PlannedSlot[];
  readonly unusedParams: number;
}

type Routed = ReadonlyMap<string, Params>;

const planPrebid = (
  provider: Extract<ProviderConfig, { profile: "prebid-server" }>,
  slot: Slot,
  routed: Routed,
): PlannedSlot | null => {
  const usable = [...routed]
    .map(([bidder, params]) => [bidder, applyOverrides(provider.profile_config, bidder, slot.zone, params)] as const)
    .filter(([, params]) => !isEmpty(params));
  if (usable.length > 0) return { slot, bidders: Object.fromEntries(usable), isStored: false };
  const isStored = slot.stored === "permitted" || (slot.stored === "inferred" && routed.size > 0);
  return isStored ? { slot, bidders: {}, isStored } : null;
};

const planSlot = (provider: ProviderConfig, slot: Slot, routed: Routed): PlannedSlot | null => {
  if (provider.profile === "prebid-server") return planPrebid(provider, slot, routed);
  if (provider.profile === "aps" && slot.sizes.length === 0) return null;
  const isAsked = provider.routing === "all_eligible" || routed.size > 0;
  return isAsked ? { slot, bidders: {}, isStored: false } : null;
};

const routeOf = (auction: AuctionConfig, bidder: string): string | undefined =>
  Object.hasOwn(auction.bidders, bidder) ? auction.bidders[bidder]?.provider : undefined;

/**
 * Whom a provider bids for: itself, its bidders, and the seats that the operator names for it and for each of them. Of
 * several bidders nobody could say which one a seat of the provider is, and a deal is not for the others.
 */
const audienceOf = (auction: AuctionConfig, id: string, { seats, profile }: ProviderConfig): Audience => {
  const routed = Object.entries(auction.bidders).filter(([, { provider }]) => provider === id);
  const shared = routed.length === 1 ? seats : [];
  const ofBidders = new Map(routed.map(([bidder, own]) => [bidder, [...own.seats, ...shared]]));
  return {
    seats: new Set([id, ...seats, ...ofBidders.keys(), ...[...ofBidders.values()].flat()]),
    seatsOf: (bidder) => ofBidders.get(bidder) ?? [],
    profile,
  };
};

export const planProviders = (
  auction: AuctionConfig,
  slots: readonly Slot[],
  defects: DemandDefects,
  book: DealBook,
): ProviderPlan[] => {
  const routedTo = (id: string, slot: Slot): Routed =>
    new Map([...slot.bidders].filter(([bidder]) => routeOf(auction, bidder) === id));
  for (const slot of slots) {
    for (const bidder of slot.bidders.keys()) {
      if (routeOf(auction, bidder) === undefined) defects.unroutable_bidder_count += 1;
    }
  }
  return Object.entries(auction.providers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, provider]) => {
      let unusedParams = 0;
      const impressions: PlannedSlot[] = [];
      const audience = audienceOf(auction, id, provider);
      for (const slot of slots) {
        const routed = routedTo(id, slot);
        const planned = planSlot(provider, slot, routed);
        unusedParams += routed.size - (planned === null ? 0 : Object.keys(planned.bidders).length);
        if (planned !== null) impressions.push({ ...planned, deals: book.offeredTo(slot, audience) });
      }
      return { id, provider, impressions, unusedParams };
    });
};
