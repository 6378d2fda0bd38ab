import { floorOf } from "./floors.ts";
import type { Bid } from "../provider/bid-answer.ts";
import type { ProviderOutcome } from "../provider/call-provider.ts";
import type { Slot } from "../slot.ts";

/** Guaranteed deals, then the first look of preferred deals, then any deal where the operator prefers deals. */
const rankOf = ({ deal, dealid }: Bid, prefersDeals: boolean): number => {
  if (deal?.type === "PG") return 3;
  if (deal?.type === "PD") return 2;
  return prefersDeals && dealid !== undefined ? 1 : 0;
};

/** A deal has its own price; every other bid must reach the slot's floor. */
const acceptedBids = (slots: readonly Slot[], outcomes: readonly ProviderOutcome[]): Bid[] => {
  const known = new Map(slots.map((slot) => [slot.code, slot]));
  return outcomes.flatMap(({ bids }) =>
    bids.filter((bid) => {
      const slot = known.get(bid.impid);
      return slot !== undefined && (bid.deal !== undefined || bid.price >= floorOf(slot, [bid.w, bid.h]));
    }),
  );
};

/** Keeps the best bid of each key, and of equal ones the first. */
const bestBy = (bids: readonly Bid[], keyOf: (bid: Bid) => string, prefersDeals: boolean): Map<string, Bid> => {
  const best = new Map<string, Bid>();
  for (const bid of bids) {
    const key = keyOf(bid);
    const other = best.get(key);
    const lead = other === undefined ? 1 : rankOf(bid, prefersDeals) - rankOf(other, prefersDeals);
    if (other === undefined || lead > 0 || (lead === 0 && bid.price > other.price)) best.set(key, bid);
  }
  return best;
};

export interface Choice {
  /** One for each slot, in their order. */
  readonly winners: readonly Bid[];
  /** The best bid of each seat for each slot, winners included. */
  readonly bestOfSeats: readonly Bid[];
}

export const chooseWinners = (
  slots: readonly Slot[],
  outcomes: readonly ProviderOutcome[],
  prefersDeals: boolean,
): Choice => {
  const bids = acceptedBids(slots, outcomes);
  const best = bestBy(bids, ({ impid }) => impid, prefersDeals);
  const ofSeats = bestBy(bids, ({ impid, seat }) => JSON.stringify([impid, seat]), prefersDeals);
  return { winners: slots.flatMap(({ code }) => best.get(code) ?? []), bestOfSeats: [...ofSeats.values()] };
};
