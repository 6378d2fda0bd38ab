import { matchesOf } from "./spans.ts";
const lead =
  /\b(?:for|about|around|near|targeting|aimed at|reaching|related to|in)\s+(?:the |an? |our |my |your |any |some )?/g;

/** Where a noun phrase ends; products and figures stand as `@` and `#`. */
const ends =
  /[^\p{L}\p{N}\s'-]|\s(?:and|or|but|in|on|at|for|with|near|from|to|that|which|who|please|pls|this|next|is|are)\b/u;

const longest = 60;
const shortestWord = 3;

/** What a search names that nothing on record has: "golf fans", "texas". */
export const topicsIn = (spoken: string, isKnown: (word: string) => boolean): readonly string[] => {
  const found = matchesOf(spoken, lead).flatMap((match) => {
    const from = match.index + match[0].length;
    const rest = spoken.slice(from, from + longest);
    const stop = rest.search(ends);
    const phrase = stop < 0 ? rest : rest.slice(0, stop);
    const unknown = matchesOf(phrase, /\p{L}[\p{L}'-]*/gu).filter(
      ([word]) => word.length >= shortestWord && !isKnown(word),
    );
    const [first, last] = [unknown[0], unknown.at(-1)];
    return first === undefined || last === undefined ? [] : [phrase.slice(first.index, last.index + last[0].length)];
  });
  return [...new Set(found)];
};
