import { anyOf } from "./any-of.ts";
import { clausesOf, exclusionsIn, isWanting } from "./clauses.ts";
import type { Leftover } from "./leftovers.ts";
import type { NameSpan } from "./names.ts";
import { exactly, type NamedInventory, type ProductFinder } from "./product-finder.ts";
import { plainText } from "./choice/spelling.ts";
import { blanked, outside, type Span, spansOf } from "./spans.ts";

/**
 * "native and display", "CTV, pre-roll". Blanks only from their first: trying each of a long row would take quadratic
 * time.
 */
const separators = anyOf(
  /(?<!\s)\s+(?:and|or|plus|with|than|against|over|und|y|et|e|\/)\s+/gi,
  /\b(?:next|compared?|compares) to\b|[,;&+]|\b(?:vs\b\.?|versus\b)/gi,
);

const piecesOf = (text: string): readonly (Span & { readonly text: string })[] => {
  const cuts = spansOf(text, separators);
  const starts = [0, ...cuts.map(({ end }) => end)];
  return starts
    .map((start, place) => ({ start, end: cuts[place]?.start ?? text.length }))
    .map((span) => ({ ...span, text: text.slice(span.start, span.end) }))
    .filter((piece) => piece.text.trim() !== "");
};

const inventoryIn = (text: string, finder: ProductFinder): readonly NamedInventory[] => {
  const pieces = piecesOf(text).map((piece) => piece.text);
  const found = pieces.length > 8 ? [] : pieces.map((piece) => finder.find(piece));
  const clear = found.filter(({ products, isNamed }) => products.length === 1 || (products.length > 1 && !isNamed));
  const ids = new Set(clear.map(({ products }) => products.map(({ product_id }) => product_id).join()));
  const whole = finder.find(text);
  const isOfKinds = clear.every(({ isNamed, products }) => !isNamed || products.length === 1);
  if (ids.size < 2 || !isOfKinds) return whole.products.length > 0 ? [whole] : clear.slice(0, 1);
  return clear.filter((one, place) => clear.findIndex((other) => other.products[0] === one.products[0]) === place);
};

const idsOf = (inventory: readonly NamedInventory[]): readonly string[] =>
  inventory.flatMap(({ products }) => products.map(({ product_id }) => product_id));

/** A product that is left out is not named. */
const withoutExcluded = (inventory: readonly NamedInventory[], excluded: readonly string[]) =>
  inventory.flatMap((one) => {
    const products = one.products.filter(({ product_id: id }) => !excluded.includes(id));
    return products.length === 0 ? [] : [{ ...one, products }];
  });

interface Said {
  /** `text` without its numbers, dates and deal types. */
  readonly plain: string;
  readonly text: string;
  readonly terms: readonly Span[];
}

/** Beside a term of a deal, and where another is left out, a product is wanted. */
const wantingPart = ({ plain, text, terms }: Said): string => {
  const out = exclusionsIn(text);
  const holdsOne = (clause: Span, spans: readonly Span[]): boolean =>
    spans.some(({ start }) => start >= clause.start && start < clause.end);
  return blanked(
    plain,
    clausesOf(text).filter((clause) => !isWanting(clause.text) && !holdsOne(clause, terms) && !holdsOne(clause, out)),
  );
};

