import { z } from "zod";
import { httpUrl } from "../../../protocol/neutral/url-text.ts";
import { dayFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { machineKinds, movers } from "./meanings.ts";
import { refusalGroups } from "./day-counts.ts";
import { reads } from "../tool-hints.ts";

export const blockAgent = defineContract({
  name: "block_agent",
  group: "oversight",
  summary:
    "Shuts an agent out by its URL, known or not, without asking it for anything: every request that names it, or " +
    "whose key is bound to it, is 403 from the next one on. Undo with set_agent_trust. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    agent_url: httpUrl.describe("Base URL of the agent."),
    notes: z.string().trim().max(4000).nullish().describe("Why, for other operators."),
  }),
  output: z.looseObject({
    agent_id: z.string(),
    agent_url: z.string().describe("As it is compared with what requests name."),
    trust_status: z.literal("blocked"),
    is_blocked: z.literal(true),
    was_known: z.boolean(),
    notes: z.string().nullable(),
  }),
  refusals: {},
  agentIsSubject: true,
  rest: { method: "POST", path: "/registry/agents/block" },
  tool: { title: "Block an agent", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});

export const listRefusals = defineContract({
  name: "list_refusals",
  group: "oversight",
  summary:
    "Counts the calls that were refused, by code, operation or buyer, most first: use it to see what buyers run " +
    "into. Days are UTC. Of several processes on one database, the last minute of the others is missing. Operators " +
    "only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    since: dayFilter.describe("First day, YYYY-MM-DD, at most 90 days ago; 6 days ago when left out."),
    by: z.enum(refusalGroups).default("code").describe("What to count by."),
  }),
  output: z.looseObject({
    since: z.string(),
    until: z.string(),
    by: z.enum(refusalGroups),
    total: z.int(),
    refusals: z.array(
      z.looseObject({
        name: z.string().describe("The code, the operation or the buyer."),
        count: z.int(),
        meaning: z.string().optional().describe("By code: the sentence that callers usually get."),
      }),
    ),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/refusals" },
  tool: { title: "What was refused", ...reads },
});

export const describeMachine = defineContract({
  name: "describe_machine",
  group: "oversight",
  summary:
    "The states of a record and the moves between them, read from the machine that runs it: use it to learn what can " +
    "follow a status. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ kind: z.enum(machineKinds).describe("Which record.") }),
  output: z.looseObject({
    kind: z.string(),
    initial: z.string(),
    states: z.array(z.looseObject({ name: z.string(), meaning: z.string(), final: z.boolean() })),
    moves: z.array(z.looseObject({ from: z.string(), to: z.string(), event: z.string(), who: z.enum(movers) })),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/machines/:kind" },
  tool: { title: "Describe a machine", ...reads },
});
