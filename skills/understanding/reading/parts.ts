import { type ConsentKind, isBareOk, longestConsent, type Open, plainConsent } from "./consent.ts";
import { bodyOf } from "./letter.ts";
import { matchesOf } from "./spans.ts";

type Seam = "sentence" | "and" | "comma";

/** A consent that is whole in its sentences, and what stands beside it. */
export interface ConsentPart {
  readonly consent: string;
  readonly kind: ConsentKind;
  readonly rest: string;
  readonly seam: Seam;
  /** "It" of an order at the end may be what was named just before. */
  readonly isFirst: boolean;
}

/** What joins stays with what follows. */
const joins = "(?:and|n|plus|but|und|aber|y|pero|et|mais|e)\\b";
const seams = new RegExp(`([.!?;]+)(?=\\s|$)\\s*|\\s*\\n+\\s*|\\s*,?\\s+(?=${joins})|,\\s+|\\s+[-–—]+\\s+`, "gi");
/** "Also, how much is it": the comma parts nothing. */
const onlyJoins = /(?:^|[.!?;,\n])\s*(?:(?:and|also|then|plus|besides)\b[\s,]*)+$/i;
const joined = new RegExp(`^${joins}`, "i");

/** Somebody else's words, or a form that is filled in. */
const notOwn = /["“”„«»`[\]{}<>|]|(?:^|\s)'|>>/;

interface Cut {
  readonly start: number;
  /** Behind the mark that ends the sentence. */
  readonly end: number;
  readonly next: number;
  readonly seam: Seam;
}

const leading = /^(?:(?:and|also|then|so)\b[\s,]*)+/i;
const mostCuts = 40;
/** In a longer one an order is shown before it is taken. */
export const longestMessage = 2000;

const cutsIn = (text: string): readonly Cut[] =>
  matchesOf(text, seams)
    .slice(0, mostCuts)
    .map(({ 0: said, 1: mark = "", index }): Cut => {
      const next = index + said.length;
      const end = index + mark.length;
      if (mark !== "" || said.includes("\n")) return { start: index, end, next, seam: "sentence" };
      return { start: index, end, next, seam: joined.test(text.slice(next)) ? "and" : "comma" };
    })
    .filter(({ start, seam }) => seam === "sentence" || !onlyJoins.test(text.slice(0, start)));

const hasWords = (text: string): boolean => /[\p{L}\d]/u.test(text);

/** "No, keep the native": what it names stays as it is. */
const keepsOne = new RegExp(
  "^\\W*(?:no|nope|nah|nein)\\b[\\s,]*(?:keep|leave|skip|not|forget|don'?t (?:book|cancel|touch)) " +
    "(?:the |my |our )?([^,.;!?]+)$",
  "i",
);

/** The longest that is plain, at the start or at the end. Null where the whole message is one, or none of it is. */
export const consentPartOf = (text: string, open: Open, isProduct: (words: string) => boolean): ConsentPart | null => {
  if (text.length > longestMessage) return null;
  const body = bodyOf(text.replace(/[^\S\n]+/g, " ").replace(/\n\s+/g, "\n"));
  if (notOwn.test(body) || plainConsent(body, open) !== null) return null;
  const cuts = cutsIn(body).filter(({ start, next }) => hasWords(body.slice(0, start)) && hasWords(body.slice(next)));
  const partAt = ({ end, next, seam }: Cut, isFirst: boolean): ConsentPart | null => {
    // With its mark: "purchase this one? thanks" asks.
    const consent = isFirst ? body.slice(0, end) : body.slice(next).replace(leading, "");
    if (consent.length > longestConsent || isBareOk(consent)) return null;
    const kind = plainConsent(consent, open)?.kind;
    const rest = isFirst ? body.slice(next) : body.slice(0, end);
    if (kind !== undefined) return { consent, kind, rest, seam, isFirst };
    const [, kept] = isFirst ? (keepsOne.exec(consent) ?? []) : [];
    return kept !== undefined && isProduct(kept) ? { consent: "no", kind: "no", rest, seam, isFirst } : null;
  };
  for (const cut of cuts.toReversed()) {
    const part = partAt(cut, true);
    if (part !== null) return part;
  }
  for (const cut of cuts.filter(({ seam }) => seam !== "comma")) {
    const part = partAt(cut, false);
    if (part !== null) return part;
  }
  return null;
};
