import { z } from "zod";
import { defineContract, type Intent } from "../../../protocol/seam/operation.ts";
import { readGiven } from "./given.ts";
import { mostProducts } from "../../talk/reader/names/product-finder.ts";
import { productIdsOf } from "./memory.ts";

const option = z.looseObject({
  option: z.string(),
  n: z.int(),
  label: z.string(),
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  terms: z.string(),
  digest: z.string(),
  expires_at: z.string(),
});

const answered = z.looseObject({
  skill: z.enum(["discovery", "pricing", "proposals", "negotiation", "deals"]).nullable(),
  understood: z.record(z.string(), z.unknown()),
  outcome: z.enum(["answer", "quoted", "clarify", "refuse", "counter", "accepted", "rejected", "booked", "pending"]),
  result: z.unknown(),
  /** Terms of the message that this answer does not use. */
  not_used: z.array(z.string()),
  /** What may be taken with a data part `{option, digest}`, by its number, or in words. */
  options: z.array(option),
  /** The option that the reply asks about, which a yes takes. */
  armed: z.string().nullable(),
  /** Which reader read the message. */
  read_by: z.enum(["grammar", "model"]),
  /** Why the request was not done: a code. */
  reason: z.string().optional(),
});

/** Named as the operations' inputs; several products are a list of ids. */
const slots = z
  .record(z.string().max(64), z.unknown())
  .refine((members) => productIdsOf(readGiven(members).terms).length <= mostProducts, {
    path: ["product_id"],
    message: `Name at most ${mostProducts} products in a message.`,
  });

const ownDoors = "Text has doors of its own: A2A messages.";

export const converse = defineContract({
  name: "converse",
  group: "talk",
  summary:
    "Reads a message in plain English, calls the operation that it asks for as the same caller, and answers in words " +
    "and data. Asks back when something needed is missing.",
  effect: "write",
  access: "public",
  input: z.object({
    text: z.string(),
    context_id: z.string().max(255).nullish(),
    slots: slots.default({}),
  }),
  output: z.looseObject({ text: z.string(), answers: z.array(answered) }),
  refusals: {},
  closedDoors: { rest: ownDoors, mcp: ownDoors, rpc: ownDoors },
});

/** What is answered without an operation of its own, for the agent's card; all else has its phrases in its contract. */
export const spokenIntents: readonly { readonly skill: Intent["skill"]; readonly phrases: readonly string[] }[] = [
  {
    skill: "discovery",
    phrases: ["which formats do you take", "what is the cheapest", "which audiences can I target"],
  },
  {
    skill: "pricing",
    phrases: ["compare two products", "what discounts do we get", "at what volume does it get cheaper"],
  },
  { skill: "deals", phrases: ["where do we stand", "how do I activate the deal", "can I talk to a person"] },
];
