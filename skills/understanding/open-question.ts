import { type Memory, recordIds } from "./memory.ts";
import type { Open } from "./reading/consent.ts";
import { inventoryWords, type ProductFinder } from "./reading/product-finder.ts";

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** Every word must be the product's: "the other native" is another one. */
const namesOnly = (words: string, productId: unknown, finder: ProductFinder): boolean => {
  const product = typeof productId === "string" ? finder.get(productId) : null;
  const [found, other] = finder.find(words).products;
  if (product === null || found !== product || other !== undefined) return false;
  const own = new Set(wordsIn(product.name));
  const rest = inventoryWords.reduce((left, kind) => left.replace(kind, " "), words.toLowerCase());
  return wordsIn(rest).every((word) => own.has(word));
};

/** Of the quotes that the message names by their ids. */
const productsById = ({ topics = [] }: Memory, text: string): readonly string[] => {
  const ids: readonly string[] = text.toLowerCase().match(/\bqt-[0-9a-z]+\b/g) ?? [];
  return topics.filter(({ terms }) => ids.includes(String(terms["quote_id"]))).map(({ product }) => product);
};

/** The one offer that was last shown, where it is that of the product in force. */
export const openIn = (memory: Memory, finder: ProductFinder, text: string): Open => {
  const { life, terms } = memory;
  const [offer, another] = life.context.shown;
  const isOne = offer !== undefined && another === undefined;
  const isInForce = isOne && recordIds.some((name) => name !== "deal_id" && terms[name] === offer.id);
  const isCounter = isInForce && offer.kind === "counter";
  return {
    isProduct: (words) =>
      (isInForce && namesOnly(words, terms["product_id"], finder)) ||
      productsById(memory, text).some((id) => namesOnly(words, id, finder)),
    isPrice: (figure) => isCounter && Number(figure.replace(",", ".")) === Number(offer.digest),
    isCounter,
  };
};

const lineNumbers = new RegExp(
  /\b(book|reserve|order)(?:(?: the)? (?:lines?|rows?|numbers?|no\.?) ?| #?)/.source +
    /([1-8](?:(?:,? and |, ?| ?[&+] ?)(?:line )?[1-8])*)(?![\w%$€£]|[.,:]\d)/.source,
  "gi",
);

/** "Book 1 and 3" names the quotes that the last reply listed by these numbers; null where it names none. */
export const linesByIds = (text: string, { life, lines = [] }: Memory): string | null => {
  const shown = life.value === "asked" ? life.context.shown.filter(({ kind }) => kind === "quote") : [];
  const listed = lines.filter((id) => id !== null).join();
  if (listed === "" || listed !== shown.map(({ id }) => id).join()) return null;
  const idOf = (number: string): string => lines[Number(number) - 1] ?? number;
  const named = text.replace(
    lineNumbers,
    (_said, order: string, numbers: string) => `${order} ${numbers.replace(/line /gi, "").replace(/[1-8]/g, idOf)}`,
  );
  return named === text ? null : named;
};
