import { withoutAccents } from "../tokens.ts";
import { words } from "../word-lists.ts";
import { isKnown } from "../lexicon.ts";
import { createNameIndex, type NamedProduct, type NameSpan } from "./full-names.ts";
import { createNameSearch } from "./name-search.ts";
import { blanked, spansOf } from "./spans.ts";
import { createSpelling } from "./spelling.ts";

/**
 * Products best first: one where it is clear, at most 50. `isNamed` is false where the words fit by their type alone.
 */
export interface NamedInventory {
  readonly products: readonly NamedProduct[];
  readonly inventoryType: string | null;
  readonly isNamed: boolean;
  /** False where words only resemble those of the name. */
  readonly isExact: boolean;
}

/** The words leave no doubt that these are meant. */
const exactly = (products: readonly NamedProduct[]): NamedInventory => ({
  products,
  inventoryType: null,
  isNamed: true,
  isExact: true,
});

export interface ProductFinder {
  find(text: string): NamedInventory;
  get(productId: string): NamedProduct | null;
  /** As the catalog has them. */
  first(most: number): readonly NamedProduct[];
  /** "name" where a product's name or a kind has the word, "part" where it does and means little alone. */
  knows(word: string): "name" | "part" | null;
  /** The word that a misspelt one is taken for. */
  spelt(word: string): string;
  /** Nothing inside a name is a number or a date. */
  namesIn(text: string): readonly NameSpan[];
}

/** A word of a product's own name says more than its type. */
const typeWords: Readonly<Record<string, RegExp>> = {
  ctv: new RegExp(
    [
      "\\b(?:ctv|ott|connected[ -]?(?:tvs?|televisions?)|(?:tvs?|tele|televisions?) connected",
      "smart[ -]?tvs?|streaming(?: tv)?|(?:television(?:es)?|tvs?|tele|televisao) (?:conectad[ao]s?|connectees?)",
      "vernetzte[sn]? (?:fernsehen|tvs?))\\b",
    ].join("|"),
    "gi",
  ),
  linear_tv: /\b(?:linear(?:[ _]tv)?|broadcast|cable|television|fernsehen|televisao|tv)\b/gi,
  mobile_app: /\b(?:mobile(?:[ _-]apps?)?|in-app|apps?)\b/gi,
  dooh: /\b(?:dooh|ooh|(?:digital )?out[ -]of[ -]home|billboards?)\b/gi,
  native: /\b(?:nativ(?:[aeo]s?)?)\b/gi,
  video: /\b(?:videos?|pre[ -]?roll|mid[ -]?roll)\b/gi,
  display: /\b(?:displays?|(?:werbe)?banners?|bannieres?)\b/gi,
};

/** Single words of the kinds above. */
const kindWords = words(`
  ctv ott connected smart streaming linear broadcast cable television fernsehen televisao tv tvs mobile
  app apps dooh ooh billboard billboards native nativ nativa nativo natives video videos preroll pre
  roll rolls mid display displays banner banners werbebanner banniere bannieres homepage startseite ros
  tele conectada
`);

/** Part of no product's name. */
const askingWords = new Set(
  (
    "a an the for of on in at to me my i we you your us our is are am was be it its and or with by from " +
    "per want need like would could should can may might will please give get got what whats which who " +
    "how when where much many price prices pricing cost costs costing rate rates card cpm cpms quote " +
    "quotes quoting quotation request book buy reserve impressions impression imps imp deal deals product " +
    "products show tell list about available availability avails pg pd pa usd dollars ads ad spots spot " +
    "placements placement inventory carry offer offers sell any some them those these that this there do " +
    "does did have has had run runs running go ok okay great thanks then so just only also same volume " +
    "budget flight floor preferred guaranteed private auction programmatic pay million thousand hello hi " +
    "hey not no yes one ones if but as into than too very now open between through cable tv linear type " +
    "out off disregard ignore rules rule und oder wie ist der die das hoch bei für fur por para los las el la en " +
    "de un una con cuanto cuesta tienen disponible precio hay combien prix"
  ).split(" "),
);

/** Words of trade and talk besides: alone, without more of a name, they name nothing. */
const ordinaryWords = new Set("reach avail avails standard premium top dma dmas".split(" "));

