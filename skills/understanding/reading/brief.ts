import { isQuestion } from "./choice/mood.ts";
import { plainText } from "./choice/spelling.ts";
import { clausesOf, mostRead } from "./clauses.ts";
import type { Heard } from "./slots.ts";

/** The numbered lines of a request for quotes; each stands for itself. */
export interface Brief {
  readonly lines: readonly string[];
  /** What the lines leave open. */
  readonly rest: string;
  /** Wishes that no quote holds. */
  readonly notes: readonly string[];
}

const mostLines = 8;

/** Said once beside the lines, they hold for each of them. */
export const sharedTerms = ["flight_start", "flight_end", "deal_type"];

const numbered = /^[ \t]*\d{1,2}[.)][ \t]+(?=\S)/;
const wantsQuotes = /\b(?:quot(?:e|es|ed|ing|ation|ations)|rfq|rfp|offers?|proposals?)\b/i;
/** A line with these is a request of its own. */
const ownWish = /\b(?:pric(?:e|es|ing)|quot\w*|avail\w*|costs?|what|which|how|packages?|book|reserve)\b/i;
const isPriceWish = /\b(?:pric(?:e|es|ing)|cpms|rates|avail\w*)\b/i;
const label = /^\s*(?!(?:subject|re|fwd?)\b)[\p{L} ]{1,20}:\s+\S/iu;
const unsoldWish = /\b(?:frequency|freq\.?|cap|exclud\w*|brand safety|viewability)\b/i;

const courteous =
  /\b(?:thanks|thank you|regards|cheers|sincerely|look(?:ing)? forward|let (?:me|us) know|hi|hello|dear)\b/i;
const signOff =
  /^\s*(?:(?:many|best|kind|warm|yours) )*(?:thanks|thank you|regards|best|cheers|sincerely)\W*(?:\w+\W*){0,2}$/i;
const isSentence = (text: string): boolean => /[.!]$/.test(text) || (text.match(/[\p{L}\d]+/gu) ?? []).length > 2;

/** Behind the first line, what asks for no quote and is no term of all lines; a signature is left out. */
const asidesIn = (behind: readonly string[], hear: (text: string) => Heard): readonly string[] => {
  const end = behind.findIndex((row) => signOff.test(row));
  return behind
    .slice(0, end < 0 ? undefined : end)
    .filter((row) => !numbered.test(row) && !label.test(row))
    .flatMap((row) => clausesOf(row).map(({ text }) => text.trim()))
    .filter((text) => isSentence(text) && !wantsQuotes.test(text) && !courteous.test(text))
    .filter((text) => sharedTerms.every((name) => hear(text).slots[name] === undefined));
};

/** Null where the message is no such list: it is read by its sentences then. */
export const briefOf = (text: string, hear: (text: string) => Heard): Brief | null => {
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
  if (lines.filter((line) => hear(line).inventory.length > 0).length < 2) return null;
  const labelled = others.filter((row) => label.test(row)).map((row) => row.trim());
  const asides = asidesIn(rows.slice(rows.findIndex((row) => numbered.test(row))), hear);
  return { lines, rest, notes: [...parts.flat().filter((part) => unsoldWish.test(part)), ...labelled, ...asides] };
};
