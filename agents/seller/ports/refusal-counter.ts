import { randomUUID } from "node:crypto";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, type RefusalCode } from "../../../protocol/neutral/refusals.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { Call } from "../../../protocol/seam/operation.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import {
  countOne,
  noRefusals,
  type RefusalCounter,
  type RefusalCounts,
  refusalDayKind,
  type RefusalDayRow,
  type RefusalGroup,
  refusalGroups,
  withRefusals,
} from "../../../skills/seller/oversight/refusal-days.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";

export interface RefusalWriter extends RefusalCounter {
  note(call: Call, code: RefusalCode): Promise<void>;
  write(): Promise<void>;
}

interface RefusalCounterParts {
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Clock;
  readonly isOperation: (name: string) => boolean;
}

type Tally = Readonly<Record<RefusalGroup, Map<string, number>>>;

const newTally = (): Tally => ({ code: new Map(), operation: new Map(), buyer: new Map() });

const countsIn = ({ code, operation, buyer }: Tally): RefusalCounts => ({
  code: Object.fromEntries(code),
  operation: Object.fromEntries(operation),
  buyer: Object.fromEntries(buyer),
});

/** Written from time to time: a commit per refusal would let anybody fill the disk. */
export const createRefusalCounter = ({ store, clock, isOperation }: RefusalCounterParts): RefusalWriter => {
  const counted = new Map<string, Tally>();

  const settle = (day: string, written: RefusalCounts): void => {
    const tally = counted.get(day) ?? newTally();
    for (const group of refusalGroups) {
      for (const [name, count] of Object.entries(written[group])) {
        const rest = (tally[group].get(name) ?? 0) - count;
        if (rest > 0) tally[group].set(name, rest);
        else tally[group].delete(name);
      }
    }
    if (tally.code.size === 0) counted.delete(day);
  };

  const writeDay = async (day: string, counts: RefusalCounts): Promise<void> => {
    const loaded = (await store.get(refusalDayKind.name, day)) as StoredRow<RefusalDayRow> | null;
    const row = { day, counts: withRefusals(loaded?.body.counts ?? noRefusals, counts) };
    const change = loaded === null ? create(refusalDayKind, day, row) : update(refusalDayKind, loaded, row);
    const at = isoTime(clock.nowMs());
    const audit = { at, request_id: randomUUID(), operation: "note_refusals", door: "timer", principal: "system" };
    // A lost race keeps the counts for the next time.
    if ((await store.commit({ changes: [change], audit })).ok) settle(day, counts);
  };

  return {
    note: async (call, code) => {
      const who = await call.admission.who();
      const day = isoTime(clock.nowMs()).slice(0, 10);
      const tally = counted.get(day) ?? newTally();
      counted.set(day, tally);
      countOne(tally.code, code);
      countOne(tally.operation, isOperation(call.operation) ? call.operation : "unknown_operation");
      countOne(tally.buyer, isRefusal(who) ? "anonymous" : who.owner);
    },
    unwritten: (day) => {
      const tally = counted.get(day);
      return tally === undefined ? null : countsIn(tally);
    },
    write: async () => {
      for (const [day, tally] of counted) await writeDay(day, countsIn(tally));
    },
  };
};
