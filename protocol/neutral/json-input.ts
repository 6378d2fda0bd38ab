import { Refused, refuse } from "./refusals.ts";
import type { Members } from "./members.ts";

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null and the empty text are not given. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

export interface BodyLimits {
  readonly bytes: number;
  readonly depth: number;
}

export const defaultBodyLimits: BodyLimits = { bytes: 1_048_576, depth: 32 };

const quote = 0x22;
const brace = 0x7b;
const bracket = 0x5b;
const toClosing = 2;

/** An upper bound of the nesting, strings included. */
const hasFewBrackets = (text: string, most: number): boolean => {
  let left = most;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      if (left === 0) return false;
      left -= 1;
    }
  }
  return true;
};

const stringEnd = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
};

/** A parser would build it, and writing it again would overflow the stack. */
export const isNestedDeeper = (text: string, most: number): boolean => {
  if (hasFewBrackets(text, most)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code === brace || code === bracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === brace + toClosing || code === bracket + toClosing) depth -= 1;
  }
  return false;
};

export const checkDepth = (text: string, most: number): void => {
  if (!isNestedDeeper(text, most)) return;
  throw new Refused(refuse("body_too_deep", { message: `Nest at most ${most} levels.` }));
};

/** Empty text is an empty object; broken JSON is a 422. */
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
