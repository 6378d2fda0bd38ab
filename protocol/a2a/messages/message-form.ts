import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";

/** Ids are stored and repeated in answers. */
export const mostIdLength = 255;
export const idDefect = `An id must be a text of at most ${mostIdLength} characters.`;

export const isTextUpTo = (length: number, value: unknown): boolean =>
  typeof value === "string" && value.length <= length;

const hasContent = (file: unknown): boolean => {
  if (!isMembers(file)) return false;
  const given = [file["uri"], file["bytes"]].filter((content) => content !== undefined);
  return given.length > 0 && given.every((content) => typeof content === "string");
};

const legacyPartDefect = ({ kind, text, data, file }: Members): string | null => {
  if (kind === "text") return typeof text === "string" ? null : "A part of the kind text must have a text.";
  if (kind === "data") return isMembers(data) ? null : "A part of the kind data must have an object as data.";
  if (kind === "file") return hasContent(file) ? null : "A part of the kind file must have a file with uri or bytes.";
  return "The kind of a part must be text, data or file.";
};

export const isListOrNone = (value: unknown): boolean => value === undefined || value === null || Array.isArray(value);

const contents = ["text", "data", "raw", "url"];

/** Null is absent in the JSON of 1.0, but a value in data. */
const currentPartDefect = (part: Members): string | null => {
  const given = contents.filter((name) => part[name] !== undefined && part[name] !== null);
  if (given.length !== 1) {
    const isNull = given.length === 0 && part["data"] === null;
    return isNull ? null : "A part must have one of text, data, raw and url.";
  }
  const [name = ""] = given;
  return name === "data" || typeof part[name] === "string" ? null : `The ${name} of a part must be a text.`;
};

/** Of a message in the form that `messageDefect` passes. */
export const hasFile = ({ parts }: Members): boolean =>
  (parts as readonly Members[]).some(({ kind, raw, url }) => kind === "file" || raw != null || url != null);

const currentRoles: ReadonlySet<unknown> = new Set(["ROLE_USER", "ROLE_AGENT", 1, 2]);

/**
 * Checks A2A 0.3 (6.4, 6.5) and 1.0 (4.1.4, 4.1.6): the SDK reads unknown forms as an empty part or role, and the
 * caller would get a question instead of an error.
 */
export const messageDefect = (message: Members, isCurrent: boolean): string | null => {
  const { parts, role, extensions } = message;
  if (isCurrent && !currentRoles.has(role)) return "The role of a message must be ROLE_USER or ROLE_AGENT.";
  if (!isListOrNone(extensions)) return "The extensions of a message must be a list.";
  if (!Array.isArray(parts) || parts.length === 0) return "A message must have a list of parts, one at least.";
  for (const part of parts as readonly unknown[]) {
    if (!isMembers(part)) return "A part of a message must be an object.";
    const defect = isCurrent ? currentPartDefect(part) : legacyPartDefect(part);
    if (defect !== null) return defect;
  }
  return null;
};
