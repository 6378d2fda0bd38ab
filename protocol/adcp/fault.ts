import type { Members } from "../neutral/members.ts";

export type Recovery = "transient" | "correctable" | "terminal";

/** An AdCP error. `retry_after` is in whole seconds, `field` a path as `packages[0].budget`. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** Left out: the code says all that may be said. */
  readonly recovery?: Recovery;
  readonly field?: string;
  readonly suggestion?: string;
  readonly retry_after?: number;
  readonly issues?: readonly { readonly pointer: string; readonly message: string; readonly keyword: string }[];
  readonly details?: Members;
}

/** Where a task cannot be asked for what was asked. */
export class Faulty extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.name = "Faulty";
    this.fault = fault;
  }
}

export const invalid = (message: string, field?: string): Faulty =>
  new Faulty({
    code: "INVALID_REQUEST",
    message,
    recovery: "correctable",
    ...(field === undefined ? {} : { field }),
  });
/** A field that is refused on purpose, since what it asks for is not done. */
export const unsupported = (field: string, message: string): Faulty =>
  new Faulty({ code: "UNSUPPORTED_FEATURE", message, recovery: "correctable", field });
