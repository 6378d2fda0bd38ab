import { expect } from "vitest";
import { dealKind, type DealRow } from "../../../skills/seller/deals/record.ts";
import { inventoryLedger } from "../../../skills/seller/inventory.ts";
import type { Commit, Store } from "../../../storage/store.ts";

const dayMs = 86_400_000;
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** From the rows of the deals, without the ledger. */
export interface HeldDays {
  /** No day may then hold more than the cap. */
  take(rows: readonly DealRow[]): void;
  /** By `product/day`; empty days are left out. */
  amounts(): ReadonlyMap<string, number>;
}

const holdOf = (row: DealRow): readonly (readonly [string, number])[] => {
  const { value, context } = row.life;
  const { impressions, flightStart, flightEnd } = context.terms;
  const isHeld = row.deal_type === "PG" && ["proposed", "active"].includes(value);
  if (!isHeld || impressions === null) return [];
  const first = dayOf(flightStart);
  return Array.from({ length: dayOf(flightEnd) - first + 1 }, (_, day) => [
    `${row.product.product_id}/${first + day}`,
    impressions,
  ]);
};

export const createHeldDays = (capImpressions: number): HeldDays => {
  const holds = new Map<string, ReturnType<typeof holdOf>>();
  const days = new Map<string, number>();
  const add = (day: string, amount: number): void => {
    const sum = (days.get(day) ?? 0) + amount;
    if (sum === 0) days.delete(day);
    else days.set(day, sum);
  };
  return {
    take: (rows) => {
      for (const row of rows) {
        for (const [day, amount] of holds.get(row.deal_id) ?? []) add(day, -amount);
        const hold = holdOf(row);
        if (hold.length === 0) holds.delete(row.deal_id);
        else holds.set(row.deal_id, hold);
        for (const [day, amount] of hold) add(day, amount);
      }
      const touched = rows.flatMap((row) => holds.get(row.deal_id) ?? []).map(([day]) => day);
      for (const day of touched) expect(days.get(day), day).toBeLessThanOrEqual(capImpressions);
    },
    amounts: () => days,
  };
};

/** In the order in which the embedded driver makes commits durable. */
export const heldStore = (store: Store, held: HeldDays): Store => ({
  ...store,
  commit: async (commit: Commit) => {
    const outcome = await store.commit(commit);
    const puts = commit.changes.flatMap((change) =>
      change.op === "put" && change.kind === dealKind.name ? change : [],
    );
    if (outcome.ok && puts.length > 0) held.take(puts.map(({ body }) => body as DealRow));
    return outcome;
  },
});

/** The store must be at rest. */
const storedDeals = async (store: Store): Promise<readonly DealRow[]> => {
  const rows: DealRow[] = [];
  for (let after = 0; ;) {
    const page = await store.list({ kind: dealKind.name, terms: [], order: "oldest", limit: 500, after });
    rows.push(...page.map(({ body }) => body as DealRow));
    const last = page.at(-1);
    if (last === undefined) return rows;
    after = last.n;
  }
};

/** At rest, ledgers and deals must agree. */
export const expectLedgerFits = async (
  store: Store,
  capImpressions: number,
  productIds: readonly string[],
  span: { readonly flight_start: string; readonly flight_end: string },
): Promise<ReadonlyMap<string, number>> => {
  const held = createHeldDays(capImpressions);
  held.take(await storedDeals(store));
  const ledger = new Map<string, number>();
  for (const productId of productIds) {
    for (let day = dayOf(span.flight_start); day <= dayOf(span.flight_end); day += 1) {
      const amount = await store.reserved(inventoryLedger(productId), day, day);
      if (amount > 0) ledger.set(`${productId}/${day}`, amount);
    }
  }
  expect(ledger).toEqual(held.amounts());
  return ledger;
};
