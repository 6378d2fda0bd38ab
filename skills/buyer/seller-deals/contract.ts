import { z } from "zod";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { endsAfterStart, flightDay } from "../flight-days.ts";
import { sellerRefusals, sellerUrlInput } from "../seller-refusal.ts";

export const isCancelled = (status: string): boolean => ["rejected", "cancelled", "canceled"].includes(status);

/** Ended without delivery. */
export const isLost = (status: string): boolean => isCancelled(status) || status === "expired";

const record = z.looseObject({
  seller_url: z.string(),
  quote_id: z.string().nullable(),
  deal_id: z.string().nullable(),
  status: z.string().describe("quoted, booked, then what the seller answers to get_deal."),
  seller_status: z
    .string()
    .nullish()
    .describe("What the seller last answered of its deal, for example proposed: booked and not active yet."),
  status_reason: fromOthers(z.string().nullish().describe("Why it stands so, in the seller's words.")),
  product_id: z.string(),
  product_name: fromOthers(z.string()),
  deal_type: z.string(),
  price: z.number().nullable().describe("Per thousand impressions, in units of currency."),
  currency: z.string(),
  impressions: z.int().nullable(),
  value: z.number().nullable(),
  flight_start: z.string().nullable(),
  flight_end: z.string().nullable(),
  cancellation: z
    .looseObject({ state: z.string(), reason: z.string() })
    .nullish()
    .describe("Of a campaign's line: asked or waiting for the seller, until then booked; refused; or done."),
});

const someSeller = sellerUrlInput.nullish().describe("The seller; needed where two sellers gave the same id.");

export const requestQuote = defineContract({
  name: "request_quote",
  group: "seller-deals",
  summary: "Asks a seller for a quote and keeps it. Nothing is bought: book it with book_deal.",
  effect: "write",
  access: "operator",
  input: z
    .object({
      seller_url: sellerUrlInput,
      product_id: z.string().min(1).max(128).describe("Id from search_products."),
      deal_type: z.enum(["PG", "PD", "PA"]).default("PD").describe("Guaranteed, preferred, or private auction."),
      impressions: z.int().min(1).max(1_000_000_000_000).nullish().describe("Impressions; required for PG."),
      flight_start: flightDay.nullish().describe("First day (UTC)."),
      flight_end: flightDay.nullish().describe("Last day."),
      target_cpm: z.number().positive().nullish().describe("The price wished for, per thousand impressions."),
    })
    .superRefine(endsAfterStart),
  output: z.looseObject({ ...record.shape, dry_run: z.boolean().optional() }),
  refusals: sellerRefusals,
  rest: { method: "POST", path: "/api/v1/quotes" },
  tool: { title: "Request a quote", readOnly: false, destructive: false, idempotent: false, openWorld: true },
});

export const getQuote = defineContract({
  name: "get_quote",
  group: "seller-deals",
  summary: "Reads a quote anew at its seller and keeps what it says.",
  effect: "read",
  access: "operator",
  input: z.object({
    quote_id: z.string().min(1).max(128).describe("Id from request_quote."),
    seller_url: someSeller,
  }),
  output: record,
  refusals: { not_found: 404, ...sellerRefusals },
  rest: { method: "GET", path: "/api/v1/quotes/:quote_id" },
  tool: { title: "Get a quote", readOnly: true, destructive: false, idempotent: true, openWorld: true },
});

export const bookDeal = defineContract({
  name: "book_deal",
  group: "seller-deals",
  summary:
    "Books a quote at its seller and keeps the deal. Parts of an audience plan that the seller does not support are " +
    "left out, exactly those, once; left_out names them.",
  effect: "write",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    quote_id: z.string().min(1).max(128).describe("Id from request_quote."),
    notes: z.string().max(4000).nullish().describe("Free text for the seller."),
    audience_plan: audiencePlan.nullish().describe("Whom to reach; frozen with the deal."),
  }),
  output: z.looseObject({ ...record.shape, left_out: fromOthers(z.array(z.string())) }),
  refusals: { not_found: 404, ...sellerRefusals },
  rest: { method: "POST", path: "/api/v1/deals" },
  tool: { title: "Book a deal", readOnly: false, destructive: true, idempotent: false, openWorld: true },
});

export const getDeal = defineContract({
  name: "get_deal",
  group: "seller-deals",
  summary:
    "Reads a deal anew at its seller and keeps the status that it reports. Where the seller cannot be asked, what is " +
    "known is returned, with refreshed false and the reason.",
  effect: "read",
  access: "operator",
  input: z.object({ deal_id: z.string().min(1).max(128).describe("Id from book_deal."), seller_url: someSeller }),
  output: z.looseObject({
    ...record.shape,
    seller_says: fromOthers(z.string().nullable().describe("Where the deal stands, in the seller's own words.")),
    refreshed: z.boolean(),
    refresh_error: fromOthers(z.string().nullable()),
  }),
  refusals: { deal_not_found: 404, ...sellerRefusals },
  rest: { method: "GET", path: "/api/v1/deals/:deal_id" },
  tool: {
    title: "Get a deal",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: true,
    aliases: ["inspect_deal"],
  },
});

const filters = {
  status: z.string().min(1).max(64).nullish().describe("Only this status: quoted, booked, or a seller's own."),
  seller_url: sellerUrlInput.nullish().describe("Only this seller."),
  deal_type: z.enum(["PG", "PD", "PA"]).nullish().describe("Only this type."),
  q: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe("Only what has these words in its product, seller or ids, job_id too."),
};

export const listDeals = defineContract({
  name: "list_deals",
  group: "seller-deals",
  summary:
    "Lists the quotes and deals that are kept, newest first, of direct bookings and of campaigns. Totals are over " +
    "all matches; what is bought are the standing ones: booked, and not cancelled, rejected or expired. Asks no " +
    "seller. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    ...filters,
    limit: z.int().min(1).max(500).default(50).describe("How many on a page, 1 to 500."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("How many to leave out from the start."),
  }),
  output: z.looseObject({
    deals: z.array(record),
    count: z.int(),
    total: z.int(),
    totals: z.looseObject({
      count: z.int(),
      value: z.record(z.string(), z.number()).describe("By currency, open quotes and ended deals too."),
      impressions: z.int(),
      standing_count: z.int().optional().describe("Of the count, the deals that stand."),
      standing_value: z.record(z.string(), z.number()).optional().describe("Of the value, that of these deals."),
      standing_impressions: z.int().optional().describe("Of the impressions, those of these deals."),
    }),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/deals" },
  tool: {
    title: "List deals",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    aliases: ["search_deals"],
    argumentAliases: { query: "q" },
  },
});

export const exportDeals = defineContract({
  name: "export_deals",
  group: "seller-deals",
  summary: "Writes the quotes and deals that are kept as one CSV or JSON text, newest first. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ ...filters, format: z.enum(["csv", "json"]).default("csv").describe("The form of content.") }),
  output: z.looseObject({ format: z.string(), filename: z.string(), count: z.int(), content: fromOthers(z.string()) }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/deals/export" },
  tool: { title: "Export deals", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
