import { Refused, refuse, type SchemaIssue } from "./refusals.ts";

export const queryOf = (url: string): URLSearchParams | null => {
  const at = url.indexOf("?");
  return at < 0 || at === url.length - 1 ? null : new URLSearchParams(url.slice(at + 1));
};

export const queryIssue = (name: string, msg: string): Refused => {
  const issue: SchemaIssue = { type: "query_invalid", loc: ["query", name], msg };
  return new Refused(refuse("validation_error", { issues: [issue] }));
};

/** Null: neither yes nor no, which must not run for real. */
export const dryRunAsked = (query: URLSearchParams): boolean | null => {
  const values = query.getAll("dry_run");
  if (values.length === 0 || values.every((value) => value === "false" || value === "0")) return false;
  return values.every((value) => value === "true" || value === "1") ? true : null;
};

export const unclearDryRun = (): Refused => queryIssue("dry_run", "Send dry_run as true or false.");
