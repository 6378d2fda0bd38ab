import { formatMoney, fromMicros } from "../../../../../machines/money.ts";
import type { EventDraft } from "../../../../../protocol/seam/operation.ts";
import { type BookedLine, type BookingRow, type HeldLine, isHeld, type Recommendation } from "../../record.ts";
import { costCents } from "../money.ts";
import { bookingKey, planFor, refusedPaths } from "./plan.ts";
import {
  type AnsweredDeal,
  type BookingCallFailure,
  type BookingCallResult,
  type BookingRequest,
  type BuyAnswer,
  isHeldBuy,
} from "../ports.ts";
import { failureText, isUsableId, termsDefect } from "../quotes.ts";
import { renewQuote } from "./renew.ts";
import { moveJob } from "../../moves.ts";
import { pendingLines } from "../endings.ts";
import { orderLine } from "./order.ts";
import { parked } from "../parking.ts";
import { callFor, failJob, flowEvent, type FlowSession, notConfirmed } from "../session.ts";

/** `held`: the seller decides later. `unknown`: the seller may have booked it, so its money stays bound. */
type Ending =
  | { readonly state: "booked"; readonly line: BookedLine }
  | { readonly state: "held"; readonly held: HeldLine }
  | { readonly state: "failed" | "unknown"; readonly error: string };

const spentCents = (job: BookingRow): number =>
  job.recommendations
    .filter((line) => line.booking === "submitted" || line.booking === "booked" || line.booking === "unknown")
    .reduce((total, line) => total + line.cost_cents, 0);

const withLine = (job: BookingRow, id: string, change: Partial<Recommendation>): BookingRow => ({
  ...job,
  recommendations: job.recommendations.map((line) => (line.recommendation_id === id ? { ...line, ...change } : line)),
});

/**
 * Only a 4xx proves that nothing was booked, unless it says that the quote is booked or the call still runs. A refused
 * connection proves nothing: an earlier attempt may have arrived.
 */
const mayBeBooked = (failure: BookingCallFailure): boolean =>
  failure.status < 400 ||
  failure.status >= 500 ||
  failure.status === 408 ||
  ["quote_already_booked", "idempotency_in_flight"].includes(failure.code);

const flightOf = (job: BookingRow, { flight }: Recommendation) => {
  const { start_date: flight_start = "", end_date: flight_end = "" } = job.brief.flights[flight] ?? {};
  return { flight_start, flight_end };
};

const requestFor = (job: BookingRow, line: Recommendation, isRepeat: boolean): BookingRequest => {
  const { product_id, deal_type, impressions } = line;
  return {
    quote_id: line.quote_id,
    notes: [job.brief.advertiser, job.brief.name, `booking ${job.job_id}`].filter((part) => part != null).join(", "),
    audience_plan: planFor(job.brief, line),
    isRepeat,
    terms: {
      product_id,
      deal_type,
      impressions,
      ...flightOf(job, line),
      cpmMicros: line.cpm_micros,
      costCents: line.cost_cents,
      productName: line.product_name,
      campaignName: job.brief.name,
    },
  };
};

const dealDefect = (job: BookingRow, line: Recommendation, deal: AnsweredDeal, nowMs: number): string | null => {
  if (!isUsableId(deal.deal_id)) return "it has no usable deal id";
  if (deal.quote_id !== line.quote_id) return "it belongs to another quote";
  const isTaken = job.booked_lines.some(
    (taken) => taken.seller_url === line.seller_url && taken.deal_id === deal.deal_id,
  );
  if (isTaken) return "that is the deal of another line";
  if (deal.status !== "proposed" && deal.status !== "active") return `its status is ${deal.status}`;
  if (deal.cpm_micros !== line.cpm_micros) {
    const got = deal.cpm_micros === null ? "no price" : formatMoney(deal.cpm_micros, "USD");
    return `its price is ${got} CPM instead of the quoted ${formatMoney(line.cpm_micros, "USD")}`;
  }
  const { cost_cents: cost = null } = deal;
  if (cost !== null && cost !== line.cost_cents) {
    return `its cost is ${(cost / 100).toFixed(2)} instead of ${(line.cost_cents / 100).toFixed(2)}`;
  }
  const { product_id, deal_type, impressions } = line;
  return termsDefect({ product_id, deal_type, impressions, ...flightOf(job, line) }, deal, nowMs);
};

