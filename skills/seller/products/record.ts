import { z } from "zod";
import { toMicros } from "../../../machines/money.ts";
import { type AcceptFrom, acceptFromMicros, readAcceptFrom } from "../../../machines/pricing/accept-from.ts";
import { productIdOf } from "./product-id.ts";

/** Seller spec, Deal types. */
export const dealTypes = ["PG", "PD", "PA"] as const;

export type DealType = (typeof dealTypes)[number];

const price = z
  .number()
  .positive()
  .refine((cpm) => toMicros(cpm) !== null, { message: "has more than six decimals or is too large", abort: true })
  .nullish()
  .transform((cpm) => (cpm == null ? null : toMicros(cpm)));

const targeting = z
  .record(z.string(), z.array(z.string()).min(1))
  .nullish()
  .transform((given): Readonly<Record<string, readonly string[]>> | null => given ?? null);

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

/** A product as a catalog writes it; anything else is a misspelling and rejected. */
const row = z.strictObject({
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
  description: z
    .string()
    .max(4000)
    .nullish()
    .transform((text) => text ?? null),
  inventory_type: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be small letters, digits and _")
    .nullish(),
  deal_types: z
    .array(z.enum(dealTypes))
    .min(1)
    .transform((types): readonly DealType[] => [...new Set(types)]),
  pricing_models: z
    .array(z.string().min(1).max(32))
    .min(1)
    .default(["cpm"])
    .transform((models): readonly string[] => models),
  base_cpm: price,
  floor_cpm: price,
  accept_from: z
    .union([z.number(), z.string()])
    .refine((given) => readAcceptFrom(given) !== null, {
      message: "must be a price, or a share of base_cpm as 85%",
      abort: true,
    })
    .nullish()
    .transform((given) => (given == null ? null : readAcceptFrom(given))),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be an ISO 4217 code in capitals"),
  minimum_impressions: z.int().min(0).default(10_000),
  maximum_impressions: z
    .int()
    .min(1)
    .nullish()
    .transform((cap) => cap ?? null),
  audience_targeting: targeting,
  content_targeting: targeting,
  ad_product_targeting: targeting,
});

export const productColumns: readonly string[] = Object.keys(row.shape);

const isBetween = ({ base_cpm: base, floor_cpm: floor, accept_from: from }: z.output<typeof row>): boolean => {
  const least = acceptFromMicros(from, base);
  return least === null || (least >= (floor ?? 0) && least <= (base ?? least));
};

export const productRow = row
  .refine(({ base_cpm: base, floor_cpm: floor }) => base === null || floor === null || floor <= base, {
    path: ["floor_cpm"],
    message: "is above base_cpm",
  })
  .refine(isBetween, { path: ["accept_from"], message: "must lie between floor_cpm and base_cpm" })
  .refine(({ maximum_impressions: most, minimum_impressions: least }) => most === null || most >= least, {
    path: ["maximum_impressions"],
    message: "is below minimum_impressions",
  })
  .transform(({ base_cpm, floor_cpm, accept_from, ...item }) => ({
    ...item,
    product_id: item.product_id ?? productIdOf(item.name),
    inventory_type: item.inventory_type ?? typeFrom(item.name),
    base_cpm_micros: base_cpm,
    floor_cpm_micros: floor_cpm,
    ...((accept_from === null ? {} : { accept_from }) as { accept_from?: AcceptFrom | null }),
  }));

/**
 * Both prices null: never quoted. `floor_cpm_micros` and `accept_from` are the seller's secrets. `maximum_impressions`
 * caps each day's guaranteed volume.
 */
export type Product = Readonly<z.output<typeof productRow>> & {
  /** The day from which on its price was set by an operator: of the flight's start, or of the booking. */
  readonly priced_from?: { readonly by: "flight" | "booking"; readonly slot: number };
};
