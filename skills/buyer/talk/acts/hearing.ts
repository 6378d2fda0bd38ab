import { wholeWords } from "../whole-words.ts";
import { once } from "../../../understanding/reading/choice/once.ts";
import { guesserFrom, type Guess } from "../../../understanding/reading/choice/act-model.ts";
import { featuresIn, type Signs } from "../../../understanding/reading/choice/features.ts";
import { plainText } from "../../../understanding/reading/choice/spelling.ts";
import { prepared } from "../../../understanding/reading/clauses.ts";
import { channelWords } from "../brief/words/vocabulary.ts";
import type { After, Sound } from "./sounds.ts";
import { weights } from "./weights.generated.ts";

const termSigns: readonly (readonly [string, RegExp])[] = [
  ["money", /[$€£]|\b\d[\d.,]*\s?(?:k|m|usd|dollars?|bucks|grand)\b/],
  ["percent", /\d\s?%/],
  [
    "date",
    /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|q[1-4]|week|month|(?:mon|tues|wednes|thurs|fri)day)/,
  ],
  ["deal", /\b[a-z][a-z0-9]*-(?=[a-z0-9-]*\d)[a-z0-9-]+\b/],
  ["place", /\b(?:lines?|numbers?|no\.?|zeile|linea|ligne)\s?#?\d{1,2}\b|^\W*#?\d{1,2}\b(?!\s?(?:k|m|usd|%))/],
];

/** `@` for products and channels, so that what is said of one is read like that of another. */
export const signsOf = (text: string, names: readonly string[]): Signs => {
  const plain = plainText(prepared(text));
  const marked = names
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, name) => left.replace(wholeWords(plainText(name), "g"), "@"), plain);
  const spoken = channelWords.reduce((left, [, words]) => left.replace(words, "@"), marked);
  const terms = termSigns.filter(([, sign]) => sign.test(plain)).map(([term]) => term);
  return { spoken, terms: spoken.includes("@") ? [...terms, "named"] : terms };
};

const guesser = once(() => guesserFrom<Sound>(weights));

/** What the message asks for, the likeliest first. */
export const heardAs = (text: string, names: readonly string[], after: After): readonly Guess<Sound>[] =>
  guesser()(featuresIn(signsOf(text, names), after));