/** Media without a type in the catalog. A thing may be sent by e-mail, and printed. */
const otherMedia = new RegExp(
  [
    /\b(?:audio|podcasts?|radio|newspapers?|magazines?|cinema|newsletters?|social media)\b/,
    /\b(?:search ads|sponsorships?|advertorials?|influencers?)\b/,
    /(?<!\b(?:by|via|an?|in|my|our|his|her|their|the) )\b(?:print|e-?mail)\b(?! (?:me|us|it|this|that|the|an?|out)\b)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

const unsoldIn = (text: string, finder: ProductFinder): string | null => {
  const medium = text.match(otherMedia)?.[0]?.toLowerCase();
  if (medium === undefined) return null;
  const word = medium.replace(/s$/, "");
  const isSold = finder
    .find(medium)
    .products.some(({ name, inventory_type: type }) => `${name} ${type}`.toLowerCase().includes(word));
  return isSold ? null : medium;
};

export interface Named {
  readonly inventory: readonly NamedInventory[];
  readonly excluded: readonly string[];
  readonly unsold: string | null;
  /** Nobody sells it here, yet it must not be dropped. */
  readonly unplaced: readonly Leftover[];
}

const mostBeside = 4;

const wordCount = (text: string): number => (text.match(/[\p{L}\d]+/gu) ?? []).length;

const fullyNamed = (text: string, names: readonly NameSpan[], finder: ProductFinder): readonly NamedInventory[] => {
  const full = names.flatMap(({ product, start }) => (product === null ? [] : [{ product, start }]));
  const beside = piecesOf(blanked(text, names))
    .filter((piece) => wordCount(piece.text) <= mostBeside)
    .flatMap(({ text: words, start }) => {
      const [product, other] = finder.find(words).products;
      return product === undefined || other !== undefined ? [] : [{ product, start }];
    });
  const inOrder = [...full, ...beside].toSorted((one, other) => one.start - other.start);
  const all = [...new Set(inOrder.map(({ product }) => product))];
  return all.map((product) => exactly([product]));
};

/** Elsewhere a word that only resembles a name is no name: "where do we stand?" means no Standard Display. */
const asksForProduct = anyOf(
  /\b(?:pric\w*|quot\w*|costs?|rates?|cpms?|tkp|much|avail\w*|sell|offer|buy|about|details?|specs?|describe)\b/i,
  /\b(?:cancel|drop|stop|activat|chang|mov|shift|extend|reduc|increas|deal|booking)\w*\b|\b(?:wants|needs)\b/i,
  /\b(?:instead|switch|want|need|interested|compare|plan|preis|kostet|precio|cuesta|prix|coute|preco|custa)\b/i,
);
const mostGuessed = 3;

/** Words of a product's name that name nothing here: "in terms of reach", "would that reach parents". */
export const idioms = anyOf(
  /\bin terms of \w+|\b(?:most|more|best|total|max(?:imum)?|good|better|highest|broad|wide|incremental) reach\b/gi,
  /\b(?:to|can|could|we|i|would|will|you|they|help us) reach\b|\breach(?: and frequency| goals?| out|ed|ing)\b/gi,
  /\b(?:would|will|can|could|does|do|did|might) (?:it|this|that|these|those) reach\b/gi,
  /\bstand(?:s|ing)?\b(?!\s+(?:dis|ros\b|ban|ads?\b))/gi,
);

export const namedIn = (said: Said, names: readonly NameSpan[], finder: ProductFinder): Named => {
  const { text } = said;
  const wanted = wantingPart(said);
  const left = exclusionsIn(wanted).map((one) => ({
    ...one,
    found: one.isSure ? inventoryIn(one.phrase, finder) : [finder.find(one.phrase)],
  }));
  const isFound = ({ found }: { readonly found: readonly NamedInventory[] }): boolean => idsOf(found).length > 0;
  const excluding = left.filter(isFound);
  const excluded = [...new Set(excluding.flatMap(({ found }) => idsOf(found)))];
  const positive = blanked(wanted, excluding);
  const unsold = unsoldIn(positive, finder);
  const productText = unsold === null ? positive : blanked(positive, spansOf(positive, otherMedia));
  const unplaced = left
    .filter((one) => one.isSure && !isFound(one))
    .map(({ start, end }) => ({ text: wanted.slice(start, end).trim(), isBinding: true, isBarePrice: false }));
  const isWanted = ({ start, end }: Span): boolean => positive.slice(start, end).trim() !== "";
  const wholly = names.filter((name) => name.product !== null && isWanted(name));
  const found = wholly.length > 0 ? fullyNamed(productText, wholly, finder) : inventoryIn(productText, finder);
  // "OK, then the Pre-Roll Video. What does it cost?"
  const full =
    found.length > 0 || unsold !== null ? [] : outside(names, left).filter(({ product }) => product !== null);
  const inventory = full.length === 0 ? found : fullyNamed(blanked(said.plain, left), full, finder);
  const meant = inventory.filter(
    ({ isExact }) => isExact || asksForProduct.test(plainText(text)) || wordCount(text) <= mostGuessed,
  );
  return { inventory: withoutExcluded(meant, excluded), excluded, unsold, unplaced };
};
