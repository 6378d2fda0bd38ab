import {
  chainKind,
  type MovableStore,
  ownKinds,
  pageRows,
  type StoreContent,
  type StoreEraser,
  type StoreLoader,
  type WholeLedger,
  type WholeRow,
  type WholeSum,
} from "../content.ts";
import { type AddChange, type ChainHead, put, type Store } from "../store.ts";
import { type LowdbOptions, type LowdbParts, openParts, storeOf, written } from "./driver.ts";
import { bySeq } from "./log/index.ts";
import { type Document, kindsOf, rowsWith, storedSum } from "./rows/index.ts";

const byName = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function* pages<T>(items: Iterable<T>): Generator<readonly T[]> {
  let page: T[] = [];
  for (const item of items) {
    if (page.push(item) < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* rowsAfter({ tables }: Document, kind: string, after: number): AsyncGenerator<readonly WholeRow[]> {
  const rows = rowsWith(tables, kind, null);
  for (let last = after; ;) {
    const page: WholeRow[] = [];
    for (const row of rows.walk({ order: "oldest", after: last, offset: 0 })) if (page.push(row) === pageRows) break;
    if (page.length === 0) return;
    yield page;
    last = page.at(-1)?.n ?? last;
  }
}

async function* ledgersOf({ ledgers }: Document): AsyncGenerator<readonly WholeLedger[]> {
  const names = [...ledgers.keys()].sort(byName);
  const slots = (name: string): WholeLedger["slots"] =>
    [...(ledgers.get(name)?.slots ?? [])].sort(([one], [other]) => one - other);
  for (const page of pages(names)) yield page.map((ledger) => ({ ledger, slots: slots(ledger) }));
}

async function* sumsOf({ sums }: Document): AsyncGenerator<readonly WholeSum[]> {
  const kept = [...sums].filter(([, { slots }]) => slots.size > 0).sort(([one], [other]) => byName(one, other));
  for (const page of pages(kept)) {
    yield page.map(([name, sum]) => {
      const { slots } = storedSum(name, sum);
      return { sum: name, slots: [...slots].sort(([one], [other]) => one - other) };
    });
  }
}

const contentOf = async (document: Document, store: Store): Promise<StoreContent> => ({
  mark: `${document.chain}:${document.mark.seq}`,
  lastPlace: document.mark.n,
  kinds: kindsOf(document.tables)
    .filter((kind) => !ownKinds.includes(kind))
    .sort(byName),
  heads: (await store.auditHeads()).filter(({ seq }) => seq > 0),
  trail: () => store.auditTrail(),
  rows: (kind, after) => rowsAfter(document, kind, after),
  ledgers: () => ledgersOf(document),
  sums: () => sumsOf(document),
  // Its indexes are made from the rows at each start.
  faults: () => Promise.resolve([]),
  close: () => Promise.resolve(),
});

/** A record of the journal holds JSON numbers, so a larger sum is added in parts. */
function* partsOf(whole: bigint): Generator<number> {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  for (let left = whole; left !== 0n;) {
    const part = left > most ? most : left < -most ? -most : left;
    yield Number(part);
    left -= part;
  }
}

const additions = ({ sum, slots }: WholeSum): readonly AddChange[] =>
  slots.flatMap(([slot, amounts]) => {
    const parts = amounts.map((amount) => [...partsOf(BigInt(amount))]);
    const most = Math.max(1, ...parts.map(({ length }) => length));
    return Array.from({ length: most }, (_, index) => ({
      op: "add" as const,
      sums: [sum],
      slot,
      amounts: parts.map((part) => part[index] ?? 0),
    }));
  });

const headKind = {
  name: chainKind,
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/** The end of a copied chain is kept as a row, so that a file of it that was cut is found. */
const keepHead = async (store: Store, head: ChainHead): Promise<void> => {
  const known = await store.get(chainKind, head.chain);
  await store.commit({ changes: [put(headKind, head.chain, known?.version ?? 0, head)], audit: null });
};

const loaderOf = (parts: LowdbParts, store: Store): StoreLoader => {
  const { claims, document, chains } = parts;
  return {
    rows: (rows) => written(parts, claims.load({ rows })),
    ledgers: async (page) => {
      const reserved = page
        .filter(({ ledger }) => !document.ledgers.has(ledger))
        .flatMap(({ ledger, slots }) =>
          slots.map(([slot, amount]) => ({ op: "reserve" as const, ledger, fromSlot: slot, toSlot: slot, amount })),
        );
      if (reserved.length > 0) await written(parts, claims.load({ reserved }));
    },
    sums: async (page) => {
      const added = page.filter(({ sum }) => !document.sums.has(sum)).flatMap(additions);
      if (added.length > 0) await written(parts, claims.load({ added }));
    },
    lastRecord: async (chain) => chains.last(chain).seq,
    records: async (chain, page) => {
      await chains.append(chain, page);
      await keepHead(store, { chain, ...chains.last(chain) });
    },
  };
};

const eraserOf = ({ upkeep, archive, chains, document }: LowdbParts): StoreEraser => ({
  expectPermitted: () => Promise.resolve(),
  records: (replaced) =>
    // Once the snapshot is written, every record stands in the archive.
    upkeep.hold(async () => {
      await archive.replace(bySeq(replaced, document.chain));
      await chains.replace(replaced);
    }),
  purge: () =>
    upkeep.hold(async () => {
      for (const [name, { slots }] of document.sums) if (slots.size === 0) document.sums.delete(name);
      await upkeep.rewrite();
    }),
});

/** The lock of the folder keeps agents out for as long as it is open. */
export const openMovableLowdb = async (options: LowdbOptions): Promise<MovableStore> => {
  const parts = await openParts(options);
  const store = storeOf(parts);
  return {
    label: `lowdb:${options.dir}`,
    store,
    loader: loaderOf(parts, store),
    eraser: eraserOf(parts),
    read: () => contentOf(parts.document, store),
    expectUnused: () => Promise.resolve(),
  };
};
