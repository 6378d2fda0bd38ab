import { z } from "zod";
import { ceilToCent, fromMicros, toMicros } from "../../../machines/money.ts";
import { boundedText } from "../../../protocol/client/client-result.ts";
import type { OfferedProduct } from "../../../skills/buyer/bookings/flow/ports.ts";

const id = z.string().min(1).max(255);

/** AdCP 3, pricing-option.json; other models and currencies are not bought. */
const pricingOption = z.looseObject({
  pricing_option_id: id,
  pricing_model: z.literal("cpm"),
  currency: z.literal("USD"),
  fixed_price: z.number().positive().nullish(),
  floor_price: z.number().positive().nullish(),
  min_spend_per_package: z.number().min(0).nullish(),
});

const product = z.looseObject({
  product_id: z.string().min(1).max(128),
  name: z.string(),
  channels: z.array(z.string().max(64)).max(50).nullish().catch(null),
  delivery_type: z.enum(["guaranteed", "non_guaranteed"]),
  publisher_properties: z
    .array(z.looseObject({ publisher_domain: z.string() }))
    .nullish()
    .catch(null),
  pricing_options: z.array(z.unknown()).max(100),
});

/** An option that can be bought: a fixed CPM, or the floor of an auction, which is then the bid. */
export interface PricedOption {
  readonly option_id: string;
  readonly deal_type: "PG" | "PD" | "PA";
  readonly price_micros: number;
  readonly minimum_micros: number;
}

export interface AdcpProduct {
  readonly product_id: string;
  readonly name: string;
  readonly publisher: string;
  readonly inventory_type: string;
  readonly options: readonly PricedOption[];
}

/** AdCP 3, channels.json, onto the inventory types of a brief. Any other channel has its own name. */
const inventoryTypes: Readonly<Record<string, string>> = { olv: "video", video: "video" };

const inventoryTypeOf = (channels: readonly string[]): string => {
  const [first = "display"] = channels;
  return Object.hasOwn(inventoryTypes, first) ? (inventoryTypes[first] ?? first) : first;
};

/** Stands in quote ids. */
const isUsable = (optionId: string): boolean => /^[\x21-\x7e]{1,96}$/.test(optionId);

const optionOf = (value: unknown, isGuaranteed: boolean): PricedOption | null => {
  const { data } = pricingOption.safeParse(value);
  if (data === undefined || !isUsable(data.pricing_option_id)) return null;
  const price = toMicros(data.fixed_price ?? data.floor_price ?? 0);
  if (price === null || price <= 0) return null;
  const fixed = isGuaranteed ? "PG" : "PD";
  return {
    option_id: data.pricing_option_id,
    deal_type: data.fixed_price == null ? "PA" : fixed,
    price_micros: price,
    minimum_micros: Math.max(0, toMicros(data.min_spend_per_package ?? 0) ?? 0),
  };
};

/** Null: an odd product, or one without a price that can be paid. It is left out, and the others stay. */
export const adcpProduct = (value: unknown): AdcpProduct | null => {
  const { data } = product.safeParse(value);
  if (data === undefined) return null;
  const options = data.pricing_options
    .map((option) => optionOf(option, data.delivery_type === "guaranteed"))
    .filter((option) => option !== null);
  if (options.length === 0) return null;
  return {
    product_id: data.product_id,
    name: boundedText(data.name).slice(0, 200),
    publisher: boundedText(data.publisher_properties?.[0]?.publisher_domain ?? "").slice(0, 200),
    inventory_type: inventoryTypeOf(data.channels ?? []),
    options,
  };
};

const cheapest = (options: readonly PricedOption[]): PricedOption | undefined =>
  options.toSorted((left, right) => left.price_micros - right.price_micros)[0];

export const optionFor = ({ options }: AdcpProduct, dealType: string): PricedOption | undefined =>
  cheapest(options.filter((option) => option.deal_type === dealType));

/** So many impressions that their cost is not below the smallest spend. */
const minimumImpressions = ({ minimum_micros, price_micros }: PricedOption): number =>
  minimum_micros === 0 ? 0 : Math.ceil((ceilToCent(minimum_micros) / price_micros) * 1_000);

export const offeredOf = (found: AdcpProduct): OfferedProduct => {
  const best = cheapest(found.options);
  return {
    product_id: found.product_id,
    name: found.name,
    publisher: found.publisher,
    inventory_type: found.inventory_type,
    deal_types: [...new Set(found.options.map(({ deal_type }) => deal_type))],
    minimum_impressions: best === undefined ? 0 : minimumImpressions(best),
    available_impressions: null,
    price_micros: best?.price_micros ?? null,
    currency: "USD",
    targeting: null,
    is_negotiable: false,
  };
};

export const budgetOf = (cents: number): number => fromMicros(cents * 10_000);
