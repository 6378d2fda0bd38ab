/** Words worth recognising when misspelt. */
const vocabulary =
  "price prices pricing quote quotes quotation available availability inventory proposal propose negotiate reserve " +
  "discount accept booking bookings impressions products catalog guaranteed pricey";
const knownWords = vocabulary.split(" ");

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

/** Words of the trade that name products; "naive" and "banned" are words of their own. */
const inventory =
  "preroll connected television streaming native rewarded video videos display banner banners homepage billboard " +
  "telemundo primetime";
const inventoryWords = inventory.split(" ");
const otherWords: ReadonlySet<string> = new Set(["naive", "natives", "banned", "vide"]);

/** Misspelt words of the trade as they are written, except what `isKnown` names. */
export const spelt = (text: string, isKnown: (word: string) => boolean): string =>
  text.replace(/\b[a-z]{4,12}\b/gi, (said) => {
    const word = said.toLowerCase();
    if (otherWords.has(word) || inventoryWords.includes(word) || isKnown(word)) return said;
    return inventoryWords.find((known) => known[0] === word[0] && isNear(word, known)) ?? said;
  });

export const plainText = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\b[a-z]{5,14}\b/g, (word) =>
      knownWords.includes(word) || knownWords.includes(word.replace(/s$/, ""))
        ? word
        : (knownWords.find((known) => known[0] === word[0] && isNear(word, known)) ?? word),
    );
