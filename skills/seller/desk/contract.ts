import { z } from "zod";
import { keyRequestOutput } from "../approvals/contract.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { dayFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { round } from "../negotiation/contract.ts";
import { reads } from "../tool-hints.ts";

/** `ok`: nothing to do, `look`: worth a look, `act`: somebody has to act. */
const tile = z.looseObject({
  state: z.enum(["ok", "look", "act"]),
  count: z.int(),
  oldest_at: z.string().nullable(),
  next: z.string().describe("What to do, with the operation's name."),
});

export const getDeskStatus = defineContract({
  name: "get_desk_status",
  group: "desk",
  summary:
    "What needs an operator now: approvals, buyers that ask for a person, price talks, deals to activate, change " +
    "requests, failed orders, webhooks, refused calls and full inventory, each with its number, the oldest and the " +
    "operation to call next. Use it first. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    at: z.string(),
    approvals: tile.extend({
      values: z.record(z.string(), z.number()).nullable().describe("What waits is worth, by currency, in units."),
    }),
    handovers: tile,
    negotiations: tile,
    activation: tile,
    changes: tile.extend({ unwritten: z.int().describe("Of these, approved and not written yet.") }),
    orders: tile,
    webhooks: tile.extend({ dead: z.int().describe("Of these, given up.") }),
    refusals: tile.extend({ most: z.string().nullable().describe("The code that was refused most.") }),
    inventory: tile.extend({
      fullest: z
        .looseObject({ product_id: z.string(), name: z.string(), held_share: z.number() })
        .nullable()
        .describe("Of the first 50 products with a cap, on its fullest day of the next year; a share of the cap."),
    }),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/desk" },
  tool: { title: "What needs me", ...reads },
});

const sums = {
  deals: z.int().describe("Booked, whatever became of them."),
  lost: z.int().describe("Of these, rejected or expired by now."),
  impressions: z.int(),
  values: z.record(z.string(), z.number()).describe("What they cost, by currency, in units."),
  standing_values: z.record(z.string(), z.number()).describe("Of these, what the deals that are not lost cost."),
};

const asked = {
  quotes: z.int().nullable().describe("Given; null with both product_id and buyer, or over more than a year."),
  negotiated: z.int().nullable().describe("Negotiations opened; null where quotes is."),
  refused: z.int().nullable().describe("Calls refused; null with product_id, or over more than a year."),
};

export const getActivity = defineContract({
  name: "get_activity",
  group: "desk",
  summary:
    "Quotes, negotiations, refused calls, deals, impressions and value by day, week or month, at most 62 points, " +
    "with totals. A buyer sees its own, operators all, one buyer's or one product's. Deals agree with list_deals " +
    "over the same days of booking. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({
    from: dayFilter.describe("First day, YYYY-MM-DD (UTC); 29 days before the last when left out."),
    to: dayFilter.describe("Last day; today when left out."),
    step: z.enum(["day", "week", "month"]).default("day").describe("Weeks start on Monday."),
    product_id: z.string().min(1).max(128).nullish().describe("Only this product."),
    buyer: z
      .string()
      .min(1)
      .max(300)
      .nullish()
      .describe("Operators: only this buyer, for example agency:agency-2. Another's name is refused to a buyer."),
    by: z
      .enum(["none", "deal_type", "product", "buyer"])
      .default("none")
      .describe(
        "Deals over all these days by type, by product (the first 50 of the catalog), or by buyer (of the newest 200 " +
          "keys; the rest as (others)) too.",
      ),
  }),
  output: z.looseObject({
    from: z.string(),
    to: z.string(),
    points: z.array(z.looseObject({ at: z.string(), ...asked, ...sums })),
    totals: z.looseObject({ ...asked, ...sums }),
    groups: z
      .array(
        z.looseObject({ key: z.string(), name: z.string(), buyer_name: fromOthers(z.string().nullish()), ...sums }),
      )
      .describe("Empty without by."),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/activity" },
  tool: {
    title: "Activity",
    ...reads,
    rows: { points: ["at", "quotes", "negotiated", "refused", "deals", "lost", "impressions", "standing_values"] },
  },
});

