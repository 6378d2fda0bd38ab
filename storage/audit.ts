import { hash } from "node:crypto";

import { Erasures } from "./erasure.ts";
import type { AuditEntry, AuditRecord, Change, ChainHead, Store } from "./store.ts";

export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

export const EMPTY_HEAD: AuditHead = { seq: 0, hash: "0".repeat(64) };

/** What a check of the trail found. On a fault, `chain` and `seq` name the first record that does not fit. */
export type AuditVerdict =
  | { readonly ok: true; readonly records: number; readonly chains: number }
  | { readonly ok: false; readonly chain: string; readonly seq: number; readonly reason: string };

const sha256 = (text: string | Uint8Array): string => hash("sha256", text, "hex");

export const digestText = (changes: string | Uint8Array): string => sha256(changes);

export const digestChanges = (changes: readonly Change[]): string => digestText(JSON.stringify(changes));

const hashText = (prev: string, unhashed: string): string => sha256(prev + unhashed);

// The members in the one order that `linkAudit` writes, whatever order a record was read back in.
const hashRecord = (record: AuditRecord): string => {
  const { chain, seq, at, request_id, operation, door, principal, changed, digest, prev } = record;
  const members = { chain, seq, at, request_id, operation, door, principal, changed, digest, prev };
  return hashText(prev, JSON.stringify(members));
};

/** What JSON may write otherwise than it is: quotes, backslashes, controls, halves of characters. */
const escaped = /["\\\p{Cc}\ud800-\udfff]/u;

const quoted = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`);

export interface AuditLink {
  readonly head: AuditHead;
  readonly text: string;
}

/** Links a record to the chain. Pure; the caller stores it, and its head as the new one. */
export const linkAudit = (chain: string, prev: AuditHead, entry: AuditEntry, digest: string): AuditLink => {
  const seq = prev.seq + 1;
  const members =
    `{"chain":${quoted(chain)},"seq":${seq},"at":${quoted(entry.at)},"request_id":${quoted(entry.request_id)},` +
    `"operation":${quoted(entry.operation)},"door":${quoted(entry.door)},"principal":${quoted(entry.principal)},` +
    (entry.changed === undefined ? "" : `"changed":${JSON.stringify(entry.changed)},`) +
    `"digest":"${digest}","prev":"${prev.hash}"`;
  const hash = hashText(prev.hash, `${members}}`);
  return { head: { seq, hash }, text: `${members},"hash":"${hash}"}` };
};

/** Walks of several chains, each the newest first, as one. */
export async function* mergedBack(walks: readonly AsyncGenerator<AuditRecord>[]): AsyncGenerator<AuditRecord> {
  const next = new Map<AsyncGenerator<AuditRecord>, AuditRecord>();
  const advance = async (walk: AsyncGenerator<AuditRecord>): Promise<void> => {
    const { value, done } = await walk.next();
    if (done === true) next.delete(walk);
    else next.set(walk, value);
  };
  await Promise.all(walks.map(advance));
  for (;;) {
    const [newest] = [...next].sort(([, one], [, other]) => (one.at < other.at ? 1 : -1));
    if (newest === undefined) return;
    yield newest[1];
    await advance(newest[0]);
  }
}

const faultOf = (head: AuditHead, record: AuditRecord): string | null => {
  if (record.seq !== head.seq + 1) return `expected record ${head.seq + 1}: a record is missing or out of order`;
  if (record.prev !== head.hash) return "does not continue the record before it";
  // What it has become is checked against the record that names it.
  if (record.erased === true) return null;
  return record.hash === hashRecord(record) ? null : "was changed after it was written";
};

/** A line that is no record stops the walk; the message names file and line. */
const isDamage = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && Reflect.get(thrown, "code") === "store_damaged" && Reflect.has(thrown, "line");

const notAs = (head: ChainHead, seq: number, reason: string): AuditVerdict => ({
  ok: false,
  chain: head.chain,
  seq,
  reason,
});

interface Walk {
  readonly found: Map<string, AuditHead>;
  readonly erasures: Erasures;
  /** The chain of the last record. */
  last: string;
  isExpected: boolean;
}

const verifyWalk = async (
  walk: Walk,
  trail: AsyncIterable<AuditRecord> | Iterable<AuditRecord>,
  heads: readonly ChainHead[],
  expect: string | undefined,
): Promise<AuditVerdict> => {
  const { found } = walk;
  const expected = new Map(heads.map((head) => [head.chain, head]));
  let records = 0;
  for await (const record of trail) {
    const head = found.get(record.chain) ?? EMPTY_HEAD;
    const reason = faultOf(head, record);
    if (reason !== null) return { ok: false, chain: record.chain, seq: head.seq + 1, reason };
    const known = expected.get(record.chain);
    if (known?.seq === record.seq && known.hash !== record.hash) {
      return notAs(known, record.seq, "is not the record that the store has written here");
    }
    found.set(record.chain, { seq: record.seq, hash: record.hash });
    walk.erasures.see(record);
    walk.last = record.chain;
    walk.isExpected ||= record.hash === expect;
    records += 1;
  }
  const unnamed = walk.erasures.unnamed();
  if (unnamed !== null)
    return notAs(unnamed, unnamed.seq, "was changed after it was written: no record names its erasure");
  for (const head of heads) {
    const { seq } = found.get(head.chain) ?? EMPTY_HEAD;
    const reason = `the trail ends at record ${seq}, the store has written ${head.seq}`;
    if (seq < head.seq) return notAs(head, seq + 1, reason);
  }
  if (walk.isExpected) return { ok: true, records, chains: found.size };
  const { seq } = found.get(walk.last) ?? EMPTY_HEAD;
  const reason = `no record has the hash ${expect}: the trail was cut behind record ${seq}, or it is another one`;
  return { ok: false, chain: walk.last, seq: seq + 1, reason };
};

/**
 * Finds a record that was changed, removed or moved; chains may be mixed. With `heads`, read before the trail, it also
 * finds a trail that was cut at its end or written anew; with `expect`, a hash that was kept elsewhere, also where the
 * store itself was cut.
 */
export const verifyAuditTrail = async (
  trail: AsyncIterable<AuditRecord> | Iterable<AuditRecord>,
  heads: readonly ChainHead[] = [],
  expect?: string,
): Promise<AuditVerdict> => {
  const walk: Walk = {
    found: new Map(),
    erasures: new Erasures(),
    last: heads[0]?.chain ?? "",
    isExpected: expect === undefined,
  };
  try {
    return await verifyWalk(walk, trail, heads, expect);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    const { seq } = walk.found.get(walk.last) ?? EMPTY_HEAD;
    return { ok: false, chain: walk.last, seq: seq + 1, reason: thrown.message };
  }
};

/** What an operator of an agent may ask of its trail. */
export const auditOf = (store: Pick<Store, "auditHeads" | "auditTrail" | "auditTrailBack">) => ({
  heads: () => store.auditHeads(),
  back: (before: ReadonlyMap<string, number> | null) => store.auditTrailBack(before),
  verify: async () => verifyAuditTrail(store.auditTrail(), await store.auditHeads()),
});
