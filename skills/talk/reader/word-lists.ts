const lists = new Map<string, ReadonlySet<string>>();

/** The words of a text, which blanks and line ends separate. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Whether a word stands in a list. Each list is split once: readers ask for every token. */
export const isOneOf = (word: string, list: string): boolean => {
  const known = lists.get(list);
  if (known !== undefined) return known.has(word);
  const split = words(list);
  lists.set(list, split);
  return split.has(word);
};
