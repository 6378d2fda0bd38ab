import type { Flight } from "../../../machines/inventory/flight.ts";
import { isRefusal } from "../../../protocol/neutral/refusals.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { daysBetween, pastWords } from "../avails/rules.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import { type Topic, topicOf, typesNamed, unreadWords } from "./rules.ts";
import { availabilityBlock, catalogItem, pricingBlock, targetingBlock, tierBlock } from "./view.ts";

const blockFor: Readonly<
  Record<Topic, (context: SellerContext, items: readonly Product[], flight: Flight) => Promise<object>>
> = {
  catalog: async (context, items) => ({ catalog: items.map((item) => catalogItem(context, item)) }),
  pricing: async (context, items) => ({ pricing: pricingBlock(context, items) }),
  availability: async (context, items, flight) => ({ availability: await availabilityBlock(context, items, flight) }),
  targeting: async (context, items) => ({ targeting: targetingBlock(context.tier, items) }),
};

export const discoverInventory = defineOperation(contract.discoverInventory, async (context: SellerContext, input) => {
  const { catalog, settings } = context.ports;
  const { inventory_type: asked, ...others } = input.filters ?? {};
  const inventoryTypes = asked == null ? typesNamed(input.query, catalog.inventoryTypes) : [asked].flat();
  const topic = topicOf(input.query);
  const members = { from: "flight_start", to: "flight_end" };
  const flight = daysBetween(members, { from: input.flight_start, to: input.flight_end }, context.nowMs);
  if (isRefusal(flight)) return flight;
  const page = catalog.page({ inventoryTypes, offset: input.offset, limit: input.limit, flightSlot: flight.fromSlot });
  const isDated = topic === "availability" && (input.flight_start ?? input.flight_end ?? "") !== "";
  const unread = [
    ...Object.keys(others),
    ...(["flight_start", "flight_end"] as const).filter(
      (name) => topic !== "availability" && (input[name] ?? "") !== "",
    ),
    ...unreadWords(input.query, { topic, inventoryTypes, flight: isDated ? flight : null }),
  ];
  const block = await blockFor[topic](context, page.products, flight);
  return {
    output: {
      ...tierBlock(context.tier, settings),
      total: page.total,
      ...block,
      ...(topic === "availability" ? pastWords(flight, context.nowMs) : {}),
      ...(unread.length > 0 && { not_used: unread }),
    },
  };
});
