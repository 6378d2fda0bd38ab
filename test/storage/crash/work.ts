import type { Change, CommitOutcome, Store } from "../../../storage/store.ts";

export interface Deal {
  readonly status: "open" | "booked" | "cancelled";
  readonly amount: number;
  readonly day: number;
  readonly note: string;
}

export const ledger = "inventory";
export const days = 40;
const spanDays = 5;
const baseMs = 1_790_000_000_000;

export const span = (day: number): readonly [number, number] => [day, Math.min(day + spanDays - 1, days - 1)];

const row = (kind: string, id: string, expect: number, body: Deal | string, dueAtMs: number | null = null): Change => ({
  op: "put",
  kind,
  id,
  expect,
  body,
  terms: typeof body === "string" ? [] : [`status=${body.status}`, `day=${body.day}`],
  dueAtMs,
});

const reserve = (deal: Deal, sign: 1 | -1): Change => {
  const [fromSlot, toSlot] = span(deal.day);
  return { op: "reserve", ledger, fromSlot, toSlot, amount: sign * deal.amount, limit: null };
};

const commit = (store: Store, requestId: string, changes: readonly Change[]): Promise<CommitOutcome> =>
  store.commit({
    changes,
    audit: { at: "2026-11-21T10:00:00Z", request_id: requestId, operation: "book_deal", door: "rest", principal: "p" },
  });

const demand = (outcome: CommitOutcome): void => {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome)}`);
};

const dealOf = (id: string, number: number): Deal => ({
  status: "booked",
  amount: 1 + (number % 97),
  day: (number * 7) % days,
  note: `${id} \u{1F4FA} ${"x".repeat(300)}`,
});

export const book = async (store: Store, id: string, number: number): Promise<void> => {
  const deal = dealOf(id, number);
  demand(await store.commit({ changes: [row("quote", id, 0, { ...deal, status: "open" })], audit: null }));
  demand(
    await commit(store, `booked ${id}`, [
      row("quote", id, 1, deal),
      row("deal", id, 0, deal, baseMs + number),
      row("event", `booked ${id}`, 0, id),
      row("idempotency", id, 0, id),
      reserve(deal, 1),
    ]),
  );
};

export const cancel = async (store: Store, id: string, number: number): Promise<void> => {
  const deal = dealOf(id, number);
  demand(
    await commit(store, `cancelled ${id}`, [
      row("deal", id, 1, { ...deal, status: "cancelled" }),
      row("event", `cancelled ${id}`, 0, id),
      { op: "remove", kind: "idempotency", id, expect: 1 },
      reserve(deal, -1),
    ]),
  );
};
