import type { DealTerms } from "../deal/machine.ts";
import { dateOfSlot, slotOfDate, slotOfTime } from "../inventory/dates.ts";
import { isFlightProblem, overFlight, readFlight } from "../inventory/flight.ts";
import { toMicros } from "../money.ts";
import { cancellableStatuses } from "../order/effects.ts";
import type { OrderStatus } from "../order/moves.ts";
import { termChanges, type ChangeProposal, type TermChange } from "./proposal.ts";

/** `current` is null for an order without a deal. */
export interface ChangeSubject {
  readonly orderStatus: OrderStatus;
  readonly current: DealTerms | null;
  /** The seller's secret. */
  readonly lowestMicros: number;
  readonly leastImpressions: number;
  readonly nowMs: number;
}

export interface ChangeCheck {
  readonly errors: readonly string[];
  readonly terms: DealTerms | null;
}

const closedStatuses: readonly OrderStatus[] = ["completed", "cancelled", "failed"];

/** Lists every error at once. The store checks the inventory on top. */
export const checkChange = (proposal: ChangeProposal, subject: ChangeSubject): ChangeCheck => {
  const reading = readTerms(termChanges(proposal), subject);
  const errors = [...new Set([...orderErrors(proposal, subject.orderStatus), ...reading.errors])];
  return { errors, terms: errors.length === 0 ? reading.terms : null };
};

const orderErrors = (proposal: ChangeProposal, status: OrderStatus): readonly string[] => {
  const errors: string[] = [];
  if (closedStatuses.includes(status)) {
    errors.push(`Cannot modify order in '${status}' status.`);
  }
  if (proposal.changeType === "cancellation" && !cancellableStatuses.includes(status)) {
    errors.push(`Cannot cancel order in '${status}' status.`);
  }
  return errors;
};

const readTerms = (changes: readonly TermChange[], subject: ChangeSubject): ChangeCheck => {
  const errors: string[] = [];
  let terms: Partial<DealTerms> = {};
  for (const change of changes) {
    const reading = readTerm(change, subject);
    if (typeof reading === "string") errors.push(reading);
    else terms = { ...terms, ...reading };
  }
  const { current } = subject;
  if (current === null) return { errors, terms: null };
  const merged = { ...current, ...terms };
  return { errors: [...errors, ...flightErrors(current, merged, subject.nowMs)], terms: merged };
};

/** A flight that runs keeps its first day; what is moved lies ahead. */
const flightErrors = (current: DealTerms, merged: DealTerms, nowMs: number): readonly string[] => {
  const flight = readFlight(merged, nowMs);
  if (isFlightProblem(flight)) return [flight.message];
  const startsAnew = merged.flightStart !== current.flightStart;
  if (!startsAnew && merged.flightEnd === current.flightEnd) return [];
  const over = overFlight(flight, nowMs);
  if (over !== null) return [`${over.text} ${over.cure}`];
  if (!startsAnew || flight.fromSlot >= slotOfTime(nowMs)) return [];
  const today = dateOfSlot(slotOfTime(nowMs));
  const text = `The flight begins on ${merged.flightStart}, before today (${today}, UTC): past days cannot be sold.`;
  return [`${text} Ask for a flight that starts on ${today} or later.`];
};

const readTerm = (change: TermChange, subject: ChangeSubject): Partial<DealTerms> | string => {
  if (change.term === "impressions") return readImpressions(change.value, subject);
  if (change.term === "price") return readPrice(change, subject.lowestMicros);
  const isDay = typeof change.value === "string" && slotOfDate(change.value) !== null;
  if (isDay) return { [change.term]: change.value };
  return subject.current === null ? {} : `${change.field} must be a date of the calendar in the form YYYY-MM-DD.`;
};

/** Text of digits counts as its number; booleans and fractions do not. */
const readImpressions = (value: unknown, subject: ChangeSubject): Partial<DealTerms> | string => {
  const isDigits = typeof value === "string" && /^-?\d{1,16}$/.test(value.trim());
  const impressions = isDigits ? Number(value) : value;
  if (typeof impressions !== "number" || !Number.isSafeInteger(impressions)) return "Impressions must be an integer.";
  if (impressions <= 0) return "Impressions must be positive.";
  const isFewer = impressions < subject.leastImpressions && impressions !== subject.current?.impressions;
  return isFewer ? `impressions must be at least ${subject.leastImpressions}.` : { impressions };
};

/** Below the limit the error names no figure and no reason. */
const readPrice = (change: TermChange, lowestMicros: number): Partial<DealTerms> | string => {
  const priceMicros = typeof change.value === "number" ? toMicros(change.value) : null;
  if (priceMicros === null || priceMicros <= 0) {
    return `${change.field} must be a number above zero with at most six decimals.`;
  }
  return priceMicros < lowestMicros ? `${change.field} is not an acceptable price.` : { priceMicros };
};
