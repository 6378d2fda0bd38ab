import type { Bid } from "./provider/bid-answer.ts";
import type { ProviderOutcome } from "./provider/call-provider.ts";
import type { Slot } from "./slot.ts";

/** Guaranteed deals, then the first look of preferred deals, then any deal where the operator prefers deals. */
const rankOf = ({ deal, dealid }: Bid, prefersDeals: boolean): number => {
  if (deal?.type === "PG") return 3;
  if (deal?.type === "PD") return 2;
  return prefersDeals && dealid !== undefined ? 1 : 0;
};

/** One winner for each slot. A deal has its own price; every other bid must reach the slot's floor. */
export const chooseWinners = (
  slots: readonly Slot[],
  outcomes: readonly ProviderOutcome[],
  prefersDeals: boolean,
): Bid[] => {
  const floors = new Map(slots.map(({ code, floor }) => [code, floor ?? 0]));
  const best = new Map<string, Bid>();
  for (const bid of outcomes.flatMap((outcome) => outcome.bids)) {
    if (bid.deal === undefined && bid.price < (floors.get(bid.impid) ?? 0)) continue;
    const other = best.get(bid.impid);
    const lead = other === undefined ? 1 : rankOf(bid, prefersDeals) - rankOf(other, prefersDeals);
    if (other === undefined || lead > 0 || (lead === 0 && bid.price > other.price)) best.set(bid.impid, bid);
  }
  return slots.flatMap(({ code }) => best.get(code) ?? []);
};
