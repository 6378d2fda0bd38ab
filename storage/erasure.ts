import { hash } from "node:crypto";
import type { AuditedChange, AuditRecord } from "./store.ts";

/**
 * Words of a person leave a record of the trail like this: the record keeps its number and hash, loses the words and is
 * marked `erased`, and a later record of the chain names it with the SHA-256 of what it is since. So the chain goes on
 * as it was, a record that is erased and not named is a fault, and what was erased and when stands in the trail.
 */
export const erasingOperation = "forget_buyer";

const erasedRecord = "audit_record";
const erasedField = "erased";

const recordPlace = ({ chain, seq }: Pick<AuditRecord, "chain" | "seq">): string => `${chain}/${seq}`;

const digestErased = (record: AuditRecord): string => {
  const { chain, seq, at, request_id, operation, door, principal, changed, digest, prev, hash: kept } = record;
  const members = { chain, seq, at, request_id, operation, door, principal, changed, digest, prev, hash: kept };
  return hash("sha256", JSON.stringify(members), "hex");
};

/** The fact by which a later record names an erased one. */
export const erasureOf = (record: AuditRecord): AuditedChange => ({
  kind: erasedRecord,
  id: recordPlace(record),
  field: erasedField,
  from: null,
  to: digestErased(record),
});

/** Erased records of a walk and those that name them, in whatever order the chains come. */
export class Erasures {
  readonly #erased = new Map<string, AuditRecord>();
  readonly #named = new Map<string, Set<unknown>>();

  see(record: AuditRecord): void {
    if (record.erased === true) this.#erased.set(recordPlace(record), record);
    if (record.operation !== erasingOperation) return;
    for (const { kind, id, field, to } of record.changed ?? []) {
      if (kind !== erasedRecord || field !== erasedField) continue;
      this.#named.set(id, (this.#named.get(id) ?? new Set()).add(to));
    }
  }

  /** The first erased record that no other names as it is; null: none. */
  unnamed(): AuditRecord | null {
    for (const [place, record] of this.#erased) {
      if (this.#named.get(place)?.has(digestErased(record)) !== true) return record;
    }
    return null;
  }
}
