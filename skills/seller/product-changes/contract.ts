import { z } from "zod";
import { acceptFromShare } from "../../../machines/pricing/accept-from.ts";
import { dayFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { reasonText } from "../free-form.ts";

const price = z.number().positive().nullish();

/** In units per thousand; a cap of null is none. */
const productTerms = z.looseObject({
  base_cpm: z.number().nullable(),
  floor_cpm: z.number().nullable(),
  accept_from: z.union([z.number(), z.string()]).nullable().describe("Null: the floor."),
  maximum_impressions: z.int().nullable(),
});

const days = {
  effective_from: z.string().optional().describe("First day of flight from which on it counts, whenever booked."),
  booked_from: z.string().optional().describe("First day of booking from which on it counts, whatever the flight."),
};

const change = {
  ...days,
  changed_by: z.string(),
  changed_at: z.string(),
  reason: z.string(),
};

/** A later day on which something differs from the day before. */
export const plannedChange = z.looseObject({
  ...change,
  before: productTerms.extend({ until: z.string() }),
  after: productTerms,
});

export const updateProduct = defineContract({
  name: "update_product",
  group: "product-changes",
  summary:
    "Sets a product's price, floor, accept_from or cap of guaranteed impressions, at once or from a day on: " +
    "effective_from is the first day of flight (a flight that starts on it or later has the new values, whenever it " +
    "is booked), booked_from the first day of booking. Quotes and deals that exist keep theirs. Refused: a price " +
    "under the floor, a cap under what deals hold, a day in the past. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    product_id: z.string().min(1).max(128).describe("Id from list_products."),
    base_cpm: price.describe("List price, in units per thousand."),
    floor_cpm: price.describe("Lowest price to agree to; never shown to buyers."),
    accept_from: z
      .union([z.number().positive(), z.literal("floor"), z.string().regex(acceptFromShare)])
      .nullish()
      .describe(
        "Least target_cpm that a quote takes, never shown to buyers: a price, a share of the list price as 85%, or " +
          "floor, as it is when never set.",
      ),
    maximum_impressions: z
      .int()
      .min(1)
      .max(1_000_000_000_000)
      .nullish()
      .describe("Cap: the volumes of the deals that run on one day, each whole."),
    no_cap: z.boolean().default(false).describe("Takes the cap away."),
    effective_from: dayFilter.describe("First day of flight, YYYY-MM-DD (UTC); today when left out."),
    booked_from: dayFilter.describe("Instead: first day of booking, for flights of any days from then on."),
    reason: reasonText.nullish().describe("Why, for other operators."),
  }),
  output: z.looseObject({
    product_id: z.string(),
    currency: z.string(),
    ...days,
    status_text: z.string().describe("Both prices with their days."),
    before: productTerms.extend({ until: z.string() }).describe("Until the day before, and then without this change."),
    after: productTerms.extend({ from: z.string() }).describe("From that day on."),
    changes: z.array(z.looseObject(change)),
    revision: z.int(),
  }),
  refusals: { revision_mismatch: 412, product_not_found: 404 },
  rest: { method: "PUT", path: "/products/:product_id" },
  tool: { title: "Change a product", readOnly: false, destructive: true, idempotent: false, openWorld: false },
});
