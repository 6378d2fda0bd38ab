import { plainText } from "./choice/spelling.ts";
import type { NamedInventory } from "./product-finder.ts";
import { inventoryWords } from "./product-finder.ts";
import type { Span } from "./spans.ts";

const marked = (text: string, names: readonly Span[], figures: readonly Span[]): string => {
  const marks = [...names.map((span) => ({ ...span, mark: "@" })), ...figures.map((span) => ({ ...span, mark: "#" }))];
  let left = "";
  let at = 0;
  for (const { start, end, mark } of marks.toSorted((one, other) => one.start - other.start)) {
    if (start < at) continue;
    left += `${text.slice(at, start)} ${mark} `;
    at = end;
  }
  return left + text.slice(at);
};

const repeated = /@(?:[\s:/()-]*@)+/g;
const mostProducts = 3;

/** `@` for products and `#` for figures and dates, so that what is said of one product is read like that of another. */
export const spokenForm = (
  text: string,
  names: readonly Span[],
  figures: readonly Span[],
  inventory: readonly NamedInventory[],
): string => {
  const products = inventory.flatMap((one) => one.products.slice(0, mostProducts));
  const own = new Set(products.flatMap(({ name }) => name.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? []));
  const named = plainText(marked(text, names, figures)).replace(/\p{L}+/gu, (word) => (own.has(word) ? "@" : word));
  return inventoryWords.reduce((left, words) => left.replace(words, "@"), named).replace(repeated, "@");
};