const lineOf = (job: BookingRow, line: Recommendation, deal: AnsweredDeal, nowMs: number): BookedLine => {
  const base = line.list_cpm_micros === null ? "" : `Base price: ${formatMoney(line.list_cpm_micros, "USD")} CPM | `;
  return {
    recommendation_id: line.recommendation_id,
    deal_id: deal.deal_id,
    quote_id: line.quote_id,
    product_id: line.product_id,
    product_name: line.product_name,
    channel: line.channel,
    flight: line.flight,
    deal_type: deal.deal_type,
    impressions: line.impressions,
    cpm_micros: line.cpm_micros,
    cost_cents: costCents(line.cpm_micros, line.impressions) ?? line.cost_cents,
    booking_status: deal.status,
    booked_at_ms: nowMs,
    buyer_tier: deal.buyer_tier,
    seller_url: line.seller_url,
    seller_id: deal.seller_id ?? line.seller_id,
    rationale: `${base}Final price: ${formatMoney(line.cpm_micros, "USD")} CPM`,
    audience_plan_id: planFor(job.brief, line)?.audience_plan_id ?? null,
    audience_match_summary: deal.audience_match_summary,
    openrtb_params: deal.openrtb_params,
    activation: deal.activation,
    order: { state: deal.order_id === undefined ? "waiting" : "made", order_id: deal.order_id ?? null },
    cancellation: null,
  };
};

/**
 * What the seller lists as unsupported is left out and the booking sent again, once per change; the list is stored
 * first, so that a repeat is the same call.
 */
const sendBooking = async (
  session: FlowSession,
  first: Recommendation,
  isRepeat: boolean,
): Promise<{ readonly line: Recommendation; readonly answer: BookingCallResult<BuyAnswer> }> => {
  let line = first;
  for (;;) {
    const booking = requestFor(session.job(), line, isRepeat);
    const answer = await session.calls.book(line.seller_url, booking, callFor(session, bookingKey(line)));
    const paths = answer.ok ? null : refusedPaths(booking.audience_plan, line, answer);
    if (paths === null) return { line, answer };
    const left_out = [...(line.left_out ?? []), paths];
    await session.commit((latest) => withLine(latest, first.recommendation_id, { left_out }));
    line = { ...line, left_out };
  }
};

const askHeld = async (session: FlowSession, line: Recommendation, taskId: string) => {
  const booking = requestFor(session.job(), line, true);
  const of = callFor(session, bookingKey(line));
  return { line, answer: await session.calls.readHeld(line.seller_url, { taskId, booking }, of) };
};

/** A repeat uses the stored key and gets the first deal; a seller that only says "booked" is asked for the deal. */
const bookLine = async (session: FlowSession, first: Recommendation, isRepeat: boolean): Promise<Ending> => {
  const job = session.job();
  const { held } = first;
  const sent = await (held === undefined
    ? sendBooking(session, first, isRepeat)
    : askHeld(session, first, held.task_id));
  const { line } = sent;
  let { answer } = sent;
  const isOpen = !answer.ok && mayBeBooked(answer);
  if (isOpen && held !== undefined) return { state: "held", held };
  // Sellers name this error differently; all of them use 409.
  if (!answer.ok && (isOpen || answer.status === 409)) {
    const booking = requestFor(job, line, true);
    const found = await session.calls.findBooking(line.seller_url, booking, callFor(session, bookingKey(line)));
    answer = found ?? answer;
  }
  if (!answer.ok) {
    const cause = failureText(line.seller_url, answer);
    return isOpen
      ? { state: "unknown", error: notConfirmed(line, cause) }
      : { state: "failed", error: `Booking failed for ${line.product_name}: ${cause}` };
  }
  if (isHeldBuy(answer.value)) {
    const since_ms = held?.since_ms ?? session.nowMs();
    return { state: "held", held: { ...answer.value, since_ms } };
  }
  const defect = dealDefect(job, line, answer.value, session.nowMs());
  if (defect !== null) {
    const deal = isUsableId(answer.value.deal_id) ? `deal ${answer.value.deal_id}` : "a deal";
    const error = `Booking of ${line.product_name} not accepted: ${line.seller_url} answered ${deal}, but ${defect}`;
    return { state: "failed", error };
  }
  return { state: "booked", line: lineOf(job, line, answer.value, session.nowMs()) };
};

