import { z } from "zod";
import { momentFilter } from "../../protocol/neutral/date-text.ts";
import { defineContract } from "../../protocol/seam/operation.ts";
import { pageInput } from "../../protocol/seam/paging.ts";
import { fromOthers } from "../../protocol/seam/untrusted.ts";

const reads = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;

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
    "Lists the audit trail, newest first unless reversed: who did what through which door and when, which fields " +
    "changed from what to what, and the hashes that chain the records. list_events tells what became of a record. A " +
    "page reads at most 2,000 records, so one may hold fewer than `limit` and still have a next_cursor. Operators " +
    "only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    actor: z.string().min(1).max(300).nullish().describe("Only this caller, for example key:key-1a2b3c4d or host."),
    by: z
      .enum(auditMakers)
      .nullish()
      .describe(
        "Only what a person of this agent did (an operator's key, or a command on the host), what buyers did (of a " +
          "seller), or what the agent did by itself: what fell due, a campaign's own steps.",
      ),
    operation: z.string().min(1).max(128).nullish().describe("Only this operation."),
    record_id: z.string().min(1).max(128).nullish().describe("Only what changed a field of this record, by its id."),
    since: momentFilter.describe("At or after: a day (YYYY-MM-DD, UTC) or an instant."),
    until: momentFilter.describe("At or before: a day or an instant, included."),
    reversed: z.boolean().nullish().describe("The other way round: the oldest first."),
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
        by: z.enum(auditMakers).describe("person: of this agent; machine: the clock, a job, an edge, a follow-up."),
        door: z.string(),
        operation: z.string(),
        request_id: z.string(),
        changed: z
          .array(
            z.looseObject({
              kind: z.string().describe("For example deal, order or booking."),
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
