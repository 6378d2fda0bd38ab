import { anyOf } from "./any-of.ts";
import { month } from "./dates/month-words.ts";
import { figure, fromStart, scale } from "./figures/numbers.ts";
import { blanked, matchesOf, type Span } from "./spans.ts";

const marker =
  "(?:(?:ah|oh|hm+|uh|er+|well|so|or|but|no|nope|wait|sorry|pardon|actually|rather(?! than)|instead(?! of)|" +
  "scratch that|correction|typo|my mistake|my bad|i mean|i meant|we mean|that is|(?:please )?make (?:it|that)|" +
  "better|nein|quatsch|perdon|mejor dicho|non|pardon|nao|quer dizer)[\\s.,;:!()–-]+)";
/** One of these takes back what was before; "no 30 second spots" does not. */
const isCorrecting = anyOf(
  /\b(?:no|nope|nein|non|nao)\s*[,.!:;–-]|\b(?:no|nope) (?:no|wait|sorry|make)\b|\b(?:wait|sorry|actually)\b/i,
  /\brather\b/i,
  /\b(?:scratch that|correction|typo|mistake|bad|mean|meant|make (?:it|that))\b/i,
  /\b(?:quatsch|perdon|mejor dicho|quer dizer)\b/i,
);
const small = "(?:(?:in|for|on|at|with|the|to|of|from|only|just|a|an|about|during|im|en|fur|pour|para) ){0,2}";

const date =
  `(?:(?:\\d{1,2}(?:st|nd|rd|th|\\.)?\\s?(?:-|–|to|until|till|bis)\\s?)?\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+(?:of )?)?` +
  `\\b${month}\\b(?:\\s\\d{1,2}(?:st|nd|rd|th)?\\b(?![.,]\\d))?`;
const size = `(?:[$€£]\\s?)?${fromStart}${figure}(?:\\s?(?:${scale})\\b)?`;
const dealType = "\\b(?:PG|PD|PA|pg|pd|guaranteed|preferred|private auction|pmp)\\b";

const laterSize = `${size}(?!\\d|\\s+(?:of )?${month})`;

/** A term, at most three words behind it, and what takes its place. */
const forms = [
  [date, date],
  [size, laterSize],
  [dealType, dealType],
].map(
  ([term, later]) =>
    new RegExp(`(${term})((?:\\s\\p{L}[\\p{L}-]*){0,3})([\\s.,;:!()–-]+${marker}+)${small}(?=(?:${later}))`, "giu"),
);

const scaled = new RegExp(`\\d\\s?(${scale})$`, "i");
const unscaled = new RegExp(
  `^\\d{1,3}(?:[.,]\\d{1,2})?(?![\\d.,]*\\s?(?:(?:${scale}|st|nd|rd|th|days?|weeks?)\\b|\\d|%))`,
  "i",
);

const notThis = new RegExp(`(?:\\b(?:not|nicht)|n't)\\s+(${size})(?:\\s*,|\\s+but)\\s+(?=\\d)`, "gi");

/** "400k, no, 350" means 350k. */
const withScale = (text: string, at: number, term: string): string => {
  const unit = scaled.exec(term)?.[1];
  const next = unscaled.exec(text.slice(at))?.[0];
  return unit === undefined || next === undefined
    ? text
    : `${text.slice(0, at)}${next}${unit}${text.slice(at + next.length)}`;
};

/** "400k... no wait, 600k": without what a later word of the message takes back, and the words that say so. */
export const corrected = (said: string): string => {
  let text = said;
  for (const match of matchesOf(said, notThis).toReversed())
    text = withScale(text, match.index + match[0].length, match[1] ?? "");
  if (!isCorrecting.test(said)) return text;
  for (const form of forms) {
    for (const match of matchesOf(text, form).toReversed()) {
      const [whole, term = "", between = "", words = ""] = match;
      const [start, end] = [match.index, match.index + whole.length];
      if (!isCorrecting.test(words)) continue;
      const taken = { start, end: start + term.length };
      text = blanked(withScale(text, end, term), [taken, { start: taken.end + between.length, end }]);
    }
  }
  return text;
};

const words = "(?<![\\p{L}-])[\\p{L}-]{1,30}(?:\\s[\\p{L}-]{1,30}){0,2}";
const otherProduct = new RegExp(`(${words})[\\s.,;:!()–-]+(${marker}+)(?=${small}(${words}))`, "giu");

/** "Pre-roll, I mean CTV": with the words between, which would exclude what follows them. */
export const correctedProductsIn = (text: string, isProduct: (words: string) => boolean): readonly Span[] =>
  !isCorrecting.test(text)
    ? []
    : matchesOf(text, otherProduct)
        .filter(
          ([, before = "", between = "", after = ""]) =>
            isCorrecting.test(between) && isProduct(before) && isProduct(after),
        )
        .map((match) => ({ start: match.index, end: match.index + match[0].length }));
