import { typesNamed } from "../discovery/rules.ts";
import type { Product } from "../products/record.ts";
import { isAuction, type Offer } from "./offer.ts";

/** A longer text asks for nothing more that could be told apart. */
const mostWords = 200;

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

const known = new WeakMap<Product, ReadonlySet<string>>();

const wordsOf = (item: Product): ReadonlySet<string> => {
  const before = known.get(item);
  if (before !== undefined) return before;
  const targeting = Object.values(item.content_targeting ?? {}).flat();
  const words = new Set(wordsIn([item.name, item.description ?? "", ...targeting].join(" ")));
  known.set(item, words);
  return words;
};

interface Wanted {
  readonly words: readonly string[];
  readonly types: readonly string[];
  readonly guaranteed: boolean | null;
}

const wantedIn = (text: string, inventoryTypes: readonly string[]): Wanted => {
  const words = [...new Set(wordsIn(text))].slice(0, mostWords);
  const guaranteed = words.includes("guaranteed") || words.includes("reserved");
  const auction = words.includes("auction") || words.includes("programmatic");
  return { words, types: typesNamed(text, inventoryTypes), guaranteed: guaranteed === auction ? null : guaranteed };
};

/** A type that is named says more than any word of the product. */
const typeWeight = 100;
const dealWeight = 50;

const scoreOf = (offer: Offer, { words, types, guaranteed }: Wanted): number => {
  const own = wordsOf(offer.item);
  const named = types.indexOf(offer.item.inventory_type);
  const ofType = named < 0 ? 0 : typeWeight * (1 + (types.length - named) / types.length);
  const ofDeal = guaranteed === null || guaranteed === (offer.dealType === "PG") ? dealWeight : 0;
  const sold = isAuction(offer) === (guaranteed === false) ? 1 : 0;
  return ofType + ofDeal + sold + words.filter((word) => own.has(word)).length;
};

export interface Ranked {
  readonly offer: Offer;
  /** Null: no text was ranked by. */
  readonly score: number | null;
}

/** What fits a text comes first; nothing is hidden, and equals keep the order of the catalog. */
export const rankedBy = (
  text: string | null,
  offers: readonly Offer[],
  inventoryTypes: readonly string[],
): readonly Ranked[] => {
  if (text === null) return offers.map((offer) => ({ offer, score: null }));
  const wanted = wantedIn(text, inventoryTypes);
  return offers
    .map((offer) => ({ offer, score: scoreOf(offer, wanted) }))
    .sort((one, other) => other.score - one.score);
};
