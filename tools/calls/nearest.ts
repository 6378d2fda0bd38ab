/** Levenshtein's: inserted, dropped and changed letters. */
const distance = (left: string, right: string): number => {
  let above = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let row = 0; row < left.length; row += 1) {
    const current = [row + 1];
    for (let place = 0; place < right.length; place += 1) {
      const change = (above[place] as number) + (right[place] === left[row] ? 0 : 1);
      current.push(Math.min(change, (above[place + 1] as number) + 1, (current[place] as number) + 1));
    }
    above = current;
  }
  return above.at(-1) as number;
};

/** A longer name is compared with none, so that a hostile one costs nothing. */
export const longestCompared = 64;

/** The known name that a misspelled one means; null: none is near. */
export const nearestOf = (name: string, known: Iterable<string>): string | null => {
  if (name.length > longestCompared) return null;
  const spelled = name.toLowerCase().replaceAll("-", "_");
  const [found] = [...known]
    .map((candidate) => ({ candidate, by: distance(spelled, candidate) }))
    .sort((left, right) => left.by - right.by);
  return found !== undefined && found.by <= Math.max(1, Math.floor(name.length / 3)) ? found.candidate : null;
};

export const unknownToolText = (nearest: string | null, list: string): string =>
  nearest === null ? `Unknown tool. ${list}` : `Unknown tool. Did you mean ${nearest}? ${list}`;
