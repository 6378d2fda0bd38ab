import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { getActivity as sellersContract } from "../../seller/desk/contract.ts";
import { sellerUrlInput } from "../seller-refusal.ts";

const { from, to, step, product_id } = sellersContract.input.shape;

const sums = {
  deals: z.int().describe("Booked, whatever became of them."),
  lost: z.int().describe("Of these, rejected, cancelled or expired by now."),
  impressions: z.int(),
  values: z.record(z.string(), z.number()).describe("What they cost, by currency, in units."),
  standing_values: z
    .record(z.string(), z.number())
    .optional()
    .describe("Of these, what the deals that are not lost cost."),
};

export const getActivity = defineContract({
  ...sellersContract,
  group: "activity",
  summary:
    "Deals that were booked, by campaigns and directly, with impressions and value by day, week or month of booking, " +
    "at most 62 points, with totals. Asks no seller. Changes nothing.",
  access: "operator",
  input: z.object({
    from,
    to,
    step,
    product_id,
    seller_url: sellerUrlInput.nullish().describe("Only this seller."),
    by: z
      .enum(["none", "seller", "product", "deal_type"])
      .default("none")
      .describe("The deals over all these days by seller, product or type too."),
  }),
  output: z.looseObject({
    from: z.string(),
    to: z.string(),
    points: z.array(z.looseObject({ at: z.string(), ...sums })),
    totals: z.looseObject(sums),
    groups: z
      .array(z.looseObject({ key: z.string(), name: fromOthers(z.string()), ...sums }))
      .describe("Empty without by."),
  }),
});
