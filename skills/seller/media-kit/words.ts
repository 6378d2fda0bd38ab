/** `places`: ascending places per word; `ofGram`: words per three letters. */
export interface Words {
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly ofGram: ReadonlyMap<string, readonly string[]>;
}

const gramLetters = 3;

export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");

const gramsOf = (word: string): readonly string[] => [
  ...new Set(Array.from({ length: word.length - gramLetters + 1 }, (_, at) => word.slice(at, at + gramLetters))),
];

const append = <T>(lists: Map<string, T[]>, key: string, item: T): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
};

export interface GrowingWords extends Words {
  readonly places: Map<string, number[]>;
  readonly ofGram: Map<string, string[]>;
}

export const noWords = (): GrowingWords => ({ places: new Map(), ofGram: new Map() });

/** Returns the new words. Add texts in the order of their places. */
export const addText = ({ places, ofGram }: GrowingWords, text: string, place: number): readonly string[] => {
  const words = [...new Set(wordsOf(text))];
  const fresh = words.filter((word) => !places.has(word));
  for (const word of fresh) {
    if (word.length >= gramLetters) for (const gram of gramsOf(word)) append(ofGram, gram, word);
  }
  for (const word of words) append(places, word, place);
  return fresh;
};

/** By the rarest three letters; all words for a shorter token. */
const candidates = ({ places, ofGram }: Words, token: string): Iterable<string> => {
  if (token.length < gramLetters) return places.keys();
  const lists = gramsOf(token).map((gram) => ofGram.get(gram) ?? []);
  return lists.reduce((least, list) => (list.length < least.length ? list : least));
};

export interface Counted {
  readonly place: number;
  readonly tokens: number;
}

/** At most 255 tokens. */
export const countTokens = (size: number, indexes: readonly Words[], tokens: readonly string[]): readonly Counted[] => {
  const counts = new Uint8Array(size);
  const countedFor = new Uint8Array(size);
  const found: number[] = [];
  const count = (place: number, token: number): void => {
    if (countedFor[place] === token) return;
    countedFor[place] = token;
    if (counts[place] === 0) found.push(place);
    counts[place] = (counts[place] ?? 0) + 1;
  };
  tokens.forEach((token, index) => {
    for (const words of indexes) {
      for (const word of candidates(words, token)) {
        if (word.includes(token)) for (const place of words.places.get(word) ?? []) count(place, index + 1);
      }
    }
  });
  return [...Uint32Array.from(found).sort()].map((place) => ({ place, tokens: counts[place] ?? 0 }));
};