/** What names of products call otherwise. */
const otherNames: readonly (readonly [RegExp, string])[] = [
  [/\bprime[ -]time\b/gi, "primetime"],
  [/\brun[ -]of[ -](?:site|network)\b/gi, "ros"],
  [/\b(?:startseite|home page|pagina (?:de inicio|inicial|principal)|page d'accueil)\b/gi, "homepage"],
  [/\b(?:belohnungsvideos?|videos? (?:recompensad[oa]s?|recompensees?))\b/gi, "rewarded video"],
];

const inOwnWords = (text: string): string =>
  otherNames.reduce((left, [words, name]) => left.replace(words, name), text);

/** A hit below this share of the best one is no reading of the same words. */
const sameReading = 0.8;

/** Nobody reads more, and an answer about each is a call. */
export const mostProducts = 50;

/** A text that hits more has not named one. */
const mostHits = 500;

const mostKnown = 256;

/** Of a larger catalog every word is near another. */
const mostSpelt = 5000;

/** Names are short, and a fuzzy look-up of each further word would cost. */
const mostTerms = 40;
const longestTerm = 40;

const searchWords = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+(?:['’][\p{L}]+)?/gu) ?? [])
    .filter((term) => !askingWords.has(term) && term.length > 1 && term.length <= longestTerm && !/^\d+$/.test(term))
    .slice(0, mostTerms);

const partsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** "cable network" is not any network: names with most words of the text stay. */
const narrowed = (found: readonly NamedProduct[], text: string): readonly NamedProduct[] => {
  const words = new Set(partsOf(text));
  const count = ({ name }: NamedProduct) => partsOf(name).filter((word) => words.has(word)).length;
  const most = Math.max(...found.map(count));
  return found.filter((product) => count(product) === most);
};

const namedBy = (products: readonly NamedProduct[], text: string, hasType: boolean): NamedInventory => {
  const words = new Set(partsOf(inOwnWords(text)));
  const isExact =
    hasType || products.some(({ name }) => partsOf(name).some((word) => word.length > 1 && words.has(word)));
  return { products, inventoryType: null, isNamed: true, isExact };
};

const groupedByType = (products: readonly NamedProduct[]): ReadonlyMap<string, readonly NamedProduct[]> => {
  const groups = new Map<string, NamedProduct[]>();
  for (const product of products) {
    const group = groups.get(product.inventory_type);
    if (group === undefined) groups.set(product.inventory_type, [product]);
    else group.push(product);
  }
  return groups;
};

/** "Cable" is a word for a type, and of one name: which products bear such a word, by type and word. */
const bearersOf = (
  products: readonly NamedProduct[],
  wordsOf: (type: string) => RegExp,
): ReadonlyMap<string, readonly NamedProduct[]> => {
  const bearers = new Map<string, NamedProduct[]>();
  for (const product of products) {
    const words = spansOf(product.name, wordsOf(product.inventory_type)).map(({ start, end }) =>
      product.name.slice(start, end).toLowerCase(),
    );
    for (const word of new Set(words)) {
      const key = `${product.inventory_type} ${word}`;
      bearers.set(key, [...(bearers.get(key) ?? []).slice(0, 1), product]);
    }
  }
  return bearers;
};

/** Clauses and the whole text are read, so the same words are looked up several times. */
const remembering = (find: (text: string) => NamedInventory): ((text: string) => NamedInventory) => {
  const known = new Map<string, NamedInventory>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = find(text);
    const named = { ...found, products: found.products.slice(0, mostProducts) };
    if (known.size >= mostKnown) known.clear();
    known.set(text, named);
    return named;
  };
};

/** The table has "connected TV" before "TV". */
const typesInOrder = (types: readonly string[]): readonly string[] =>
  [...new Set([...Object.keys(typeWords), ...types])].filter((type) => types.includes(type));

const wordsOfType = (type: string): RegExp =>
  typeWords[type] ?? new RegExp(`\\b${type.replace(/[^a-z0-9]+/g, "[ _-]?")}\\b`, "gi");

const saysType = (name: string, type: string | undefined): boolean =>
  type !== undefined && name.search(wordsOfType(type)) >= 0;

const typeReader = (types: readonly string[]): ((text: string) => readonly string[]) => {
  const knownFirst = typesInOrder(types);
  return (text) => {
    let left = text;
    return knownFirst.filter((type) => {
      const spans = spansOf(left, wordsOfType(type));
      left = blanked(left, spans);
      return spans.length > 0;
    });
  };
};

const meaningOf = (word: string, parts: ReadonlySet<string>): "name" | "part" | null => {
  if (kindWords.has(word)) return "name";
  if (!parts.has(word)) return null;
  return askingWords.has(word) || ordinaryWords.has(word) || word.length < 3 || /^\d/.test(word) ? "part" : "name";
};

/** The products whose names fit best; of ordinary words alone none. */
const bestOf = (
  searchNames: ReturnType<typeof createNameSearch>,
  text: string,
  kept: readonly string[],
): readonly NamedProduct[] => {
  const terms = searchWords(inOwnWords(text));
  const isBare = kept.length === 0 && terms.some((term) => ordinaryWords.has(term));
  const own = isBare ? terms.filter((term) => !ordinaryWords.has(term)) : terms;
  if (isBare && searchNames(own, () => true).length === 0) return [];
  const hits = searchNames(terms, ({ inventory_type: type }) => kept.length === 0 || kept.includes(type));
  const best = hits[0]?.score ?? 0;
  return hits
    .slice(0, mostHits)
    .filter(({ score }) => score >= best * sameReading)
    .map(({ product }) => product);
};

/** The cost depends on the text and on the products that share its words, not on the catalog. */
export const createProductFinder = (products: readonly NamedProduct[]): ProductFinder => {
  const byId = new Map(products.map((product) => [product.product_id.toLowerCase(), product]));
  const byType = groupedByType(products);
  const preRollsByType = groupedByType(products.filter(({ name }) => /pre-roll/i.test(name)));
  const types = [...byType.keys()];
  const typesIn = typeReader(types);
  const bearers = bearersOf(products, wordsOfType);
  const searchNames = createNameSearch(products);
  const parts = new Set(products.flatMap(({ name }) => partsOf(withoutAccents(name))));
  const spelling = createSpelling(parts.size <= mostSpelt ? parts : [], isKnown);

  const byWords = (text: string): NamedInventory => {
    const named = typesIn(text);
    const bare = named.reduce((left, type) => blanked(left, spansOf(left, wordsOfType(type))), text);
    const inType = bestOf(searchNames, bare, named);
    if (inType.length > 0) return namedBy(narrowed(inType, text), text, named.length > 0);
    const elsewhere = bestOf(searchNames, bare, []).filter(
      ({ name }) => named.length !== 1 || saysType(name, named[0]),
    );
    if (elsewhere.length > 0) return namedBy(elsewhere, text, false);
    const [only] = named;
    const among = named.length === 0 ? types : named;
    const pre = /pre[ -]?roll/i.test(text) ? among.flatMap((type) => preRollsByType.get(type) ?? []) : [];
    if (pre.length === 1) return exactly(pre);
    if (only === undefined || named.length > 1)
      return { products: [], inventoryType: null, isNamed: false, isExact: true };
    const ofType = byType.get(only) ?? [];
    const said = spansOf(text, wordsOfType(only)).map(({ start, end }) => text.slice(start, end).toLowerCase());
    const own = [...new Set(said.flatMap((word) => bearers.get(`${only} ${word}`) ?? []))];
    if (ofType.length > 1 && own.length === 1) return exactly(own);
    return { products: ofType, inventoryType: only, isNamed: false, isExact: true };
  };

  const find = (text: string): NamedInventory => {
    const ids = text.toLowerCase().match(/\bprod-[0-9a-z-]+/g) ?? [];
    const named = ids.map((id) => byId.get(id)).filter((product) => product !== undefined);
    return named.length > 0 ? exactly(named) : byWords(text);
  };

  return {
    find: remembering(find),
    get: (productId) => byId.get(productId.toLowerCase()) ?? null,
    first: (most) => products.slice(0, most),
    knows: (word) => meaningOf(word, parts),
    spelt: spelling,
    namesIn: createNameIndex(products),
  };
};
