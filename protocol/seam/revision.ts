import { Refused, refuse } from "../neutral/refusals.ts";
import type { Contract } from "./operation.ts";

/** Others take no `If-Match`: they make a record, or change none that has a revision. */
export const matchesRevision = ({ refusals }: Pick<Contract, "refusals">): boolean =>
  refusals.revision_mismatch !== undefined;

const tagForm = /^(?:W\/)?"?(\d{1,15})"?$/;

/**
 * `If-Match` or `if_match`, written `"3"` or `3`; null for none or `*`. Throws `Refused` otherwise (RFC 9110, 13.1.1).
 */
export const expectedRevision = (header: string | null, rawInput: unknown): number | null => {
  const field =
    typeof rawInput === "object" && rawInput !== null
      ? (rawInput as Readonly<Record<string, unknown>>)["if_match"]
      : undefined;
  const given = header ?? field;
  if (given === undefined || given === null || given === "*") return null;
  const match = tagForm.exec(typeof given === "number" ? String(given) : typeof given === "string" ? given.trim() : "");
  if (match !== null) return Number(match[1]);
  const loc = header === null ? ["body", "if_match"] : ["header", "If-Match"];
  const msg = 'Send the revision as it was given, for example "3".';
  throw new Refused(refuse("validation_error", { issues: [{ type: "value_error", loc, msg }] }));
};

/** The refusal has the current revision. */
export const matchRevision = (expected: number | null, revision: number): void => {
  if (expected !== null && expected !== revision) {
    throw new Refused(refuse("revision_mismatch", { extras: { revision } }));
  }
};
