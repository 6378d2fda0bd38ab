import { isOneOf } from "./word-lists.ts";
import type { Entity, Scan } from "./entity.ts";
import { isOf } from "./lexicon.ts";
import type { Token } from "./tokens.ts";
import type { Segment } from "./cut.ts";

export interface Unread {
  /** As it was written. */
  readonly text: string;
  /** A figure, a currency or a negation, which might change what is asked for. */
  readonly isTerm: boolean;
}

/** Entities that no operation of a conversation takes. */
const unused: ReadonlySet<string> = new Set([
  "cap",
  "unsold",
  "vague",
  "percent",
  "number",
  "day",
  "size",
  "deadline",
  "length",
]);

/** "The full 12,000" is no other sum than 12,000. */
const isSmall = (token: Token, next: Entity | undefined): boolean =>
  ["function", "correct", "question"].some((name) => isOf(token, name)) ||
  (isOf(token, "whole") && isOneOf(next?.kind ?? "", "money volume"));

/**
 * What nobody consumed, by subtraction: words outside of every entity and every pattern of the request, less a closed
 * list of function words and courtesies, in runs as they were written.
 */
export const unreadIn = (
  scan: Scan,
  { from, to }: Pick<Segment, "from" | "to">,
  used: ReadonlySet<number>,
  isTaken: (kind: string) => boolean = () => false,
  isKnown: (word: string) => boolean = () => false,
): readonly Unread[] => {
  const { tokens, owners, text } = scan;
  const runs: { start: number; end: number }[] = [];
  let open = -1;
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    const owner = owners[at];
    if (token === undefined) break;
    const isOpen = owner?.kind === "dealType" && owner.value === "";
    const isTerm = owner !== undefined && (unused.has(owner.kind) || isOpen) && !isTaken(owner.kind);
    const isLabel = tokens[at + 1]?.text === ":" || (tokens[at + 2]?.text === ":" && token.isFirst);
    const isWord =
      !isLabel &&
      owner === undefined &&
      !used.has(at) &&
      token.kind !== "mark" &&
      !isKnown(token.word) &&
      !isSmall(token, owners[at + 1]);
    if (!isTerm && !isWord) {
      // A small word inside of what is not read belongs to it: "women in the south".
      if (owner !== undefined || used.has(at) || (token.kind === "mark" && !isOneOf(token.text, "- % + & / '")))
        open = -1;
      continue;
    }
    if (open >= 0 && at - open <= 2) runs[runs.length - 1] = { start: runs.at(-1)?.start ?? at, end: at + 1 };
    else runs.push({ start: at, end: at + 1 });
    open = at;
  }
  return runs.map(({ start, end }) => {
    const words = text.slice(tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0);
    const isNamed = owners
      .slice(start, end)
      .some((owner) => owner !== undefined && isOneOf(owner.kind, "unsold vague deadline cap"));
    const isTerm =
      isNamed ||
      tokens
        .slice(start, end)
        .some((token, place) => token.kind === "number" || owners[start + place]?.kind === "day") ||
      isOf(tokens[start - 1], "not");
    return { text: words, isTerm };
  });
};
