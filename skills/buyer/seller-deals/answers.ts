import { z } from "zod";
import { toMicros } from "../../../machines/money.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import * as seller from "../../seller/deals/contract.ts";
import { getQuote, requestQuote } from "../../seller/pricing/contract.ts";

const id = z.string().regex(/^[\x21-\x7e]{1,128}$/, "An id has visible ASCII characters only.");
const text = (most: number) => z.string().max(most).nullish().catch(null);

/** Whole micros must hold it: a text, NaN or a negative amount makes the answer unusable. */
const price = z
  .number()
  .positive()
  .refine((amount) => toMicros(amount) !== null, "This is no price.");

/** Members that this buyer does not read may be of any form. */
const shared = {
  status: z.string().min(1).max(64),
  product: z.looseObject({ product_id: z.string().max(128), name: text(200) }),
  pricing: z.looseObject({
    base_cpm: z.number().nullish().catch(null),
    final_cpm: price,
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .default("USD"),
  }),
  terms: z.looseObject({
    impressions: z.int().min(0).nullish().catch(null),
    flight_start: text(32),
    flight_end: text(32),
  }),
  deal_type: z.string().max(64),
  buyer_tier: text(64),
  expires_at: text(64),
};

const openQuote = z.looseObject({ quote_id: id, deal_id: id.nullish().catch(null), ...shared });
const openDeal = z.looseObject({
  deal_id: id,
  quote_id: id.nullish().catch(null),
  status_reason: text(500),
  status_text: text(1000),
  awaiting_approval: z.boolean().nullish().catch(null),
  ...shared,
});

export type OpenQuote = z.output<typeof openQuote>;
export type OpenDeal = z.output<typeof openDeal>;

export const asksQuote = defineContract({ ...requestQuote, output: openQuote });
export const readsQuote = defineContract({ ...getQuote, output: openQuote });
export const booksDeal = defineContract({ ...seller.bookDeal, output: openDeal });
export const readsDeal = defineContract({ ...seller.getDeal, output: openDeal });
