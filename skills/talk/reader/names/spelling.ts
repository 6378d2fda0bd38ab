import { words } from "../word-lists.ts";
/** Words worth recognising when misspelt: of the trade, and kinds of inventory. */
const vocabulary =
  "price prices pricing quote quotes quotation available availability inventory proposal propose negotiate reserve " +
  "discount accept booking bookings impressions products catalog guaranteed preroll connected television streaming " +
  "native rewarded video videos display banner banners homepage billboard telemundo primetime campaign budget " +
  "january february march september october november december schedule cancel package packages";

/** One letter missing, added, changed or swapped with its neighbour. */
const isNear = (word: string, known: string): boolean => {
  if (Math.abs(word.length - known.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start += 1;
  const rest = (text: string, from: number) => text.slice(start + from);
  return (
    rest(word, 1) === rest(known, 1) ||
    rest(word, 1) === rest(known, 0) ||
    rest(word, 0) === rest(known, 1) ||
    (word[start] === known[start + 1] && word[start + 1] === known[start] && rest(word, 2) === rest(known, 2))
  );
};

const byFirst = (words: Iterable<string>): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const word of words) {
    const first = word[0] ?? "";
    const list = found.get(first);
    if (list === undefined) found.set(first, [word]);
    else list.push(word);
  }
  return found;
};

/** "naive" and "banned" are words of their own. */
const own = words(`
  naive natives banned vide quite quota quoted quoting priced pricey proposed proposes accepts offers
  march booked books native video accepted negotiated reserved reserves canceled cancels cancelled
  displays discounts
`);

const [least, most] = [5, 14];

/** What a word is taken for: itself, or the one word of the vocabulary that differs in a letter. */
export const createSpelling = (names: Iterable<string>, isKnown: (word: string) => boolean) => {
  const words = new Set([...vocabulary.split(" "), ...[...names].filter((name) => name.length >= least)]);
  const index = byFirst(words);
  return (word: string): string => {
    if (word.length < least - 1 || word.length > most || words.has(word) || own.has(word) || isKnown(word)) return word;
    return (index.get(word[0] ?? "") ?? []).find((known) => known.length >= least && isNear(word, known)) ?? word;
  };
};
