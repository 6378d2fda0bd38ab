import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";

export const getCaller = defineContract({
  name: "get_caller",
  group: "caller",
  summary:
    "Says who you are to this agent: role, label, key id, access tier, when the key ends, and what the agent belongs " +
    "to. Use it first to learn what you may do: a buyer's tier decides its prices. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({}),
  output: z.looseObject({
    principal: z.string(),
    role: z.string().describe("buyer, viewer, operator or senior."),
    label: z.string().nullable(),
    key_id: z.string().nullable(),
    owner: z.string().describe("Under which your records stand."),
    tier: z.string(),
    verified: z.boolean(),
    expires_at: z.string().nullable(),
    agent: z.string().describe("seller or buyer."),
    organization_name: z.string(),
    sandbox: z.boolean().describe("Whether what you do here is for trying only."),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/caller" },
  tool: { title: "Who am I", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
