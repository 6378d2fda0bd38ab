import type { BookingState } from "../../../../machines/booking/machine.ts";
import { pendingLines } from "../flow/endings.ts";
import { type BookedLine, type BookingRow, statusOf } from "../record.ts";

export const stateWords: Readonly<Record<BookingState, string>> = {
  pending: "The brief is accepted and waits for a worker.",
  allocating: "The budget is split over the channels.",
  researching: "The sellers are asked for products and quotes.",
  negotiating: "Lower prices are asked for where the seller negotiates.",
  choosing: "The offers are ranked and fitted into the budget.",
  awaiting_approval: "The recommendations wait for a decision.",
  booking: "The approved lines are booked at their sellers.",
  completed: "The job is over.",
  failed: "The job ended without a booking.",
};

const lines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);

/** As each seller answered its booking. */
const sellersSay = (booked: readonly BookedLine[]): string => {
  const counts = new Map<string, number>();
  for (const { booking_status: status } of booked) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
};

export const statusText = (job: BookingRow): string => {
  const live = job.booked_lines.filter((line) => line.cancellation?.state !== "done");
  const booked = live.length;
  if (job.life.value === "awaiting_approval") {
    const before = booked === 0 ? "" : ` ${lines(booked)} booked before.`;
    const waiting = pendingLines(job);
    return `${lines(waiting)} ${waiting === 1 ? "waits" : "wait"} for a decision.${before}`;
  }
  if (job.life.value === "completed")
    return booked === 0
      ? "Nothing is booked."
      : `${lines(booked)} booked; at the sellers, when booked: ${sellersSay(live)}.`;
  return stateWords[job.life.value];
};

const expiryOf = (job: BookingRow): string => {
  const times = job.recommendations
    .filter((line) => line.status === "pending_approval")
    .flatMap((line) => (line.quote_expires_at_ms === null ? [] : [line.quote_expires_at_ms]));
  return times.length === 0
    ? ""
    : ` before ${new Date(Math.min(...times)).toISOString()}, when the first price expires`;
};

export const nextStep = (job: BookingRow): string => {
  switch (statusOf(job)) {
    case "pending":
    case "running":
      return "Nothing to do: poll get_booking.";
    case "awaiting_approval":
      return `Decide with approve_booking or approve_all_bookings${expiryOf(job)}.`;
    case "completed":
      return "The sellers activate the deals, some after an approval; replan_booking offers unspent money anew.";
    case "failed":
      return job.life.context.errors.includes("cancelled")
        ? "Nothing: send a new brief with create_booking."
        : "Read errors and warnings, then send a changed brief with create_booking.";
  }
};

/** A deal that is entered before it is active buys nothing. */
const activationWords = "The seller activates it first, after an approval where one is due.";

const enterWords = ({ activation }: BookedLine): string =>
  Object.keys(activation).length === 0 ? "" : " Then enter the deal id in your buying platform as activation says.";

export const lineWords = (line: BookedLine): { readonly status_text: string; readonly next_step: string } => {
  const { cancellation, deal_id: dealId } = line;
  switch (cancellation?.state) {
    case "done":
      return { status_text: `Deal ${dealId} is cancelled.`, next_step: "Nothing: its money can be planned again." };
    case "asked":
      return { status_text: `The cancellation of deal ${dealId} is being sent.`, next_step: "Poll get_booking." };
    case "waiting":
      return {
        status_text: `The seller has the request to cancel deal ${dealId} and has not decided.`,
        next_step: "The seller reviews it; cancel_booked_line asks how it stands.",
      };
    case "refused":
      return {
        status_text: `Deal ${dealId} is booked; cancelling it was refused: ${cancellation.error ?? "no reason"}`,
        next_step: "Settle it with the seller.",
      };
    case undefined:
      return {
        status_text: `Deal ${dealId} is booked; the seller answered that it is ${line.booking_status}.`,
        next_step: `${activationWords} get_deal asks how it stands.${enterWords(line)}`,
      };
  }
};
