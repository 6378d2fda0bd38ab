import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { isDoubtful, type Segment, segmentIn } from "../../talk/reader/cut.ts";
import type { Match } from "../../talk/reader/patterns.ts";
import type { Scan } from "../../talk/reader/entity.ts";
import { isOf } from "../../talk/reader/lexicon.ts";
import { unreadIn } from "../../talk/reader/unread.ts";
import type { Memory } from "./memory.ts";
import { boosted, type Part } from "./weighing.ts";

/** Requests of one kind are worded together: "quote me a price, 1M in March". */
const wishKinds: Readonly<Record<string, ReadonlySet<string>>> = {
  sale: words("quote price plan offer propose book accept change cancel compare rate_card withdraw"),
  delivered: words("delivery spend"),
  catalogue: words("list describe rank advice packages targeting"),
};
/** They are said beside a request and are none. */
const remarks: ReadonlySet<string> = words("thanks greet wait noted answered unknown withhold");

/** "Forget it, what do you have?", "we have no money for it" */
const isRemark = (scan: Scan, { command }: Match, { said, segment }: Part): boolean =>
  remarks.has(command) ||
  (command === "decline" && said.entities.length === 0) ||
  (isOneOf(command, "book accept offer") && isDoubtful(scan, segment));

/** A request of its own has more than one word of a pattern. */
const sure = 2.4;

const wishKind = (scan: Scan, part: Part, memory: Memory): string | null => {
  const [best] = boosted(scan, part, memory);
  if (best === undefined || best.score < sure || isRemark(scan, best, part))
    return part.said.volumes.length > 0 || (part.said.budget !== null && part.said.products.length > 0) ? "sale" : null;
  return Object.keys(wishKinds).find((kind) => wishKinds[kind]?.has(best.command)) ?? best.command;
};

const connectives = ", and plus & + but or then";

/**
 * Requests of different kinds in one sentence are segments of their own, behind a comma or an "and": "quote 1M of it
 * plus your cancellation terms".
 */
export const wishesIn = (scan: Scan, segment: Segment, partOf: (one: Segment) => Part, memory: Memory) => {
  const isJoint = (at: number): boolean =>
    scan.owners[at] === undefined && isOneOf(scan.tokens[at]?.word ?? "", connectives);
  const pieceOf = (from: number, to: number): Segment => {
    let first = from;
    while (from > segment.from && first < to && isJoint(first)) first += 1;
    const isLast = to === segment.to;
    return segmentIn(scan, first, to, isLast && segment.hasMark ? "?" : "", from === segment.from && segment.isLine);
  };
  const wishes: { readonly from: number; to: number; kind: string | null }[] = [];
  let from = segment.from;
  for (let at = segment.from + 1; at <= segment.to; at += 1) {
    if (at < segment.to && !isJoint(at)) continue;
    const last = wishes.at(-1);
    const kind = last === undefined && at === segment.to ? null : wishKind(scan, partOf(pieceOf(from, at)), memory);
    if (last === undefined || (last.kind !== null && kind !== null && last.kind !== kind))
      wishes.push({ from, to: at, kind });
    else {
      last.to = at;
      last.kind ??= kind;
    }
    from = at;
  }
  return wishes.length < 2 ? [segment] : wishes.map((one) => pieceOf(one.from, one.to));
};

const wanting = /\b(?:please|pls|need|needs|must|require|want|make sure|ensure|confirm|tell|send|include|should)\b/i;

/** Asks for something, or says a term: a reply that left it out would drop it. */
export const isAskedFor = (scan: Scan, segment: Segment): boolean => {
  if (/\b(?:must|should|might|could|would) have\b/i.test(segment.text)) return false;
  const unread = unreadIn(scan, segment, new Set());
  return (
    unread.some(({ isTerm }) => isTerm) || (unread.length > 0 && (segment.isQuestion || wanting.test(segment.text)))
  );
};

const recordKinds: Readonly<Record<string, ReadonlySet<string>>> = {
  deals: words("deals bookings"),
  quotes: words("quotes"),
  proposals: words("proposals"),
  negotiations: words("negotiations"),
  changes: words("requests cancellations"),
};

const listing = "list show overview open change changes";
/** A summary of the conversation has both. */
const leastOfSale = 3;

/**
 * "List all my deals, quotes and requests": nothing but kinds of the caller's records, each of which is a list of its
 * own. The command of each; empty where the segment says something else.
 */
export const recordKindsIn = ({ tokens, owners }: Scan, { from, to }: Pick<Segment, "from" | "to">) => {
  const said = tokens.slice(from, to).filter(({ kind }) => kind !== "mark");
  const named = Object.keys(recordKinds).filter((kind) => said.some(({ word }) => recordKinds[kind]?.has(word)));
  const isKind = (word: string): boolean => named.some((kind) => recordKinds[kind]?.has(word));
  const isList =
    owners.slice(from, to).every((owner) => owner === undefined) &&
    said.every((token) => isKind(token.word) || isOneOf(token.word, listing) || isOf(token, "function")) &&
    said.every((token) => !isOf(token, "not"));
  const isOfSale = named.every((kind) => isOneOf(kind, "deals quotes proposals"));
  return isList && named.length >= (isOfSale ? leastOfSale : 2) ? named : [];
};
