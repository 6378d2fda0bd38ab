import { Refused, refuse } from "./refusals.ts";

/** An object of JSON, by its members. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object: neither null nor a list. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a member was given: null and the empty text stand for none. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Bounds of a request body: bytes as text length in UTF-8, and nesting of arrays and objects (decision 19). */
export interface BodyLimits {
  readonly bytes: number;
  readonly depth: number;
}

export const defaultBodyLimits: BodyLimits = { bytes: 1_048_576, depth: 32 };

const quote = 0x22;
const backslash = 0x5c;

/** Whether the text has at most so many opening brackets, in strings or not: then it nests no deeper. */
const hasFewBrackets = (text: string, most: number): boolean => {
  let left = most;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return false;
      left -= 1;
    }
  }
  return true;
};

/** Whether JSON text nests deeper than `most`; reads the text once, before any parser builds objects from it. */
const isTooDeep = (text: string, most: number): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
};

/** Text that is nested no deeper than the bound; `body_too_deep` otherwise. */
export const checkDepth = (text: string, most: number): void => {
  if (hasFewBrackets(text, most) || !isTooDeep(text, most)) return;
  throw new Refused(refuse("body_too_deep", { message: `Nest at most ${most} levels.` }));
};

/** The JSON value of a body text. An empty text is an empty object; broken JSON is a 422 (decision 53). */
export const parseJson = (text: string, limits: BodyLimits): unknown => {
  if (text.trim() === "") return {};
  checkDepth(text, limits.depth);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const issue = { type: "json_invalid", loc: ["body"], msg: "The body is not valid JSON." };
    throw new Refused(refuse("validation_error", { issues: [issue] }));
  }
};
