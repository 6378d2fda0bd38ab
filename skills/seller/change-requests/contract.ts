import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { changeTypes } from "../../../machines/change-request/proposal.ts";
import { severities } from "../../../machines/change-request/severity.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { dealSummaryOutput, wordsOutput } from "../words.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { freeObject, isSmall, reasonText } from "../free-form.ts";
import { shownStatuses } from "./record.ts";
import { reads } from "../tool-hints.ts";

export const reviewDecisions = ["approve", "reject"] as const;

const changeRequestId = z
  .string()
  .min(1)
  .max(128)
  .describe("The change_request_id of the answer that asked for the change, or of a list.");

const shownDiff = z.looseObject({ field: z.string(), old_value: z.unknown(), new_value: z.unknown() });

const pricedVolume = z.looseObject({
  final_cpm: z.number(),
  impressions: z.int().nullable(),
  total_cost: z.number().nullable().describe("In units of the currency; null without a volume."),
});

export const changeRequest = z.looseObject({
  change_request_id: z.string(),
  order_id: z.string(),
  change_type: z.enum(changeTypes),
  severity: z.enum(severities),
  status: z.enum(shownStatuses),
  ...wordsOutput,
  diffs: z.array(shownDiff),
  proposed_values: fromOthers(z.looseObject({})),
  pricing_impact: z
    .looseObject({ currency: z.string(), before: pricedVolume, after: pricedVolume })
    .nullish()
    .describe("Of the deal, when it was asked for and with the change; null where price and volume stay."),
  revision: z.int().optional().describe("What a write of it takes as If-Match."),
  reason: fromOthers(z.string()),
  requested_by: fromOthers(
    z.string().describe("system where the request named nobody, else the verified identity of the caller."),
  ),
  on_behalf_of: fromOthers(z.string().nullish().describe("What the request said as requested_by.")),
  withdrawn_by: z.string().nullish().describe("Who took it back before its review."),
  ...dealSummaryOutput,
});

const diff = z.object({
  field: z.string().min(1).max(255).describe("For example flight_end, impressions or final_cpm."),
  old_value: z
    .unknown()
    .optional()
    .describe("What you believe it to be; the order's value when left out, never relied on."),
  new_value: z.unknown().describe("What it shall be; null changes nothing."),
});

const person = z.string().trim().max(255);

