import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { costOutput } from "../words.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { freeObject, reasonText } from "../free-form.ts";
import { reads } from "../tool-hints.ts";

const approvalId = z.string().min(1).max(128).describe("Id from list_approvals.");

export const decisions = ["approve", "reject", "counter"] as const;

const approvalStatus = z.enum(["pending", "approved", "rejected", "timed_out"]);

const claim = fromOthers(z.string().nullable());

/** Nothing of it is proven. */
const keyRequest = z.looseObject({
  key_id: z.string(),
  seat_id: claim,
  seat_name: claim,
  agency_id: claim,
  agency_name: claim,
  advertiser_id: claim,
  advertiser_name: claim,
  label: claim,
  agent_url: claim,
  asked_by: z.string().nullable().describe("The key that asked, or anonymous; null: asked before this was kept."),
  asked_by_buyer: z.string().nullable().describe("Whose key that is, as in list_buyers."),
  asked_from: z.string().nullable().describe("The address of a caller without a verified key."),
  becomes: z.string().describe("The buyer that it is after an approval: it then sees and moves all of its records."),
  holders: z
    .array(
      z.looseObject({
        buyer: z.string().describe("Holds an id that is claimed."),
        name: claim,
        active_keys: z.int().describe("Of its newest 50 keys."),
        newest_key: z.string(),
        newest_label: claim,
      }),
    )
    .describe("Who holds the claimed identity already, by verified keys; none: nobody."),
});

export const keyRequestOutput = {
  key_request: keyRequest.nullish().describe("To operators, of a key: what it claims, who asked, and who holds that."),
};

const approvalRequest = z.looseObject({
  approval_id: z.string(),
  event_id: z.string(),
  flow_id: z.string(),
  flow_type: z.string(),
  gate_name: z.string(),
  proposal_id: z.string(),
  deal_id: z.string(),
  status: approvalStatus,
  ...costOutput,
  preferred: z.boolean().describe("Whether a preferred agent asked."),
  created_at: z.string(),
  expires_at: z.string(),
  context: fromOthers(z.looseObject({})),
  ...keyRequestOutput,
  flow_state_snapshot: z.looseObject({}),
});

/** What the human wrote, and the credential that proves who decided. */
const decisionRecord = z.looseObject({
  approval_id: z.string(),
  decision: z.string(),
  decided_by: z.string(),
  decided_by_principal: z.string(),
  decided_at: z.string(),
  reason: z.string(),
  modifications: z.looseObject({}),
});

export const listPendingApprovals = defineContract({
  name: "list_pending_approvals",
  group: "approvals",
  summary:
    "Lists what waits for an operator's decision, a page at a time, with what is needed to decide: first what " +
    "preferred agents asked for, then all else, each newest first. Operators only. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object(pageInput),
  output: z.looseObject({ approvals: z.array(approvalRequest), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/approvals" },
  tool: { title: "List pending approvals", ...reads },
});

export const getApproval = defineContract({
  name: "get_approval",
  group: "approvals",
  summary: "Returns one approval request and the decision about it, null while it waits. Operators only.",
  effect: "read",
  access: "operator",
  input: z.object({ approval_id: approvalId }),
  output: z.looseObject({ request: approvalRequest, response: decisionRecord.nullable() }),
  refusals: { approval_not_found: 404 },
  rest: { method: "GET", path: "/approvals/:approval_id" },
  tool: { title: "Get an approval", ...reads },
});

export const approveOrReject = defineContract({
  name: "approve_or_reject",
  group: "approvals",
  summary:
    "Decides what waits, once, and carries the waiting flow on: approve, reject, or counter for proposals and " +
    "negotiations with modifications.price (units per thousand) and modifications.impressions. With the revision of " +
    "the approval's brief as If-Match or if_match it is refused where the record, or its product's price, changed " +
    "since. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    approval_id: approvalId,
    decision: z
      .string()
      .min(1)
      .max(64)
      .meta({ enum: decisions })
      .describe("counter: for proposals and negotiations alone, with modifications."),
    decided_by: z
      .string()
      .trim()
      .max(255)
      .nullish()
      .describe("Who decides, for the record; the label of the key when left out."),
    reason: reasonText.nullish().describe("Why, in words that the buyer may read."),
    modifications: freeObject.nullish().describe("With counter: price and impressions of the seller's offer."),
  }),
  output: decisionRecord,
  refusals: {
    revision_mismatch: 412,
    approval_not_found: 404,
    approval_already_decided: 409,
    approval_timed_out: 409,
    invalid_decision: 400,
  },
  rest: { method: "POST", path: "/approvals/:approval_id/decide" },
  tool: {
    title: "Decide an approval",
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: false,
    aliases: ["decide_approval"],
  },
});

export const resumeApproval = defineContract({
  name: "resume_approval",
  group: "approvals",
  summary:
    "Answers what became of the flow after the decision or the timeout, and carries it on where that is still to do. " +
    "Asking again answers the same. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({ approval_id: approvalId }),
  output: z.looseObject({
    status: z.string(),
    recommendation: z.string(),
    proposal_id: z.string(),
    counter_terms: z.looseObject({}).nullable(),
    resumed_from_approval: z.string(),
  }),
  refusals: { approval_not_found: 404, approval_not_decided: 400 },
  rest: { method: "POST", path: "/approvals/:approval_id/resume" },
  tool: { title: "Resume a flow", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});
