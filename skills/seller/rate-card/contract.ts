import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";

const rateCard = z.looseObject({
  revision: z.int().optional().describe("What a write of it takes as If-Match."),
  entries: z.array(
    z.looseObject({
      inventory_type: z.string(),
      base_cpm: z.number().nullable().describe("List price per thousand; null where price_range stands."),
      price_range: z.string().nullable(),
      currency: z.string(),
      effective_date: z.string().nullable(),
      notes: z.string().nullable(),
    }),
  ),
  updated_at: z.string().describe("ISO 8601 in UTC, or default where the card was never changed."),
});

export const getRateCard = defineContract({
  name: "get_rate_card",
  group: "rate-card",
  summary:
    "Shows the price per thousand of each inventory type that imported packages start with; what a product costs, " +
    "list_products says. Callers without exact prices see ranges. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({}),
  output: rateCard,
  refusals: {},
  rest: { method: "GET", path: "/api/v1/rate-card" },
  tool: { title: "Show the rate card", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: {
    skill: "pricing",
    phrases: [
      "show your rate card",
      "show me your rate card",
      "rate card please",
      "can I have the ratecard",
      "do you have a rate card",
      "list prices",
    ],
  },
});

export const updateRateCard = defineContract({
  name: "update_rate_card",
  group: "rate-card",
  summary:
    "Replaces the rate card. Packages that are imported from now on start with its prices; products, and packages " +
    "that are there, keep theirs. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    entries: z
      .array(
        z.object({
          inventory_type: z
            .string()
            .regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/, "A word like ctv or mobile_app.")
            .max(64),
          base_cpm: z.number().positive().max(4_000_000_000).describe("Price per thousand impressions."),
          currency: z
            .string()
            .regex(/^[A-Z]{3}$/, "An ISO 4217 code, for example USD.")
            .default("USD"),
          effective_date: z.iso.date().nullish().describe("The first day, UTC; left out: at once."),
          notes: z.string().trim().max(1000).nullish(),
        }),
      )
      .min(1)
      .max(500),
  }),
  output: rateCard,
  refusals: { revision_mismatch: 412 },
  rest: { method: "PUT", path: "/api/v1/rate-card" },
  tool: { title: "Replace the rate card", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});
