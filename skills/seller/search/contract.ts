import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { reads } from "../tool-hints.ts";

export const foundKinds = [
  "approval",
  "deal",
  "quote",
  "negotiation",
  "order",
  "change_request",
  "media_buy",
  "product",
  "package",
  "buyer",
  "webhook",
] as const;

export const searchRecords = defineContract({
  name: "search_records",
  group: "search",
  summary:
    "Finds records by an id, whole or in part, by a buyer's name or a product's: approvals, deals, quotes, price " +
    "talks, orders, changes, media buys, products, packages, buyers and webhooks. A whole id finds that record " +
    "alone. Parts are looked for among the newest 500 of each kind; list_deals, list_buyers and their kin look " +
    "further. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    q: z.string().trim().min(2).max(100).describe("The id or the name, or a part of it."),
    each: z.int().min(1).max(20).default(5).describe("How many of each kind."),
  }),
  output: z.looseObject({
    records: z.array(
      z.looseObject({
        kind: z.enum(foundKinds),
        id: z.string().describe("For a buyer its owner, for a price talk what it is about."),
        name: fromOthers(z.string().nullable().describe("Of the product, package or buyer, or a webhook's address.")),
        buyer: z.string().nullable(),
        buyer_name: fromOthers(z.string().nullable()),
        status: z.string().nullable(),
        is_exact: z.boolean().describe("Its id is what was looked for."),
      }),
    ),
    count: z.int(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/search" },
  tool: { title: "Find a record", ...reads },
});
