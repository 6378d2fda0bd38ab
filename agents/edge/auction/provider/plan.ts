import type { AuctionConfig, ProviderConfig } from "../../config.ts";
import type { Audience, DealBook } from "../deals/deal-book.ts";
import type { Routed } from "../profiles/profile.ts";
import { profiles } from "../profiles/profiles.ts";
import type { DemandDefects, PlannedSlot, Slot } from "../slot.ts";

/** What one provider is asked for; an empty list of impressions means that it is not called. */
export interface ProviderPlan {
  readonly id: string;
  readonly provider: ProviderConfig;
  readonly impressions: readonly PlannedSlot[];
  readonly unusedParams: number;
}

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
    marksCreatives: profiles[profile].marksCreatives,
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
      const { routing, profile, profile_config: settings } = provider;
      for (const slot of slots) {
        const routed = routedTo(id, slot);
        const planned = profiles[profile].plan(slot, routed, { routing, settings });
        unusedParams += routed.size - (planned === null ? 0 : Object.keys(planned.bidders).length);
        if (planned !== null) impressions.push({ ...planned, deals: book.offeredTo(slot, audience) });
      }
      return { id, provider, impressions, unusedParams };
    });
};
