import { createHash, type Hash } from "node:crypto";
import type { StoreContent, WholeRow } from "../content.ts";
import { indexedTerm } from "../text.ts";

/** What a store holds. `digest`: SHA-256 over every row, ledger and sum; two stores with the same one hold the same. */
export interface Inventory {
  readonly kinds: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly ledgers: number;
  readonly sums: number;
  readonly digest: string;
}

/** A line of the digest and what a person knows it by. */
interface Item {
  readonly name: string;
  readonly line: string;
}

/** Terms as both drivers keep them, in one order. */
const rowItem = ({ kind, id, n, version, terms, dueAtMs, json }: WholeRow): Item => ({
  name: `row ${kind} ${id}`,
  line: JSON.stringify([kind, id, n, version, terms.map(indexedTerm).sort(), dueAtMs, json]),
});

async function* flat<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

async function* itemsOf(content: StoreContent, counts: Map<string, number>): AsyncGenerator<Item> {
  const count = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const kind of content.kinds) {
    for await (const row of flat(content.rows(kind, -1))) {
      count(`row ${kind}`);
      yield rowItem(row);
    }
  }
  for await (const { ledger, slots } of flat(content.ledgers())) {
    if (slots.length === 0) continue;
    count("ledger");
    yield { name: `ledger ${ledger}`, line: JSON.stringify(["ledger", ledger, slots]) };
  }
  for await (const { sum, slots } of flat(content.sums())) {
    if (slots.length === 0) continue;
    count("sum");
    yield { name: `sum ${sum}`, line: JSON.stringify(["sum", sum, slots]) };
  }
}

const inventoryOf = (counts: ReadonlyMap<string, number>, digest: Hash): Inventory => {
  const kinds: Record<string, number> = {};
  let rows = 0;
  for (const [name, count] of counts) {
    if (!name.startsWith("row ")) continue;
    kinds[name.slice("row ".length)] = count;
    rows += count;
  }
  return {
    kinds,
    rows,
    ledgers: counts.get("ledger") ?? 0,
    sums: counts.get("sum") ?? 0,
    digest: digest.digest("hex"),
  };
};

export const takeInventory = async (content: StoreContent): Promise<Inventory> => {
  const counts = new Map<string, number>();
  const digest = createHash("sha256");
  for await (const { line } of itemsOf(content, counts)) digest.update(`${line}\n`);
  return inventoryOf(counts, digest);
};

type Comparison = { readonly equal: Inventory } | { readonly differs: string };

/** Walks both side by side, so that the first thing that differs has a name. */
export const compareContents = async (one: StoreContent, other: StoreContent): Promise<Comparison> => {
  const counts = new Map<string, number>();
  const digest = createHash("sha256");
  const others = itemsOf(other, new Map());
  for await (const { name, line } of itemsOf(one, counts)) {
    const next = await others.next();
    if (next.done === true) return { differs: `${name} is missing` };
    if (next.value.name !== name) return { differs: `${next.value.name} stands where ${name} belongs` };
    if (next.value.line !== line) return { differs: `${name} is another` };
    digest.update(`${line}\n`);
  }
  const more = await others.next();
  if (more.done !== true) return { differs: `${more.value.name} is too much` };
  return { equal: inventoryOf(counts, digest) };
};
