import { z } from "zod";
import { toMicros } from "../../../machines/money.ts";
import { acceptFromMicros, readAcceptFrom } from "../../../machines/pricing/accept-from.ts";
import { dealTypes, type Product } from "../../../skills/seller/products/record.ts";
import { productIdOf } from "./product-id.ts";

const price = z
  .number()
  .positive()
  .refine((cpm) => toMicros(cpm) !== null, "has more than six decimals or is too large")
  .nullish();

const targeting = z.record(z.string(), z.array(z.string()).min(1)).nullish();

/** First match wins. */
const typeWords: readonly (readonly [string, RegExp])[] = [
  ["ctv", /ctv|ott|connected/],
  ["video", /video|pre-?roll|mid-?roll/],
  ["native", /native|feed/],
  ["mobile_app", /app|mobile/],
  ["linear_tv", /linear|broadcast|tv |cable/],
];

const typeFrom = (name: string): string =>
  typeWords.find(([, words]) => words.test(name.toLowerCase()))?.[0] ?? "display";

const microsOf = (cpm: number | null | undefined): number | null => (cpm == null ? null : toMicros(cpm));

interface Prices {
  readonly base_cpm?: number | null | undefined;
  readonly floor_cpm?: number | null | undefined;
  readonly accept_from?: number | string | null | undefined;
}

const isBetween = ({ base_cpm: base, floor_cpm: floor, accept_from: from }: Prices): boolean => {
  const least = from == null ? null : acceptFromMicros(readAcceptFrom(from), microsOf(base));
  return least === null || (least >= (microsOf(floor) ?? 0) && least <= (microsOf(base) ?? least));
};

const row = z
  .strictObject({
    product_id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/, "must be 1 to 128 letters, digits and . _ : ~ -")
      .nullish(),
    name: z
      .string()
      .trim()
      .min(1)
      .max(128)
      .regex(/^\P{Cc}*$/u, "must have no control characters"),
    description: z.string().max(4000).nullish(),
    inventory_type: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be small letters, digits and _")
      .nullish(),
    deal_types: z.array(z.enum(dealTypes)).min(1),
    pricing_models: z.array(z.string().min(1).max(32)).min(1).default(["cpm"]),
    base_cpm: price,
    floor_cpm: price,
    accept_from: z
      .union([z.number(), z.string()])
      .refine((given) => readAcceptFrom(given) !== null, "must be a price, or a share of base_cpm as 85%")
      .nullish(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code in capitals")
      .nullish(),
    minimum_impressions: z.int().min(0).default(10_000),
    maximum_impressions: z.int().min(1).nullish(),
    audience_targeting: targeting,
    content_targeting: targeting,
    ad_product_targeting: targeting,
  })
  .refine((item) => item.base_cpm == null || item.floor_cpm == null || item.floor_cpm <= item.base_cpm, {
    path: ["floor_cpm"],
    message: "is above base_cpm",
  })
  .refine((item) => isBetween(item), { path: ["accept_from"], message: "must lie between floor_cpm and base_cpm" })
  .refine((item) => item.maximum_impressions == null || item.maximum_impressions >= item.minimum_impressions, {
    path: ["maximum_impressions"],
    message: "is below minimum_impressions",
  });

/** Anything else is a misspelling and rejected. */
export const columnNames: readonly string[] = Object.keys(row.shape);

export const readRow = (value: unknown, currency: string): Product | readonly string[] => {
  const parsed = row.safeParse(value);
  if (!parsed.success) {
    return parsed.error.issues.map((issue) => `${issue.path.join(".") || "row"}: ${issue.message}`);
  }
  const item = parsed.data;
  return {
    product_id: item.product_id ?? productIdOf(item.name),
    name: item.name,
    description: item.description ?? null,
    inventory_type: item.inventory_type ?? typeFrom(item.name),
    deal_types: [...new Set(item.deal_types)],
    pricing_models: item.pricing_models,
    base_cpm_micros: microsOf(item.base_cpm),
    floor_cpm_micros: microsOf(item.floor_cpm),
    ...(item.accept_from == null ? {} : { accept_from: readAcceptFrom(item.accept_from) }),
    currency: item.currency ?? currency,
    minimum_impressions: item.minimum_impressions,
    maximum_impressions: item.maximum_impressions ?? null,
    audience_targeting: item.audience_targeting ?? null,
    content_targeting: item.content_targeting ?? null,
    ad_product_targeting: item.ad_product_targeting ?? null,
  };
};
