import type { Reading } from "../talk/gate/read-context.ts";
import type { Memory, Topic } from "./memory.ts";
import { hasRecord } from "./memory.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import type { Heard } from "./reading/slots.ts";
import { openOf, referenceOf } from "./talk/open-talk.ts";
import { totalOf } from "./talk/shown-terms.ts";
import { dealTopics, focusedOn, isInFocus, only, openTopics, sold, topicsIn } from "./topics.ts";

const noun = "(?:ones?|quotes?|deals?|offers?|products?|options?|lines?|bookings?)";
const ends = "(?=\\s*(?:$|[?.!,;:]|\\b(?:is|was|looks|seems|then|please|at|for|with|to|in|of the two)\\b))";
const places = [
  ["first", "1st", "former"],
  ["second", "2nd", "latter"],
  ["third", "3rd"],
  ["fourth", "4th"],
];

const other = new RegExp(`\\b(?:the )?other (?:${noun}\\b|two\\b)|\\bthe other${ends}`, "i");
const placed = new RegExp(
  `\\bthe (${places.flat().join("|")})(?: ${noun}\\b|${ends})|\\b(\\d(?:st|nd|rd|th)|second|third) ones?\\b`,
  "i",
);
const byCost = new RegExp(
  `\\bthe ((?:cheap|dear|pric(?:e)?y?)(?:i?er|i?est)|(?:less|more|least|most) expensive)(?: ${noun}\\b|${ends})`,
  "i",
);
const byTerms = new RegExp(`\\bthe ((?:[\\w.,-]+ ){1,3}?)${noun}\\b`, "gi");
const isDear = /^(?:dear|pric|more|most)/i;

/** A quote is asked for, a deal is booked; "one" may be either. */
const among = (memory: Memory, words: string): readonly Topic[] => {
  if (/\b(?:deal|booking)/i.test(words)) return dealTopics(memory);
  return /\b(?:quote|offer)/i.test(words) ? openTopics(memory) : topicsIn(memory);
};

const latest = (topics: readonly Topic[], memory: Memory): Topic | null =>
  (memory.topics ?? []).findLast((topic) => topics.includes(topic)) ?? null;

const otherThan = (memory: Memory, words: string): Topic | null => {
  const others = (topics: readonly Topic[]): readonly Topic[] => topics.filter((topic) => !isInFocus(memory, topic));
  const open = others(openTopics(memory));
  const all = open.length === 1 && !/\b(?:deal|booking)/i.test(words) ? open : others(among(memory, words));
  return latest(all.length > 0 ? all : others(memory.topics ?? []), memory);
};

/** Of what was last shown together, else in the order in which things came up. */
const atPlace = (memory: Memory, words: string): Topic | null => {
  const place = places.findIndex((names) => names.some((name) => words.toLowerCase().includes(name)));
  const { shown } = memory.life.context;
  const listed = shown.flatMap(
    ({ id }) => topicsIn(memory).find(({ terms }) => Object.values(terms).includes(id)) ?? [],
  );
  const named = among(memory, words);
  const known = named.length > 1 ? named : (memory.topics ?? []).toSorted((one, next) => one.place - next.place);
  const topics = shown.length > 1 && listed.length === shown.length ? listed : known;
  return topics.length > 1 ? (topics[place] ?? null) : null;
};

interface World {
  readonly context: Reading;
  readonly finder: ProductFinder;
}

const atCost = async (memory: Memory, words: string, world: World): Promise<Topic | null> => {
  const open = openTopics(memory);
  const topics = open.length > 1 ? open : among(memory, words);
  if (topics.length < 2) return null;
  const costs: { readonly topic: Topic; readonly cost: number }[] = [];
  for (const topic of topics) {
    const reference = referenceOf(topic);
    const read = reference === null ? null : await openOf(world, reference);
    if (read === null) return null;
    costs.push({ topic, cost: totalOf(read.terms) ?? Number(read.terms.cpm) });
  }
  const sorted = costs.toSorted((one, next) => one.cost - next.cost);
  return (isDear.test(words) ? sorted.at(-1) : sorted[0])?.topic ?? null;
};

const withTerms = (memory: Memory, words: string, hear: (text: string) => Heard): Topic | null => {
  const { slots, inventory } = hear(words);
  const named = Object.entries(only(slots, sold));
  const fitting = among(memory, words).filter(({ terms }) => named.every(([name, value]) => terms[name] === value));
  const ofProduct = fitting.filter(({ product }) => product === memory.terms["product_id"]);
  const [topic, another] = ofProduct.length === 1 ? ofProduct : fitting;
  return inventory.length > 0 || named.length === 0 || another !== undefined ? null : (topic ?? null);
};

export interface Referred {
  readonly text: string;
  readonly memory: Memory;
}

const referredTo = (words: string, topic: Topic, { text, memory }: Referred, finder: ProductFinder): Referred => {
  const name = finder.get(topic.product)?.name ?? topic.product;
  return {
    text: text.replace(words, `the ${name}`),
    memory: hasRecord(topic.terms) ? focusedOn(memory, topic) : memory,
  };
};

/** "Book 1 and 3, the second is declined" numbers the rows that were shown. */
const numbersRows = /\b(?:book|accept|take|reserve)\b[^.?!]{0,20}\b[1-8]\b(?![.,\d])/i;

/**
 * "The other one", "the second", "the cheaper one" and "the March one" are read as the name of the product that they
 * mean, and what was agreed of it is in force.
 */
export const referred = async (said: Referred, world: World, hear: (text: string) => Heard): Promise<Referred> => {
  const { text, memory } = said;
  if (memory.lines !== undefined && numbersRows.test(text)) return said;
  if ((memory.topics ?? []).length < 2 || hear(text).inventory.length > 0) return said;
  const [otherWords] = other.exec(text) ?? [];
  const [placedWords] = placed.exec(text) ?? [];
  const [costWords, cost = ""] = byCost.exec(text) ?? [];
  const found: readonly (readonly [string | undefined, () => Promise<Topic | null> | Topic | null])[] = [
    [otherWords, () => otherThan(memory, otherWords ?? "")],
    [placedWords, () => atPlace(memory, placedWords ?? "")],
    [costWords, () => atCost(memory, cost, world)],
    ...[...text.matchAll(byTerms)].map(([words]) => [words, () => withTerms(memory, words, hear)] as const),
  ];
  for (const [words, topicOf] of found) {
    const topic = words === undefined ? null : await topicOf();
    if (words !== undefined && topic !== null) return referredTo(words, topic, said, world.finder);
  }
  return said;
};
