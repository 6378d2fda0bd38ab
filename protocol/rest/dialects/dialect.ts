import type { z } from "zod";
import type { RefusalCode } from "../../neutral/refusals.ts";

/**
 * Another wire form of an operation, outside every gate. A server reads requests and writes answers with it, a client
 * the reverse. `name` is stored with a record made in this form, to read it back in it.
 */
export interface OperationDialect {
  readonly name: string;
  readonly input: z.ZodType;
  /** The form is this member of the flat one alone. */
  readonly member?: string;
  readonly output: z.ZodType;
  /** Only this form's own. */
  readonly refusals?: readonly RefusalCode[];
  selects(body: unknown): boolean;
  /** Throws `Refused` where the body breaks the form. */
  readRequest(body: unknown): unknown;
  writeAnswer(output: unknown): unknown;
  writeRequest(input: unknown): unknown;
  readAnswer(body: unknown): unknown;
}

export type Dialects = ReadonlyMap<string, OperationDialect>;
