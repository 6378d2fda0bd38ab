import type { z } from "zod";
import { roundHalfEven } from "../../../machines/money.ts";
import type { SellerContext } from "../context.ts";
import { formatIdsOf } from "../creatives/formats.ts";
import type { offer } from "./contract.ts";
import { optionsOf, rangeOf } from "./offer.ts";
import type { Ranked } from "./ranking.ts";

/** Where the agent says no other: the host of its own address. */
const publisherDomain = ({ ports }: SellerContext): string =>
  ports.settings.publisherDomain === "" ? new URL(ports.settings.agentUrl).hostname : ports.settings.publisherDomain;

export const offerView = (
  context: SellerContext,
  { offer: one, score }: Ranked,
  best: number,
): z.input<typeof offer> => {
  const { item, dealType, offerId } = one;
  return {
    offer_id: offerId,
    product_id: item.product_id,
    deal_type: dealType,
    name: item.name,
    description: item.description,
    inventory_type: item.inventory_type,
    publisher_domain: publisherDomain(context),
    currency: item.currency,
    formats: [...(context.ports.fixtures?.formatIds(item.product_id) ?? formatIdsOf(item.inventory_type))],
    minimum_impressions: item.minimum_impressions,
    options: optionsOf(context, one),
    price_range: rangeOf(context, one),
    fit: score === null ? null : roundHalfEven(best === 0 ? 0 : score / best, 3),
  };
};
