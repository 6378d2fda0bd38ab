import type { DealTerms } from "../deal/machine.ts";
import { fromMicros } from "../money.ts";

/** The kinds of change (seller spec, Change request). */
export const changeTypes = [
  "flight_dates",
  "impressions",
  "pricing",
  "creative",
  "targeting",
  "cancellation",
  "other",
] as const;

export type ChangeType = (typeof changeTypes)[number];

/** One field's change, as the caller states it: the old value is a claim, never trusted. */
export interface Diff {
  readonly field: string;
  readonly old_value: unknown;
  readonly new_value: unknown;
}

/** What a change request asks for. */
export interface ChangeProposal {
  readonly changeType: ChangeType;
  readonly diffs: readonly Diff[];
  readonly proposedValues: Readonly<Record<string, unknown>>;
}

/** Names under which the terms of a deal may be changed (decision 61). */
const termOfField = {
  flight_start: "flightStart",
  flight_end: "flightEnd",
  impressions: "impressions",
  final_cpm: "price",
  price: "price",
  cpm: "price",
} as const;

export type Term = (typeof termOfField)[keyof typeof termOfField];

/** One new value for a term, unread, with the name that the caller used for it. */
export interface TermChange {
  readonly term: Term;
  readonly field: string;
  readonly value: unknown;
}

const isTermField = (field: string): field is keyof typeof termOfField => Object.hasOwn(termOfField, field);

/** What a field of the deal's terms is now, as the wire shows it; undefined: the field is none of them. */
export const currentTerm = (terms: DealTerms, field: string): unknown => {
  if (!isTermField(field)) return undefined;
  const term = termOfField[field];
  return term === "price" ? fromMicros(terms.priceMicros) : terms[term];
};

/**
 * Every new value that the proposal would write to the deal's terms: those of `proposed_values`, then those of the
 * diffs; the last one of a term counts. A null new value changes nothing (wire contract 4.3).
 */
export const termChanges = (proposal: ChangeProposal): readonly TermChange[] => {
  const proposed = Object.entries(proposal.proposedValues);
  const diffs = proposal.diffs.map((diff) => [diff.field, diff.new_value] as const);
  return [...proposed, ...diffs].flatMap(([field, value]) =>
    isTermField(field) && value !== null && value !== undefined ? [{ term: termOfField[field], field, value }] : [],
  );
};

/**
 * An order's metadata after the change: all proposed values, then each diff with a new value as `_changed_<field>`
 * (wire contract 4.3). Entries are defined, never assigned, so that no key reaches a prototype.
 */
export const changedMetadata = (
  metadata: Readonly<Record<string, unknown>>,
  proposal: ChangeProposal,
): Record<string, unknown> =>
  Object.fromEntries([
    ...Object.entries(metadata),
    ...Object.entries(proposal.proposedValues),
    ...proposal.diffs
      .filter((diff) => diff.field !== "" && diff.new_value !== null && diff.new_value !== undefined)
      .map((diff) => [`_changed_${diff.field}`, diff.new_value] as const),
  ]);
