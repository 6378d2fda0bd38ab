import { isOneOf, words } from "./word-lists.ts";
import { type Scan, textOf } from "./entity.ts";
import { listMark } from "./tokens.ts";
import { isOf } from "./lexicon.ts";

/** A part of a message that asks one thing: a sentence, a line, or what follows an "and" before a new request. */
export interface Segment {
  readonly from: number;
  /** Exclusive, without the sign that ends it. */
  readonly to: number;
  /** Ends with a question mark, or begins as a question does. */
  readonly isQuestion: boolean;
  readonly hasMark: boolean;
  /** Begins a line of its own. */
  readonly isLine: boolean;
  readonly text: string;
}

const ends = ". ? ! ; …";
const bullets = "- – — * • · >";

/** Words that open a request of their own behind "and". */
const openers = words(`
  what what's which who how when where why can could would will do does did is are quote price book
  reserve show list tell give send cancel compare please also let let's check add move extend drop
  accept decline withdraw approve reject start confirm i'd i we're we'd keep leave hold explain
  summarize put create propose offer hand talk get make change increase reduce raise
`);

const isEnd = ({ tokens, owners }: Scan, at: number): boolean => {
  const token = tokens[at];
  if (token === undefined || !isOneOf(token.text, ends) || owners[at] !== undefined) return false;
  const next = tokens[at + 1];
  // "Trailhead & Co. here".
  const isShort = token.text === "." && isOneOf(tokens[at - 1]?.word ?? "", "co inc ltd corp bros");
  if (isShort && next?.kind === "word" && !next.isFirst && next.text === next.word) return false;
  // "No.5" and "e.g." do not end a sentence; "1." at a line's start is a list mark.
  return next === undefined || !next.isGlued || next.kind === "mark";
};

/** The mark of a list item: "1.", "2)", "a)", "-", "Line 3:". */
const markEnd = ({ tokens }: Scan, at: number): number => {
  const token = tokens[at];
  if (tokens[at + 1]?.text === listMark && tokens[at + 2]?.text === ":") return at + 3;
  if (token === undefined || !token.isFirst) return at;
  if (token.text === listMark && tokens[at + 1]?.isGlued === true) return at + 2;
  if (isOneOf(token.text, bullets)) return at + 1;
  const isPlace =
    (token.kind === "number" && token.text.length < 3) || (token.kind === "word" && token.text.length === 1);
  return isPlace && isOneOf(tokens[at + 1]?.text ?? "", ". )") && tokens[at + 1]?.isGlued === true ? at + 2 : at;
};

/** "And", "also", "plus", "then" before a word that opens a request. */
const isJoint = ({ tokens, owners }: Scan, at: number, from: number): number => {
  const word = tokens[at]?.word ?? "";
  if (owners[at] !== undefined || at - from < 2) return 0;
  let next = at;
  if (word === "," && isOneOf(tokens[at + 1]?.word ?? "", "and also plus then but")) next += 1;
  if (!isOneOf(tokens[next]?.word ?? "", "and also plus then but und y et e")) return 0;
  next += 1;
  while (isOneOf(tokens[next]?.word ?? "", "also then please , so")) next += 1;
  const opener = tokens[next]?.word ?? "";
  return openers.has(opener) && (opener !== "i" || tokens[next + 1] !== undefined) ? next - at : 0;
};

/** Words that open a question without its mark. */
const asks = words(
  `
    what what's whats which who who's how how's when where why is are was were do does did can could
    would will has have any should whether wie was welche welcher habt gibt que cual cuanto quel quelle combien
    qual quanto
  `,
);

export const segmentIn = (scan: Scan, from: number, to: number, mark: string, isLine: boolean): Segment => {
  let first = from;
  while (
    first < to &&
    isOneOf(scan.tokens[first]?.word ?? "", "and also so ok okay but then hi hello hey , please well great thanks -")
  )
    first += 1;
  const opener = scan.tokens[first]?.word ?? "";
  // "Do 5M then" orders.
  const isOrder = opener === "do" && scan.owners[first + 1] !== undefined;
  return {
    from,
    to,
    hasMark: mark === "?",
    isQuestion: mark === "?" || (asks.has(opener) && !isOrder),
    isLine,
    text: textOf(scan, { from, to }),
  };
};

