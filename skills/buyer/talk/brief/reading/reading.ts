import { isDeepStrictEqual } from "node:util";
import { type BriefInput, nothingBeside, type ReadBrief } from "../input.ts";
import { type Turn, turnIn } from "../turn/sentences.ts";
import { type Correction, readTerms } from "./terms.ts";

const mostPieces = 12;
const joined = new RegExp(
  ",?\\s+(?:and|but|aber|pero|mais)\\s+(?=(?:not|no|don't|never|please|make|add|start|end|only|call|name)\\b)",
  "gi",
);

const nothing: Omit<Correction, "brief"> = { isFound: false, ...nothingBeside };

/** Where a part of a correction is not understood, its other sentences still count. */
const readPieces = (open: BriefInput, { terms, pieces }: Turn, nowMs: number): Correction => {
  if (terms.trim() === "") return { brief: open, ...nothing };
  const whole = readTerms(open, terms, nowMs);
  const parts = pieces.flatMap((piece) => piece.split(joined)).filter((piece) => /[\p{L}\d]/u.test(piece));
  const isNew = Object.keys(open).length === 0;
  if (isNew || whole.unclear.length === 0 || parts.length < 2 || parts.length > mostPieces) return whole;
  return parts.reduce<Correction>(
    (sum, piece) => {
      const { brief, isFound, ...one } = readTerms(sum.brief, piece, nowMs);
      const { brief: _before, isFound: wasFound, ...beside } = sum;
      const both = Object.entries(beside).map(([name, words]) => [name, [...words, ...one[name as keyof typeof one]]]);
      return { brief, isFound: wasFound || isFound, ...(Object.fromEntries(both) as typeof beside) };
    },
    { brief: open, ...nothing },
  );
};

const asksWhy = /\b(?:why|which|who)\b/i;
const supposing = /\b(?:what )?if\b/gi;

/** Questions, doubts and courtesies change nothing. */
export const correctedBrief = (open: BriefInput, said: string, nowMs: number): Correction => {
  const turn = turnIn(said);
  const read = readPieces(open, turn, nowMs);
  const isRead = read.isFound || read.places.length + read.excluded.length > 0;
  const asked = isRead ? turn.asked : [...turn.asked, ...turn.requests];
  const changes = (one: string): boolean =>
    !asksWhy.test(one) && !isDeepStrictEqual(readTerms(open, one.replace(supposing, " "), nowMs).brief, open);
  return { ...read, asked, proposed: turn.asked.filter(changes), doubts: turn.doubts };
};

/** A question alone opens a brief where it names a budget: "what do I get for 50k on CTV in May?". */
export const readBrief = (said: string, nowMs: number): ReadBrief => {
  const turn = turnIn(said);
  const { asked, doubts } = turn;
  if (turn.terms.trim() !== "") return { ...readPieces({}, turn, nowMs), asked, doubts };
  const read = readTerms({}, said, nowMs);
  return read.brief.budget === undefined ? { ...nothingBeside, brief: {}, asked, doubts } : read;
};
