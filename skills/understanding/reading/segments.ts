import { type Act, actInWords, type Situation } from "./choice/acts.ts";
import { plainText } from "./choice/spelling.ts";
import { type Clause, clausesOf, mostRead, prepared } from "./clauses.ts";
import type { Heard } from "./slots.ts";
import { briefOf } from "./table/brief.ts";
import { type Table, tableOf, type TableStanding } from "./table/table.ts";

/** A message with more is read whole. */
const mostSegments = 8;
const mostClauses = 24;

/** Acts that a message may hold once for each thing that it names. */
const perThing: ReadonlySet<Act> = new Set(["price", "quote", "availability", "describe"]);

/** A message that changes something or ends a talk is read whole. */
const whole: ReadonlySet<Act> = new Set([
  "book",
  "accept",
  "reject",
  "offer",
  "propose",
  "cancel",
  "withdraw",
  "change deal",
]);

/** A line of a brief: "Product: Pre-Roll Video". */
const label = /^\s*[\p{L} ]{1,20}:\s+[\p{L}\d$€£]/u;

interface Read {
  readonly text: string;
  readonly act: Act | null;
  readonly namesThing: boolean;
}

const isSeveral = (asked: readonly Read[]): boolean => {
  if (asked.length < 2) return false;
  const kinds = new Set(asked.map(({ act }) => act));
  if (kinds.size > 1) return true;
  const [only] = kinds;
  return only != null && perThing.has(only) && asked.every(({ namesThing }) => namesThing);
};

const isItem = ({ act, namesThing }: Read): boolean => act === null && namesThing;

const ofEach = /\b(?:each|both|all|every|lines?|rows?|items?|these|those|below|above|following)\b/i;

/** "CTV, 2M. Native, 1M. Please price both.": the one request is meant for each line. */
const linesOf = (reads: readonly Read[]): readonly string[] | null => {
  const items = reads.filter(isItem);
  const [wish, other] = reads.filter(({ act }) => act !== null);
  if (wish?.act == null || other !== undefined || wish.namesThing) return null;
  const isMeant = perThing.has(wish.act) && ofEach.test(wish.text);
  return isMeant && items.length > 1 && items.length <= mostSegments
    ? items.map((item) => `${wish.text} ${item.text}`)
    : null;
};

interface Reader {
  readonly hear: (clause: string) => Heard;
  /** Guesses what is asked, which takes as long as the reading. */
  readonly situation: (heard: Heard) => Situation;
  readonly standing: TableStanding;
}

/** Null as soon as it is clear that the message stays whole. */
const readsOf = (clauses: readonly Clause[], read: Reader): readonly Read[] | null => {
  const reads: Read[] = [];
  let asked = 0;
  for (const { text } of clauses) {
    if (label.test(text)) {
      reads.push({ text, act: null, namesThing: false });
      continue;
    }
    const heard = read.hear(text);
    const act = actInWords(plainText(heard.words), read.situation(heard));
    if (act !== null) asked += 1;
    if (asked > mostSegments || (act !== null && whole.has(act))) return null;
    reads.push({ text, act, namesThing: heard.inventory.some(({ isExact }) => isExact) });
  }
  return reads;
};

/** A message with one request, or with one that changes something, stays whole. */
const sentencesOf = (text: string, read: Reader): readonly string[] => {
  const clauses = clausesOf(prepared(text));
  if (clauses.length < 2 || clauses.length > mostClauses) return [text];
  const reads = readsOf(clauses, read);
  if (reads === null) return [text];
  const head = reads[0];
  const items = reads.slice(1);
  const isList = head?.act != null && perThing.has(head.act) && !head.namesThing && /:[;\s]*$/.test(head.text);
  if (isList && items.length > 1 && items.length <= mostSegments && items.every(isItem))
    return items.map((item) => `${head.text} ${item.text}`);
  const lines = linesOf(reads);
  if (lines !== null) return lines;
  if (!isSeveral(reads.filter(({ act }) => act !== null))) return [text];
  const segments: string[] = [];
  let waiting = "";
  for (const { text: clause, act } of reads) {
    if (act !== null) {
      segments.push(`${waiting}${clause}`);
      waiting = "";
    } else if (segments.length === 0) waiting += `${clause} `;
    else segments[segments.length - 1] += ` ${clause}`;
  }
  return segments;
};

/** A text, or the rows of several products. */
export type Segment = string | Table;

const tableIn = (segment: string, read: Reader): Table | null => {
  const heard = read.hear(segment);
  const { products, plan } = read.standing;
  const isOfSeveral = heard.inventory.length > 1 || /@.*@/s.test(heard.spoken);
  if (!isOfSeveral && products.length < 2 && plan.length < 2) return null;
  return tableOf(segment, actInWords(plainText(heard.words), read.situation(heard)), read);
};

/** "Same dates." of a table whose products have theirs. */
const asBefore = new RegExp(
  "^\\W*(?:(?:the )?same (?:dates|flight|period)|" +
    "(?:the )?(?:dates|flight|period)\\b[^\\d?]{0,30}\\b(?:before|same|unchanged|stays?))\\W*$",
  "i",
);

const namesProduct = (text: string, { hear }: Reader): boolean => hear(text).spoken.includes("@");

/** "We have 60k for May. 50 % CTV, 50 % native": what is said ahead of the products is said of the table. */
const segmentsWithTables = (sentences: readonly string[], read: Reader): readonly Segment[] => {
  const at = sentences.findIndex((sentence) => namesProduct(sentence, read));
  const ahead = at > 0 ? tableIn(sentences.slice(0, at + 1).join(" "), read) : null;
  const others = ahead === null ? sentences : sentences.slice(at + 1);
  const parts = [...(ahead === null ? [] : [ahead]), ...others.map((sentence) => tableIn(sentence, read) ?? sentence)];
  const isSaid = (part: Segment): boolean => typeof part !== "string" || !asBefore.test(part);
  return parts.some((part) => typeof part !== "string") ? parts.filter(isSaid) : parts;
};

export const segmentsOf = (text: string, read: Reader): readonly Segment[] => {
  if (text.length > mostRead) return [text];
  const brief = briefOf(text, read.hear);
  return brief === null ? segmentsWithTables(sentencesOf(text, read), read) : [brief];
};
