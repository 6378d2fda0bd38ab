import type { AuditedChange, Change, Fact } from "../../../storage/store.ts";
import { alterationOf } from "../changes.ts";

/** An audit record is kept for ever. */
const mostFields = 24;
const longestText = 160;

const bounded = (fact: Fact): Fact =>
  typeof fact === "string" && fact.length > longestText ? `${fact.slice(0, longestText)}…` : fact;

const alteredIn = (change: Change): readonly AuditedChange[] => {
  const alteration = "id" in change ? alterationOf(change) : null;
  if (alteration === null || !("id" in change)) return [];
  const [before, after] = alteration;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const [from, to] = [before[field] ?? null, after[field] ?? null];
    const { kind, id } = change;
    return from === to ? [] : [{ kind, id, field, from: bounded(from), to: bounded(to) }];
  });
};

/** Undefined: nothing that the audit trail keeps. */
export const alteredFields = (changes: readonly Change[]): readonly AuditedChange[] | undefined => {
  const altered = changes.flatMap(alteredIn);
  return altered.length === 0 ? undefined : altered.slice(0, mostFields);
};
