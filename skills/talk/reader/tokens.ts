import { isOneOf } from "./word-lists.ts";

/** A word, a number or a sign of a message, with its place in the text as it was written. */
export interface Token {
  readonly text: string;
  /** In lower case, without accents. */
  readonly word: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly kind: "word" | "number" | "mark" | "id" | "address";
  /** No blank stands before it. */
  readonly isGlued: boolean;
  /** The first of its line. */
  readonly isFirst: boolean;
}

/** Bounds the cost; what a buyer wants stands in the first pages. */
export const mostRead = 6000;

const form = new RegExp(
  [
    // An address, also of mail: "@" is looked for a few characters only, so that long words stay linear.
    "(?:https?:\\/\\/|www\\.)\\S{1,300}",
    "(?<![\\w.+-])[\\w.+-]{1,64}@[\\w.-]{1,255}",
    // Ids of records.
    "(?<![\\w-])(?:(?:qt|demo|prop|neg|ord|cr|prod|conv)-[\\da-f]{6,16}|[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}|" +
      "[a-z]{2,10}[-_](?=[a-f]{0,11}\\d)[\\da-f]{6,36})(?![\\w-])",
    "(?:html|mp|vast)\\d(?![\\d\\p{L}])",
    "\\p{L}[\\p{L}\\p{M}]*(?:['’‘´`]\\p{L}+)?",
    "\\d+(?:[.,]\\d+)*",
    "\\S",
  ].join("|"),
  "giu",
);

const letter = /\p{L}/u;

/** As names and words are compared: "Málaga" is typed without its accent as often as with it. */
export const withoutAccents = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");

const plain = (text: string): string => {
  const lower = text.toLowerCase();
  // Most words are plain already, and normalising each costs more than reading it.
  for (let at = 0; at < lower.length; at += 1)
    if (lower.charCodeAt(at) > 127) return withoutAccents(lower).replace(/[’‘´`]/g, "'");
  return lower;
};

const kindOf = (text: string): Token["kind"] => {
  const code = text.charCodeAt(0);
  if (code >= 48 && code <= 57 && /^[\d.,]+$/.test(text)) return "number";
  if (text.length === 1) return letter.test(text) ? "word" : "mark";
  if (/^(?:https?:|www\.)|@/i.test(text)) return "address";
  return /[-_]/.test(text) ? "id" : "word";
};

export const listMark = "•";

/** Of "3) pre-roll", below "in May", and of "Line 3: pre-roll": no figure, and no third of May. */
const isListNumber = (tokens: readonly Token[], at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind !== "number" || token.text.length > 2 || next === undefined) return false;
  const isNamed = isOneOf(tokens[at - 1]?.word ?? "", "line item position pos placement lot") && next.text === ":";
  return isNamed || (at > 0 && token.isFirst && isOneOf(next.text, ". )") && next.isGlued);
};

/** As they are typed in a chat; "U.S." has capitals. */
const typed: Readonly<Record<string, string>> = { u: "you", ur: "your" };

export const tokensOf = (said: string): readonly Token[] => {
  const text = said.slice(0, mostRead);
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(form)) {
    const [own] = match;
    const between = text.slice(end, match.index);
    tokens.push({
      text: own,
      word: typed[own] ?? plain(own),
      start: match.index,
      end: match.index + own.length,
      kind: kindOf(own),
      isGlued: tokens.length > 0 && between === "",
      isFirst: tokens.length === 0 || between.includes("\n"),
    });
    end = match.index + own.length;
  }
  return tokens.map((token, at) =>
    isListNumber(tokens, at) ? { ...token, text: listMark, word: listMark, kind: "mark" } : token,
  );
};
