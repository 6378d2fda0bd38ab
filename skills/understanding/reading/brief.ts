import { isQuestion } from "./choice/mood.ts";
import { plainText } from "./choice/spelling.ts";
import { mostRead } from "./clauses.ts";

/** The numbered lines of a request for quotes; each stands for itself. */
export interface Brief {
  readonly lines: readonly string[];
  /** What the lines leave open. */
  readonly rest: string;
  /** Wishes that no quote holds. */
  readonly notes: readonly string[];
}

const mostLines = 8;

const numbered = /^[ \t]*\d{1,2}[.)][ \t]+(?=\S)/;
const wantsQuotes = /\b(?:quot(?:e|es|ed|ing|ation|ations)|rfq|rfp|offers?|proposals?)\b/i;
/** A line with these is a request of its own. */
const ownWish = /\b(?:pric(?:e|es|ing)|quot\w*|avail\w*|costs?|what|which|how|packages?|book|reserve)\b/i;
const isPriceWish = /\b(?:pric(?:e|es|ing)|cpms|rates|avail\w*)\b/i;
const label = /^\s*(?!(?:subject|re|fwd?)\b)[\p{L} ]{1,20}:\s+\S/iu;
const unsoldWish = /\b(?:frequency|freq\.?|cap|exclud\w*|brand safety|viewability)\b/i;

/** Null where the message is no such list: it is read by its sentences then. */
export const briefOf = (text: string, namesThing: (line: string) => boolean): Brief | null => {
  if (text.length > mostRead) return null;
  const rows = text.split("\n");
  const items = rows.filter((row) => numbered.test(row)).map((row) => row.replace(numbered, "").trim());
  const others = rows.filter((row) => !numbered.test(row));
  const rest = others.join("\n");
  if (items.length < 2 || items.length > mostLines) return null;
  if (!wantsQuotes.test(rest) || isPriceWish.test(rest)) return null;
  if (items.some((item) => ownWish.test(item) || isQuestion(plainText(item)))) return null;
  const parts = items.map((item) => item.split(/,\s+|;\s+/));
  const lines = parts.map((words) => words.filter((part) => !unsoldWish.test(part)).join(", "));
  if (lines.filter(namesThing).length < 2) return null;
  const labelled = others.filter((row) => label.test(row)).map((row) => row.trim());
  return { lines, rest, notes: [...parts.flat().filter((part) => unsoldWish.test(part)), ...labelled] };
};
