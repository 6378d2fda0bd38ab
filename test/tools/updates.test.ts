import { expect, test } from "vitest";
import type { EventRow } from "../../protocol/seam/events.ts";
import type { ListQuery, StoredRow } from "../../storage/store.ts";
import { createResourceUpdates } from "../../tools/surface/updates.ts";

const quoteUri = (id: string): string => `parley://quote/${id}`;

/** An outbox: `tell` adds an event about a quote, and rings whoever watches. */
const outbox = () => {
  const rows: StoredRow<EventRow>[] = [];
  const watching = new Set<(id: string) => void>();
  const asked: ListQuery[] = [];
  return {
    asked,
    list: async (query: ListQuery) => {
      asked.push(query);
      return query.order === "newest" ? rows.slice(-1) : rows.filter(({ n }) => n > (query.after ?? 0));
    },
    watch: (_kind: string, listener: (id: string) => void) => {
      watching.add(listener);
      return () => void watching.delete(listener);
    },
    tell: (quoteId: string) => {
      const n = rows.length + 1;
      const body = { flow_id: "", deal_id: null, proposal_id: null, payload: { quote_id: quoteId } };
      rows.push({ kind: "event", id: `ev-${n}`, n, version: 1, body } as unknown as StoredRow<EventRow>);
      for (const listener of watching) listener(`ev-${n}`);
    },
  };
};

test("many subscriptions at once find the end of the outbox once, and each hears of its own", async () => {
  const store = outbox();
  const updates = createResourceUpdates(store);
  const heard: string[] = [];
  const uris = ["qt-1", "qt-2", "qt-3"].map(quoteUri);
  await Promise.all(uris.map((uri) => updates.subscribe(uri, (of) => heard.push(of))));
  expect(store.asked).toHaveLength(1);
  store.tell("qt-2");
  await expect.poll(() => heard).toEqual([quoteUri("qt-2")]);
});

test("a subscription hears on where the last other one ends while it begins", async () => {
  const store = outbox();
  const updates = createResourceUpdates(store);
  const endFirst = await updates.subscribe(quoteUri("qt-1"), () => undefined);
  const heard: string[] = [];
  const second = updates.subscribe(quoteUri("qt-2"), (of) => heard.push(of));
  endFirst();
  await second;
  store.tell("qt-2");
  await expect.poll(() => heard).toEqual([quoteUri("qt-2")]);
});
