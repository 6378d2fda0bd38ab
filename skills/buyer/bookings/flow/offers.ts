import type { BookingRow, Offer } from "../record.ts";
import type { OfferedProduct } from "./ports.ts";

export const productOf = (offer: Offer): OfferedProduct => ({
  product_id: offer.product_id,
  name: offer.product_name,
  publisher: offer.publisher,
  inventory_type: offer.inventory_type,
  deal_types: [offer.deal_type],
  minimum_impressions: offer.minimum_impressions,
  available_impressions: offer.available_impressions,
  price_micros: offer.list_cpm_micros,
  currency: "USD",
  targeting: offer.targeting,
  is_negotiable: offer.is_negotiable,
});

export const offersOf = (job: BookingRow, at: Pick<Offer, "channel" | "flight">): readonly Offer[] =>
  job.findings
    .flatMap((finding) => finding.offers)
    .filter((offer) => offer.channel === at.channel && offer.flight === at.flight);
