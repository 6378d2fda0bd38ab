import { quoted } from "../../../../protocol/neutral/seen-text.ts";
import type { BookingState } from "../../../../machines/booking/machine.ts";
import { isUnfound, openCellsOf } from "../flow/cells.ts";
import { pendingLines } from "../flow/endings.ts";
import { lostWords } from "../news.ts";
import { isLost } from "../../seller-deals/contract.ts";
import { type BookedLine, type BookingRow, isCancelledJob, isHeld, isOnlyHeld, statusOf } from "../record.ts";

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

/** False once nothing is bought by it any more. */
export const isBooked = ({ booking_status: status, cancellation }: BookedLine): boolean =>
  cancellation?.state !== "done" && !isLost(status);

const counted = (words: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
};

/** Asked for, and not decided or not carried out. */
export const isBeingCancelled = ({ cancellation }: BookedLine): boolean =>
  cancellation?.state === "asked" || cancellation?.state === "waiting";

/** A seller's own word for a deal that is booked and does not run yet. */
const standingOf = (line: BookedLine): string => {
  if (isBeingCancelled(line)) return "waiting to be cancelled";
  return line.booking_status === "proposed" ? "to be activated" : line.booking_status;
};

const endedText = (job: BookingRow): string => {
  const ended = job.booked_lines.filter((line) => !isBooked(line));
  const words = ended.map((line) => (line.cancellation?.state === "done" ? "cancelled" : line.booking_status));
  return ended.length === 0 ? "" : ` No longer booked: ${counted(words)}.`;
};

const heldText = (job: BookingRow): string => {
  const held = job.recommendations.filter(isHeld).length;
  return held === 0 ? "" : ` ${lines(held)} ${held === 1 ? "waits" : "wait"} for a decision of the seller.`;
};

export const statusText = (job: BookingRow): string => `${standingText(job)}${heldText(job)}`;

const standingText = (job: BookingRow): string => {
  const live = job.booked_lines.filter(isBooked);
  const booked = live.length;
  if (job.life.value === "awaiting_approval") {
    const before = booked === 0 ? "" : ` ${lines(booked)} booked before.`;
    const waiting = pendingLines(job);
    return `${lines(waiting)} ${waiting === 1 ? "waits" : "wait"} for a decision.${before}`;
  }
  if (job.life.value === "completed")
    return booked === 0
      ? `Nothing is booked.${endedText(job)}`
      : `${lines(booked)} booked; at the sellers: ${counted(live.map(standingOf))}.${endedText(job)}`;
  return isCancelledJob(job) ? "The job was cancelled, and nothing is booked." : stateWords[job.life.value];
};

const expiryOf = (job: BookingRow): string => {
  const times = job.recommendations
    .filter((line) => line.status === "pending_approval")
    .flatMap((line) => (line.quote_expires_at_ms === null ? [] : [line.quote_expires_at_ms]));
  return times.length === 0
    ? ""
    : ` before ${new Date(Math.min(...times)).toISOString()}, when the first price expires`;
};

const afterBooking = (job: BookingRow): string => {
  const free = openCellsOf(job);
  const isVain = free.length > 0 && free.every((cell) => isUnfound(job, cell));
  const replan = isVain ? "the last search found nothing more." : "replan_booking offers unspent money anew.";
  const statuses = job.booked_lines.filter(isBooked).map((line) => line.booking_status);
  if (statuses.every((status) => status === "active" || status === "completed"))
    return `Nothing has to be done; ${replan}`;
  return `The sellers activate the deals, some after an approval, and what they do is noticed here; ${replan}`;
};

export const nextStep = (job: BookingRow): string => {
  switch (statusOf(job)) {
    case "pending":
    case "running":
      return isOnlyHeld(job)
        ? "Nothing to do: the sellers decide, which is noticed here."
        : "Nothing to do: poll get_booking.";
    case "awaiting_approval":
      return `Decide with approve_booking or approve_all_bookings${expiryOf(job)}.`;
    case "completed":
      return afterBooking(job);
    case "failed":
      return isCancelledJob(job)
        ? "Nothing: send a new brief with create_booking."
        : "Read errors and warnings, then send a changed brief with create_booking.";
  }
};

const enterWords = ({ activation }: BookedLine): string =>
  Object.keys(activation).length === 0 ? "" : "Enter the deal id in your buying platform as activation says.";

interface LineWords {
  readonly status_text: string;
  readonly next_step: string;
}

const free = "Its money is free: replan_booking offers it anew.";

/** What a request to cancel does, before it is made. */
export const cancelText = ({ deal_id: dealId }: BookedLine): string =>
  `The seller is asked to cancel deal ${dealId}, which stays booked until the seller agrees.`;

/** A deal that is entered before it is active buys nothing. */
const standingWords = (line: BookedLine): LineWords => {
  const { deal_id: dealId, booking_status: status, standing } = line;
  if (isLost(status)) return { status_text: lostWords(line, status, standing?.reason ?? null), next_step: free };
  if (status === "active")
    return { status_text: `Deal ${dealId} is active.`, next_step: enterWords(line) || "Nothing." };
  if (status === "completed") {
    return { status_text: `Deal ${dealId} is completed: its flight is over.`, next_step: "Nothing." };
  }
  const next_step = `The seller activates it, which is noticed here. ${enterWords(line)}`.trimEnd();
  if (standing?.awaits_approval === true) {
    return { status_text: `Deal ${dealId} is booked and waits for an approval at its seller.`, next_step };
  }
  return status === "proposed"
    ? { status_text: `Deal ${dealId} is booked; the seller has still to activate it.`, next_step }
    : { status_text: `Deal ${dealId} is booked; the seller answered that it is ${status}.`, next_step };
};

export const lineWords = (line: BookedLine): LineWords => {
  const { cancellation, deal_id: dealId } = line;
  switch (cancellation?.state) {
    case "done":
      return { status_text: `Deal ${dealId} is cancelled.`, next_step: free };
    case "asked":
      return { status_text: `The cancellation of deal ${dealId} is being sent.`, next_step: "Poll get_booking." };
    case "waiting":
      return cancellation.is_approved === true
        ? {
            status_text: `The seller has approved the cancellation of deal ${dealId} and has still to carry it out.`,
            next_step: "The seller carries it out, which is noticed here; until then the deal stays booked.",
          }
        : {
            status_text: `The seller has the request to cancel deal ${dealId} and has not decided.`,
            next_step: "The seller reviews it, which is noticed here; cancel_booked_line asks at once how it stands.",
          };
    case "refused": {
      const words = standingWords(line);
      return {
        status_text: `${words.status_text} Cancelling it was refused: ${quoted(cancellation.error ?? "no reason")}`,
        next_step: `Settle the cancellation with the seller. ${words.next_step}`,
      };
    }
    case undefined:
      return standingWords(line);
  }
};
