import type { z } from "zod";
import type { RefusalCode } from "../../neutral/refusals.ts";

/**
 * Another form of one operation on the wire: four pure functions with schemas of their own, outside every gate
 * (decisions 1, 64). A server reads requests and writes answers with it; a client of foreign sellers does the other
 * two. `name` is the opaque word that a record made in this form keeps, so that it is read back in it.
 */
export interface OperationDialect {
  readonly name: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** What only this form can be refused for, beside the operation's own refusals. */
  readonly refusals?: readonly RefusalCode[];
  /** Whether this request body chooses the form. Given any JSON value. */
  selects(body: unknown): boolean;
  /** The operation's input; throws `Refused` with a schema refusal where the body breaks the form. */
  readRequest(body: unknown): unknown;
  writeAnswer(output: unknown): unknown;
  writeRequest(input: unknown): unknown;
  readAnswer(body: unknown): unknown;
}

/** The dialects of an agent by operation name. */
export type Dialects = ReadonlyMap<string, OperationDialect>;
