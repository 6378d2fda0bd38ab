import { isConditional } from "../clauses.ts";
import type { Heard } from "../slots.ts";
import { isQuestion } from "./mood.ts";
import type { After } from "./sounds.ts";

/** A message as places in the weights, with how much each counts. */
export interface Features {
  readonly places: Int32Array;
  readonly values: Float32Array;
}

const placeBits = 14;
export const placeCount = 2 ** placeBits;

const offset = 0x81_1c_9d_c5;
const prime = 0x01_00_01_93;

const hashed = (text: string, from: number, to: number, seed: number): number => {
  let hash = seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash;
};

/** The high bits are mixed in: the low ones of this hash alone differ too little. */
const placeOf = (hash: number): number => (hash ^ (hash >>> placeBits)) & (placeCount - 1);

const seedOf = (group: string): number => hashed(group, 0, group.length, offset);

const endings = /(?:ings?|ed|es|s|ly)$/;
const stem = (word: string): string => (word.length > 4 ? word.replace(endings, "") : word);

const longestRead = 1200;
const shortestPiece = 3;
const longestPiece = 5;

/** How much each kind of sign counts beside the others. */
const weights = {
  word: 1.6,
  pair: 1.3,
  skip: 0.7,
  piece: 1.3,
  term: 0.7,
  mood: 0.5,
  after: 0.6,
  afterWord: 0.4,
  afterTerm: 0.6,
  opening: 0.6,
};

type Group = keyof typeof weights;

const slotSigns: readonly (readonly [string, string])[] = [
  ["impressions", "volume"],
  ["target_cpm", "price"],
  ["budget", "budget"],
  ["flight_start", "flight"],
  ["flight_end", "flight end"],
  ["deal_type", "deal type"],
  ["audience", "audience"],
  ["geo", "geo"],
  ["quote_id", "quote id"],
  ["proposal_id", "proposal id"],
  ["negotiation_id", "negotiation id"],
  ["deal_id", "deal id"],
];

const productSign = ({ inventory }: Heard): string => {
  const named = inventory.filter(({ products }) => products.length === 1).length;
  if (inventory.length === 0) return "no product";
  if (named > 1) return "products";
  return named === 1 ? "product" : "kind";
};

const termsOf = (heard: Heard): readonly string[] => [
  ...slotSigns.flatMap(([slot, sign]) => (heard.slots[slot] === undefined ? [] : [sign])),
  productSign(heard),
  ...(heard.barePrice === null ? [] : ["bare price"]),
  ...(heard.priceCut === null ? [] : ["price cut"]),
  ...(heard.resize === null ? [] : ["resize"]),
  ...(heard.shift === null ? [] : ["shift"]),
  ...(heard.limit === null ? [] : [`limit ${heard.limit.measure}`]),
  ...(heard.currency === null ? [] : ["currency"]),
  ...(heard.unsold === null ? [] : ["unsold"]),
  ...(heard.excluded.length === 0 ? [] : ["excluded"]),
  ...(heard.volumes.length > 1 ? ["volumes"] : []),
  ...(heard.leftovers.some(({ isBinding }) => isBinding) ? ["leftover"] : []),
];

const negative =
  /\b(?:not|no|never|nothing|don't|dont|doesn't|isn't|won't|can't|cannot|without|nicht|kein\w*|nao|non)\b/;

const lengths = [1, 2, 3, 5, 8, 12, 20, 40];

const moodOf = (spoken: string, words: readonly string[]): readonly string[] => [
  isQuestion(spoken) ? "asks" : "tells",
  ...(/\?/.test(spoken) ? ["?"] : []),
  ...(negative.test(spoken) ? ["negative"] : []),
  ...(isConditional(spoken) ? ["conditional"] : []),
  ...(words.every((word) => word === "@" || word === "#") ? ["only terms"] : []),
  `length ${lengths.findIndex((most) => words.length <= most)}`,
];

/** Each sign once; those of a group weigh the same in a long message as in a short one. */
class Collector {
  readonly #places: number[] = [];
  readonly #values: number[] = [];
  readonly #seen = new Set<number>();

  add(group: Group, hashes: readonly number[], isShared = true): void {
    const places = [...new Set(hashes.map(placeOf))].filter((place) => !this.#seen.has(place));
    const value = weights[group] / (isShared ? Math.sqrt(places.length + 1) : 1);
    for (const place of places) {
      this.#seen.add(place);
      this.#places.push(place);
      this.#values.push(value);
    }
  }

  result(): Features {
    return { places: Int32Array.from(this.#places), values: Float32Array.from(this.#values) };
  }
}

const textHash = (group: string, text: string): number => hashed(text, 0, text.length, seedOf(group));

const piecesOf = (words: readonly string[]): readonly number[] => {
  const seed = seedOf("piece");
  const hashes: number[] = [];
  for (const word of words) {
    if (word.length < shortestPiece) continue;
    const text = `<${word}>`;
    for (let from = 0; from + shortestPiece <= text.length; from += 1)
      for (let size = shortestPiece; size <= longestPiece && from + size <= text.length; size += 1)
        hashes.push(hashed(text, from, from + size, seed + size));
  }
  return hashes;
};

const wordsIn = (spoken: string): readonly string[] => spoken.slice(0, longestRead).match(/[\p{L}\d']+|[@#?]/gu) ?? [];

export const stemsIn = (spoken: string): readonly string[] => wordsIn(spoken).map(stem);

export interface Signs {
  /** As plain text, with a mark for each name and figure. */
  readonly spoken: string;
  /** The kinds of terms in it. */
  readonly terms: readonly string[];
}

/** Words, their pairs and letters, what the terms are, the mood, what stands, and what stands with each word. */
export const featuresIn = ({ spoken, terms }: Signs, after: string): Features => {
  const whole = wordsIn(spoken);
  const words = whole.map((word) => (/^\d/.test(word) ? "0" : stem(word)));
  const pairs = [...words, "$"].map((word, at) => `${words[at - 1] ?? "^"} ${word}`);
  const skips = words.slice(2).map((word, at) => `${words[at] ?? ""} ${word}`);
  const moods = moodOf(spoken, words);
  const found = new Collector();
  found.add(
    "word",
    words.map((word) => textHash("word", word)),
  );
  found.add(
    "pair",
    pairs.map((pair) => textHash("pair", pair)),
  );
  found.add(
    "skip",
    skips.map((skip) => textHash("skip", skip)),
  );
  found.add("piece", piecesOf(whole));
  found.add(
    "term",
    terms.map((term) => textHash("term", term)),
    false,
  );
  found.add(
    "mood",
    moods.map((mood) => textHash("mood", mood)),
    false,
  );
  found.add("after", [textHash("after", after), ...moods.map((mood) => textHash("after", `${after} ${mood}`))], false);
  found.add(
    "afterWord",
    words.map((word) => textHash("word", `${after} ${word}`)),
  );
  found.add(
    "afterTerm",
    terms.map((term) => textHash("term", `${after} ${term}`)),
    false,
  );
  found.add("opening", [
    textHash("opening", words.slice(0, 2).join(" ")),
    textHash("opening", words.slice(0, 3).join(" ")),
  ]);
  return found.result();
};

export const featuresOf = (heard: Heard, after: After): Features =>
  featuresIn({ spoken: heard.spoken, terms: termsOf(heard) }, after);
