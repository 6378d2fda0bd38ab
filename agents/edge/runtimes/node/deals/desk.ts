import { randomUUID } from "node:crypto";
import type { Store } from "../../../../../storage/store.ts";
import type { SellerDealsConfig } from "../../../config.ts";
import type { DealBoard, DealDesk, EdgeEnv, LogEntry } from "../../../platform.ts";
import { openDeliveryLedger, type DealCount, type DeliveryLedger } from "./delivery-ledger.ts";
import { loop } from "./loop.ts";
import { createWakeup } from "../../../../server/wakeup.ts";
import { createPace } from "./pace.ts";
import { createSeller, SellerCallError, type Seller } from "./seller.ts";

/** Ids of ended deals that are remembered. */
const mostEnded = 20_000;
/** A list that takes long to read is read that many times less often on events. */
const restFactor = 10;
const leastRestMs = 200;
const lastReportMs = 500;

const cures: Readonly<Record<number, string>> = {
  401: "check that the secret entry of deals.api_key is a key of the seller with the role edge",
  403: "check that the secret entry of deals.api_key is a key of the seller with the role edge",
  404: "check deals.seller_url",
};

export interface RunningDesk {
  readonly desk: DealDesk;
  /** Calls back with each new board, and after counts have changed. */
  subscribe(handle: (board: DealBoard | null, shownHere: () => ReadonlyMap<string, number>) => void): void;
  close(): Promise<void>;
}

interface DeskParts {
  readonly config: SellerDealsConfig;
  readonly store: Store;
  readonly env: Pick<EdgeEnv, "send" | "decode" | "now">;
  readonly log: (entry: LogEntry) => void;
}

const createShownHere = (ledger: DeliveryLedger) => {
  /** What the seller took since its list was asked for may not be in the list. */
  let taken = new Map<string, number>();
  return {
    of: (id: string): number => (ledger.unreported().get(id) ?? 0) + (taken.get(id) ?? 0),
    all(): ReadonlyMap<string, number> {
      const sums = new Map(taken);
      for (const [id, count] of ledger.unreported()) sums.set(id, (sums.get(id) ?? 0) + count);
      return sums;
    },
    took(counts: readonly DealCount[]): void {
      for (const { deal_id: id, impressions } of counts) taken.set(id, (taken.get(id) ?? 0) + impressions);
    },
    /** Resolves `read` and forgets what had been taken before it began. */
    async during<T>(read: () => Promise<T>): Promise<T> {
      const before = taken;
      taken = new Map();
      try {
        return await read();
      } catch (error) {
        for (const [id, count] of before) taken.set(id, (taken.get(id) ?? 0) + count);
        throw error;
      }
    },
  };
};

type ShownHere = ReturnType<typeof createShownHere>;

/** Sends batch after batch until nothing is left; the failure of one is the caller's. */
const reportAll = async (ledger: DeliveryLedger, seller: Seller, shownHere: ShownHere, log: DeskParts["log"]) => {
  for (let batch = await ledger.nextBatch(); batch !== null; batch = await ledger.nextBatch()) {
    const { id, counts } = batch;
    try {
      for (const dealId of await seller.report(batch)) {
        log({ level: "warn", event: "deal_not_known_to_seller", deal_id: dealId, batch_id: id });
      }
    } catch (error) {
      const status = error instanceof SellerCallError ? error.status : null;
      if (status !== 409 && status !== 422) throw error;
      // It would be refused for ever, and hold back every later one: the log keeps what it held.
      log({ level: "error", event: "deal_batch_refused", status, batch_id: id, counts });
    }
    shownHere.took(counts);
    await ledger.settle(id);
  }
};

const endedOf = (before: DealBoard | null, now: DealBoard["deals"]): readonly string[] => {
  if (before === null) return [];
  const active = new Set(now.map(({ id }) => id));
  const gone = [...before.ended, ...before.deals.map(({ id }) => id)].filter((id) => !active.has(id));
  return [...new Set(gone)].slice(-mostEnded);
};

/** A first list without deals is no change. */
const sameDeals = (one: DealBoard | null, other: DealBoard): boolean =>
  JSON.stringify([one?.deals ?? [], one?.ended ?? []]) === JSON.stringify([other.deals, other.ended]);

const failureOf = (event: string, error: unknown): LogEntry => {
  const status = error instanceof SellerCallError ? error.status : null;
  const cure = (status === null ? undefined : cures[status]) ?? "it is tried again; check deals.seller_url";
  return { level: "warn", event, cause: error instanceof Error ? error.message : String(error), cure };
};

/**
 * Keeps the seller's active deals at hand, and tells the seller what was shown of them. A seller that is down or
 * answers nonsense leaves the last list in force until it is too old; what was shown waits until the seller takes it.
 */
export const startDealDesk = async (parts: DeskParts): Promise<RunningDesk> => {
  const { config, store, env, log } = parts;
  const seller = createSeller(config, env);
  const ledger = await openDeliveryLedger(store, () => env.now(), randomUUID);
  const shownHere = createShownHere(ledger);
  const pace = createPace(() => env.now(), shownHere.of);
  const handles = new Set<Parameters<RunningDesk["subscribe"]>[0]>();
  const closing = new AbortController();
  const { signal } = closing;
  const changed = createWakeup(signal);
  let board: DealBoard | null = null;

  const tell = (): void => {
    for (const handle of handles) handle(board, shownHere.all);
  };
  const failed = (event: string) => (error: unknown) => log(failureOf(event, error));
  const refresh = async (): Promise<number> => {
    const startedAtMs = env.now();
    const { deals, unreadable } = await shownHere.during(() => seller.activeDeals());
    const next = { deals, ended: endedOf(board, deals), freshUntilMs: env.now() + config.stale_ms };
    if (!sameDeals(board, next)) log({ level: "info", event: "deals", active: deals.length, unreadable });
    board = next;
    pace.follow(deals);
    tell();
    const tookMs = env.now() - startedAtMs;
    await changed.wait(config.refresh_ms);
    changed.reset();
    return Math.max(leastRestMs, tookMs * restFactor);
  };
  const reporting = async (): Promise<number> => {
    await reportAll(ledger, seller, shownHere, log);
    tell();
    return config.report_ms;
  };
  const following = async (): Promise<number> => {
    await seller.follow(changed.wake, signal);
    changed.wake();
    return leastRestMs;
  };
  const loops = [
    loop(refresh, failed("deals_not_read"), signal),
    loop(reporting, failed("deals_not_reported"), signal),
    loop(following, failed("deal_events_not_read"), signal),
  ];
  return {
    desk: {
      board: () => board,
      shownHere: (id) => shownHere.of(id),
      take: (ids) => Promise.resolve(ids.map(pace.take)),
      giveBack: (ids) => ids.forEach(pace.release),
      async shown(impression) {
        const isNew = await ledger.shown(impression);
        pace.release(impression.id);
        if (isNew) tell();
        return isNew;
      },
    },
    subscribe(handle) {
      handles.add(handle);
      handle(board, shownHere.all);
    },
    async close() {
      closing.abort();
      await Promise.all(loops);
      const last = reportAll(ledger, seller, shownHere, log).catch(failed("deals_not_reported"));
      await Promise.race([last, new Promise((resolve) => setTimeout(resolve, lastReportMs).unref())]);
    },
  };
};
