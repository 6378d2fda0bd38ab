import { z } from "zod";
import { type Refusal, refuse, type SchemaIssue } from "./refusals.ts";

/** Where an input member came from; a wire that reads members from path or query says so. */
export type Locate = (member: string) => "path" | "query" | "body";

const inBody: Locate = () => "body";

const requiredText = "This field is required.";

/** `async` stands here because Zod would else add it to each copy, which gave every one a hidden class of its own. */
const saysMissing: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  async: false,
  error: ({ code, input: found }) => (code === "invalid_type" && found === undefined ? requiredText : undefined),
};

/** Reads an input by its schema. What is missing is said so, and not by what it is read as. */
export const readBy = <T extends z.ZodType>(schema: T, input: unknown): z.ZodSafeParseResult<z.output<T>> =>
  schema.safeParse(input, saysMissing);

const issueOf = (issue: z.core.$ZodIssue, locate: Locate): SchemaIssue => {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const source = path.length === 0 ? "body" : locate(String(path[0]));
  const type = issue.message === requiredText ? "missing" : (issue.code ?? "invalid");
  return { type, loc: [source, ...path], msg: issue.message };
};

/** The first defects are enough to mend a request; a hostile body must not make an answer of a million lines. */
const mostIssues = 50;

/** The refusal of an input that does not have its contract's form: 422 with every defect (decision 53). */
export const schemaRefusal = (error: z.ZodError, locate: Locate = inBody): Refusal =>
  refuse("validation_error", { issues: error.issues.slice(0, mostIssues).map((issue) => issueOf(issue, locate)) });

const deepestVerdict = 8;

const passesExtras = ({ def }: z.ZodObject): boolean => {
  const isOpen = def.catchall === undefined || def.catchall instanceof z.ZodUnknown;
  return isOpen && (def.checks ?? []).length === 0;
};

/**
 * A schema with the same verdict that copies no member which it does not name: of an open object, that copy is most of
 * what its check costs.
 */
export const verdictSchema = (schema: z.core.$ZodType, depth = 0): z.core.$ZodType => {
  if (depth === deepestVerdict) return schema;
  const inner = (of: z.core.$ZodType): z.core.$ZodType => verdictSchema(of, depth + 1);
  if (schema instanceof z.ZodOptional) return z.optional(inner(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return z.nullable(inner(schema.unwrap()));
  if (!(schema instanceof z.ZodObject) || !passesExtras(schema)) return schema;
  return z.object(Object.fromEntries(Object.entries(schema.shape).map(([name, member]) => [name, inner(member)])));
};

/** A handler does not know the wire: what it says of a member of the input is said of where the wire read it. */
export const located = <R extends Refusal>(refusal: R, locate: Locate = inBody): R => {
  if (refusal.issues === undefined) return refusal;
  const issues = refusal.issues.map(({ loc: [source = "body", member, ...rest], ...issue }) =>
    source === "body" && typeof member === "string"
      ? { ...issue, loc: [locate(member), member, ...rest] }
      : { ...issue, loc: member === undefined ? [source] : [source, member, ...rest] },
  );
  return { ...refusal, issues };
};

/** A 422 for one member, for rules that a schema cannot state. */
export const fieldRefusal = (member: string, msg: string, type = "value_error"): Refusal =>
  refuse("validation_error", { issues: [{ type, loc: ["body", member], msg }] });
