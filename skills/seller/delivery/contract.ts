import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { dayText } from "../../../protocol/neutral/date-text.ts";

export const reportDelivery = defineContract({
  name: "report_delivery",
  group: "delivery",
  summary:
    "Adds impressions that were shown to the delivery of their deals, a batch at a time. A batch is stored once: " +
    "sent again under its batch_id it changes nothing and returns the first answer. A deal that is not known is " +
    "named in the answer, the others are stored. For edge servers (keys with the role edge) and operators.",
  effect: "write",
  access: "operator",
  opensToEdge: true,
  input: z.object({
    batch_id: z
      .string()
      .regex(/^[\w.:-]{8,128}$/, "8 to 128 letters, digits, or one of _ . : -")
      .describe("Of the sender's choice, the same for each attempt; kept for 40 days."),
    counts: z
      .array(
        z.object({
          deal_id: z.string().min(1).max(128),
          date: dayText.describe("Day (UTC) on which they were shown, at most 35 days back."),
          impressions: z.int().min(1).max(1_000_000_000),
        }),
      )
      .min(1)
      .max(500),
  }),
  output: z.looseObject({
    batch_id: z.string(),
    repeated: z.boolean().describe("The batch was stored before."),
    impressions: z.int().describe("Stored with this batch."),
    rejected: z.array(z.looseObject({ deal_id: z.string(), reason: z.literal("deal_not_found") })),
  }),
  refusals: { batch_conflict: 409 },
  rest: { method: "POST", path: "/api/v1/deliveries" },
  tool: { title: "Report delivery", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});

export const getDelivery = defineContract({
  name: "get_delivery",
  group: "delivery",
  summary:
    "Returns what a deal has delivered: impressions in all, for each of the last 35 days, and as a share of the " +
    "booked volume. Counts come from the seller's edge servers. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ deal_id: z.string().min(1).max(128).describe("Id from book_deal.") }),
  output: z.looseObject({
    deal_id: z.string(),
    delivered_impressions: z.int(),
    booked_impressions: z.int().nullable(),
    delivered_share: z.number().nullable().describe("Of the booked volume; null without one."),
    days: z.array(z.looseObject({ date: z.string(), impressions: z.int() })).describe("Days with impressions."),
  }),
  refusals: { deal_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/deals/:deal_id/delivery" },
  tool: { title: "Get delivery", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
