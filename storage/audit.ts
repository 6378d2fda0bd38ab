import { createHash } from "node:crypto";
import type { AuditEntry, AuditHead, AuditRecord } from "./store.ts";

/** What stands before the first link of every chain. */
const genesis = "0".repeat(64);

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** The head of a chain that has no link yet. */
export const emptyHead = (chain: string): AuditHead => ({ chain, seq: 0, hash: genesis });

/** The SHA-256 of a commit's changes, given the exact text that is journalled. */
export const changesDigest = (journalled: string): string => sha256(journalled);

/**
 * The hash of a link over `prev` and every other member but `hash`. The members go in as one JSON array in a fixed
 * order, so that no two records can give the same text.
 */
const linkHash = (record: Omit<AuditRecord, "hash">): string =>
  sha256(
    JSON.stringify([
      record.prev,
      record.chain,
      record.seq,
      record.digest,
      record.at,
      record.request_id,
      record.operation,
      record.door,
      record.principal,
    ]),
  );

/** The next link of a chain: the caller's entry and the digest of its changes, chained to the head. */
export const nextLink = (head: AuditHead, entry: AuditEntry, digest: string): AuditRecord => {
  const open = {
    chain: head.chain,
    seq: head.seq + 1,
    at: entry.at,
    request_id: entry.request_id,
    operation: entry.operation,
    door: entry.door,
    principal: entry.principal,
    digest,
    prev: head.hash,
  };
  return { ...open, hash: linkHash(open) };
};

/** The head that a chain has once the link is its last. */
export const headOf = (record: AuditRecord): AuditHead => ({
  chain: record.chain,
  seq: record.seq,
  hash: record.hash,
});

/** `ok: false` names the first link that does not hold, and what is wrong with it. */
export type AuditVerdict =
  | { readonly ok: true; readonly heads: readonly AuditHead[] }
  | { readonly ok: false; readonly chain: string; readonly seq: number; readonly reason: string };

const flaw = (head: AuditHead, record: AuditRecord): string | null => {
  if (record.seq !== head.seq + 1) return `link ${record.seq} follows link ${head.seq}`;
  if (record.prev !== head.hash) return `link ${record.seq} does not name the hash of the link before it`;
  if (record.hash !== linkHash(record)) return `link ${record.seq} was changed: its hash does not fit its members`;
  return null;
};

/**
 * Walks a trail, which may interleave several chains, and names the first broken link. With `heads`, what the store
 * remembers as the last link of each chain, a trail that was cut at its end is found as well.
 */
export const verifyAuditTrail = async (
  records: AsyncIterable<AuditRecord> | Iterable<AuditRecord>,
  heads: readonly AuditHead[] = [],
): Promise<AuditVerdict> => {
  const seen = new Map<string, AuditHead>();
  for await (const record of records) {
    const head = seen.get(record.chain) ?? emptyHead(record.chain);
    const reason = flaw(head, record);
    if (reason !== null) return { ok: false, chain: record.chain, seq: head.seq + 1, reason };
    seen.set(record.chain, headOf(record));
  }
  for (const head of heads) {
    const last = seen.get(head.chain) ?? emptyHead(head.chain);
    if (last.seq === head.seq && last.hash === head.hash) continue;
    const reason = `the trail ends at link ${last.seq}, the store has written ${head.seq}`;
    return { ok: false, chain: head.chain, seq: Math.min(last.seq, head.seq) + 1, reason };
  }
  return { ok: true, heads: [...seen.values()] };
};
