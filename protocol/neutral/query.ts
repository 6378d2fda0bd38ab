import { Refused, refuse, type SchemaIssue } from "./refusals.ts";

/** The query of a request's address; null where there is none. */
export const queryOf = (url: string): URLSearchParams | null => {
  const at = url.indexOf("?");
  return at < 0 || at === url.length - 1 ? null : new URLSearchParams(url.slice(at + 1));
};

/** The 422 of one member of the query. */
export const queryIssue = (name: string, msg: string): Refused => {
  const issue: SchemaIssue = { type: "query_invalid", loc: ["query", name], msg };
  return new Refused(refuse("validation_error", { issues: [issue] }));
};

/** What `?dry_run=` says; null where it says neither yes nor no, which must not become a real call by accident. */
export const dryRunAsked = (query: URLSearchParams): boolean | null => {
  const values = query.getAll("dry_run");
  if (values.length === 0 || values.every((value) => value === "false" || value === "0")) return false;
  return values.every((value) => value === "true" || value === "1") ? true : null;
};

/** The refusal of a `?dry_run=` that is neither true nor false. */
export const unclearDryRun = (): Refused => queryIssue("dry_run", "Send dry_run as true or false.");
