import { matchesOf, type Span } from "./spans.ts";
import { withoutAccents } from "../tokens.ts";

export interface NamedProduct {
  readonly product_id: string;
  readonly name: string;
  readonly inventory_type: string;
  readonly deal_types: readonly string[];
}

export interface NameSpan extends Span {
  /** Set where the whole name or the part before a dash is there. */
  readonly product: NamedProduct | null;
}

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const tokensOf = (text: string): readonly Token[] =>
  matchesOf(text, /[\p{L}\d]+/gu).map((match) => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));

interface Name {
  readonly words: readonly string[];
  /** What follows a dash or a bracket may be left out. */
  readonly whole: number;
  readonly product: NamedProduct;
}

/** A text that fits more names than these has named none. */
const mostAlike = 50;

const nameOf = (product: NamedProduct): Name => {
  const name = withoutAccents(product.name);
  const [head = name] = name.split(/\s[-–—(]|\s:/);
  const words = tokensOf(name).map(({ word }) => word);
  return { words, whole: Math.max(2, tokensOf(head).length), product };
};

const sharedWords = (name: Name, tokens: readonly Token[], at: number): number => {
  let count = 0;
  while (count < name.words.length && tokens[at + count]?.word === name.words[count]) count += 1;
  return count;
};

interface Match {
  readonly name: Name;
  readonly words: number;
}

const isShort = (text: string, first: Token, last: Token): boolean =>
  last.start - first.end < 8 && !text.includes("\n");

/**
 * Indexed by the first two words, so that a look-up costs the same in any catalog. "March Madness Takeover" must be
 * read as a name before its March is read as a month.
 */
export const createNameIndex = (products: readonly NamedProduct[]) => {
  const byStart = new Map<string, Name[]>();
  for (const product of products) {
    const name = nameOf(product);
    if (name.words.length < 2) continue;
    const key = `${String(name.words[0])} ${String(name.words[1])}`;
    const names = byStart.get(key) ?? [];
    if (names.length < mostAlike) names.push(name);
    byStart.set(key, names);
  }
  return (text: string): readonly NameSpan[] => {
    const tokens = tokensOf(text);
    const found: NameSpan[] = [];
    for (let at = 0; at + 1 < tokens.length; at += 1) {
      const [first, second] = [tokens[at], tokens[at + 1]];
      if (first === undefined || second === undefined) continue;
      const names = byStart.get(`${first.word} ${second.word}`);
      if (names === undefined || !isShort(text.slice(first.end, second.start), first, second)) continue;
      const matches: readonly Match[] = names.map((name) => ({ name, words: sharedWords(name, tokens, at) }));
      const longest = Math.max(...matches.map(({ words }) => words));
      const best = matches.filter(({ words }) => words === longest);
      const whole = best.filter(({ name, words }) => words >= name.whole);
      const last = tokens[at + longest - 1] ?? second;
      const [only] = whole;
      found.push({
        start: first.start,
        end: last.end,
        product: only !== undefined && best.length === 1 ? only.name.product : null,
      });
      at += longest - 1;
    }
    return found;
  };
};
