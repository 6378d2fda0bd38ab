import { z } from "zod";
import { boundedText } from "../../../protocol/client/client-result.ts";
import type { OfferedPackage } from "../../../skills/buyer/bookings/flow/ports.ts";
import { microsOfPrice } from "./asking.ts";

const names = z.array(z.string().max(255)).max(200).nullish();

/** What is not shown to the buyer's tier is absent. */
const listedPackage = z.looseObject({
  package_id: z.string().min(1).max(128),
  name: z.string(),
  rate_type: z.literal("cpm").nullish(),
  deal_types: z.array(z.string().max(64)).max(50).nullish(),
  exact_price: z.number().nullish(),
  currency: z.literal("USD").nullish(),
  placements: z
    .array(z.looseObject({ product_id: z.string().min(1).max(128) }))
    .max(200)
    .nullish(),
  audience_segment_ids: names,
  cat: names,
  geo_targets: names,
  negotiation_enabled: z.boolean().nullish(),
});

const targetingOf = (item: z.output<typeof listedPackage>): OfferedPackage["targeting"] => {
  const lists = { audience_segments: item.audience_segment_ids, geo_targets: item.geo_targets, content: item.cat };
  const filled = Object.entries(lists).filter(([, list]) => (list ?? []).length > 0);
  return filled.length === 0 ? null : Object.fromEntries(filled);
};

/** The answer is null for what cannot be quoted: no price of the caller's own, no parts, another currency or form. */
export const packageOffered = (item: unknown): OfferedPackage | null => {
  const { data } = listedPackage.safeParse(item);
  const micros = microsOfPrice(data?.exact_price);
  if (data === undefined || micros === null) return null;
  return {
    package_id: data.package_id,
    name: boundedText(data.name).slice(0, 200),
    deal_types: data.deal_types ?? [],
    price_micros: micros,
    currency: "USD",
    targeting: targetingOf(data),
    is_negotiable: data.negotiation_enabled !== false,
    product_ids: [...new Set((data.placements ?? []).map(({ product_id: id }) => id))],
  };
};
