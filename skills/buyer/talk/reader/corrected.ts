import { pickIn } from "./lines.ts";
import { begins } from "./parts.ts";
import { asWritten, type Place, type Text } from "./text.ts";
import { isIn, lists } from "./words.ts";

/** A message as it is meant in the end; `isHeld`: of its orders none is asked about with a yes. */
export interface Corrected {
  readonly message: string | null;
  readonly isHeld: boolean;
}

const orderVerbs = `${lists.approve} ${lists.drop} ${lists.cancel}`;
const marks = ", ; . : - – — ! ?";
const takesBack = "no nope nah wait hold";
const sure = `${takesBack} sorry rather actually oops scratch correction mean meant make instead`;
const fillers = "or oh ah hm hmm uh well i on that it this please";

const isMark = ({ words, scan }: Text, at: number): boolean =>
  at >= words.length || scan.tokens[at]?.isFirst === true || isIn(words[at] ?? "", marks);

/** "No 2" is a number and "no display" leaves out; "wait with 2" and "rather than" take nothing back. */
const isMarker = (text: Text, at: number): boolean => {
  const [word = "", next = ""] = [text.words[at], text.words[at + 1]];
  if (!isIn(word, sure) || text.scan.owners[at]?.kind === "quoted") return false;
  if (isIn(word, "mean meant")) return isIn(text.words[at - 1] ?? "", "i we");
  if (word === "make") return isIn(next, "that it");
  if (word === "hold") return next === "on" && isMark(text, at + 2);
  if (!isIn(word, "no nope nah wait")) return !isIn(next, "than of");
  return isMark(text, at + 1) || isIn(next, "just only make wait sorry rather actually i not hold");
};

/** Where words begin that take back what stands before them, and where they end. */
const takenBackAt = (text: Text, from: number): Place | null => {
  for (let at = from; at < text.words.length; at += 1) {
    const isOpen = isMark(text, at) || isIn(text.words[at] ?? "", "sorry oops");
    if (!isOpen) continue;
    let to = at;
    let isSure = false;
    for (; to < text.words.length; to += 1) {
      const isOne = isMarker(text, to);
      isSure ||= isOne;
      if (!isOne && !isIn(text.words[to] ?? "", `${marks} ${fillers}`)) break;
    }
    // "No, not 2": what is not meant is said behind it.
    if (isSure) return { from: at, to };
  }
  return null;
};

const sentenceEnd = ({ words, scan }: Text, from: number): number => {
  const isEnd = (at: number): boolean =>
    scan.tokens[at]?.isFirst === true ||
    (isIn(words[at - 1] ?? "", ". ! ?") && scan.tokens[at]?.isGlued !== true && scan.tokens[at]?.kind !== "mark");
  let to = from + 1;
  while (to < words.length && !isEnd(to)) to += 1;
  return to;
};

const afterwards = (text: Text, from: number): string =>
  from < text.words.length ? `. ${asWritten(text, from, text.words.length)}` : "";

const lastVerb = ({ words, scan }: Text, { from, to }: Place): number => {
  for (let at = to - 1; at >= from; at -= 1)
    if (isIn(words[at] ?? "", orderVerbs) && scan.owners[at] === undefined) return at;
  return -1;
};

const isChoice = (text: Text, place: Place): boolean => {
  const { lines, except } = pickIn(text, place);
  return lines.length + except.length > 0;
};

/** Also by a number that the reader of figures took back already. */
const isChosen = (text: Text, place: Place): boolean =>
  isChoice(text, place) || text.scan.tokens.slice(place.from, place.to).some(({ kind }) => kind === "number");

/** "Approve 1, sorry, 2", "reject 1. no: 2", "approve both, hold on, not the display". */
const takenBack = (text: Text, verb: number): Corrected | null => {
  const back = takenBackAt(text, verb + 1);
  if (back === null) return null;
  const { from, to } = back;
  const end = to < text.words.length ? sentenceEnd(text, to) : to;
  const isNo = text.words.slice(from, to).some((word) => isIn(word, takesBack));
  const isAsked = to < end && (begins(text, to) || text.words.slice(to, end).includes("?"));
  if (to >= end || isAsked) return isNo ? { message: null, isHeld: true } : null;
  if (isIn(text.words[to] ?? "", "and also plus too") || !isChosen(text, { from: verb, to: from })) return null;
  const rest = asWritten(text, to, text.words.length);
  const isNot = isIn(text.words[to] ?? "", "not without");
  if (isNot && isChoice(text, { from: to + 1, to: end }))
    return {
      message: `${asWritten(text, 0, from)} except ${asWritten(text, to + 1, text.words.length)}`,
      isHeld: false,
    };
  const before = verb === 0 ? "" : `${asWritten(text, 0, verb)} `;
  // "Reject 3. no: keep 3"
  if (isIn(text.words[to] ?? "", "keep leave") && text.words[to + 2] !== "out")
    return { message: `${before}${text.words[verb]} nothing${afterwards(text, end)}`, isHeld: true };
  if (isIn(text.words[to] ?? "", orderVerbs)) return { message: `${before}${rest}`, isHeld: false };
  if (!isChoice(text, { from: to, to: end })) return isNo ? { message: null, isHeld: true } : null;
  // "The more expensive of the rest, no, the cheaper one": of the rest, or of all?
  const isHeld = text.words.slice(verb, from).some((word) => isIn(word, "rest remaining others"));
  return { message: `${before}${text.words[verb]} ${rest}`, isHeld };
};

const waits = /^(?:can|may|should|must|has to|have to|will) (?:wait|stay|not)$|^(?:waits|isn't|is not|later)$/;

/** "Approve all. The display can wait", "approve everything. Not the video though". */
const leftOut = (text: Text, verb: number): Corrected | null => {
  const { words } = text;
  const end = sentenceEnd(text, verb);
  const { lines, except } = pickIn(text, { from: verb, to: end });
  const isAll = lines.length > 0 && except.length === 0 && lines.every(({ by }) => by === "all");
  if (!isAll || end >= words.length) return null;
  let from = end;
  while (isIn(words[from] ?? "", "but and only just")) from += 1;
  const isNot = isIn(words[from] ?? "", "not never");
  if (isNot) from += 1;
  const last = sentenceEnd(text, from);
  let to = from;
  const isWaiting = (): boolean =>
    [1, 2, 3].some((size) => waits.test(words.slice(to, to + size).join(" "))) ||
    isIn(words[to] ?? "", `though then yet please ${marks}`);
  while (to < last && !isWaiting()) to += 1;
  const behind = words.slice(to, last).join(" ");
  const isLeft = isNot || /\b(?:wait|waits|stay|not|isn't|later)\b/.test(behind);
  const isNamed = to > from && to - from < 8 && isChoice(text, { from, to });
  if (!isLeft || !isNamed || isChoice(text, { from: to, to: last })) return null;
  let close = end;
  while (close > verb && isIn(words[close - 1] ?? "", marks)) close -= 1;
  return {
    message: `${asWritten(text, 0, close)} except ${asWritten(text, from, to)}${afterwards(text, last)}`,
    isHeld: false,
  };
};

/** A choice of lines that later words of the message take back or make smaller: the last choice alone is meant. */
export const correctedIn = (text: Text): Corrected | null => {
  const first = text.words.findIndex((word, at) => isIn(word, orderVerbs) && text.scan.owners[at] === undefined);
  if (first < 0) return null;
  const back = takenBackAt(text, first + 1);
  const verb = back === null ? first : lastVerb(text, { from: first, to: back.from });
  return takenBack(text, verb) ?? leftOut(text, first);
};
