import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { httpUrl } from "../../../protocol/neutral/url-text.ts";
import { dayFilter, momentFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput } from "../../../protocol/seam/paging.ts";
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

export const verifyAudit = defineContract({
  name: "verify_audit",
  group: "oversight",
  summary:
    "Walks the whole audit trail and says whether a record was changed, removed or moved; the time it takes grows " +
    "with the trail. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    whole: z.boolean(),
    records: z.int().nullable().describe("How many there are; null where one does not fit."),
    chains: z.int().nullable(),
    checked_at: z.string(),
    heads: z
      .array(z.looseObject({ chain: z.string(), records: z.int(), hash: z.string() }))
      .describe(
        "The end of each chain. Kept elsewhere, a hash shows later that nothing was cut: audit verify --expect.",
      ),
    first_broken: z.looseObject({ chain: z.string(), seq: z.int(), reason: z.string() }).nullable(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/audit/verification" },
  tool: { title: "Verify the audit trail", ...reads },
});

export const auditMakers = ["person", "buyer", "machine"] as const;

const fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const listAudit = defineContract({
  name: "list_audit",
  group: "oversight",
  summary:
    "Lists the audit trail, newest first: who did what through which door and when, which fields changed from what " +
    "to what, and the hashes that chain the records. list_events tells what became of a record. A page reads at most " +
    "2,000 records, so one may hold fewer than `limit` and still have a next_cursor. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    actor: z.string().min(1).max(300).nullish().describe("Only this caller, for example key:key-1a2b3c4d or host."),
    by: z
      .enum(auditMakers)
      .nullish()
      .describe(
        "Only what a person of the seller did (an operator's key, or a command on the host), what buyers did, or " +
          "what fell due by the clock.",
      ),
    operation: z.string().min(1).max(128).nullish().describe("Only this operation."),
    record_id: z.string().min(1).max(128).nullish().describe("Only what changed a field of this record, by its id."),
    since: momentFilter.describe("At or after: a day (YYYY-MM-DD, UTC) or an instant."),
    until: momentFilter.describe("At or before: a day or an instant, included."),
    limit: pageInput.limit,
    cursor: z.string().max(8_000).nullish().describe("The next_cursor of the page before, with the same filters."),
  }),
  output: z.looseObject({
    records: z.array(
      z.looseObject({
        chain: z.string().describe("Names the writer; an embedded store has one."),
        seq: z.int(),
        at: z.string(),
        actor: z.string(),
        actor_name: fromOthers(
          z.string().nullable().describe("Label of the key, or its buyer's name; null: no key, or unnamed."),
        ),
        by: z.enum(auditMakers).describe("person: of the seller; machine: the clock, an edge, a follow-up."),
        door: z.string(),
        operation: z.string(),
        request_id: z.string(),
        changed: z
          .array(
            z.looseObject({
              kind: z.string().describe("For example deal, order or change_request."),
              id: z.string(),
              field: z.string(),
              from: fromOthers(fact),
              to: fromOthers(fact.describe("Money is decimal text in the record's currency.")),
            }),
          )
          .describe("At most 24 fields of records that were there before; long text is cut."),
        digest: z.string().describe("SHA-256 of what the commit changed."),
        hash: z.string(),
        previous_hash: z.string(),
        erased: z
          .literal(true)
          .optional()
          .describe("Words of a buyer that is forgotten were taken out: its hash is of what it was."),
      }),
    ),
    count: z.int(),
    next_cursor: z.string().nullable(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/audit" },
  tool: {
    title: "Audit trail",
    ...reads,
    rows: { records: ["seq", "at", "by", "operation", "door", "actor", "actor_name", "changed", "request_id"] },
  },
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
