import type { Segment } from "../../talk/reader/cut.ts";
import { type Scan, take } from "../../talk/reader/entity.ts";
import { isOneOf, words } from "../../talk/reader/word-lists.ts";

const checkOpeners = words("so and but ok okay hm hmm oh wait sorry now yes right then");
const checkVerbs = words("is was are were isn't wasn't does did doesn't didn't");
const pointers = words("it that this they these those");
/** Of a record: "the end date is the 9th?" */
const recordNouns = words(
  "sum total price cost volume date dates flight end start quote deal order booking days period",
);
const checkFillers = words(`
  for from to until till at on of in a an the all now still you your we i me us say said again not be date end ends
  start starts begin begins finish finishes cost costs come comes total cpm usd dollars dollar impressions right correct
`);
const checkTags = /\b(?:right|correct|(?:is|was|did|do|does|are|have|has|were|had)n't (?:it|that|you|we|i|they))\W*$/i;
const toldBefore = new RegExp(
  "^(?:what|when|how much|how many) did you (?:say|tell|quote|write)\\b|" +
    "^did(?:n't)? (?:you|we|i) (?:say|agree|write|quote)\\b",
  "i",
);
const wishWords = /\b(?:can|could|may|would|will|please|possible|want|need|let|make|let's|if|instead)\b/i;

const isTerm = (kind: string): boolean => isOneOf(kind, "volume money price number percent day period vague length");

/** Nothing but the verb, what it is about and the value that is asked of. */
const isBareCheck = (scan: Scan, { from, to }: Segment): boolean => {
  const own = scan.tokens.slice(from, to);
  const at = own.findIndex(({ word, kind }) => kind === "word" && !checkOpeners.has(word));
  if (at < 0) return false;
  const [first, second, third] = [0, 1, 2].map((step) => own[at + step]?.word ?? "") as [string, string, string];
  const isAsked = checkVerbs.has(first) && (pointers.has(second) || (second === "the" && recordNouns.has(third)));
  const isTold =
    (pointers.has(first) || (first === "the" && recordNouns.has(second))) &&
    own.some(({ word }) => checkVerbs.has(word));
  if (!isAsked && !isTold) return false;
  return own.every(
    ({ word, kind }, step) =>
      scan.owners[from + step] !== undefined ||
      kind !== "word" ||
      [checkOpeners, checkVerbs, pointers, recordNouns, checkFillers].some((list) => list.has(word)),
  );
};

/**
 * "Is that for the 5th to the 12th?", "so we agreed on 9, right?": asks whether something is so. Read as terms, it
 * would quote other days, and the next yes would book them.
 */
export const isCheck = (scan: Scan, segment: Segment): boolean => {
  const { from, to, text, isQuestion } = segment;
  const hasTerm = scan.owners.slice(from, to).some((owner) => owner !== undefined && isTerm(owner.kind));
  if (!isQuestion || !hasTerm || wishWords.test(text)) return false;
  return checkTags.test(text) || toldBefore.test(text) || isBareCheck(scan, segment);
};

/** What is asked of changes no term. */
export const withoutTerms = (scan: Scan, { from, to }: Segment): void => {
  for (const owner of new Set(scan.owners.slice(from, to)))
    if (owner !== undefined && isTerm(owner.kind))
      take(scan, { kind: "reference", value: "", from: owner.from, to: owner.to });
};
