import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { Kind } from "../../../storage/store.ts";

export const refusalGroups = ["code", "operation", "buyer"] as const;

export type RefusalGroup = (typeof refusalGroups)[number];

export type Counts = Readonly<Record<string, number>>;

export type RefusalCounts = Readonly<Record<RefusalGroup, Counts>>;

/** How often calls were refused on a UTC day, which is the row's id. */
export interface RefusalDayRow {
  readonly day: string;
  readonly counts: RefusalCounts;
}

export const refusalDayKind: Kind<RefusalDayRow> = {
  name: "refusal_day",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const noRefusals: RefusalCounts = { code: {}, operation: {}, buyer: {} };

/** Buyers beyond these share a name, so that a row stays small whoever calls. */
const mostNames = 1_000;
const otherNames = "(others)";

export const countOne = (sums: Map<string, number>, name: string, count = 1): void => {
  const kept = sums.has(name) || sums.size < mostNames ? name : otherNames;
  sums.set(kept, (sums.get(kept) ?? 0) + count);
};

const addedUp = (before: Counts, more: Counts): Counts => {
  const sums = new Map(Object.entries(before));
  for (const [name, count] of Object.entries(more)) countOne(sums, name, count);
  return Object.fromEntries(sums);
};

export const withRefusals = (before: RefusalCounts, more: RefusalCounts): RefusalCounts => ({
  code: addedUp(before.code, more.code),
  operation: addedUp(before.operation, more.operation),
  buyer: addedUp(before.buyer, more.buyer),
});

/** Null: none that are unwritten. */
export interface RefusalCounter {
  unwritten(day: string): RefusalCounts | null;
}

/** Includes what is not written yet. */
export const refusalsIn = async (
  context: Context<{ readonly refusals: RefusalCounter }>,
  { fromSlot, toSlot }: SlotSpan,
): Promise<RefusalCounts> => {
  const dates = Array.from({ length: toSlot - fromSlot + 1 }, (_, place) => dateOfSlot(fromSlot + place) ?? "");
  const days = await Promise.all(
    dates.map(async (day) => {
      const written = (await context.load(refusalDayKind, day))?.body.counts ?? noRefusals;
      return withRefusals(written, context.ports.refusals.unwritten(day) ?? noRefusals);
    }),
  );
  return days.reduce(withRefusals, noRefusals);
};
