import { withCancellation } from "../../news.ts";
import type { BookedLine, BookingRow, LineCancellation } from "../../record.ts";
import { failureText } from "../quotes.ts";
import { callFor, type FlowSession } from "../session.ts";
import { withBookedLine } from "./order.ts";

export const cancellationsOf = (job: BookingRow): readonly BookedLine[] =>
  job.booked_lines.filter((line) => line.cancellation?.state === "asked");

/** Requested once, afterwards only read. */
const answerFor = async (session: FlowSession, line: BookedLine, cancellation: LineCancellation) => {
  const { change_request_id: known, reason, attempt } = cancellation;
  if (known !== null) return session.calls.readCancellation(line.seller_url, known, callFor(session));
  const key = `cancel-${session.job().job_id}-${line.recommendation_id}-${attempt}`;
  const request = { orderId: line.order.order_id ?? "", dealId: line.deal_id, reason };
  return session.calls.cancelOrder(line.seller_url, request, callFor(session, key));
};

/** A seller that cannot be asked how a request stands has not refused it. */
const failedState = ({ change_request_id: known }: LineCancellation): LineCancellation["state"] =>
  known === null ? "refused" : "waiting";

const cancelLine = async (session: FlowSession, line: BookedLine, cancellation: LineCancellation): Promise<void> => {
  const answer = await answerFor(session, line, cancellation);
  if (!answer.ok) {
    const error = failureText(line.seller_url, answer);
    const failed = { ...cancellation, state: failedState(cancellation), error };
    return session.commit((job) => withBookedLine(job, line, { cancellation: failed }));
  }
  const { events } = withCancellation(session.job(), line, cancellation, answer.value);
  await session.commit((job) => withCancellation(job, line, cancellation, answer.value).job, events);
};

export const cancelLines = async (session: FlowSession): Promise<void> => {
  for (const line of cancellationsOf(session.job())) {
    if (line.cancellation !== null) await cancelLine(session, line, line.cancellation);
  }
};
