import type { EdgeConfig } from "../../config.ts";
import { toUsd } from "../prices/currency.ts";
import { matchesGlob } from "../glob.ts";
import type { Slot } from "../slot.ts";
import type { Deal, OfferedDeals } from "./deal.ts";
import type { SellerDeals } from "./seller-deals.ts";

/** Who is asked: the seats that a provider bids for, in all and by bidder, and whether a showing can be counted. */
export type Audience = Pick<OfferedDeals, "seatsOf"> & {
  readonly seats: ReadonlySet<string>;
  readonly marksCreatives: boolean;
};

/** The deals of one auction. */
export interface DealBook {
  offeredTo(slot: Slot, audience: Audience): OfferedDeals;
}

interface BookRules {
  readonly auction: Pick<EdgeConfig["auction"], "deals" | "rates">;
  readonly most: number;
}

const isFor = ({ wseat, type }: Deal, { seats, marksCreatives }: Audience): boolean =>
  (wseat.length === 0 || wseat.some((seat) => seats.has(seat))) && (type === undefined || marksCreatives);

/**
 * A deal with seats goes to the providers of these seats alone: its price is nobody else's affair. Of one id the
 * operator's deal comes before the seller's, and both before what a page says.
 */
export const openDealBook = ({ auction: { deals, rates }, most }: BookRules, seller: SellerDeals): DealBook => {
  const own = new Set(deals.map(({ id }) => id));
  const isKnown = (id: string): boolean => own.has(id) || seller.isKnown(id);
  const isPriced = ({ bidfloor, bidfloorcur }: Deal): boolean => toUsd(bidfloor, bidfloorcur, rates) !== null;
  const bySlot = new Map<string, readonly Deal[]>();
  const ofSlot = (slot: Slot): readonly Deal[] => {
    const found = bySlot.get(slot.code);
    if (found !== undefined) return found;
    const configured = deals.filter(({ slots }) => slots.some((glob) => matchesGlob(glob, slot.code)));
    const ofSeller = seller.offeredIn(slot.code).filter(({ id }) => !own.has(id));
    const ofPage = (slot.deals ?? []).filter(({ id }) => !isKnown(id));
    const all = [...configured, ...ofSeller, ...ofPage].filter(isPriced);
    bySlot.set(slot.code, all);
    return all;
  };
  return {
    offeredTo: (slot, audience) => ({
      list: ofSlot(slot)
        .filter((deal) => isFor(deal, audience))
        .slice(0, most),
      isPrivate: slot.isPrivate === true,
      seatsOf: audience.seatsOf,
      isKnown: (id) => isKnown(id) || slot.deals?.some((deal) => deal.id === id) === true,
    }),
  };
};