export const segmentsOf = (scan: Scan): readonly Segment[] => {
  const { tokens, owners } = scan;
  const found: Segment[] = [];
  let from = markEnd(scan, 0);
  let isLine = true;
  const close = (to: number, next: number, isNextLine: boolean, mark = ""): void => {
    if (tokens.slice(from, to).some(({ kind }) => kind !== "mark")) found.push(segmentIn(scan, from, to, mark, isLine));
    from = next;
    isLine = isNextLine;
  };
  for (let at = from; at < tokens.length; at += 1) {
    const isInside = owners[at] !== undefined && owners[at] === owners[at - 1];
    if (at > from && tokens[at]?.isFirst === true && !isInside) {
      close(at, markEnd(scan, at), true);
      // The point of "1." ends no sentence.
      if (from > at) {
        at = from - 1;
        continue;
      }
    }
    if (isEnd(scan, at)) {
      let next = at;
      while (next < tokens.length && isOneOf(tokens[next]?.text ?? "", ends)) next += 1;
      const said = tokens.slice(at, next).some(({ text }) => text === "?") ? "?" : (tokens[at]?.text ?? "");
      close(at, next, tokens[next]?.isFirst === true, said);
      from = markEnd(scan, next);
      at = from - 1;
      continue;
    }
    const joint = isInside ? 0 : isJoint(scan, at, from);
    if (joint > 0) close(at, at + joint, false);
  }
  close(tokens.length, tokens.length, false);
  return found;
};

const condition = words(
  `
    if unless provided providing assuming suppose supposing once whether wenn falls sofern depending
    hypothetically theoretically
  `,
);
const needs = words("need must have should ask check");
const modal = words("would should might could may");

/** Something else must be so first, or it is only thought of. */
export const isConditional = ({ tokens, owners }: Scan, { from, to }: Pick<Segment, "from" | "to">): boolean =>
  tokens
    .slice(from, to)
    .some(
      (token, place) =>
        owners[from + place] === undefined &&
        ((condition.has(token.word) &&
          !isOneOf(`${token.word}-${tokens[from + place + 1]?.word ?? ""}`, "once-more if-possible")) ||
          (isOneOf(token.word, "as so") && tokens[from + place + 1]?.word === "long") ||
          (token.word === "subject" && tokens[from + place + 1]?.word === "to") ||
          (token.word === "in" && tokens[from + place + 1]?.word === "case") ||
          (token.word === "only" && tokens[from + place + 1]?.word === "when")),
    );

const isExclusion = (word: string): boolean =>
  isOneOf(word, "without excluding except exclude excludes avoid skip minus dropping ohne sin sans sem");

/** "Don't book", "not yet", "should we", "maybe": no order stands beside such words. */
export const isDoubtful = (scan: Scan, segment: Pick<Segment, "from" | "to">): boolean => {
  const { tokens, owners } = scan;
  if (isConditional(scan, segment)) return true;
  for (let at = segment.from; at < segment.to; at += 1) {
    if (owners[at]?.kind === "quoted") return true;
    if (owners[at] !== undefined) continue;
    const word = tokens[at]?.word ?? "";
    if (isOneOf(word, "maybe perhaps wait later before kidding joking vielleicht quizas talvez")) return true;
    if (isOneOf(word, "keep leave") && isOneOf(tokens[at + 1]?.word ?? "", "it that this them")) return true;
    if (word === "never" && tokens[at + 1]?.word === "mind") return true;
    if (modal.has(word) && isOneOf(tokens[at + 1]?.word ?? "", "we i")) return true;
    // "But I need sign-off".
    if (word === "but" && isOneOf(tokens[at + 1]?.word ?? "", "i we") && needs.has(tokens[at + 2]?.word ?? ""))
      return true;
    if (
      isOf(tokens[at], "not") &&
      !isOneOf(tokens[at + 1]?.word ?? "", "problem worries rush need a more over above less only just bad") &&
      owners[at + 1]?.kind !== "product" &&
      !isExclusion(tokens[at]?.word ?? "")
    )
      return true;
  }
  return false;
};

/** "Can you cancel it?" is a wish, and "is it cancelled?" a question, whose answer asks for no yes. */
export const isWish = (text: string): boolean => /\b(?:can|could|will|would) you\b|\bplease\b|\bpls\b/i.test(text);
