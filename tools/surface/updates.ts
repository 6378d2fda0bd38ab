import { eventKind, type EventRow } from "../../protocol/seam/events.ts";
import type { Store, StoredRow } from "../../storage/store.ts";
import { resourceOf } from "./resources.ts";

type Reader = Pick<Store, "list" | "watch">;

/** Tells subscribers which of their resources an event is about. */
export interface ResourceUpdates {
  /** Returns the end of the subscription. */
  subscribe(uri: string, updated: (uri: string) => void): Promise<() => void>;
  stop(): void;
}

const rowsPerPage = 200;

const idsOf = ({ flow_id, deal_id, proposal_id, payload }: EventRow): ReadonlySet<unknown> =>
  new Set([flow_id, deal_id, proposal_id, ...Object.values(payload)].filter((value) => typeof value === "string"));

/** A resource without an id (the rate card) is known by the operation that changes it. */
const keyOf = (uri: string): string => resourceOf(uri)?.id ?? uri;

/** One reader of the outbox for all sessions; it reads only while somebody is subscribed. */
export const createResourceUpdates = (store: Reader): ResourceUpdates => {
  const listeners = new Map<string, Set<(id: string) => void>>();
  let after = 0;
  let unwatch: (() => void) | null = null;
  let started: Promise<void> | null = null;
  let reading: Promise<void> | null = null;
  let isRung = false;

  const tell = (row: StoredRow<EventRow>): void => {
    for (const id of idsOf(row.body)) for (const listen of listeners.get(id as string) ?? []) listen(id as string);
  };

  const readOn = async (): Promise<void> => {
    while (isRung && listeners.size > 0) {
      isRung = false;
      for (let count = rowsPerPage; count === rowsPerPage;) {
        const query = { kind: eventKind.name, terms: [], order: "oldest", limit: rowsPerPage, after } as const;
        const rows = (await store.list(query)) as readonly StoredRow<EventRow>[];
        rows.forEach(tell);
        after = rows.at(-1)?.n ?? after;
        count = rows.length;
      }
    }
  };

  const ring = (): void => {
    isRung = true;
    reading ??= readOn().finally(() => {
      reading = null;
      if (isRung && listeners.size > 0) ring();
    });
  };

  const start = async (): Promise<void> => {
    const [newest] = await store.list({ kind: eventKind.name, terms: [], order: "newest", limit: 1 });
    after = newest?.n ?? 0;
    unwatch = store.watch(eventKind.name, ring);
  };

  const stop = (): void => {
    unwatch?.();
    unwatch = null;
    started = null;
  };

  return {
    subscribe: async (uri, updated) => {
      const key = keyOf(uri);
      const own = listeners.get(key) ?? new Set();
      const listen = (): void => updated(uri);
      listeners.set(key, own.add(listen));
      const end = (): void => {
        own.delete(listen);
        if (own.size === 0) listeners.delete(key);
        if (listeners.size === 0) stop();
      };
      // Whoever listens already keeps the reader from being stopped before this one has it.
      started ??= start();
      await started.catch((error: unknown) => {
        end();
        throw error;
      });
      return end;
    },
    stop,
  };
};
