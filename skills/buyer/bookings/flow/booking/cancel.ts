import type { EventDraft } from "../../../../../protocol/seam/operation.ts";
import type { BookedLine, BookingRow, LineCancellation } from "../../record.ts";
import { withBookedLine } from "./order.ts";
import { failureText } from "../quotes.ts";
import { callFor, flowEvent, type FlowSession } from "../session.ts";

export const cancellationsOf = (job: BookingRow): readonly BookedLine[] =>
  job.booked_lines.filter((line) => line.cancellation?.state === "asked");

const stateOf = (status: string): LineCancellation["state"] => {
  if (status === "applied") return "done";
  return status === "rejected" || status === "failed" ? "refused" : "waiting";
};

/** Requested once, afterwards only read. */
const answerFor = async (session: FlowSession, line: BookedLine, cancellation: LineCancellation) => {
  const { change_request_id: known, reason, attempt } = cancellation;
  if (known !== null) return session.calls.readCancellation(line.seller_url, known, callFor(session));
  const key = `cancel-${session.job().job_id}-${line.recommendation_id}-${attempt}`;
  const request = { orderId: line.order.order_id ?? "", dealId: line.deal_id, reason };
  return session.calls.cancelOrder(line.seller_url, request, callFor(session, key));
};

const cancelledEvent = (job: BookingRow, line: BookedLine, reason: string): EventDraft =>
  flowEvent(job, "deal.cancelled", { deal_id: line.deal_id, reason, seller_url: line.seller_url }, line.deal_id);

const cancelLine = async (session: FlowSession, line: BookedLine, cancellation: LineCancellation): Promise<void> => {
  const answer = await answerFor(session, line, cancellation);
  const next: LineCancellation = answer.ok
    ? {
        ...cancellation,
        state: stateOf(answer.value.status),
        change_request_id: answer.value.changeRequestId,
        error: stateOf(answer.value.status) === "refused" ? `the seller answered ${answer.value.status}` : null,
      }
    : { ...cancellation, state: "refused", error: failureText(line.seller_url, answer) };
  const isDone = next.state === "done";
  await session.commit(
    (job) => {
      const changed = withBookedLine(job, line, { cancellation: next });
      if (!isDone) return changed;
      const recommendations = job.recommendations.map((one) =>
        one.recommendation_id === line.recommendation_id ? { ...one, booking: "cancelled" as const } : one,
      );
      return { ...changed, recommendations };
    },
    isDone ? [cancelledEvent(session.job(), line, next.reason)] : [],
  );
};

export const cancelLines = async (session: FlowSession): Promise<void> => {
  for (const line of cancellationsOf(session.job())) {
    if (line.cancellation !== null) await cancelLine(session, line, line.cancellation);
  }
};
