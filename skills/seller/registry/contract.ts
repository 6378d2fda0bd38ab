import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { httpUrl } from "../../../protocol/neutral/url-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { trustStatuses } from "../../../machines/trust/statuses.ts";
import { agentTypes } from "./card.ts";

const agentId = z.string().min(1).max(128).describe("Id of the registered agent, for example agent-1a2b3c4d.");

const customPrice = z
  .object({
    product_id: z.string().min(1).max(128).nullish().describe("Left out: every product without a price of its own."),
    cpm: z.number().positive().max(4_000_000_000).nullish().describe("Per thousand, in the product's currency."),
    discount_pct: z.number().positive().max(100).nullish().describe("Percent off the price of the agent's tier."),
  })
  .refine((price) => (price.cpm == null) !== (price.discount_pct == null), "Either cpm or discount_pct.");

const customPrices = z.array(
  z.looseObject({
    product_id: z.string().nullable(),
    cpm: z.number().optional(),
    discount_pct: z.number().optional(),
  }),
);

/** `notes` and `custom_prices` are for operators alone. */
const agent = z.looseObject({
  agent_id: z.string().nullable(),
  agent_card: fromOthers(
    z.looseObject({ name: z.string(), url: z.string(), description: z.string(), version: z.string() }),
  ),
  agent_type: z.string(),
  trust_status: z.string(),
  registry_sources: z.array(
    z.looseObject({ registry_id: z.string(), registry_name: z.string(), verified_at: z.string().nullable() }),
  ),
});

const maxAccessTier = z.string().nullable();

export const listBuyerAgents = defineContract({
  name: "list_buyer_agents",
  group: "registry",
  summary:
    "Lists registered agents, newest first, a page at a time, narrowed by type and trust. Operators see all, a buyer " +
    "the agent that its key is bound to, anybody else an empty page.",
  effect: "read",
  access: "public",
  input: z.object({
    agent_type: z.enum(agentTypes).nullish().describe("Only agents of this type."),
    trust_status: z.enum(trustStatuses).nullish().describe("Only agents of this trust."),
    ...pageInput,
  }),
  output: z.looseObject({ agents: z.array(agent), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/registry/agents" },
  tool: {
    title: "List registered agents",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    rows: {
      agents: [
        "agent_id",
        "agent_url",
        "agent_card.name",
        "agent_type",
        "trust_status",
        "registered_at",
        "last_seen",
        "interaction_count",
        "notes",
      ],
    },
  },
});

export const getBuyerAgent = defineContract({
  name: "get_buyer_agent",
  group: "registry",
  summary: "Returns one registered agent. Operators see every agent, a buyer the one that its key is bound to.",
  effect: "read",
  access: "public",
  input: z.object({ agent_id: agentId }),
  output: agent,
  refusals: { agent_not_found: 404 },
  rest: { method: "GET", path: "/registry/agents/:agent_id" },
  tool: { title: "Get a registered agent", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const registerBuyerAgent = defineContract({
  name: "register_buyer_agent",
  group: "registry",
  summary:
    "Discovers an agent: fetches its card from its well-known path, asks every configured registry and keeps the " +
    "agent with the trust that follows (registered when a registry knows it, else unknown). A known agent is " +
    "answered as it is stored. Operators only. A dry run fetches nothing.",
  effect: "write",
  access: "operator",
  input: z.object({
    agent_url: httpUrl.describe("Base URL of the agent, on a public address."),
  }),
  output: z.looseObject({ agent, max_access_tier: maxAccessTier, is_blocked: z.boolean() }),
  refusals: { agent_card_unavailable: 404, target_not_allowed: 400 },
  agentIsSubject: true,
  rest: {
    method: "POST",
    path: "/registry/agents/discover",
    aliases: [{ method: "POST", path: "/registry/discover" }],
  },
  tool: { title: "Discover an agent", readOnly: false, destructive: false, idempotent: true, openWorld: true },
});

export const setAgentTrust = defineContract({
  name: "set_agent_trust",
  group: "registry",
  summary:
    "Sets an agent's trust, which caps the tier of every request that it makes from the next one on; blocked agents " +
    "get 403. One that is not registered is named by its agent_url, and nothing is fetched. Any status may follow " +
    "any. A preferred agent can have custom prices, never above the list price and never below what the seller " +
    "accepts; they end with that status. Notes and prices are kept where none are sent. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    agent_id: agentId.nullish(),
    agent_url: httpUrl.nullish().describe("In place of agent_id: base URL of the agent, registered or not."),
    trust_status: z.enum(trustStatuses).describe("unknown, registered, approved, preferred or blocked."),
    notes: z.string().trim().max(4000).nullish().describe("Why, for other operators."),
    custom_prices: z
      .array(customPrice)
      .max(500)
      .nullish()
      .describe("A preferred agent's own prices, in place of those it had; an empty list ends them."),
  }),
  output: z.looseObject({
    agent_id: z.string(),
    trust_status: z.string(),
    max_access_tier: maxAccessTier,
    notes: z.string().nullable(),
    custom_prices: customPrices,
  }),
  refusals: { agent_not_found: 404, product_not_found: 404 },
  agentIsSubject: true,
  rest: {
    method: "PUT",
    path: "/registry/agents/:agent_id/trust",
    aliases: [{ method: "PUT", path: "/registry/agents/trust" }],
  },
  tool: {
    title: "Set an agent's trust",
    readOnly: false,
    destructive: true,
    idempotent: true,
    openWorld: false,
    argumentAliases: { trust_level: "trust_status" },
  },
});

export const removeBuyerAgent = defineContract({
  name: "remove_buyer_agent",
  group: "registry",
  summary:
    "Removes an agent from the registry. Its next discovery starts anew: a blocked agent that is removed is unknown " +
    "again. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({ agent_id: agentId }),
  output: z.looseObject({ agent_id: z.string(), status: z.literal("removed") }),
  refusals: { agent_not_found: 404 },
  rest: { method: "DELETE", path: "/registry/agents/:agent_id" },
  tool: { title: "Remove an agent", readOnly: false, destructive: true, idempotent: false, openWorld: false },
});
