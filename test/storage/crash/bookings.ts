import { expect } from "vitest";
import { book, cancel, days, ledger, span, type Deal } from "./work.ts";
import { verifyAuditTrail } from "../../../storage/audit.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";
import { collect } from "../contract/kit.ts";

export { book, cancel };

export const allRows = async (store: Store, kind: string): Promise<readonly StoredRow[]> => {
  const all: StoredRow[] = [];
  for (;;) {
    const after = all.at(-1)?.n;
    const page = { kind, terms: [], order: "oldest", limit: 500 } as const;
    const rows = await store.list(after === undefined ? page : { ...page, after });
    if (rows.length === 0) return all;
    all.push(...rows);
  }
};

/** `book ID` and `cancel ID` lines. */
export interface Acknowledged {
  readonly booked: ReadonlySet<string>;
  readonly cancelled: ReadonlySet<string>;
}

export const acknowledged = (lines: readonly string[]): Acknowledged => ({
  booked: new Set(lines.filter((line) => line.startsWith("book ")).map((line) => line.slice(5))),
  cancelled: new Set(lines.filter((line) => line.startsWith("cancel ")).map((line) => line.slice(7))),
});

const sold = (deals: readonly Deal[]): number[] => {
  const slots = Array.from({ length: days }, () => 0);
  for (const deal of deals.filter(({ status }) => status === "booked")) {
    const [from, to] = span(deal.day);
    for (let day = from; day <= to; day += 1) slots[day] = (slots[day] ?? 0) + deal.amount;
  }
  return slots;
};

const idsOf = (rows: readonly StoredRow[]): string[] => rows.map((row) => row.id).sort();

/** Every acknowledged commit is there, every commit is whole or absent, nothing is there twice. */
export const expectWhole = async (store: Store, acks: Acknowledged): Promise<number> => {
  const deals = await allRows(store, "deal");
  const bodies = deals.map((row) => row.body as Deal);
  const booked = new Set(deals.map((row) => row.id));
  const cancelled = new Set(deals.filter((row) => (row.body as Deal).status === "cancelled").map((row) => row.id));
  expect([...acks.booked].filter((id) => !booked.has(id))).toEqual([]);
  expect([...acks.cancelled].filter((id) => !cancelled.has(id))).toEqual([]);

  const open = idsOf(deals).filter((id) => !cancelled.has(id));
  expect(deals.every((row) => row.version === (cancelled.has(row.id) ? 2 : 1))).toBe(true);
  const quotes = await allRows(store, "quote");
  expect(idsOf(quotes.filter((row) => row.version === 2))).toEqual(idsOf(deals));
  expect(quotes.every((row) => (row.body as Deal).status === (row.version === 2 ? "booked" : "open"))).toBe(true);
  expect(idsOf(await allRows(store, "idempotency"))).toEqual(open);
  const events = [...booked].map((id) => `booked ${id}`).concat([...cancelled].map((id) => `cancelled ${id}`));
  expect(idsOf(await allRows(store, "event"))).toEqual(events.sort());

  const slots = await Promise.all(Array.from({ length: days }, (_, day) => store.reserved(ledger, day, day)));
  expect(slots).toEqual(sold(bodies));
  expect(await store.count("deal", "status=booked")).toBe(open.length);
  expect(await store.count("deal", "status=cancelled")).toBe(cancelled.size);
  expect(idsOf(await store.due(Number.MAX_SAFE_INTEGER, 1_000_000))).toEqual(open);

  const trail = await collect(store.auditTrail());
  expect(await verifyAuditTrail(trail, await store.auditHeads())).toMatchObject({ ok: true });
  expect(trail.map((record) => record.request_id).sort()).toEqual(events);
  return deals.length;
};
