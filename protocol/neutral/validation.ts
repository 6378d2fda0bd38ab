import { z } from "zod";
import { issueText } from "./issue-text.ts";
import { type Refusal, refuse, type SchemaIssue } from "./refusals.ts";

export type Locate = (member: string) => "path" | "query" | "body";

const inBody: Locate = () => "body";

export const requiredText = "This field is required.";

/** `async` here: Zod would add it to each copy, with a hidden class of its own. */
const inOurWords: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  async: false,
  error: (issue) => (issue.code === "invalid_type" && issue.input === undefined ? requiredText : issueText(issue)),
};

export const readBy = <T extends z.ZodType>(schema: T, input: unknown): z.ZodSafeParseResult<z.output<T>> =>
  schema.safeParse(input, inOurWords);

const issueOf = (issue: z.core.$ZodIssue, locate: Locate): SchemaIssue => {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const source = path.length === 0 ? "body" : locate(String(path[0]));
  const type = issue.message === requiredText ? "missing" : (issue.code ?? "invalid");
  return { type, loc: [source, ...path], msg: issue.message };
};

/** A hostile body must not cause an answer of a million lines. */
const mostIssues = 50;

const pathOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String));

/** A list's bounds are checked on text too: what follows from a wrong type tells nothing new. */
const withoutFollowing = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const mistyped = new Set<string>();
  return issues.filter((issue) => {
    const path = pathOf(issue);
    if (mistyped.has(path)) return false;
    if (issue.code === "invalid_type") mistyped.add(path);
    return true;
  });
};

/** 422 with every defect. */
export const schemaRefusal = (error: z.ZodError, locate: Locate = inBody): Refusal => {
  const issues = withoutFollowing(error.issues.slice(0, mostIssues));
  return refuse("validation_error", { issues: issues.map((issue) => issueOf(issue, locate)) });
};

const deepestVerdict = 8;

const passesExtras = ({ def }: z.ZodObject): boolean => {
  const isOpen = def.catchall === undefined || def.catchall instanceof z.ZodUnknown;
  return isOpen && (def.checks ?? []).length === 0;
};

/** The same verdict without copying unnamed members, which is most of an open object's cost. */
export const verdictSchema = (schema: z.core.$ZodType, depth = 0): z.core.$ZodType => {
  if (depth === deepestVerdict) return schema;
  const inner = (of: z.core.$ZodType): z.core.$ZodType => verdictSchema(of, depth + 1);
  if (schema instanceof z.ZodOptional) return z.optional(inner(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return z.nullable(inner(schema.unwrap()));
  if (schema instanceof z.ZodArray && (schema.def.checks ?? []).length === 0) return z.array(inner(schema.element));
  if (!(schema instanceof z.ZodObject) || !passesExtras(schema)) return schema;
  return z.object(Object.fromEntries(Object.entries(schema.shape).map(([name, member]) => [name, inner(member)])));
};

/** A handler does not know whether a member came from path, query or body. */
export const located = <R extends Refusal>(refusal: R, locate: Locate = inBody): R => {
  if (refusal.issues === undefined) return refusal;
  const issues = refusal.issues.map(({ loc: [source = "body", member, ...rest], ...issue }) =>
    source === "body" && typeof member === "string"
      ? { ...issue, loc: [locate(member), member, ...rest] }
      : { ...issue, loc: member === undefined ? [source] : [source, member, ...rest] },
  );
  return { ...refusal, issues };
};

/** For rules that a schema cannot state. */
export const fieldRefusal = (member: string, msg: string, type = "value_error"): Refusal =>
  refuse("validation_error", { issues: [{ type, loc: ["body", member], msg }] });