export const getCapacityReport = defineContract({
  name: "get_capacity_report",
  group: "desk",
  summary:
    "Guaranteed inventory by product and month: the cap, the most that deals hold on a day (each its whole volume on " +
    "each day of its flight), and what is left on that day; cap and left are null without a cap. Operators only; " +
    "changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    product_id: z
      .array(z.string().min(1).max(128))
      .min(1)
      .max(50)
      .nullish()
      .describe("These products; when left out, a page of the catalog."),
    from: dayFilter.describe("Any day of the first month; this month when left out."),
    months: z.int().min(1).max(24).default(3).describe("How many months."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("Products of the catalog to leave out."),
  }),
  output: z.looseObject({
    products: z.array(
      z.looseObject({
        product_id: z.string(),
        name: z.string(),
        months: z.array(
          z.looseObject({
            month: z.string(),
            cap: z.int().nullable(),
            held: z.int(),
            left: z.int().nullable(),
          }),
        ),
      }),
    ),
    total: z.int(),
    next_offset: z.int().nullable(),
  }),
  refusals: { product_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/capacity" },
  tool: { title: "Capacity by month", ...reads },
});

const money = z.number().nullable();

export const getApprovalBrief = defineContract({
  name: "get_approval_brief",
  group: "desk",
  summary:
    "All that one decision needs: who asks for what, where the price stands between floor, offer and list, its " +
    "worth, the rounds, the inventory, and what each decision leads to. Prices in units per thousand. Operators " +
    "only; decide with approve_or_reject.",
  effect: "read",
  access: "operator",
  input: z.object({ approval_id: z.string().min(1).max(128).describe("Id from list_approvals.") }),
  output: z.looseObject({
    approval_id: z.string(),
    revision: z.int().describe("Of what waits and its product's price: what approve_or_reject takes as If-Match."),
    flow_type: z.string(),
    flow_id: z.string(),
    status: z.string(),
    preferred: z.boolean(),
    expires_at: z.string(),
    seconds_left: z.int(),
    buyer: z.looseObject({
      owner: z.string(),
      name: fromOthers(z.string().nullable()),
      verified: z.boolean(),
      tier: z.string().nullable().describe("Null: every call of it is refused, or it has no key."),
      tier_reason: z.string().nullable(),
      trust_status: z.string().nullable(),
      agent_url: z.string().nullable(),
      deals: z.looseObject({
        count: z.int(),
        lost: z.int(),
        values: z.record(z.string(), z.number()),
        standing_values: z.record(z.string(), z.number()),
      }),
    }),
    similar: z
      .array(
        z.looseObject({
          deal_id: z.string(),
          status: z.string(),
          price: z.number(),
          impressions: z.int().nullable(),
          booked_at: z.string(),
        }),
      )
      .describe("Its last deals for this product, newest first, at most 5."),
    product: z.looseObject({ product_id: z.string(), name: z.string() }).nullable(),
    currency: z.string().nullable(),
    impressions: z.int().nullable(),
    flight_start: z.string().nullable(),
    flight_end: z.string().nullable(),
    deal_type: z.string().nullable(),
    prices: z.looseObject({ floor: money, offer: money, would: money, computed: money, list: money, last_ours: money }),
    value: money.describe("At the price that an approval would agree to."),
    headline: z.string().describe("Who offers what for which product, in one sentence; a buyer's words are quoted."),
    ...keyRequestOutput,
    rules: z
      .looseObject({ would: z.string(), price: money, because: z.string() })
      .nullable()
      .describe("What the seller's rules would answer, and why they did not; null for a key, which a person judges."),
    gate: z.looseObject({ flow: z.string(), above_value: z.number() }),
    rounds: z.array(round),
    changes_waiting: z
      .array(
        z.looseObject({
          change_request_id: z.string(),
          change_type: z.string(),
          reason: fromOthers(z.string()),
        }),
      )
      .describe("Of a deal: what its buyer asked for since, a cancellation for one; review_change_request decides it."),
    inventory: z
      .looseObject({
        cap: z.int().nullable(),
        held: z.int().describe("By other deals, on the fullest day of the flight; each takes its whole volume."),
        busiest_day: z.string().nullable().describe("The fullest day of the flight; null where nothing is held."),
        left_before: z.int().nullable(),
        left_after: z.int().nullable(),
      })
      .nullable(),
    packages: z
      .array(
        z.looseObject({
          product_id: z.string(),
          name: z.string(),
          deal_type: z.string(),
          price: z.number(),
          budget: z.number(),
          impressions: z.int(),
        }),
      )
      .optional()
      .describe("Of a media buy: one decision takes or refuses all of them."),
    outcomes: z.looseObject({
      approve: z.string(),
      reject: z.string(),
      counter: z.looseObject({ min: money, max: money }).nullable(),
    }),
  }),
  refusals: { approval_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/approvals/:approval_id/brief" },
  tool: { title: "Brief for a decision", ...reads },
});
