import { type Change, type Kind, put, type Store, type StoredRow } from "../../../../../storage/store.ts";
import type { ShownImpression } from "../../../platform.ts";

/** Impressions of one deal on one day (UTC). */
export interface DealCount {
  readonly deal_id: string;
  readonly date: string;
  readonly impressions: number;
}

export interface DeliveryBatch {
  readonly id: string;
  readonly counts: readonly DealCount[];
}

/** `open`: impressions by `<date> <deal>` that are in no batch. `batch`: sent until the seller has answered. */
interface Tally {
  readonly open: Readonly<Record<string, number>>;
  readonly batch: DeliveryBatch | null;
}

export interface DeliveryLedger {
  /** `false`: it was counted before. */
  shown(impression: ShownImpression): Promise<boolean>;
  /** The batch that waits for an answer, else one of what was counted since; `null`: nothing to report. */
  nextBatch(): Promise<DeliveryBatch | null>;
  settle(batchId: string): Promise<void>;
  /** Impressions that the seller has not taken yet, by deal. */
  unreported(): ReadonlyMap<string, number>;
}

const tallyId = "tally";
const mostCounts = 500;
const mostTogether = 200;

interface Seen {
  readonly expiresAtMs: number;
}

const seenKind: Kind<Seen> = {
  name: "edge_shown",
  terms: () => [],
  dueAtMs: ({ expiresAtMs }) => expiresAtMs,
  owner: () => null,
};

const tallyKind: Kind<Tally> = {
  name: "edge_delivery",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

const keyOf = (dealId: string, nowMs: number): string => `${new Date(nowMs).toISOString().slice(0, 10)} ${dealId}`;

const countOf = ([key, impressions]: [string, number]): DealCount => ({
  deal_id: key.slice(11),
  date: key.slice(0, 10),
  impressions,
});

const byDeal = ({ open, batch }: Tally): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { deal_id: id, impressions } of [...Object.entries(open).map(countOf), ...(batch?.counts ?? [])]) {
    sums.set(id, (sums.get(id) ?? 0) + impressions);
  }
  return sums;
};

const withOneMore = (open: Tally["open"], keys: readonly string[]): Tally["open"] => {
  const next = new Map(Object.entries(open));
  for (const key of keys) next.set(key, (next.get(key) ?? 0) + 1);
  return Object.fromEntries(next);
};

interface Waiting {
  readonly impression: ShownImpression;
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

/** Runs one job after the other. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(job: () => Promise<T>): Promise<T> => {
    const next = last.then(job);
    last = next.catch(() => undefined);
    return next;
  };
};

/**
 * Counts the impressions of deals. That an impression was seen and that it was counted is one commit, and so are a
 * batch and the end of what it holds: a process that dies in between has counted it once or not at all.
 */
export const openDeliveryLedger = async (
  store: Store,
  now: () => number,
  newId: () => string,
): Promise<DeliveryLedger> => {
  const row = (await store.get(tallyKind.name, tallyId)) as StoredRow<Tally> | null;
  let tally: Tally = row?.body ?? { open: {}, batch: null };
  let version = row?.version ?? 0;
  let sums = byDeal(tally);
  const inTurn = createTurns();
  let waiting: Waiting[] = [];

  const write = async (next: Tally, others: readonly Change[] = []): Promise<void> => {
    const changes = [...others, put(tallyKind, tallyId, version, next)];
    const outcome = await store.commit({ changes, audit: null });
    if (!outcome.ok) throw new Error("the delivery tally was changed by another process on the same data folder");
    tally = next;
    sums = byDeal(tally);
    version += 1;
  };

  const addAll = async (ones: readonly Waiting[]): Promise<void> => {
    const fresh = new Map<string, Waiting>();
    for (const one of ones) {
      const { id } = one.impression;
      if (fresh.has(id) || (await store.get(seenKind.name, id)) !== null) one.resolve(false);
      else fresh.set(id, one);
    }
    if (fresh.size === 0) return;
    const open = withOneMore(
      tally.open,
      [...fresh.values()].map(({ impression }) => keyOf(impression.dealId, now())),
    );
    const seen = [...fresh.values()].map(({ impression: { id, expiresAtMs } }) =>
      put(seenKind, id, 0, { expiresAtMs }),
    );
    await write({ ...tally, open }, seen);
    for (const one of fresh.values()) one.resolve(true);
  };
  const addWaiting = async (): Promise<void> => {
    const ones = waiting.slice(0, mostTogether);
    waiting = waiting.slice(mostTogether);
    try {
      await addAll(ones);
    } catch (error) {
      for (const one of ones) one.reject(error);
    }
  };

  return {
    shown: (impression) =>
      new Promise((resolve, reject) => {
        waiting.push({ impression, resolve, reject });
        void inTurn(addWaiting);
      }),
    nextBatch: () =>
      inTurn(async () => {
        const entries = Object.entries(tally.open);
        if (tally.batch !== null || entries.length === 0) return tally.batch;
        const batch = { id: newId(), counts: entries.slice(0, mostCounts).map(countOf) };
        await write({ open: Object.fromEntries(entries.slice(mostCounts)), batch });
        return batch;
      }),
    settle: (batchId) =>
      inTurn(async () => {
        if (tally.batch?.id === batchId) await write({ ...tally, batch: null });
      }),
    unreported: () => sums,
  };
};
