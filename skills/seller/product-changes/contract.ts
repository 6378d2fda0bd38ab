import { z } from "zod";
import { dayFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { reasonText } from "../free-form.ts";

const price = z.number().positive().nullish();

/** In units per thousand; a cap of null is none. */
const productTerms = z.looseObject({
  base_cpm: z.number().nullable(),
  floor_cpm: z.number().nullable(),
  maximum_impressions: z.int().nullable(),
});

const change = {
  effective_from: z.string(),
  changed_by: z.string(),
  changed_at: z.string(),
  reason: z.string(),
};

/** A later day on which something differs from the day before. */
export const plannedChange = z.looseObject({ ...change, before: productTerms, after: productTerms });

export const updateProduct = defineContract({
  name: "update_product",
  group: "product-changes",
  summary:
    "Sets a product's price, floor or cap of guaranteed impressions, at once or from a day on. Quotes and " +
    "deals that exist keep theirs; new ones take the new values from that day. Refused: a price under the floor, a " +
    "cap under what deals hold, a day in the past. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    product_id: z.string().min(1).max(128).describe("Id from list_products."),
    base_cpm: price.describe("List price, in units per thousand."),
    floor_cpm: price.describe("Lowest price to agree to; never shown to buyers."),
    maximum_impressions: z
      .int()
      .min(1)
      .max(1_000_000_000_000)
      .nullish()
      .describe("Cap: the volumes of the deals that run on one day, each whole."),
    no_cap: z.boolean().default(false).describe("Takes the cap away."),
    effective_from: dayFilter.describe("First day, YYYY-MM-DD (UTC); today when left out."),
    reason: reasonText.nullish().describe("Why, for other operators."),
  }),
  output: z.looseObject({
    product_id: z.string(),
    currency: z.string(),
    effective_from: z.string(),
    before: productTerms.describe("On that day, without this change."),
    after: productTerms.describe("From that day on."),
    changes: z.array(z.looseObject(change)),
    revision: z.int(),
  }),
  refusals: { product_not_found: 404 },
  rest: { method: "PUT", path: "/products/:product_id" },
  tool: { title: "Change a product", readOnly: false, destructive: true, idempotent: false, openWorld: false },
});
