import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { Kind } from "../../../storage/store.ts";

export const refusalGroups = ["code", "operation", "buyer"] as const;

/** What is counted on a day; each group has names of its own. */
export const countGroups = [
  ...refusalGroups,
  "quotes_by_buyer",
  "quotes_by_product",
  "negotiations_by_buyer",
  "negotiations_by_product",
] as const;

export type CountGroup = (typeof countGroups)[number];

export type Counts = Readonly<Record<string, number>>;

export type DayCounts = Readonly<Record<CountGroup, Counts>>;

/** The id is the UTC day. */
export interface DayCountsRow {
  readonly day: string;
  readonly counts: DayCounts;
}

export const dayCountsKind: Kind<DayCountsRow> = {
  name: "day_counts",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const inEachGroup = <T>(make: (group: CountGroup) => T): Readonly<Record<CountGroup, T>> =>
  Object.fromEntries(countGroups.map((group) => [group, make(group)])) as Record<CountGroup, T>;

export const noCounts: DayCounts = inEachGroup(() => ({}));

/** Names beyond these share one, so that a row stays small whoever calls. */
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

export const withCounts = (before: DayCounts, more: DayCounts): DayCounts =>
  inEachGroup((group) => addedUp(before[group], more[group]));

export const sumOfCounts = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** `unwritten` null: none. `writes`: how many were begun. `afterWrite` resolves when none is under way. */
export interface DayCounter {
  unwritten(day: string): DayCounts | null;
  writes(): number;
  afterWrite(): Promise<void>;
}

type Reading = Pick<Context<{ readonly dayCounts: DayCounter }>, "load" | "ports">;

/** Read while a write is under way, a count would be seen twice or not at all: as written, and as not written yet. */
const countsOf = async (context: Reading, day: string): Promise<DayCounts> => {
  const { dayCounts } = context.ports;
  for (;;) {
    await dayCounts.afterWrite();
    const before = dayCounts.writes();
    const written = (await context.load(dayCountsKind, day))?.body.counts ?? noCounts;
    if (dayCounts.writes() !== before) continue;
    const unwritten = dayCounts.unwritten(day);
    return unwritten === null ? written : withCounts(written, unwritten);
  }
};

/** One for each day, with what is not written yet. */
export const dayCountsIn = (context: Reading, { fromSlot, toSlot }: SlotSpan): Promise<readonly DayCounts[]> => {
  const dates = Array.from({ length: toSlot - fromSlot + 1 }, (_, place) => dateOfSlot(fromSlot + place) ?? "");
  return Promise.all(dates.map((day) => countsOf(context, day)));
};

export const countsIn = async (context: Reading, span: SlotSpan): Promise<DayCounts> =>
  (await dayCountsIn(context, span)).reduce(withCounts, noCounts);
