import { randomUUID } from "node:crypto";
import { eventChange } from "../../protocol/seam/events.ts";
import type { EventDraft } from "../../protocol/seam/operation.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { Change, Store, StoredRow, StoreReader } from "../../storage/store.ts";

export interface DueWork {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  /** Once the commit is durable, never after a lost race. */
  readonly committed?: () => void;
}

/**
 * The answer is null for a row whose deadline this agent does not move. `store` is for rows whose deadline moves
 * another row too.
 */
export type DueWorker = (row: StoredRow, nowMs: number, store: StoreReader) => DueWork | null | Promise<DueWork | null>;

export const removed = ({ kind, id, version }: StoredRow): DueWork => ({
  changes: [{ op: "remove", kind, id, expect: version }],
  events: [],
});

export interface Sweeper {
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

const rowsPerPass = 100;

/** Their commits share flushes: one by one, rows fall due faster than they are written. */
const rowsAtOnce = 10;

/** A failing row is skipped this long, so that it does not block the others. */
const passedOverMs = 60_000;

export interface SweeperParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly due: DueWorker;
  /** Each commit has its audit entry unless this is false. */
  readonly isAudited?: boolean;
}

/**
 * Commits what deadlines change, with events. Each row is its own commit; a failing one is logged and skipped for a
 * while, because the oldest deadlines come first.
 */
export const startSweeper = (parts: SweeperParts, everyMs: number): Sweeper => {
  const settle = async (row: StoredRow, nowMs: number): Promise<boolean> => {
    const work = await parts.due(row, nowMs, parts.store);
    if (work === null) throw new Error("nothing moves this row although it is due");
    const events = work.events.map((draft) => eventChange(draft, nowMs, draft.owner ?? "system"));
    const at = new Date(nowMs).toISOString();
    const entry = { at, request_id: randomUUID(), operation: `sweep_${row.kind}`, door: "timer", principal: "system" };
    const audit = parts.isAudited === false ? null : entry;
    const { ok } = await parts.store.commit({ changes: [...work.changes, ...events], audit });
    if (ok) work.committed?.();
    return ok;
  };

  const passedOver = new Map<string, number>();
  const settleOrPassOver = async (row: StoredRow, nowMs: number): Promise<boolean> => {
    const key = JSON.stringify([row.kind, row.id, row.version]);
    if (passedOver.has(key)) return false;
    try {
      return await settle(row, nowMs);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      parts.log.error({ kind: row.kind, id: row.id, error: text }, "due row left as it is");
      passedOver.set(key, nowMs + passedOverMs);
      return false;
    }
  };

  const sweep = async (): Promise<number> => {
    const nowMs = parts.clock.nowMs();
    for (const [key, untilMs] of passedOver) if (untilMs <= nowMs) passedOver.delete(key);
    let settled = 0;
    const rows = await parts.store.due(nowMs, rowsPerPass + passedOver.size);
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce);
      const ends = await Promise.all(some.map((row) => settleOrPassOver(row, nowMs)));
      settled += ends.filter(Boolean).length;
    }
    return settled;
  };

  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;
  const pass = async (): Promise<void> => {
    while (!stopped && (await sweep()) >= rowsPerPass);
  };
  const timer = setInterval(() => {
    running = running.then(pass).catch((error: unknown) => {
      parts.log.error({ error: error instanceof Error ? error.message : String(error) }, "sweep failed");
    });
  }, everyMs);
  timer.unref();
  return {
    sweep,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
