import { z } from "zod";
import { dayText } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";

const dealId = z.string().min(1).max(128);
const mostImpressions = 1_000_000_000;

const batchId = z.string().regex(/^[\w.:-]{8,128}$/, "8 to 128 letters, digits, or one of _ . : -");

/** What Parley's own edges count is `edge`, and `none` says that nothing counts. */
const sourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_.-]{0,62}$/, "1 to 63 small letters, digits, or one of _ . -")
  .refine((name) => name !== "edge" && name !== "none", "edge and none are names of Parley's own: name the ad server.");

const count = z.object({
  deal_id: dealId,
  date: dayText.describe("Day (UTC) on which they were shown, at most 35 days back."),
  impressions: z.int().min(1).max(mostImpressions),
});

const row = z.object({
  deal_id: dealId,
  date: dayText.describe("Day (UTC), at most 400 days back."),
  impressions: z.int().min(0).max(mostImpressions),
  clicks: z.int().min(0).max(mostImpressions).nullish().describe("Leave out where clicks are not counted."),
  spend: z
    .number()
    .min(0)
    .max(mostImpressions)
    .nullish()
    .describe("What the buyer owes for them. Left out: impressions at the booked CPM, where it is fixed (PG, PD)."),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "Send an ISO 4217 code in capitals.")
    .nullish()
    .describe("Of spend; default: the deal's, and no other is taken."),
});

const isOneForm = ({ batch_id, counts, source, rows }: Readonly<Record<string, unknown>>): boolean =>
  counts != null
    ? batch_id != null && source == null && rows == null
    : batch_id == null && source != null && rows != null;

export const reportDelivery = defineContract({
  name: "report_delivery",
  group: "delivery",
  summary:
    "Stores what was delivered for deals, in one of two forms. An ad server sends source and rows, one a deal and " +
    "day: a row replaces what that source said of that deal and day, so sending it again changes nothing and a " +
    "correction is the new row. An edge server sends batch_id and counts, which are added: a batch is stored once, " +
    "and sent again under its batch_id returns the first answer. Figures of different sources are added up. A deal " +
    "that is not known is named in the answer, the others are stored. For keys with the role edge and operators.",
  effect: "write",
  access: "operator",
  opensToEdge: true,
  input: z
    .object({
      batch_id: batchId.nullish().describe("Of the sender's choice, the same for each attempt; kept for 40 days."),
      counts: z.array(count).min(1).max(500).nullish().describe("Impressions to add, with batch_id."),
      source: sourceName.nullish().describe("The ad server that counted, for example gam or freewheel."),
      rows: z.array(row).min(1).max(500).nullish().describe("Whole figures of a deal and day, with source."),
    })
    .refine(isOneForm, "Send source with rows, or batch_id with counts."),
  output: z.looseObject({
    batch_id: z.string().optional(),
    repeated: z.boolean().optional().describe("The batch was stored before."),
    source: z.string().optional(),
    impressions: z.int().describe("Stored with this batch, or in the rows that were taken."),
    changed: z.int().optional().describe("Rows that were new or differed from what the source had said."),
    unchanged: z.int().optional(),
    rejected: z.array(
      z.looseObject({
        deal_id: z.string(),
        reason: z.enum(["deal_not_found", "currency_mismatch"]),
        currency: z.string().optional().describe("The deal's, where the row had another."),
      }),
    ),
  }),
  refusals: { batch_conflict: 409 },
  rest: { method: "POST", path: "/api/v1/deliveries" },
  tool: { title: "Report delivery", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});

const figures = {
  impressions: z.int(),
  clicks: z.int().nullable().describe("Null where no source counts them."),
  spend: z
    .number()
    .nullable()
    .describe(
      "In the deal's currency: as reported, else impressions at the booked CPM; null where an auction set the " +
        "prices and no source reports them.",
    ),
};

export const getDelivery = defineContract({
  name: "get_delivery",
  group: "delivery",
  summary:
    "Returns what a deal has delivered: impressions, clicks and spend in all, by source, and for each day with " +
    "figures (the last 35 days, or those asked for), with the share of the booked volume. Figures come from the " +
    "seller's edge servers and ad servers; data_source is none as long as nothing was reported. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    deal_id: dealId.describe("Id from book_deal."),
    start_date: dayText.nullish().describe("First day (UTC) of days; default: 35 days ago."),
    end_date: dayText.nullish().describe("Last day of days, at most 400 days after the first; default: tomorrow."),
  }),
  output: z.looseObject({
    deal_id: z.string(),
    data_source: z.string().describe("none, or the names of the sources, with a comma between them."),
    currency: z.string(),
    delivered_impressions: z.int(),
    delivered_clicks: figures.clicks,
    delivered_spend: figures.spend,
    booked_impressions: z.int().nullable(),
    delivered_share: z.number().nullable().describe("Of the booked volume; null without one."),
    sources: z.array(
      z.looseObject({
        source: z.string(),
        ...figures,
        last_date: z.string().nullable().describe("Newest day with a row; null for edge."),
        reported_at: z.string().nullable(),
      }),
    ),
    days: z.array(z.looseObject({ date: z.string(), ...figures })).describe("Days with figures."),
  }),
  refusals: { deal_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/deals/:deal_id/delivery" },
  tool: { title: "Get delivery", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
