import type { z } from "zod";
import { update } from "../../../protocol/seam/changes.ts";
import { type Context, defineOperation } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { bookingKind, type BookingRow, statusOf } from "../bookings/record.ts";
import type { BuyerPorts } from "../ports.ts";
import * as contract from "./contract.ts";
import { decidedJob, selectLines, totalCost, totalImpressions } from "./rules.ts";

export const decideBooking = defineOperation(contract.decideBooking, async (context: Context<BuyerPorts>, input) => {
  const loaded = await context.load(bookingKind, input.job_id);
  if (loaded === null) return refuse("not_found", { message: `Booking job ${input.job_id} not found` });
  const job = loaded.body;
  const status = statusOf(job);
  if (status !== "awaiting_approval") {
    return refuse("invalid_status", { message: `Job is not awaiting approval. Current status: ${status}` });
  }
  const selected = selectLines(job, input.approved_product_ids);
  if (selected.lines.length === 0 && selected.unknown.length > 0) {
    return refuse("invalid_products", { extras: { unknown_product_ids: selected.unknown } });
  }
  const decided = decidedJob(job, selected.lines, context.nowMs);
  if (decided === null) return refuse("invalid_status");
  return {
    output: {
      approved_count: selected.lines.length,
      approved_impressions: totalImpressions(selected.lines),
      approved_cost: totalCost(selected.lines),
      unknown_product_ids: [...selected.unknown],
    },
    changes: [update(bookingKind, loaded, decided)],
  };
});

type Decision = z.output<typeof contract.decideBooking.output>;

/** How an approval ended. In a dry run nothing was booked and `lines` is what would have been. */
interface Approved {
  readonly decision: Decision;
  readonly job: BookingRow | null;
}

/**
 * Decides, and waits until the worker has booked what was approved. The decision is a commit of its own: whatever
 * happens to this call, the approved lines are booked, and a second approval finds the job decided.
 */
const approve = async (
  context: Context<BuyerPorts>,
  jobId: string,
  ids: readonly string[] | null,
): Promise<Approved | Refusal> => {
  const outcome = await context.call("decide_booking", { job_id: jobId, approved_product_ids: ids });
  if (outcome.kind === "refused") return outcome.refusal;
  if (outcome.kind === "bug") throw new Error(`the decision of request ${outcome.requestId} failed`);
  const decision = outcome.output as Decision;
  if (context.dryRun) return { decision, job: null };
  const job = await context.ports.settledBooking(jobId);
  if (job !== null) return { decision, job };
  const message = "The buyer is stopping. What was approved is booked after its restart; read the job then.";
  return refuse("concurrent_update", { message, retryAfterSeconds: 5 });
};

const statusWord = (decision: Decision, booked: number): "success" | "failed" =>
  booked > 0 || decision.approved_count === 0 ? "success" : "failed";

export const approveBooking = defineOperation(contract.approveBooking, async (context: Context<BuyerPorts>, input) => {
  const approved = await approve(context, input.job_id, input.approved_product_ids);
  if (isRefusal(approved)) return approved;
  const { decision, job } = approved;
  const booked = job === null ? decision.approved_count : job.booked_lines.length;
  return {
    output: {
      status: statusWord(decision, booked),
      approved_count: decision.approved_count,
      booked,
      total_cost: job === null ? decision.approved_cost : totalCost(job.booked_lines),
      unknown_product_ids: decision.unknown_product_ids,
    },
  };
});

export const approveAllBookings = defineOperation(
  contract.approveAllBookings,
  async (context: Context<BuyerPorts>, input) => {
    const approved = await approve(context, input.job_id, null);
    if (isRefusal(approved)) return approved;
    const { decision, job } = approved;
    const booked = job === null ? decision.approved_count : job.booked_lines.length;
    const lost = (job?.recommendations ?? []).filter((line) => line.error !== null);
    return {
      output: {
        status: statusWord(decision, booked),
        booked,
        total_impressions: job === null ? decision.approved_impressions : totalImpressions(job.booked_lines),
        total_cost: job === null ? decision.approved_cost : totalCost(job.booked_lines),
        failed: lost.map((line) => ({ product_id: line.product_id, error: line.error ?? "" })),
      },
    };
  },
);
