import { randomUUID } from "node:crypto";
import { type AuditVerdict, verifyAuditTrail } from "../audit.ts";
import { type MovableStore, pageRows, type StoreContent } from "../content.ts";
import type { AuditRecord, ChainHead, Fact } from "../store.ts";
import { compareContents, type Inventory } from "./compare.ts";
import { finished, unfinishedOf, unfinishedRow } from "./unfinished.ts";

/** `resumed`: an earlier attempt had begun it. `records`: of the audit trail, all chains together. */
export interface Copied extends Inventory {
  readonly resumed: boolean;
  readonly records: number;
  readonly chains: readonly ChainHead[];
}

interface CopyOptions {
  readonly from: MovableStore;
  readonly to: MovableStore;
  /** The source may be in use: what is copied is its state at the beginning. */
  readonly live?: boolean;
  /** Told about every few thousand rows. */
  readonly progress: (sentence: string) => void;
}

const refusal = (text: string): Error => Object.assign(new Error(text), { code: "copy_refused" });

/** True where an earlier attempt from the same state goes on. Throws where the target holds anything else. */
const isBegun = async ({ from, to }: CopyOptions, { mark }: StoreContent): Promise<boolean> => {
  const begun = await unfinishedOf(to.store);
  if (begun !== null) {
    if (begun.from === from.label && begun.mark === mark) return true;
    const text =
      `${to.label} holds a half-made copy of ${begun.from}, which is not what is to be copied now ` +
      `or has changed since. Remove it, or name an empty target.`;
    throw refusal(text);
  }
  const { kinds, heads, close } = await to.read();
  await close();
  if (kinds.length === 0 && heads.length === 0) return false;
  throw refusal(`${to.label} is not empty: it holds a store. Name an empty place.`);
};

const placeIn = async ({ store }: MovableStore, kind: string): Promise<number> =>
  (await store.list({ kind, terms: [], order: "newest", limit: 1 }))[0]?.n ?? -1;

const toldEvery = 50_000;

const copyContent = async ({ to, progress }: CopyOptions, content: StoreContent): Promise<void> => {
  const { loader } = to;
  let rows = 0;
  for (const kind of content.kinds) {
    for await (const page of content.rows(kind, await placeIn(to, kind))) {
      await loader.rows(page);
      if (Math.floor(rows / toldEvery) < Math.floor((rows + page.length) / toldEvery)) {
        progress(`${rows + page.length} rows copied`);
      }
      rows += page.length;
    }
  }
  for await (const page of content.ledgers()) await loader.ledgers(page);
  for await (const page of content.sums()) await loader.sums(page);
};

/** Records of a chain come in order, those of several chains mixed. */
const copyTrail = async ({ loader }: MovableStore, { heads, trail }: StoreContent): Promise<void> => {
  const waiting = new Map<string, AuditRecord[]>();
  const known = new Map<string, number>();
  for (const { chain } of heads) known.set(chain, await loader.lastRecord(chain));
  for await (const record of trail()) {
    if (record.seq <= (known.get(record.chain) ?? 0)) continue;
    const page = waiting.get(record.chain) ?? [];
    page.push(record);
    waiting.set(record.chain, page);
    if (page.length < pageRows) continue;
    await loader.records(record.chain, page);
    waiting.delete(record.chain);
  }
  for (const { chain } of heads) await loader.records(chain, waiting.get(chain) ?? []);
};

const soundTrail = async (
  { label, store }: MovableStore,
  heads: readonly ChainHead[],
): Promise<Extract<AuditVerdict, { ok: true }>> => {
  const verdict = await verifyAuditTrail(store.auditTrail(), heads);
  if (verdict.ok) return verdict;
  const { chain, seq, reason } = verdict;
  throw refusal(`The audit trail of ${label} is broken: chain ${chain}, record ${seq}: ${reason}. Nothing was ended.`);
};

const verified = async (options: CopyOptions, content: StoreContent): Promise<Inventory> => {
  const copy = await options.to.read();
  try {
    const found = await compareContents(content, copy);
    if ("equal" in found) return found.equal;
    throw refusal(`${options.to.label} is not what was copied: ${found.differs}. Remove it and copy again.`);
  } finally {
    await copy.close();
  }
};

const expectUnchanged = async ({ from }: CopyOptions, { mark }: StoreContent): Promise<void> => {
  const now = await from.read();
  await now.close();
  if (now.mark === mark) return;
  throw refusal(`${from.label} has changed while it was copied. Stop its agents, remove the target and copy again.`);
};

/** The copy's own record: what was copied stands in the chain that goes on from here. */
const recorded = async ({ from, to }: CopyOptions, { rows, digest }: Inventory, heads: readonly ChainHead[]) => {
  const fact = (field: string, value: Fact) => ({ kind: "store", id: "copy", field, from: null, to: value });
  const ends = heads.map(({ chain, seq, hash }) => fact(`end of ${chain}`, `${seq} ${hash}`));
  const audit = {
    at: new Date().toISOString(),
    request_id: randomUUID(),
    operation: "copy_store",
    door: "tool",
    principal: "system:store",
    changed: [fact("from", from.label), fact("rows", rows), fact("digest", digest), ...ends],
  };
  const { ok } = await to.store.commit({ changes: [finished], audit });
  if (!ok) throw refusal(`${to.label} was changed by somebody else while it was copied to. Remove it and copy again.`);
};

const copyFrom = async (options: CopyOptions, content: StoreContent): Promise<Copied> => {
  const { from, to } = options;
  const { heads } = content;
  const resumed = await isBegun(options, content);
  const mark = { from: from.label, mark: content.mark };
  if (!resumed) await to.loader.rows([unfinishedRow(mark, Math.max(1, content.lastPlace))]);
  await copyContent(options, content);
  await copyTrail(to, content);
  options.progress("everything is copied; comparing it row by row");
  const inventory = await verified(options, content);
  const { records } = await soundTrail(to, heads);
  if (options.live !== true) await expectUnchanged(options, content);
  await recorded(options, inventory, heads);
  return { ...inventory, resumed, records, chains: heads };
};

/**
 * Copies everything, compares it row by row, proves the audit trail, and only then makes the target a store that an
 * agent opens. It may end at any point and goes on when it is called again. Throws an `Error` with a `code` and the
 * cure.
 */
export const copyStore = async (options: CopyOptions): Promise<Copied> => {
  if (options.live !== true) await options.from.expectUnused();
  await options.to.expectUnused();
  const content = await options.from.read();
  try {
    return await copyFrom(options, content);
  } finally {
    await content.close();
  }
};
