import { z } from "zod";
import { parseUrl, positiveInt, secretName } from "./rules.ts";

const name = z.string().min(1).max(128);

export const currencyCode = z.string().regex(/^[A-Z]{3}$/, "must be a currency code of three letters, as in EUR");

/** A deal of an impression (OpenRTB 2.6, section 3.2.12). */
export const dealMembers = {
  id: name,
  bidfloor: z.number().min(0).default(0),
  bidfloorcur: currencyCode.default("USD"),
  at: z.literal([1, 2, 3], "must be 1 (first price), 2 (second price) or 3 (bidfloor is the agreed price)").optional(),
  wseat: z.array(name).max(128).default([]),
  wadomain: z.array(z.string().min(1).max(255)).max(128).default([]),
};

export const configuredDeals = z
  .array(z.strictObject({ ...dealMembers, slots: z.array(z.string().min(1)).min(1).default(["*"]) }))
  .max(1_000)
  .refine((deals) => new Set(deals.map(({ id }) => id)).size === deals.length, "two deals have the same id")
  .default([]);

const isSellerUrl = (text: string): boolean => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
};

/** The seller whose deals are delivered here. */
export const sellerDealsSchema = z.strictObject({
  seller_url: z.string().refine(isSellerUrl, "must be an absolute URL without credentials, query and fragment"),
  api_key: secretName,
  sandbox: z.boolean().default(false),
  slots: z.record(z.string().min(1).max(128), z.array(z.string().min(1)).min(1, "needs at least one slot")),
  refresh_ms: positiveInt.default(60_000),
  stale_ms: positiveInt.default(600_000),
  report_ms: positiveInt.default(10_000),
  most_per_slot: z.int().min(1).max(1_000).default(20),
});
