import { z } from "zod";

/** How often a key has opened something, and when last. */
export interface KeyUse {
  readonly count: number;
  readonly lastAtMs: number;
}

/** A key's row, as far as its uses are concerned. */
export interface UsedKey {
  readonly key_id: string;
  /** As it was last written, which is from time to time; absent before the first use. */
  readonly use?: KeyUse;
}

/** The uses of keys that are counted and not yet written to the keys' rows. */
export interface KeyUses {
  /** Null: none since the row was written. */
  unwritten(keyId: string): KeyUse | null;
}

/** The output members of every key's record that tell of its uses. */
export const keyUseOutput = {
  last_used_at: z.string().nullable(),
  use_count: z.int().describe("Requests that the key opened, refused ones included."),
};

/** What is written of the uses of a key, and what is counted since. */
export const keyUseView = (key: UsedKey, uses: KeyUses) => {
  const since = uses.unwritten(key.key_id);
  const lastAtMs = since?.lastAtMs ?? key.use?.lastAtMs;
  return {
    last_used_at: lastAtMs === undefined ? null : new Date(lastAtMs).toISOString(),
    use_count: (key.use?.count ?? 0) + (since?.count ?? 0),
  };
};
