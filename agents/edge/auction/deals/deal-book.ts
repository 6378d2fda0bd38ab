import type { AuctionConfig } from "../../config.ts";
import { toUsd } from "../currency.ts";
import { matchesGlob } from "../glob.ts";
import type { Slot } from "../slot.ts";
import type { Deal, OfferedDeals } from "./deal.ts";

/** The deals of one auction. */
export type DealBook = {
  offeredTo(slot: Slot, seats: ReadonlySet<string>): OfferedDeals;
};

const isFor = ({ wseat }: Deal, seats: ReadonlySet<string>): boolean =>
  wseat.length === 0 || wseat.some((seat) => seats.has(seat));

/**
 * A deal with seats goes to the providers of these seats alone: its price is nobody else's affair. The operator's deals
 * come before what a page says under the same id.
 */
export const openDealBook = ({ deals, rates }: Pick<AuctionConfig, "deals" | "rates">): DealBook => {
  const known = new Set(deals.map(({ id }) => id));
  const ofSlot = (slot: Slot): readonly Deal[] => {
    const own = deals.filter(({ slots }) => slots.some((glob) => matchesGlob(glob, slot.code)));
    const ofPage = (slot.deals ?? []).filter(({ id }) => !known.has(id));
    return [...own, ...ofPage].filter(({ bidfloor, bidfloorcur }) => toUsd(bidfloor, bidfloorcur, rates) !== null);
  };
  return {
    offeredTo: (slot, seats) => ({
      list: ofSlot(slot).filter((deal) => isFor(deal, seats)),
      isPrivate: slot.isPrivate === true,
      isKnown: (id) => known.has(id) || slot.deals?.some((deal) => deal.id === id) === true,
    }),
  };
};
