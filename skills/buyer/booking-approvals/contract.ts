import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { totals } from "../bookings/contract.ts";

const jobId = z.string().min(1).max(128).describe("Id from create_booking.");
const ids = z.array(z.string().max(200)).max(1000);

const refusals = { not_found: 404, invalid_status: 409, invalid_products: 400, concurrent_update: 409 } as const;

const keepRest = z
  .boolean()
  .default(false)
  .describe("Leave the other lines waiting for another approval; otherwise they are rejected.");

const lineOutcomes = ["approved", "booked", "unconfirmed", "failed", "rejected"] as const;

/** What an approval did, or in a dry run would do. */
const decided = {
  lines: z
    .array(
      z.looseObject({
        recommendation_id: z.string(),
        product_id: z.string(),
        product_name: fromOthers(z.string()),
        channel: z.string(),
        outcome: z.enum(lineOutcomes).describe("unconfirmed: asked for, and the seller's answer is not known yet."),
        deal_id: z.string().nullable(),
        impressions: z.int(),
        cost: z.number().describe("In USD."),
        error: fromOthers(z.string().nullable()),
      }),
    )
    .describe("The lines that this approval decided."),
  waiting_count: z.int(),
  totals,
  status_text: z.string(),
  next_step: z.string(),
};

const writes = { readOnly: false, destructive: true, idempotent: false, openWorld: true } as const;

export const approveBooking = defineContract({
  name: "approve_booking",
  group: "booking-approvals",
  summary:
    "Approves recommendations of a waiting booking job by product id or recommendation id, books them within the " +
    "budget and answers when that is done. The others are rejected, or kept with keep_rest; an empty list books " +
    "nothing. Cannot be undone.",
  effect: "write",
  access: "operator",
  input: z
    .object({
      job_id: jobId,
      approved_product_ids: ids
        .optional()
        .describe(
          "Product ids (each approves all its lines) or recommendation ids. Required without recommendation_ids.",
        ),
      recommendation_ids: ids.optional().describe("Recommendation ids: each approves one line."),
      keep_rest: keepRest,
    })
    .superRefine((input, at) => {
      if (input.approved_product_ids !== undefined || input.recommendation_ids !== undefined) return;
      const message = "Name what is approved: approved_product_ids or recommendation_ids; [] approves nothing.";
      at.addIssue({ code: "custom", path: ["approved_product_ids"], message });
    }),
  output: z.looseObject({
    status: z.enum(["success", "failed"]),
    approved_count: z.int(),
    booked: z.int(),
    total_cost: z.number(),
    unknown_product_ids: z.array(z.string()),
    ...decided,
  }),
  refusals,
  rest: { method: "POST", path: "/bookings/:job_id/approve" },
  tool: { title: "Approve recommendations", ...writes },
});

export const approveAllBookings = defineContract({
  name: "approve_all_bookings",
  group: "booking-approvals",
  summary:
    "Approves every recommendation of a waiting booking job but those in except, books them within the budget and " +
    "answers when that is done. Cannot be undone.",
  effect: "write",
  access: "operator",
  input: z.object({
    job_id: jobId,
    except: ids.default([]).describe("Product ids or recommendation ids that are not approved."),
    keep_rest: keepRest,
  }),
  output: z.looseObject({
    status: z.enum(["success", "failed"]),
    booked: z.int(),
    total_impressions: z.int(),
    total_cost: z.number(),
    failed: z.array(z.looseObject({ product_id: z.string(), error: fromOthers(z.string()) })),
    ...decided,
  }),
  refusals,
  rest: { method: "POST", path: "/bookings/:job_id/approve-all" },
  tool: { title: "Approve everything", ...writes },
});

export const cancelBooking = defineContract({
  name: "cancel_booking",
  group: "booking-approvals",
  summary:
    "Cancels a booking job before anything is booked: it ends as failed with the error cancelled. Once booking has " +
    "started it is refused; cancel_booked_line cancels a booked line.",
  effect: "write",
  access: "operator",
  input: z.object({ job_id: jobId }),
  output: z.looseObject({ job_id: z.string(), status: z.literal("failed"), errors: z.array(z.string()) }),
  refusals: { not_found: 404, invalid_status: 409, concurrent_update: 409 },
  rest: { method: "POST", path: "/bookings/:job_id/cancel" },
  tool: { title: "Cancel a booking", ...writes, openWorld: false },
});

