import { Refused, refuse } from "../neutral/refusals.ts";

const tagForm = /^(?:W\/)?"?(\d{1,15})"?$/;

/**
 * The revision that a call insists on: from the header `If-Match` or the input's `if_match`, written `"3"` or `3`;
 * null for none, or for `*`, which any revision meets. Throws `Refused` for anything else (decision 63, RFC 9110
 * section 13.1.1).
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

/** Refuses a change of a record that has another revision than the caller insists on; the body has the current one. */
export const matchRevision = (expected: number | null, revision: number): void => {
  if (expected !== null && expected !== revision) {
    throw new Refused(refuse("revision_mismatch", { extras: { revision } }));
  }
};
