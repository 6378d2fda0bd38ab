import type { DealTerms } from "../deal/machine.ts";
import { dayMs, slotOfDate, startOfSlotMs } from "../inventory/dates.ts";
import { termChanges, type ChangeProposal, type ChangeType, type Term } from "./proposal.ts";

export const severities = ["minor", "material", "critical"] as const;

export type Severity = (typeof severities)[number];

/** Seller spec, Change request, severity rules. */
const severityOfType: Readonly<Record<ChangeType, Severity>> = {
  flight_dates: "material",
  impressions: "material",
  pricing: "critical",
  creative: "minor",
  targeting: "material",
  cancellation: "critical",
  other: "material",
};

/** Seller spec, Limits. */
const minorShiftMs = 3 * dayMs;

export type AgreedFlight = Pick<DealTerms, "flightStart" | "flightEnd">;

/**
 * Whatever would be written to the terms raises the default of the type, so that no price moves under the name of a
 * creative. Shifts are measured from the flight that was booked or last reviewed, so that small moves add up; an
 * unreadable date is material.
 */
export const severityOf = (proposal: ChangeProposal, agreed: AgreedFlight | null): Severity => {
  const touched = new Set(termChanges(proposal).map((change) => change.term));
  const movesFlight = touched.has("flightStart") || touched.has("flightEnd");
  const flight = movesFlight && shiftsAreMinor(proposal, agreed) ? "minor" : "material";
  const byType = proposal.changeType === "flight_dates" ? flight : severityOfType[proposal.changeType];
  const byTerms: readonly Severity[] = [
    touched.has("price") ? "critical" : "minor",
    touched.has("impressions") ? "material" : "minor",
    movesFlight ? flight : "minor",
  ];
  return [byType, ...byTerms].reduce(higher);
};

const higher = (one: Severity, other: Severity): Severity =>
  severities.indexOf(one) >= severities.indexOf(other) ? one : other;

const shiftsAreMinor = (proposal: ChangeProposal, agreed: AgreedFlight | null): boolean =>
  termChanges(proposal)
    .filter((change) => change.term === "flightStart" || change.term === "flightEnd")
    .every((change) => {
      const fromMs = momentOf(oldValue(proposal, change.term, change.field, agreed));
      const toMs = momentOf(change.value);
      return fromMs !== null && toMs !== null && Math.abs(toMs - fromMs) <= minorShiftMs;
    });

const oldValue = (proposal: ChangeProposal, term: Term, field: string, agreed: AgreedFlight | null): unknown => {
  if (agreed !== null) return term === "flightStart" ? agreed.flightStart : agreed.flightEnd;
  return proposal.diffs.find((diff) => diff.field === field)?.old_value ?? null;
};

/** A timestamp without an offset is UTC. */
const momentOf = (value: unknown): number | null => {
  if (typeof value !== "string") return null;
  const slot = slotOfDate(value);
  if (slot !== null) return startOfSlotMs(slot);
  const match = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/.exec(value);
  if (match === null || slotOfDate(match[1] ?? "") === null) return null;
  const timeMs = Date.parse(match[4] === undefined ? `${value}Z` : value);
  return Number.isNaN(timeMs) ? null : timeMs;
};