export const replanBooking = defineContract({
  name: "replan_booking",
  group: "booking-approvals",
  summary:
    "Offers the money of rejected, failed and cancelled lines of a booking job anew, channel by channel within the " +
    "brief; lines that wait may be rejected in the same call. The new recommendations wait for approval.",
  effect: "write",
  access: "operator",
  input: z.object({
    job_id: jobId,
    reject: ids.default([]).describe("Product ids or recommendation ids of waiting lines to reject first."),
  }),
  output: z.looseObject({
    job_id: z.string(),
    status: z.literal("running"),
    rejected_count: z.int(),
    free_budget: z.number(),
    next_step: z.string(),
  }),
  refusals: { not_found: 404, invalid_status: 409, invalid_products: 400, concurrent_update: 409 },
  rest: { method: "POST", path: "/bookings/:job_id/replan" },
  tool: { title: "Plan again", ...writes, destructive: false },
});

const cancellation = z.looseObject({
  state: z.enum(["asked", "waiting", "done", "refused"]),
  change_request_id: z.string().nullable(),
  reason: z.string(),
  error: fromOthers(z.string().nullable()),
});

export const cancelBookedLine = defineContract({
  name: "cancel_booked_line",
  group: "booking-approvals",
  summary:
    "Asks the seller to cancel a booked line by a change request on its order, and answers how that stands; called " +
    "again it asks the seller for its decision. A seller may have to review it first.",
  effect: "write",
  access: "operator",
  input: z.object({
    job_id: jobId,
    line_id: z.string().min(1).max(200).describe("The line's deal_id or recommendation_id."),
    reason: z.string().max(1000).default("").describe("Why, in words that the seller may read."),
  }),
  output: z.looseObject({
    job_id: z.string(),
    deal_id: z.string(),
    cancellation,
    status_text: z.string(),
    next_step: z.string(),
  }),
  refusals: { not_found: 404, invalid_status: 409, concurrent_update: 409 },
  rest: { method: "POST", path: "/bookings/:job_id/lines/:line_id/cancel" },
  tool: { title: "Cancel a booked line", ...writes },
});

const innerHalf = "The first half of an approval, which also waits for the booking and tells its result.";
const innerDoors = { rest: innerHalf, mcp: innerHalf, a2a: innerHalf, rpc: innerHalf, host: innerHalf };

/** Committed before anything is booked; the approvals call it and wait. */
export const decideBooking = defineContract({
  name: "decide_booking",
  group: "booking-approvals",
  summary: "Records which recommendations of a waiting booking job are approved; they are booked in the background.",
  effect: "write",
  access: "operator",
  input: z.object({
    job_id: jobId,
    approved_product_ids: ids.nullable().describe("As for approve_booking; null approves everything."),
    except: ids.describe("What is not approved, whatever the other list says."),
    keep_rest: z.boolean(),
  }),
  output: z.looseObject({
    approved_ids: z.array(z.string()),
    rejected_ids: z.array(z.string()),
    approved_impressions: z.int(),
    approved_cost: z.number(),
    unknown_product_ids: z.array(z.string()),
  }),
  refusals: { not_found: 404, invalid_status: 409, invalid_products: 400 },
  closedDoors: innerDoors,
});

/** Committed before the seller is asked. */
export const askLineCancellation = defineContract({
  name: "ask_line_cancellation",
  group: "booking-approvals",
  summary: "Records that a booked line shall be cancelled; the seller is asked in the background.",
  effect: "write",
  access: "operator",
  input: cancelBookedLine.input,
  output: z.looseObject({ recommendation_id: z.string() }),
  refusals: { not_found: 404, invalid_status: 409 },
  closedDoors: innerDoors,
});
