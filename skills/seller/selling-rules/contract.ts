import { z } from "zod";
import { gatedFlows } from "../../../machines/approval/gate.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";

const percent = z.number().min(0).max(99.9);

const talk = z.object({
  rounds: z.int().min(1).max(10),
  round_cap_pct: percent.describe("The most given in one round, of the base price."),
  total_cap_pct: percent.describe("The most given in all, of the buyer's computed price."),
  gap_share: z.number().min(0).max(1).describe("Share of the gap to the offer that a counter gives."),
});

const domain = z
  .string()
  .max(253)
  .regex(/^$|^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, "A domain in small letters.");

const rules = {
  seller_name: z.string().trim().min(1).max(200).describe("Name of the selling organisation."),
  publisher_domain: domain.describe("Domain on which media buys run; empty: the host of the public address."),
  approval_enabled: z.boolean().describe("Whether the listed flows wait for a person."),
  approval_flows: z.array(z.enum(gatedFlows)).max(10).describe("What waits."),
  approval_above_value: z.number().min(0).max(4_000_000_000).describe("From this value in USD on; 0: every one."),
  approval_timeout_hours: z.number().min(0.01).max(8760).describe("How long a question to a person stays open."),
  quote_ttl_seconds: z.int().min(1).max(31_536_000).describe("How long a quote holds its price."),
  deal_proposal_ttl_days: z.number().min(0.01).max(3650).describe("How long a booked deal waits for its activation."),
  tier_discounts: z
    .object({ public: percent, seat: percent, agency: percent, advertiser: percent })
    .describe("In percent of the list price."),
  global_floor_cpm: z.number().min(0).max(100_000).describe("Lowest price of any product, per thousand in USD."),
  volume_discounts: z
    .array(z.object({ min_impressions: z.int().min(1).max(1_000_000_000_000), discount_pct: percent }))
    .max(20)
    .describe("For agencies and advertisers."),
  negotiation: z.object({ seat: talk, agency: talk, advertiser: talk }).describe("Of talks that begin from now on."),
};

const ruleName = z.enum(Object.keys(rules) as (keyof typeof rules)[]);

const decided = z.looseObject({
  since: z.string(),
  until: z.string(),
  approvals: z
    .looseObject({
      seen: z.int().describe("Deals and proposals of these days."),
      waited: z.int().describe("By the rules of now."),
      would_wait: z.int(),
      more: z.looseObject({ count: z.int(), value: z.number() }).describe("Would wait and do not now; USD."),
      fewer: z.looseObject({ count: z.int(), value: z.number() }).describe("Wait now and would not; USD."),
    })
    .describe("By value and kind alone, whoever asked."),
  quotes: z.looseObject({
    seen: z.int().describe("Quotes with a volume, of products that are still on sale."),
    changed: z.int(),
    value: z.number().describe("Of all of them by the rules of now, in USD; other currencies are left out."),
    would_value: z.number(),
  }),
  talks: z.looseObject({
    seen: z.int().describe("Price talks with an offer; each is played again with the same offers."),
    changed: z.int().describe("Would have ended at another price or otherwise."),
    average_last: z.number().nullable().describe("The seller's last price, by the rules of now."),
    would_average_last: z.number().nullable(),
    agreed: z.int(),
    would_agree: z.int(),
  }),
});

const shown = z.looseObject({
  values: fromOthers(z.looseObject(rules)).describe("That count now."),
  start_values: z.looseObject(rules).describe("That count where nothing is stored."),
  stored: z.array(ruleName),
  fixed: z
    .array(z.looseObject({ name: ruleName, variable: z.string() }))
    .describe("By the environment: changed there alone, with a start."),
  revision: z.int(),
  updated_at: z.string().nullable(),
  updated_by: fromOthers(z.string().nullable()),
});

export const getSellingRules = defineContract({
  name: "get_selling_rules",
  group: "selling-rules",
  summary:
    "Shows the rules that this seller sells by: who it is, what waits for a person and how long, tier and volume " +
    "discounts, the lowest price, and how far it goes in negotiations; with what the environment fixes. Operators " +
    "only. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: shown,
  refusals: {},
  rest: { method: "GET", path: "/api/v1/selling-rules" },
  tool: {
    title: "Show the selling rules",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
  },
});

export const updateSellingRules = defineContract({
  name: "update_selling_rules",
  group: "selling-rules",
  summary:
    "Changes rules that this seller sells by, at once and for what begins from now on; those left out stay. A dry " +
    "run says what the rules would have decided in the last 30 days. Needs an operator's key with the role senior.",
  effect: "write",
  access: "senior",
  input: z.object({
    ...Object.fromEntries(Object.entries(rules).map(([name, schema]) => [name, schema.nullish()])),
    reset: z.array(ruleName).max(20).nullish().describe("These go back to what the agent was started with."),
  } as { [Name in keyof typeof rules]: z.ZodOptional<z.ZodNullable<(typeof rules)[Name]>> } & {
    reset: z.ZodOptional<z.ZodNullable<z.ZodArray<typeof ruleName>>>;
  }),
  output: z.looseObject({
    ...shown.shape,
    changed: z.array(ruleName),
    last_month: decided.nullable().describe("Of a dry run: beside the rules of now."),
  }),
  refusals: { revision_mismatch: 412 },
  rest: { method: "PUT", path: "/api/v1/selling-rules" },
  tool: {
    title: "Change the selling rules",
    readOnly: false,
    destructive: true,
    idempotent: true,
    openWorld: false,
  },
});
