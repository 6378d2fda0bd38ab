import { z } from "zod";
import { dealMembers } from "../../config/deals.ts";
import { isHostListed } from "../../proxy/host-list.ts";
import type { SellerDeal } from "../../platform.ts";
import { toUsd, type Rates } from "../prices/currency.ts";

/** A deal as it goes out with an impression. `type` and `impressions` are known of a seller's own deals alone. */
export type Deal = Pick<SellerDeal, "id" | "bidfloor" | "bidfloorcur" | "wseat" | "wadomain"> & {
  readonly at?: 1 | 2 | 3 | undefined;
  readonly type?: SellerDeal["type"];
  readonly impressions?: SellerDeal["impressions"];
  /** That was taken of a deal with a volume. */
  readonly impressionId?: string;
};

/** What an impression offers to one provider. `isKnown`: the deal exists, though it may not be offered here. */
export interface OfferedDeals {
  readonly list: readonly Deal[];
  readonly isPrivate: boolean;
  /** Prebid Server answers under the bidder's name, whichever seat bought the deal. */
  seatsOf(bidder: string): readonly string[];
  isKnown(id: string): boolean;
}

const dealSchema = z.object(dealMembers);

const mostOfPage = 50;

const pmpSchema = z.object({
  private_auction: z.literal([0, 1]).catch(0),
  deals: z.array(z.unknown()).max(mostOfPage).nullish(),
});

export interface PageDeals {
  readonly deals: readonly Deal[];
  readonly isPrivate: boolean;
}

/** `imp.pmp` of an ad unit (OpenRTB 2.6, section 3.2.11); a deal that is none is left out. */
export const readPmp = (pmp: unknown): PageDeals => {
  const parsed = pmpSchema.safeParse(pmp);
  if (!parsed.success) return { deals: [], isPrivate: false };
  const deals = (parsed.data.deals ?? []).flatMap((one) => {
    const read = dealSchema.safeParse(one);
    return read.success ? [read.data] : [];
  });
  return { deals, isPrivate: parsed.data.private_auction === 1 };
};

const shownDeal = ({ id, bidfloor, bidfloorcur, at, wseat, wadomain }: Deal): Record<string, unknown> => ({
  id,
  bidfloor,
  bidfloorcur,
  ...(at === undefined ? {} : { at }),
  ...(wseat.length === 0 ? {} : { wseat }),
  ...(wadomain.length === 0 ? {} : { wadomain }),
});

export const pmpOf = (offered: OfferedDeals | undefined): Record<string, unknown> | undefined =>
  offered === undefined || (offered.list.length === 0 && !offered.isPrivate)
    ? undefined
    : { private_auction: offered.isPrivate ? 1 : 0, deals: offered.list.map(shownDeal) };

export type DealDefect =
  | "deal_not_offered"
  | "deal_seat_not_allowed"
  | "deal_advertiser_not_allowed"
  | "below_deal_price"
  | "deal_required";

export interface DealClaim {
  readonly id: string | undefined;
  readonly seat: string;
  readonly price: number;
  readonly adomain: readonly string[];
}

/** Fixed price: of OpenRTB's `at` 3, and of a seller's guaranteed and preferred deals. */
const isFixed = ({ type, at }: Deal): boolean => (type === undefined ? at === 3 : type !== "PA");

/**
 * Holds a bid to the deal that it names: only its seats and advertisers, at its price or above, and what is paid is the
 * agreed price where the deal has one. A deal that nobody here knows is the provider's own affair.
 */
export const holdToDeal = (
  { id, seat, price, adomain }: DealClaim,
  offered: OfferedDeals | undefined,
  rates: Rates,
): { readonly deal?: Deal; readonly price: number } | { readonly defect: DealDefect } => {
  if (id === undefined) return offered?.isPrivate === true ? { defect: "deal_required" } : { price };
  const deal = offered?.list.find((one) => one.id === id);
  if (deal === undefined) {
    const isOurs = offered?.isKnown(id) === true || offered?.isPrivate === true;
    return isOurs ? { defect: "deal_not_offered" } : { price };
  }
  const isAllowed = (one: string): boolean => deal.wseat.includes(one);
  if (deal.wseat.length > 0 && !isAllowed(seat) && offered?.seatsOf(seat).some(isAllowed) !== true) {
    return { defect: "deal_seat_not_allowed" };
  }
  const domains = deal.wadomain.flatMap((domain) => [domain, `*.${domain}`]);
  if (domains.length > 0 && !adomain.some((one) => isHostListed(domains, one.toLowerCase()))) {
    return { defect: "deal_advertiser_not_allowed" };
  }
  const agreed = toUsd(deal.bidfloor, deal.bidfloorcur, rates);
  if (agreed === null || price < agreed) return { defect: "below_deal_price" };
  return { deal, price: isFixed(deal) ? agreed : price };
};
