import terms from "./words/glossary.json" with { type: "json" };
import { phrasesOf } from "./reader/words.ts";

const bySaid: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(terms).map(([words, meaning]) => [meaning, words]),
);
export const glossary = phrasesOf(bySaid);

/** What stands in answers without an explanation, by its words; none of those that have no explanation. */
export const meaningsIn = (words: readonly string[]): readonly string[] => {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const meaning = glossary.at(words, at);
    if (meaning === null) continue;
    found.push(meaning.name);
    at = meaning.to - 1;
  }
  return [...new Set(found)];
};
