import { unfinishedKind, type WholeRow } from "../content.ts";
import type { RemoveChange, Store, StoredRow } from "../store.ts";

/** Where a copy comes from, and its state; there as long as the copy is not whole. */
export interface Unfinished {
  readonly from: string;
  readonly mark: string;
}

const markId = "store";

export const unfinishedRow = (body: Unfinished, n: number): WholeRow => ({
  kind: unfinishedKind,
  id: markId,
  n,
  version: 1,
  terms: [],
  dueAtMs: null,
  json: JSON.stringify(body),
});

export const unfinishedOf = async (store: Store): Promise<Unfinished | null> =>
  ((await store.get(unfinishedKind, markId)) as StoredRow<Unfinished> | null)?.body ?? null;

export const finished: RemoveChange = { op: "remove", kind: unfinishedKind, id: markId, expect: 1 };

/** Throws `store_unfinished` where a copy into the store did not end. */
export const expectWhole = async (store: Store, label: string): Promise<void> => {
  const unfinished = await unfinishedOf(store);
  if (unfinished === null) return;
  const cure = "Repeat that copy, which goes on where it ended, or remove what is there.";
  const text = `There is a half-made copy of ${unfinished.from} in ${label}. ${cure}`;
  throw Object.assign(new Error(text), { code: "store_unfinished" });
};
