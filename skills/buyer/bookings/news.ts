import { quoted } from "../../../protocol/neutral/seen-text.ts";
import { formatMoney } from "../../../machines/money.ts";
import { canonicalJson } from "../../../protocol/neutral/canonical.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import { isLost } from "../seller-deals/contract.ts";
import { withBookedLine } from "./flow/booking/order.ts";
import { costCents } from "./flow/money.ts";
import type { AnsweredCancellation, DealNews } from "./flow/ports.ts";
import { flowEvent, warnJob } from "./flow/session.ts";
import type { BookedLine, BookingRow, LineCancellation, Recommendation } from "./record.ts";

/** `events` go out with the commit of `job`. */
export interface Heard {
  readonly job: BookingRow;
  readonly events: readonly EventDraft[];
}

const withRecommendation = (job: BookingRow, line: BookedLine, change: Partial<Recommendation>): BookingRow => ({
  ...job,
  recommendations: job.recommendations.map((one) =>
    one.recommendation_id === line.recommendation_id ? { ...one, ...change } : one,
  ),
});

export const flightOfLine = (job: BookingRow, { flight, standing }: BookedLine) => {
  const { start_date = null, end_date = null } = job.brief.flights[flight] ?? {};
  return { flight_start: standing?.flight_start ?? start_date, flight_end: standing?.flight_end ?? end_date };
};

/** Its money is free again; the event goes out once. */
const freed = (job: BookingRow, line: BookedLine, status: string, reason: string, error: string | null): Heard => {
  const isBound = job.recommendations.some(
    ({ recommendation_id: id, booking }) => id === line.recommendation_id && booking === "booked",
  );
  if (!isBound) return { job, events: [] };
  const payload = { deal_id: line.deal_id, reason, seller_url: line.seller_url, status };
  return {
    job: withRecommendation(job, line, { booking: "cancelled", error }),
    events: [flowEvent(job, "deal.cancelled", payload, line.deal_id)],
  };
};

const states: Readonly<Record<string, LineCancellation["state"]>> = {
  applied: "done",
  rejected: "refused",
  failed: "refused",
};

export const withCancellation = (
  job: BookingRow,
  line: BookedLine,
  asked: LineCancellation,
  { status, reason, changeRequestId }: AnsweredCancellation,
): Heard => {
  const state = states[status] ?? "waiting";
  const cancellation: LineCancellation = {
    ...asked,
    state,
    change_request_id: changeRequestId,
    is_approved: status === "approved",
    error: state === "refused" ? (reason ?? `the seller answered ${status}`) : null,
  };
  const changed = withBookedLine(job, line, { cancellation });
  return state === "done" ? freed(changed, line, "cancelled", asked.reason, null) : { job: changed, events: [] };
};

const counted = (value: number): string => value.toLocaleString("en-US");

interface Terms {
  readonly cpm_micros: number;
  readonly impressions: number;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
}

const changesOf = (before: Terms, now: Terms): readonly string[] => {
  const price = (micros: number): string => `${formatMoney(micros, "USD")} CPM`;
  const days = ({ flight_start: start, flight_end: end }: Terms): string => `${start ?? "?"} to ${end ?? "?"}`;
  return [
    ...(before.impressions === now.impressions
      ? []
      : [`${counted(now.impressions)} impressions instead of ${counted(before.impressions)}`]),
    ...(before.cpm_micros === now.cpm_micros
      ? []
      : [`${price(now.cpm_micros)} instead of ${price(before.cpm_micros)}`]),
    ...(days(before) === days(now) ? [] : [`${days(now)} instead of ${days(before)}`]),
  ];
};

/** Terms without a cost that can be paid are ignored. */
const withTerms = (job: BookingRow, line: BookedLine, news: DealNews): { job: BookingRow; line: BookedLine } => {
  const before = { cpm_micros: line.cpm_micros, impressions: line.impressions, ...flightOfLine(job, line) };
  const now = {
    cpm_micros: news.cpm_micros ?? before.cpm_micros,
    impressions: news.impressions ?? before.impressions,
    flight_start: news.flight_start ?? before.flight_start,
    flight_end: news.flight_end ?? before.flight_end,
  };
  const changes = changesOf(before, now);
  const cost_cents = costCents(now.cpm_micros, now.impressions);
  if (changes.length === 0 || cost_cents === null) return { job, line };
  const { cpm_micros, impressions, flight_start, flight_end } = now;
  const standing = { reason: null, awaits_approval: null, ...line.standing, flight_start, flight_end };
  const figures = { cpm_micros, impressions, cost_cents };
  const message = `Deal ${line.deal_id} has changed at its seller: ${changes.join(", ")}.`;
  const bound = withRecommendation(withBookedLine(job, line, figures), line, figures);
  return { job: warnJob(bound, [{ field: "deals", message }]), line: { ...line, ...figures, standing } };
};

export const lostWords = (line: BookedLine, status: string, reason: string | null): string => {
  const did = status === "expired" ? "has expired at its seller" : `was ${status} by its seller`;
  return `Deal ${line.deal_id} of ${quoted(line.product_name)} ${did}${reason === null ? "." : `: ${quoted(reason)}`}`;
};

/** What the seller says now of a deal; the same object where it says nothing new. */
export const withNews = (job: BookingRow, first: BookedLine, news: DealNews): Heard => {
  const changed = withTerms(job, first, news);
  const { status, reason, awaitsApproval } = news;
  const days = changed.line.standing ?? { flight_start: null, flight_end: null };
  const standing = {
    reason,
    awaits_approval: awaitsApproval,
    flight_start: days.flight_start,
    flight_end: days.flight_end,
  };
  const isOver = isLost(status);
  const { cancellation } = changed.line;
  const isAsked = cancellation?.state === "waiting" || cancellation?.state === "asked";
  const line: BookedLine = {
    ...changed.line,
    booking_status: status,
    standing,
    cancellation: isOver && isAsked ? { ...cancellation, state: "done", error: null } : cancellation,
  };
  if (canonicalJson(line) === canonicalJson(first)) return { job, events: [] };
  const told = withBookedLine(changed.job, line, line);
  const isOwn = line.cancellation?.state === "done";
  return isOver
    ? freed(told, line, status, reason ?? status, isOwn ? null : lostWords(line, status, reason))
    : { job: told, events: [] };
};
