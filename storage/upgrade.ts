import { randomUUID } from "node:crypto";
import {
  type AddChange,
  type Kind,
  put,
  type PutChange,
  type Store,
  type StoredRow,
  type StoreReader,
} from "./store.ts";

/** Writes a row of an older program as this one would. */
export interface RowUpgrade {
  readonly kind: string;
  rewritten(row: StoredRow): PutChange;
}

/** What later programs expect of rows that earlier ones wrote. */
export interface RowFormat {
  readonly rows: readonly RowUpgrade[];
  /** Of all rows; left out: no new sums. Added where none of them holds anything. */
  readonly sums?: (reader: StoreReader) => AsyncIterable<AddChange>;
}

/** Terms and deadline are computed anew; `upgraded` gives a body the members it lacks. */
export const rewriting = <T>(kind: Kind<T>, upgraded: (body: T) => T = (body) => body): RowUpgrade => ({
  kind: kind.name,
  rewritten: ({ id, version, body }) => put(kind, id, version, upgraded(body as T)),
});

interface FormatRow {
  readonly format: number;
}

const formatKind: Kind<FormatRow> = {
  name: "row_format",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

const formatId = "rows";

const pageRows = 200;

/** In order of creation; rows that are written meanwhile keep their places. */
export async function* pagesOf(store: StoreReader, kind: string): AsyncGenerator<readonly StoredRow[]> {
  for (let after = -1; ;) {
    const page = await store.list({ kind, terms: [], order: "oldest", limit: pageRows, after });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.n;
  }
}

const auditEntry = (now: Date) => ({
  at: now.toISOString(),
  request_id: randomUUID(),
  operation: "upgrade_rows",
  door: "start",
  principal: "system:upgrade",
});

/** A row that another process changed meanwhile is read again. */
const rewriteRow = async (store: Store, { kind, rewritten }: RowUpgrade, id: string): Promise<void> => {
  for (;;) {
    const row = await store.get(kind, id);
    if (row === null) return;
    const { ok } = await store.commit({ changes: [rewritten(row)], audit: auditEntry(new Date()) });
    if (ok) return;
  }
};

const rewriteAll = async (store: Store, upgrade: RowUpgrade): Promise<number> => {
  let count = 0;
  for await (const page of pagesOf(store, upgrade.kind)) {
    const changes = page.map((row) => upgrade.rewritten(row));
    const { ok } = await store.commit({ changes, audit: auditEntry(new Date()) });
    if (!ok) for (const { id } of page) await rewriteRow(store, upgrade, id);
    count += page.length;
  }
  return count;
};

const merged = async (sums: AsyncIterable<AddChange>): Promise<readonly AddChange[]> => {
  const byPlace = new Map<string, AddChange>();
  for await (const change of sums) {
    const place = JSON.stringify([change.sums, change.slot]);
    const before = byPlace.get(place)?.amounts ?? [];
    byPlace.set(place, { ...change, amounts: change.amounts.map((amount, index) => amount + (before[index] ?? 0)) });
  }
  return [...byPlace.values()];
};

const missingSums = async (store: Store, { sums }: RowFormat): Promise<readonly AddChange[]> => {
  if (sums === undefined) return [];
  const all = await merged(sums(store));
  const slots = all.map(({ slot }) => slot);
  const [first, last] = slots.reduce(([low, high], slot) => [Math.min(low, slot), Math.max(high, slot)], [0, 0]);
  const kept = await store.added([...new Set(all.flatMap((change) => change.sums))], first, last);
  return kept.some((amount) => amount !== 0) ? [] : all;
};

const newer = (present: number, known: number): Error =>
  Object.assign(
    new Error(
      `The rows of this store have format ${present}, and this program knows formats up to ${known}. ` +
        "Nothing was changed. Start the version of Parley that wrote them, or a newer one.",
    ),
    { code: "store_newer" },
  );

/** Formats before and after, and how many rows were written anew. */
interface RowsUpgraded {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

/**
 * Brings the rows of every earlier program to the last of `formats`, which count from 1; rows without a mark have none
 * of them. It can end at any point and begins again; the mark and the sums are one commit, so that no sum counts twice.
 */
export const upgradeRows = async (
  store: Store,
  formats: readonly RowFormat[],
  log: { info(fields: Readonly<Record<string, unknown>>, message: string): void },
): Promise<RowsUpgraded> => {
  for (;;) {
    const mark = (await store.get(formatKind.name, formatId)) as StoredRow<FormatRow> | null;
    const present = mark?.body.format ?? 0;
    if (present > formats.length) throw newer(present, formats.length);
    if (present === formats.length) return { from: present, to: present, rows: 0 };
    let count = 0;
    const sums: AddChange[] = [];
    for (const format of formats.slice(present)) {
      for (const upgrade of format.rows) count += await rewriteAll(store, upgrade);
      sums.push(...(await missingSums(store, format)));
    }
    const change = put(formatKind, formatId, mark?.version ?? 0, { format: formats.length });
    const audit = count === 0 ? null : auditEntry(new Date());
    if (!(await store.commit({ changes: [change, ...sums], audit })).ok) continue;
    if (count > 0) log.info({ rows: count, format: formats.length }, "rows of an earlier version were upgraded");
    return { from: present, to: formats.length, rows: count };
  }
};
