import MiniSearch from "minisearch";
import type { NamedProduct } from "./full-names.ts";

export interface NameHit {
  readonly product: NamedProduct;
  readonly score: number;
}

const splits = /[\n\r\p{Z}\p{P}]+/u;

const wordsOf = (name: string): readonly string[] => [
  ...new Set(
    name
      .toLowerCase()
      .split(splits)
      .filter((word) => word !== ""),
  ),
];

/** A word of more names than these tells them apart no more; it only adds to those that rarer words have found. */
const mostAlike = 2000;
const mostWeighed = 500;
/** Messages share most of their words. */
const mostKnown = 5000;

/** A short word with a letter changed is another word. */
const options = {
  prefix: (term: string) => term.length >= 4,
  fuzzy: (term: string) => (term.length >= 5 ? Math.min(2, Math.floor(term.length / 4)) : false),
};

const likeness = (term: string, word: string): number => {
  if (word === term) return 1;
  const isStart = word.startsWith(term);
  return isStart ? (0.375 * term.length) / (term.length + 0.3 * (word.length - term.length)) : 0.4;
};

/** BM25 with the usual constants: rare words and short names weigh more. */
const saturation = 1.2;
const lengthShare = 0.7;
const least = 0.5;

interface Posting {
  readonly places: number[];
}

interface Weighed {
  score: number;
  readonly terms: Set<string>;
}

const indexed = (products: readonly NamedProduct[]) => {
  const postings = new Map<string, Posting>();
  const lengths: number[] = [];
  for (const [place, { name }] of products.entries()) {
    const words = wordsOf(name);
    lengths.push(words.length);
    for (const word of words) {
      const posting = postings.get(word);
      if (posting === undefined) postings.set(word, { places: [place] });
      else posting.places.push(place);
    }
  }
  return { postings, lengths };
};

const nearWordsAmong = (words: readonly string[]): ((term: string) => readonly string[]) => {
  const vocabulary = new MiniSearch<{ readonly id: string }>({ fields: ["id"], tokenize: (word) => [word] });
  vocabulary.addAll(words.filter((word) => !/^\d+$/.test(word)).map((id) => ({ id })));
  const known = new Map<string, readonly string[]>();
  return (term) => {
    const before = known.get(term);
    if (before !== undefined) return before;
    const near = vocabulary.search(term, { ...options, tokenize: (text) => [text] }).map(({ id }) => String(id));
    if (known.size >= mostKnown) known.clear();
    known.set(term, near);
    return near;
  };
};

/**
 * Misspelt words are looked up among the distinct words of all names, then those words' products: a catalog of 200,000
 * names has few words.
 */
export const createNameSearch = (products: readonly NamedProduct[]) => {
  const { postings, lengths } = indexed(products);
  const nearWords = nearWordsAmong([...postings.keys()]);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);

  const weightOf = (place: number, count: number): number => {
    const rarity = Math.log(1 + (products.length - count + 0.5) / (count + 0.5));
    const length = 1 - lengthShare + (lengthShare * (lengths[place] ?? 1)) / average;
    return rarity * (least + (saturation + 1) / (1 + saturation * length));
  };

  return (terms: readonly string[], isKept: (product: NamedProduct) => boolean): readonly NameHit[] => {
    const found = new Map<number, Weighed>();
    const add = (place: number, term: string, weight: number): void => {
      const known = found.get(place) ?? { score: 0, terms: new Set<string>() };
      known.score += weight;
      known.terms.add(term);
      found.set(place, known);
    };
    const common: { readonly term: string; readonly word: string; readonly places: readonly number[] }[] = [];
    for (const term of new Set(terms)) {
      for (const word of nearWords(term)) {
        const { places } = postings.get(word) ?? { places: [] };
        if (places.length > mostAlike) common.push({ term, word, places });
        else for (const place of places) add(place, term, likeness(term, word) * weightOf(place, places.length));
      }
    }
    if (found.size <= mostWeighed) {
      for (const [place] of found) {
        const own = new Set(wordsOf(products[place]?.name ?? ""));
        for (const { term, word, places } of common)
          if (own.has(word)) add(place, term, likeness(term, word) * weightOf(place, places.length));
      }
    }
    const hits = [...found].flatMap(([place, { score, terms: matched }]): readonly NameHit[] => {
      const product = products[place];
      return product === undefined || !isKept(product) ? [] : [{ product, score: score * matched.size }];
    });
    return hits.sort((one, other) => other.score - one.score);
  };
};