const bookedEvent = (job: BookingRow, line: BookedLine): EventDraft =>
  flowEvent(
    job,
    "deal.booked",
    {
      deal_id: line.deal_id,
      quote_id: line.quote_id,
      product_id: line.product_id,
      channel: line.channel,
      impressions: line.impressions,
      cost: line.cost_cents / 100,
      final_cpm: fromMicros(line.cpm_micros),
      rationale: line.rationale,
      seller_url: line.seller_url,
      order_id: line.order.order_id,
    },
    line.deal_id,
  );

const orderedEvents = (job: BookingRow, { deal_id, order: { order_id } }: BookedLine): readonly EventDraft[] => {
  if (order_id === null) return [];
  const submitted = { order_id, line_id: deal_id, deal_id, job_id: job.job_id };
  return [flowEvent(job, "booking.submitted", submitted, deal_id)];
};

const failedEvent = (job: BookingRow): EventDraft =>
  flowEvent(job, "booking.submitted", { order_id: null, line_id: null, deal_id: null, job_id: job.job_id });

const fail = async (session: FlowSession, id: string, error: string, events: readonly EventDraft[]): Promise<null> => {
  await session.commit((latest) => withLine(latest, id, { booking: "failed", error }), events);
  return null;
};

/**
 * Stored before the call, so that a restart repeats it with the same key. An expired quote is renewed first; null when
 * the line cannot be sent.
 */
const submit = async (session: FlowSession, first: Recommendation): Promise<Recommendation | null> => {
  if (first.booking === "submitted") return first;
  const id = first.recommendation_id;
  const isLate = first.quote_expires_at_ms !== null && first.quote_expires_at_ms <= session.nowMs();
  const ready = isLate ? await renewQuote(session, first) : { ok: true as const, line: first, events: [] };
  if (!ready.ok) return fail(session, id, ready.error, ready.events);
  const { line, events } = ready;
  const job = session.job();
  if (spentCents(job) + line.cost_cents > job.brief.budget_cents) {
    return fail(session, id, `Booking failed for ${line.product_name}: its cost would pass the budget`, events);
  }
  await session.commit((latest) => withLine(latest, id, { ...line, booking: "submitted" }), events);
  return { ...line, booking: "submitted" };
};

export const settleLine = async (session: FlowSession, first: Recommendation): Promise<void> => {
  const line = await submit(session, first);
  if (line === null) return;
  const ending = await bookLine(session, line, first.booking === "submitted");
  const job = session.job();
  if (ending.state === "held") {
    return session.commit((latest) => withLine(latest, line.recommendation_id, { held: ending.held }));
  }
  const events =
    ending.state === "booked"
      ? [bookedEvent(job, ending.line), ...orderedEvents(job, ending.line)]
      : [failedEvent(job)];
  await session.commit((latest) => {
    const id = line.recommendation_id;
    if (ending.state !== "booked") return withLine(latest, id, { booking: ending.state, error: ending.error });
    return { ...withLine(latest, id, { booking: "booked" }), booked_lines: [...latest.booked_lines, ending.line] };
  }, events);
};

const isToBook = (line: Recommendation): boolean =>
  line.status === "approved" && (line.booking === "waiting" || line.booking === "submitted");

/**
 * Best first, an order for each deal. Undecided lines keep the job waiting, then those that sellers hold; else one
 * booked line completes it.
 */
export const book = async (session: FlowSession): Promise<void> => {
  for (const line of session.job().recommendations.filter(isToBook)) await settleLine(session, line);
  for (const line of session.job().booked_lines.filter(({ order }) => order.state === "waiting")) {
    await orderLine(session, line);
  }
  await session.commit((job) => {
    const nowMs = session.nowMs();
    const waitingCount = pendingLines(job);
    if (waitingCount > 0) return parked(moveJob(job, { type: "WAIT", nowMs, waitingCount }), nowMs);
    if (job.recommendations.some(isHeld)) return parked(job, nowMs);
    if (job.booked_lines.length === 0) return failJob(job, nowMs, []);
    return moveJob(job, { type: "COMPLETE", nowMs, errors: [] });
  });
};
