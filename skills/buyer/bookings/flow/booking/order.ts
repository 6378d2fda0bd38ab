import type { BookedLine, BookingRow, LineOrder } from "../../record.ts";
import { failureText } from "../quotes.ts";
import { callFor, flowEvent, type FlowSession, warnJob } from "../session.ts";

/** Two sellers may use one deal id. */
export const withBookedLine = (job: BookingRow, at: BookedLine, change: Partial<BookedLine>): BookingRow => ({
  ...job,
  booked_lines: job.booked_lines.map((line) =>
    line.recommendation_id === at.recommendation_id ? { ...line, ...change } : line,
  ),
});

/** Statuses of a seller that keeps no orders. */
const keepsNone = new Set([404, 405, 501]);

/** The deal stands either way: a seller without orders is a warning, any other failure an error. */
export const orderLine = async (session: FlowSession, line: BookedLine): Promise<void> => {
  const { job_id, brief } = session.job();
  const order = { dealId: line.deal_id, quoteId: line.quote_id, campaignName: brief.name };
  const key = `order-${job_id}-${line.recommendation_id}`;
  const answer = await session.calls.order(line.seller_url, order, callFor(session, key));
  const isNone = !answer.ok && keepsNone.has(answer.status);
  const made: LineOrder = answer.ok
    ? { state: "made", order_id: answer.value.orderId }
    : { state: isNone ? "none" : "failed", order_id: null };
  const submitted = { order_id: made.order_id, line_id: line.deal_id, deal_id: line.deal_id, job_id };
  const cause = answer.ok ? "" : failureText(line.seller_url, answer);
  await session.commit(
    (job) => {
      const ordered = withBookedLine(job, line, { order: made });
      if (answer.ok) return ordered;
      const message = `deal ${line.deal_id} is booked without an order: ${cause}`;
      if (isNone) return warnJob(ordered, [{ field: "orders", message }]);
      return { ...ordered, order_errors: [...job.order_errors, `Order failed: ${message}`] };
    },
    [flowEvent(session.job(), "booking.submitted", submitted, line.deal_id)],
  );
};
