import { z } from "zod";

export interface KeyUse {
  readonly count: number;
  readonly lastAtMs: number;
}

export interface UsedKey {
  readonly key_id: string;
  /** Written from time to time; absent before the first use. */
  readonly use?: KeyUse;
}

export interface KeyUses {
  /** Null: none. */
  unwritten(keyId: string): KeyUse | null;
}

export const keyUseOutput = {
  last_used_at: z.string().nullable(),
  use_count: z.int().describe("Requests that the key opened, refused ones included."),
};

export const keyUseView = (key: UsedKey, uses: KeyUses) => {
  const since = uses.unwritten(key.key_id);
  const lastAtMs = since?.lastAtMs ?? key.use?.lastAtMs;
  return {
    last_used_at: lastAtMs === undefined ? null : new Date(lastAtMs).toISOString(),
    use_count: (key.use?.count ?? 0) + (since?.count ?? 0),
  };
};
