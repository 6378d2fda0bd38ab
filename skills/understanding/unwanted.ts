import { meansAll } from "./asides.ts";
import type { Memory, Topic } from "./memory.ts";
import { anyOf } from "./reading/any-of.ts";
import { isQuestion } from "./reading/choice/mood.ts";
import { plainText } from "./reading/choice/spelling.ts";
import { clausesOf } from "./reading/clauses.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import type { Heard } from "./reading/slots.ts";
import { dealTopics, isInFocus, only, openTopics, pricedTopics, sold } from "./topics.ts";

const opening =
  "(?:(?:ok|okay|so|and|but|then|please|pls|kindly|no|yes|now|well|actually|also|just|thanks|sorry|hm+|in that case|" +
  "let'?s|(?:can|could|would|will) you|(?:i|we)(?:'d| would) like to|(?:i|we) (?:want|need|have|'d rather) to)\\W+)*";
const refusing =
  "(?:drop|cancel|remove|scrap|ditch|delete|discard|strike|reject|decline|skip|call off|get rid of|forget(?: about)?|" +
  "leave out|take out|(?:(?:i|we) )?(?:no longer|do not|don'?t)(?: really)? (?:want|need)|" +
  "(?:i|we)(?:'m| am|'re| are) (?:no longer|not) interested in)";
/** Of a price or a term, not of what is bought. */
const ofTerm =
  "(?! (?:(?:the|your|that|this|its|our|my) )?" +
  "(?:price|cpm|rate|volume|budget|dates?|flight|question|last|change|request|person|to|by|down|below|under)\\b)";
const orders: readonly RegExp[] = [
  new RegExp(`^\\W*${opening}${refusing}\\b${ofTerm}(.*)$`, "i"),
  new RegExp(
    `^\\W*${opening}(?:(?:i|we) )?(?:want|would like|like|need) (.+?) (?:gone|dropped|removed|cancell?ed|out|off)\\b`,
    "i",
  ),
  /^\W*(.{2,40}?)\s*:\s*(?:drop|cancel|reject|decline|remove|scrap)\b/i,
];

const separator = /\s+(?:and|or|plus|&)\s+|,/i;
const records = /\b(?:quote|offer|deal|booking|order|reservation|negotiation|line|one|product|item|thing)s?\b/gi;
const small = anyOf(
  /\b(?:the|that|this|those|these|my|our|your|it|them|from|of|for|on|in|list|plan|any ?more|again|completely)\b/gi,
  /\b(?:both|all|everything|please|pls|now|then|too|after all|at all|thanks|thank you|for now|right away)\b/gi,
);
const another = anyOf(
  /\b(?:book|reserve|accept|take|quote|price|confirm|order|move|change|make|add|send|what|how|when|offer me)\b/i,
  /\b(?:talk|let'?s|instead|rather|switch|focus|prefer|go (?:for|with))\b/i,
);
const kept = /\b(?:keep|leave|stay with|stick with|continue with|go on with)\b/i;

/** What is wanted no more. */
interface Unwanted {
  readonly words: string;
  readonly products: readonly string[];
  readonly isForAll: boolean;
}

/** "Cancel the deal. Haha, no, we love it." */
const takenBack = /[.?!…]\s*(?:\w+\W+){0,2}no\b|\b(?:don't|do not) agree\b|\b(?:kidding|joking)\b/i;

const isBare = (words: string): boolean => !/[\p{L}\d]/u.test(words.replace(records, " ").replace(small, " "));

const isOther = (piece: string, finder: ProductFinder): boolean =>
  another.test(piece) && finder.find(piece).products.length > 0;

const productsIn = (words: string, finder: ProductFinder): readonly string[] =>
  words.split(separator).flatMap((piece) => {
    const [product, other] = kept.test(piece) ? [] : finder.find(piece).products;
    return product === undefined || other !== undefined ? [] : [product.product_id];
  });

const objectIn = (clause: string): string | null =>
  orders.map((order) => order.exec(clause)?.[1]).find((words) => words !== undefined) ?? null;

/** Null where a term changes or something else is asked for as well. */
export const unwantedIn = (text: string, heard: Heard, finder: ProductFinder): Unwanted | null => {
  const { slots, barePrice, resize, shift, priceCut, excluded, inventory } = heard;
  const isTerm = slots["target_cpm"] !== undefined || barePrice !== null || resize !== null || shift !== null;
  if (isTerm || priceCut !== null || takenBack.test(text) || isQuestion(plainText(text))) return null;
  const clauses = clausesOf(text).map((clause) => clause.text);
  const [said, more] = clauses.filter((clause) => objectIn(clause) !== null);
  const words = said === undefined ? null : objectIn(said);
  if (words === null || more !== undefined) return null;
  const others = clauses.filter((clause) => clause !== said).join(" ");
  if (words.split(separator).some((piece) => isOther(piece, finder)) || another.test(others)) return null;
  const products = productsIn(words, finder);
  const named = [...excluded, ...inventory.flatMap((one) => one.products.map(({ product_id: id }) => id))];
  if (!kept.test(text) && named.some((id) => !products.includes(id))) return null;
  const isForAll = meansAll(words) || /\b(?:all|everything)\b/i.test(words);
  const first = words.split(separator)[0] ?? "";
  const isMeant = products.length > 0 || isForAll || isBare(first) || Object.keys(only(slots, sold)).length > 0;
  return isMeant ? { words, products, isForAll } : null;
};

const ofDeal = /\b(?:deal|booking|booked|order|reservation|campaign)s?\b/i;
const ofOpen = /\b(?:quotes?|offers?|negotiations?|proposals?)\b/i;

/** Those of the kind that is named: a quote is no deal. */
const ofKind = (memory: Memory, words: string): readonly Topic[] => {
  const [deals, open] = [dealTopics(memory), openTopics(memory)];
  if (ofDeal.test(words)) return deals;
  const all = [...open, ...pricedTopics(memory)];
  return ofOpen.test(words) ? all : [...all, ...deals];
};

const fits = ({ terms }: Topic, named: readonly (readonly [string, unknown])[]): boolean =>
  named.every(([name, value]) => terms[name] === value);

/** By product, by term ("the March one"), or all; else what is in force. */
export const topicsMeant = (
  memory: Memory,
  { words, products, isForAll }: Unwanted,
  heard: Heard,
): readonly Topic[] => {
  const all = ofKind(memory, words);
  if (isForAll && products.length === 0)
    return ofDeal.test(words) || openTopics(memory).length === 0 ? dealTopics(memory) : openTopics(memory);
  const named = Object.entries(only(heard.slots, sold));
  const fitting = named.length === 0 ? all : all.filter((topic) => fits(topic, named));
  if (products.length > 0) return fitting.filter(({ product }) => products.includes(product));
  if (named.length > 0) return fitting;
  const inForce = all.filter((topic) => isInFocus(memory, topic));
  return inForce.length > 0 || all.length !== 1 ? inForce : all;
};
