import type { DealTerms } from "../deal/machine.ts";
import { fromMicros } from "../money.ts";

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

/** The old value is the caller's claim, never trusted. */
export interface Diff {
  readonly field: string;
  readonly old_value: unknown;
  readonly new_value: unknown;
}

export interface ChangeProposal {
  readonly changeType: ChangeType;
  readonly diffs: readonly Diff[];
  readonly proposedValues: Readonly<Record<string, unknown>>;
}

/** `price` and `cpm` are other names of `final_cpm`. */
const termOfField = {
  flight_start: "flightStart",
  flight_end: "flightEnd",
  impressions: "impressions",
  final_cpm: "price",
  price: "price",
  cpm: "price",
} as const;

export type Term = (typeof termOfField)[keyof typeof termOfField];

/** Unread, with the name that the caller used. */
export interface TermChange {
  readonly term: Term;
  readonly field: string;
  readonly value: unknown;
}

const isTermField = (field: string): field is keyof typeof termOfField => Object.hasOwn(termOfField, field);

/** Undefined: not a term of the deal. */
export const currentTerm = (terms: DealTerms, field: string): unknown => {
  if (!isTermField(field)) return undefined;
  const term = termOfField[field];
  return term === "price" ? fromMicros(terms.priceMicros) : terms[term];
};

/** The last value of a term counts, diffs after `proposed_values`; null changes nothing. */
export const termChanges = (proposal: ChangeProposal): readonly TermChange[] => {
  const proposed = Object.entries(proposal.proposedValues);
  const diffs = proposal.diffs.map((diff) => [diff.field, diff.new_value] as const);
  return [...proposed, ...diffs].flatMap(([field, value]) =>
    isTermField(field) && value !== null && value !== undefined ? [{ term: termOfField[field], field, value }] : [],
  );
};

/** Entries are defined, never assigned, so that no key reaches a prototype. */
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
