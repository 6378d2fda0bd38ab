import type { z } from "zod";

/** One reason why the edge cannot start: the key it hangs on, and what to do. Never holds a secret value. */
export interface StartupProblem {
  readonly key: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");

const describe = (issue: Issue): StartupProblem[] => {
  const key = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({
      key: key === "" ? name : `${key}.${name}`,
      message: "unknown key; check its spelling or remove it",
    }));
  }
  if (issue.code === "invalid_key") {
    return issue.issues.map((inner) => ({ key, message: inner.message }));
  }
  if (/received undefined$/.test(issue.message)) return [{ key, message: "missing required field; add it" }];
  return [{ key, message: issue.message.replace(/^Invalid input: /, "wrong value: ") }];
};

export const problemsOf = (error: z.ZodError): StartupProblem[] => error.issues.flatMap(describe);
