/**
 * `folder_in_use`: another process holds the data directory. `store_damaged`: what is on disk cannot be trusted.
 * `store_newer`: a newer program wrote it.
 * `store_failed`: a write did not reach the disk, or the directory cannot be written at all. `commit_outcome_unknown`:
 * the write failed and could not be taken back either. `store_closed`: the store was closed before. `commit_invalid`,
 * `query_invalid`: a mistake of the calling code; nothing was changed.
 */
export type StoreErrorCode =
  | "folder_in_use"
  | "store_damaged"
  | "store_newer"
  | "store_failed"
  | "commit_outcome_unknown"
  | "store_closed"
  | "commit_invalid"
  | "query_invalid";

export type StoreError = Error & { readonly code: StoreErrorCode };

export const storeError = (code: StoreErrorCode, message: string, cause?: unknown): StoreError =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const systemCodeOf = (thrown: unknown): string => {
  const code: unknown = thrown instanceof Error ? Reflect.get(thrown, "code") : undefined;
  return typeof code === "string" ? code : "";
};