export const createChangeRequest = defineContract({
  name: "create_change_request",
  group: "change-requests",
  summary:
    "Asks for a change of your order: its dates, impressions, price (units per thousand), creative or targeting, or " +
    "its cancellation. A minor change is approved and written at once; a material one waits for a review, a critical " +
    "one for a senior's. flight_start, flight_end, impressions and final_cpm move to the order's deal.",
  effect: "write",
  access: "public",
  input: z.object({
    order_id: z.string().min(1).max(128).describe("Id from create_order."),
    change_type: z
      .string()
      .min(1)
      .max(64)
      .meta({ enum: changeTypes })
      .describe("flight_dates, impressions, pricing, creative, targeting, cancellation or other."),
    diffs: z.array(diff).max(100).refine(isSmall, "The diffs are too large.").nullish().describe("Field by field."),
    proposed_values: freeObject.nullish().describe("The new values by name; diffs count after them."),
    reason: reasonText.nullish().describe("Why the change is wanted."),
    requested_by: person.nullish().describe("For whom, in your words: kept as on_behalf_of. Who asks is the caller."),
  }),
  output: changeRequest,
  refusals: {
    revision_mismatch: 412,
    invalid_change_type: 400,
    order_not_found: 404,
    validation_failed: 422,
    price_probe_limited: 429,
  },
  rest: { method: "POST", path: "/api/v1/change-requests" },
  tool: { title: "Request a change", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const listChangeRequests = defineContract({
  name: "list_change_requests",
  group: "change-requests",
  summary:
    "Lists the change requests of your orders, newest first, a page at a time; operators see all. Filters combine. " +
    "Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    ...pageInput,
    order_id: z.string().max(128).nullish().describe("Only those of this order."),
    status: z
      .string()
      .max(64)
      .nullish()
      .describe(`Only those in this state: ${shownStatuses.join(", ")}.`),
  }),
  output: z.looseObject({ change_requests: z.array(changeRequest), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/change-requests" },
  tool: {
    title: "List change requests",
    ...reads,
    rows: {
      change_requests: [
        "change_request_id",
        "order_id",
        "deal_id",
        "change_type",
        "severity",
        "status",
        "status_text",
        "next_step",
        "diffs",
        "reason",
        "requested_by",
        "on_behalf_of",
        "requested_at",
        "pricing_impact",
        "deal_summary.product_name",
        "deal_summary.buyer",
        "deal_summary.buyer_name",
        "deal_summary.flight_start",
        "deal_summary.flight_end",
        "deal_summary.impressions",
      ],
    },
  },
});

export const getChangeRequest = defineContract({
  name: "get_change_request",
  group: "change-requests",
  summary: "Returns a change request with its state, severity and errors. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ cr_id: changeRequestId }),
  output: changeRequest,
  refusals: { change_request_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/change-requests/:cr_id" },
  tool: { title: "Get a change request", ...reads, argumentAliases: { change_request_id: "cr_id" } },
});

export const reviewChangeRequest = defineContract({
  name: "review_change_request",
  group: "change-requests",
  summary:
    "Approves or rejects a change request that waits. Operators only; a critical one needs the role senior. Writes " +
    "nothing to the order: apply_change_request does.",
  effect: "write",
  access: "operator",
  input: z.object({
    cr_id: changeRequestId,
    decision: z.string().min(1).max(64).meta({ enum: reviewDecisions }),
    decided_by: person.nullish().describe("Who decides, for the record; the label of the key when left out."),
    reason: reasonText.nullish().describe("Why, in words that the buyer may read."),
  }),
  output: changeRequest,
  refusals: {
    revision_mismatch: 412,
    change_request_not_found: 404,
    not_pending_approval: 409,
    invalid_decision: 400,
    senior_review_required: 403,
  },
  rest: { method: "POST", path: "/api/v1/change-requests/:cr_id/review" },
  tool: {
    title: "Review a change request",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
    argumentAliases: { change_request_id: "cr_id" },
  },
});

export const withdrawChangeRequest = defineContract({
  name: "withdraw_change_request",
  group: "change-requests",
  summary:
    "Takes back your change request while it waits for its review: a cancellation, a move or another change of a " +
    "deal. The deal stays as it is.",
  effect: "write",
  access: "public",
  input: z.object({ cr_id: changeRequestId, reason: reasonText.nullish().describe("Why, in words for the seller.") }),
  output: changeRequest,
  refusals: {
    revision_mismatch: 412,
    change_request_not_found: 404,
    not_pending_approval: 409,
    senior_review_required: 403,
  },
  rest: { method: "POST", path: "/api/v1/change-requests/:cr_id/withdraw" },
  tool: {
    title: "Withdraw a change request",
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: false,
    argumentAliases: { change_request_id: "cr_id" },
  },
});

export const applyChangeRequest = defineContract({
  name: "apply_change_request",
  group: "change-requests",
  summary:
    "Writes an approved change to its order and deal in one step, with the reserved impressions. Operators only. A " +
    "cancellation moves the order on and rejects its deal. What a minor change wrote before is not written twice.",
  effect: "write",
  access: "operator",
  input: z.object({ cr_id: changeRequestId }),
  output: z.looseObject({
    change_request_id: z.string(),
    status: z.literal("applied"),
    order_id: z.string(),
    ...wordsOutput,
  }),
  refusals: { revision_mismatch: 412, change_request_not_found: 404, not_approved: 409, validation_failed: 422 },
  rest: { method: "POST", path: "/api/v1/change-requests/:cr_id/apply" },
  tool: {
    title: "Apply a change request",
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: false,
    argumentAliases: { change_request_id: "cr_id" },
  },
});
