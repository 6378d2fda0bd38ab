import MiniSearch from "minisearch";

/** As much of a product as a message can name. */
export interface NamedProduct {
  readonly product_id: string;
  readonly name: string;
  readonly inventory_type: string;
  readonly deal_types: readonly string[];
}

/** Finds the products that a text names: by id, by name or part of it, misspelt or not. */
export interface ProductFinder {
  find(text: string): readonly NamedProduct[];
}

/** Words of questions and orders that are part of no product's name. */
const askingWords = new Set(
  (
    "a an the for of on in at to me my i we you is are it and or with by from want need like would " +
    "please give get what " +
    "whats which how much many price prices pricing cost costs rate rates cpm quote quotes quoting request book buy " +
    "impressions imps deal product products show tell about available availability pg pd pa usd dollars"
  ).split(" "),
);

/** A hit must reach this share of the best one to be another reading of the same words. */
const sameReading = 0.8;

/** Names are short: more and longer words than these are no part of one, and a fuzzy look-up of each would cost. */
const mostTerms = 40;
const longestTerm = 40;

/** Indexes the catalog once; a lookup costs the same however long the text is, as texts are bounded. */
export const createProductFinder = (products: readonly NamedProduct[]): ProductFinder => {
  const byId = new Map(products.map((product) => [product.product_id.toLowerCase(), product]));
  const index = new MiniSearch<NamedProduct>({
    idField: "product_id",
    fields: ["name", "inventory_type"],
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2 } },
  });
  index.addAll(products);
  const byName = (text: string): readonly NamedProduct[] => {
    const words = text.toLowerCase().match(/[\p{L}\d:'-]+/gu) ?? [];
    const terms = words.filter((term) => !askingWords.has(term) && term.length <= longestTerm).slice(0, mostTerms);
    const hits = terms.length === 0 ? [] : index.search(terms.join(" "));
    const best = hits[0]?.score ?? 0;
    return hits
      .filter((hit) => hit.score >= best * sameReading)
      .map((hit) => byId.get(String(hit.id).toLowerCase()))
      .filter((product) => product !== undefined);
  };
  return {
    find: (text) => {
      const ids = text.toLowerCase().match(/\bprod-[0-9a-z-]+/g) ?? [];
      const named = ids.map((id) => byId.get(id)).filter((product) => product !== undefined);
      return named.length > 0 ? named : byName(text);
    },
  };
};
