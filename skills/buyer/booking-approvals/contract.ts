import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";

const jobId = z.string().min(1).max(128).describe("Id from create_booking.");
const productIds = z.array(z.string().max(200)).max(1000);

const refusals = { not_found: 404, invalid_status: 409, concurrent_update: 409 } as const;

export const approveBooking = defineContract({
  name: "approve_booking",
  group: "booking-approvals",
  summary:
    "Approves recommendations of a waiting booking job by product id or recommendation id, books them within the " +
    "budget and answers when that is done. All others are rejected; an empty list books nothing. Cannot be undone.",
  effect: "write",
  access: "operator",
  input: z.object({
    job_id: jobId,
    approved_product_ids: productIds.describe("Product ids (each approves all its lines) or recommendation ids."),
  }),
  output: z.looseObject({
    status: z.enum(["success", "failed"]),
    approved_count: z.int(),
    booked: z.int(),
    total_cost: z.number(),
    unknown_product_ids: z.array(z.string()),
  }),
  refusals: { ...refusals, invalid_products: 400 },
  rest: { method: "POST", path: "/bookings/:job_id/approve" },
  tool: { title: "Approve recommendations", readOnly: false, destructive: true, idempotent: false, openWorld: true },
});

export const approveAllBookings = defineContract({
  name: "approve_all_bookings",
  group: "booking-approvals",
  summary:
    "Approves every recommendation of a waiting booking job, books them within the budget and answers when that is " +
    "done. Cannot be undone.",
  effect: "write",
  access: "operator",
  input: z.object({ job_id: jobId }),
  output: z.looseObject({
    status: z.enum(["success", "failed"]),
    booked: z.int(),
    total_impressions: z.int(),
    total_cost: z.number(),
    failed: z.array(z.looseObject({ product_id: z.string(), error: z.string() })),
  }),
  refusals,
  rest: { method: "POST", path: "/bookings/:job_id/approve-all" },
  tool: { title: "Approve everything", readOnly: false, destructive: true, idempotent: false, openWorld: true },
});

const innerHalf = "The first half of approve_booking, which also waits for the booking and tells its result.";

/** The decision alone, committed before anything is booked; the approvals call it and wait for the worker. */
export const decideBooking = defineContract({
  name: "decide_booking",
  group: "booking-approvals",
  summary: "Records which recommendations of a waiting booking job are approved; they are booked in the background.",
  effect: "write",
  access: "operator",
  input: z.object({
    job_id: jobId,
    approved_product_ids: productIds.nullable().describe("As for approve_booking; null approves everything."),
  }),
  output: z.looseObject({
    approved_count: z.int(),
    approved_impressions: z.int(),
    approved_cost: z.number(),
    unknown_product_ids: z.array(z.string()),
  }),
  refusals: { not_found: 404, invalid_status: 409, invalid_products: 400 },
  closedDoors: { rest: innerHalf, mcp: innerHalf, a2a: innerHalf, rpc: innerHalf, host: innerHalf },
});
