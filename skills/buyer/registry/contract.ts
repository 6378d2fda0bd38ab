import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { catalogRefusals, sellerUrlInput } from "../seller-refusal.ts";
import { agentCard, trustInfo } from "./models.ts";

const readTool = (title: string) => ({ title, readOnly: true, destructive: false, idempotent: true, openWorld: true });

export const discoverSellers = defineContract({
  name: "discover_sellers",
  group: "registry",
  summary:
    "Finds sellers in the agent registry that have any of the capabilities, each with its trust. Empty where there " +
    "is no registry, or it does not answer. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    capabilities: z
      .array(
        z
          .string()
          .min(1)
          .max(100)
          .regex(/^[^,]+$/, "One capability has no comma."),
      )
      .max(50)
      .default([])
      .describe("For example ctv, display, video, audio; all sellers where the list is empty."),
  }),
  output: z.looseObject({ sellers: z.array(agentCard), total: z.int() }),
  refusals: {},
  rest: { method: "GET", path: "/registry/sellers" },
  tool: readTool("Discover sellers"),
});

export const getSellerCard = defineContract({
  name: "get_seller_card",
  group: "registry",
  summary: "Reads a seller's own card; null where it has none that can be read. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput }),
  output: z.looseObject({ card: agentCard.nullable() }),
  refusals: {},
  rest: { method: "GET", path: "/registry/card" },
  tool: readTool("Read a seller's card"),
});

export const verifySeller = defineContract({
  name: "verify_seller",
  group: "registry",
  summary:
    "Asks the registry whether an agent is registered, and how far it is trusted. Not registered and unknown where " +
    "the registry does not answer. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput }),
  output: trustInfo,
  refusals: {},
  rest: { method: "GET", path: "/registry/verify" },
  tool: readTool("Verify a seller"),
});

export const registerBuyer = defineContract({
  name: "register_buyer",
  group: "registry",
  summary: "Registers this buyer at the agent registry; registered says whether it was taken.",
  effect: "write",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({ registered: z.boolean(), agent_url: z.string() }),
  refusals: {},
  rest: { method: "POST", path: "/registry/registration" },
  tool: { title: "Register this buyer", readOnly: false, destructive: false, idempotent: true, openWorld: true },
});

export const listSellers = defineContract({
  name: "list_sellers",
  group: "registry",
  summary:
    "Lists the sellers that are asked, configured and added: name, protocols, whether they answer now, their trust, " +
    "the price tier that each grants this buyer, and the last characters of the key for it. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    sellers: z.array(
      z.looseObject({
        url: z.string(),
        source: z.enum(["configured", "added"]).describe("By SELLER_ENDPOINTS, or by add_seller."),
        name: fromOthers(z.string().nullable()),
        protocols: z.array(z.string()),
        adcp_version: z.string().nullish().describe("Of AdCP, which it is asked in; null for other sellers."),
        reachable: z.boolean(),
        trust_level: z.string(),
        tier: z.string().nullable().describe("As the seller says; null where it does not."),
        key_hint: z.string().nullable(),
        needs_reauth: z.boolean(),
        last_error: fromOthers(z.string().nullable()),
      }),
    ),
    total: z.int(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/sellers" },
  tool: readTool("List sellers"),
});

/** One that wants a key first is added nevertheless. */
const { auth_error: _wantsKey, ...noSeller } = catalogRefusals;

export const addSeller = defineContract({
  name: "add_seller",
  group: "registry",
  summary:
    "Adds a seller by its address to those that briefs ask and comparisons show, and asks it for a key. A dry run " +
    "reads its card, its trust and whether it answers, and adds nothing. An address that is there already stays as " +
    "it is. The address must be a public one, or stand in OUTBOUND_ALLOW.",
  effect: "write",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    acquire_key: z
      .boolean()
      .default(true)
      .describe("Ask it for a key in this buyer's name; where it gives none the seller is added without."),
  }),
  output: z.looseObject({
    seller_url: z.string(),
    added: z.boolean().describe("False: it was there already."),
    card: agentCard.nullable().describe("Null where it has none that can be read."),
    trust: trustInfo.describe("As the agent registry says."),
    protocols: z.array(z.string()),
    reachable: z.boolean().describe("False: it answers, and lists nothing without a key."),
    tier: z.string().nullable(),
    masked_key: z.string().nullable().describe("Of the key that it gave; null without one."),
    key_error: fromOthers(z.string().nullable()).describe("Why there is no key."),
  }),
  refusals: noSeller,
  rest: { method: "POST", path: "/sellers" },
  tool: { title: "Add a seller", readOnly: false, destructive: false, idempotent: true, openWorld: true },
});

export const removeSeller = defineContract({
  name: "remove_seller",
  group: "registry",
  summary:
    "Takes a seller that was added out again: briefs ask it no more. Its deals and its key stay. A seller of " +
    "SELLER_ENDPOINTS is taken out there.",
  effect: "write",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput }),
  output: z.looseObject({ seller_url: z.string(), removed: z.boolean() }),
  refusals: {},
  rest: { method: "DELETE", path: "/sellers" },
  tool: { title: "Remove a seller", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});
