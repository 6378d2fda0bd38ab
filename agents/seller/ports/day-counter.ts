import { randomUUID } from "node:crypto";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, type RefusalCode } from "../../../protocol/neutral/refusals.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { RefusedCall } from "../../../protocol/seam/run/gates.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import { negotiationKind, type NegotiationRow } from "../../../skills/seller/negotiation/record.ts";
import {
  type CountGroup,
  countGroups,
  countOne,
  type DayCounter,
  type DayCounts,
  dayCountsKind,
  type DayCountsRow,
  inEachGroup,
  noCounts,
  withCounts,
} from "../../../skills/seller/oversight/day-counts.ts";
import { quoteKind, type QuoteRow } from "../../../skills/seller/pricing/record.ts";
import type { Change, Store, StoredRow } from "../../../storage/store.ts";

export interface DayCountWriter extends DayCounter {
  noteRefusal(call: RefusedCall, code: RefusalCode): Promise<void>;
  noteCommit(changes: readonly Change[]): void;
  write(): Promise<void>;
}

interface DayCounterParts {
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Clock;
  readonly isOperation: (name: string) => boolean;
}

type Tally = Readonly<Record<CountGroup, Map<string, number>>>;

const newTally = (): Tally => inEachGroup(() => new Map<string, number>());

const asCounts = (tally: Tally): DayCounts => inEachGroup((group) => Object.fromEntries(tally[group]));

const countedKinds = { [quoteKind.name]: "quotes", [negotiationKind.name]: "negotiations" } as const;

type Counted = Pick<QuoteRow & NegotiationRow, "owner" | "product">;

const notePut = (tally: () => Tally, change: Change): void => {
  const counted = change.op === "put" && change.expect === 0 ? countedKinds[change.kind] : undefined;
  if (change.op !== "put" || counted === undefined) return;
  const { owner, product } = change.body as Counted;
  countOne(tally()[`${counted}_by_buyer`], owner);
  countOne(tally()[`${counted}_by_product`], product.product_id);
};

/**
 * Written from time to time: a commit per refusal would let anybody fill the disk, and a counter in each quote's commit
 * would make them wait for each other.
 */
export const createDayCounter = ({ store, clock, isOperation }: DayCounterParts): DayCountWriter => {
  const counted = new Map<string, Tally>();
  let writing: Promise<void> = Promise.resolve();
  let writes = 0;

  const today = (): Tally => {
    const day = isoTime(clock.nowMs()).slice(0, 10);
    const tally = counted.get(day) ?? newTally();
    counted.set(day, tally);
    return tally;
  };

  const settle = (day: string, written: DayCounts): void => {
    const tally = counted.get(day) ?? newTally();
    for (const group of countGroups) {
      for (const [name, count] of Object.entries(written[group])) {
        const rest = (tally[group].get(name) ?? 0) - count;
        if (rest > 0) tally[group].set(name, rest);
        else tally[group].delete(name);
      }
    }
    if (countGroups.every((group) => tally[group].size === 0)) counted.delete(day);
  };

  const writeDay = async (day: string, counts: DayCounts): Promise<void> => {
    const loaded = (await store.get(dayCountsKind.name, day)) as StoredRow<DayCountsRow> | null;
    const row = { day, counts: withCounts(loaded?.body.counts ?? noCounts, counts) };
    const change = loaded === null ? create(dayCountsKind, day, row) : update(dayCountsKind, loaded, row);
    const at = isoTime(clock.nowMs());
    const audit = { at, request_id: randomUUID(), operation: "note_day_counts", door: "timer", principal: "system" };
    // A lost race keeps the counts for the next time.
    if ((await store.commit({ changes: [change], audit })).ok) settle(day, counts);
  };

  const writeAll = async (): Promise<void> => {
    writes += 1;
    for (const [day, tally] of counted) await writeDay(day, asCounts(tally));
  };

  return {
    noteRefusal: async (call, code) => {
      const who = await call.admission.who();
      const tally = today();
      countOne(tally.code, code);
      const { operation } = call;
      if (operation !== null) countOne(tally.operation, isOperation(operation) ? operation : "unknown_operation");
      countOne(tally.buyer, isRefusal(who) ? (who.ownerOfCall ?? "anonymous") : who.owner);
    },
    noteCommit: (changes) => {
      for (const change of changes) notePut(today, change);
    },
    unwritten: (day) => {
      const tally = counted.get(day);
      return tally === undefined ? null : asCounts(tally);
    },
    writes: () => writes,
    afterWrite: () => writing.catch(() => undefined),
    write: () => {
      writing = writing.catch(() => undefined).then(writeAll);
      return writing;
    },
  };
};
