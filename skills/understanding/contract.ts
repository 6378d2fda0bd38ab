import { z } from "zod";
import { defineContract } from "../../protocol/seam/operation.ts";
import { readGiven } from "./given.ts";
import { mostProducts } from "./reading/product-finder.ts";
import { productIdsOf } from "./terms.ts";

const answered = z.looseObject({
  skill: z.enum(["discovery", "pricing", "proposals", "negotiation", "deals"]).nullable(),
  understood: z.record(z.string(), z.unknown()),
  outcome: z.enum(["answer", "quoted", "clarify", "refuse", "counter", "accepted", "rejected", "booked", "pending"]),
  result: z.unknown(),
  /** Terms of the message that this answer does not use. */
  not_used: z.array(z.string()),
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
  group: "understanding",
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
