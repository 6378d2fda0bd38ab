import type { Entity } from "../../../../talk/reader/entity.ts";
import type { BriefInput, Term } from "../../brief/form.ts";
import type { Place, Text } from "../text.ts";
import { isIn } from "../words.ts";

/** A part of a message that is read for terms of a brief, and the tokens that were understood. */
export interface Part {
  readonly text: Text;
  readonly place: Place;
  /** The open brief; null where a new one is read. */
  readonly open: BriefInput | null;
  readonly used: Set<number>;
  readonly terms: Term[];
  /** The member whose label stands before, as in "audience: …". */
  readonly label: string | null;
}

export const use = ({ used }: Part, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) used.add(at);
};

export const wordAt = ({ text }: Part, at: number): string => text.words[at] ?? "";

export const ownerAt = ({ text }: Part, at: number): Entity | undefined => text.scan.owners[at];

const stops = ", ; . ! ? ( )";

/** The words before `at` in its clause, the nearest first. */
export const before = (part: Part, at: number, most: number): readonly string[] => {
  const words: string[] = [];
  for (let place = at - 1; place >= part.place.from && words.length < most; place -= 1) {
    if (isIn(wordAt(part, place), stops) || part.text.scan.tokens[place + 1]?.isFirst === true) break;
    words.push(...wordAt(part, place).split(" ").toReversed());
  }
  return words;
};

export const behind = (part: Part, at: number, most: number): readonly string[] => {
  const words: string[] = [];
  for (let place = at; place < part.place.to && words.length < most; place += 1) {
    if (isIn(wordAt(part, place), stops)) break;
    words.push(...wordAt(part, place).split(" "));
  }
  return words;
};

export const entitiesOfPart = ({ text, place }: Part): readonly Entity[] => [
  ...new Set(text.scan.owners.slice(place.from, place.to).filter((owner) => owner !== undefined)),
];

/** The clause around a place: up to the next comma, or the end of the part. */
export const clauseAt = (part: Part, at: number): Place => {
  let from = at;
  let to = at;
  while (
    from > part.place.from &&
    !isIn(wordAt(part, from - 1), stops) &&
    part.text.scan.tokens[from]?.isFirst !== true
  )
    from -= 1;
  while (to < part.place.to && !isIn(wordAt(part, to), stops)) to += 1;
  return { from, to };
};

export const has = (words: readonly string[], list: string): boolean => words.some((word) => isIn(word, list));

export const negations =
  "no not never neither nor without don't dont cannot can't isn't none nothing won't shouldn't aren't doesn't";
