import type { AddChange, Change, ReserveChange } from "../../store.ts";
import { storeError } from "../errors.ts";

const maxSlots = 100_000;

const invalid = (what: string): Error => storeError("commit_invalid", what);

const checkLedger = ({ ledger, fromSlot, toSlot, amount, limit }: ReserveChange): void => {
  const sound = [fromSlot, toSlot, amount, limit ?? 0].every(Number.isSafeInteger);
  if (!sound) throw invalid(`ledger ${ledger}: slots, amount and limit must be safe integers`);
  const slots = toSlot - fromSlot + 1;
  if (slots < 1 || slots > maxSlots) throw invalid(`ledger ${ledger}: a span has 1 to ${maxSlots} slots, not ${slots}`);
};

const checkSum = ({ sums, slot, amounts }: AddChange): void => {
  if ([slot, ...amounts].every(Number.isSafeInteger)) return;
  throw invalid(`sum ${sums.join(", ")}: slot and amounts must be safe integers`);
};

export const checkChanges = (changes: readonly Change[]): void => {
  const known = new Map<string, Set<string>>();
  for (const change of changes) {
    if (change.op === "reserve") {
      checkLedger(change);
      continue;
    }
    if (change.op === "add") {
      checkSum(change);
      continue;
    }
    const { kind, id } = change;
    if (change.op === "put" && !Number.isSafeInteger(change.dueAtMs ?? 0)) {
      throw invalid(`row ${kind}/${id}: the deadline must be an integer of milliseconds`);
    }
    const ids = known.get(kind) ?? new Set();
    if (ids.has(id)) throw invalid(`row ${kind}/${id} is named twice in one commit`);
    known.set(kind, ids.add(id));
  }
};

export const bodyText = (kind: string, id: string, body: unknown): string => {
  // Undefined for a function or for undefined, whatever the types of JavaScript's own library say.
  const json = JSON.stringify(body) as string | undefined;
  if (json === undefined) throw invalid(`row ${kind}/${id}: the body is no JSON`);
  return json;
};
