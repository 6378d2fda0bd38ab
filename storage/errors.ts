/**
 * `folder_in_use`: another process holds the data folder. `damaged`: what is on disk cannot be trusted, the message
 * names file and line. `failed`: a write did not reach the disk and the store takes no more commits. `closed`: the
 * store was closed. `invalid`: the commit or query itself is malformed, nothing was changed.
 */
export type StoreErrorCode = "folder_in_use" | "damaged" | "failed" | "closed" | "invalid";

/** What a store throws. The message names the cure; the command line prints it and exits 1 (decision 68). */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "StoreError";
    this.code = code;
  }
}
