import { isQuestion } from "../choice/mood.ts";
import { plainText } from "../choice/spelling.ts";
import { clausesOf, mostRead } from "../clauses.ts";
import type { Heard } from "../slots.ts";
import type { Table } from "./table.ts";

const mostLines = 8;

/** Said once beside the lines, they hold for each of them. */
const sharedTerms = ["flight_start", "flight_end", "deal_type"];

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

const withShared = (line: string, { slots }: Heard, shared: Heard["slots"]): string => {
  const { flight_start: start, flight_end: end, deal_type: type } = shared;
  const isDated = slots["flight_start"] !== undefined || slots["flight_end"] !== undefined;
  const dates = !isDated && typeof start === "string" && typeof end === "string" ? ` ${start} to ${end}` : "";
  return `${line}${dates}${slots["deal_type"] === undefined && typeof type === "string" ? ` ${type}` : ""}`;
};

/** The numbered lines of a request for quotes; null where the message is no such list. */
export const briefOf = (text: string, hear: (text: string) => Heard): Table | null => {
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
  const shared = hear(rest).slots;
  return {
    act: "quote",
    rows: lines.map((line) => withShared(line, hear(line), shared)),
    notes: [...parts.flat().filter((part) => unsoldWish.test(part)), ...labelled, ...asides],
    unit: "volume",
    budget: null,
  };
};
