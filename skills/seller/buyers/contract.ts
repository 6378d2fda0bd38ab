import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { tiers } from "../../../machines/pricing/tiers.ts";
import { trustStatuses } from "../../../machines/trust/statuses.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { selectionInput, selectionOutput } from "../../../protocol/seam/selection.ts";
import { apiKey } from "../api-keys/contract.ts";
import { reads } from "../tool-hints.ts";

const buyer = z.looseObject({
  owner: z.string().describe("Names the buyer in the filters of other lists, for example agency:agency-2."),
  name: fromOthers(z.string().nullable()),
  names: fromOthers(
    z.looseObject({
      seat: z.string().nullable(),
      agency: z.string().nullable(),
      advertiser: z.string().nullable(),
      holding_company: z.string().nullable(),
    }),
  ),
  verified: z.boolean(),
  tier: z.enum(tiers).nullable().describe("The tier that its calls have now; null: every call is refused."),
  ceiling: z.enum(tiers).nullable().describe("The highest tier that its agent's trust allows; null: blocked or none."),
  tier_reason: z.string(),
  trust_status: z.enum(trustStatuses).nullable().describe("Of the agent that its newest key is bound to."),
  agent_url: z.string().nullable(),
  agent_id: z.string().nullable().describe("Of that agent in the registry, for set_agent_trust; null: not there."),
  keys: z.int().describe("All that were ever issued to it."),
  deals: z.looseObject({
    count: z.int().describe("Booked under this owner, whatever became of them."),
    lost: z.int().describe("Of these, rejected or expired by now."),
    impressions: z.int(),
    values: z.record(z.string(), z.number()).describe("What they cost, by currency, in units."),
    standing_values: z.record(z.string(), z.number()).describe("The same without the lost ones."),
  }),
  refused: z.int().describe("Calls refused in the last 7 days."),
  first_seen: z.string(),
  last_seen: z.string().nullable().describe("Last use of one of its newest keys."),
});

export const listBuyers = defineContract({
  name: "list_buyers",
  group: "buyers",
  summary:
    "Lists the buyers that hold a key, newest first: who they are, their tier and why, trust, deals and value. Give " +
    "an `owner` to get_buyer, list_deals or get_activity for more. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    q: z.string().trim().min(1).max(100).nullish().describe("Text in the names, label, owner or agent's URL."),
    verified: z.boolean().nullish().describe("Only buyers whose identity is verified, or only the others."),
    ...selectionInput,
    limit: z.int().min(1).max(500).default(20).describe("How many on a page, 1 to 500."),
  }),
  output: z.looseObject({ buyers: z.array(buyer), ...selectionOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/buyers" },
  tool: { title: "List buyers", ...reads },
});

export const getBuyer = defineContract({
  name: "get_buyer",
  group: "buyers",
  summary:
    "One buyer: who it is, its tier and why, trust, deals and value, refused calls, and its newest keys. Operators " +
    "only; next: set_agent_trust, revoke_api_key, or list_deals with buyer. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ owner: z.string().min(1).max(300).describe("The owner from list_buyers or a deal's buyer.") }),
  output: z.looseObject({ ...buyer.shape, api_keys: z.array(apiKey).describe("The newest, at most 50.") }),
  refusals: { not_found: 404 },
  rest: { method: "GET", path: "/api/v1/buyers/:owner" },
  tool: { title: "One buyer", ...reads },
});
