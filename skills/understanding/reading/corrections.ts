import { anyOf } from "./any-of.ts";
import { month } from "./dates/month-words.ts";
import { anySign } from "./figures/money.ts";
import { figure, fromStart, scale } from "./figures/numbers.ts";
import { blanked, matchesOf, type Span } from "./spans.ts";

const marker =
  "(?:(?:ah|oh|hm+|uh|er+|well|so|or|but|no|nope|wait|sorry|pardon|actually|rather(?! than)|instead(?! of)|" +
  "scratch that|correction|typo|my mistake|my bad|i mean|i meant|we mean|that is|(?:please )?make (?:it|that)|" +
  "yes|better|nein|quatsch|perdon|mejor dicho|non|pardon|nao|quer dizer)[\\s.,;:!()–-]+)";
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

/** A term, at most five words behind it, and what takes its place. */
const forms = [
  [date, date],
  [size, laterSize],
  [dealType, dealType],
].map(
  ([term, later]) =>
    new RegExp(`(${term})((?:\\s\\p{L}[\\p{L}-]*){0,5})([\\s.,;:!()–-]+${marker}+)${small}(?=(?:${later}))`, "giu"),
);

const scaled = new RegExp(`\\d\\s?(${scale})$`, "i");
const unscaled = new RegExp(
  `^\\d{1,3}(?:[.,]\\d{1,2})?(?![\\d.,]*\\s?(?:(?:${scale}|st|nd|rd|th|days?|weeks?)\\b|\\d|%))`,
  "i",
);

const notThis = new RegExp(`(?:\\b(?:not|nicht)|n't)\\s+(${size})(?:\\s*,|\\s+but)\\s+(?=\\d)`, "gi");

const moneyAfter = new RegExp(`^\\s?(?:${anySign})(?=\\s|$)`, "i");
const moneyBefore = new RegExp(`^(?:${anySign})`, "i");

/** "8000 dollars, no, 6000" means dollars. */
const withMoney = (text: string, at: number, { term, between }: { readonly term: string; between: string }): string => {
  const next = new RegExp(`^${fromStart}${figure}(?:\\s?(?:${scale})\\b)?(?!\\s?(?:imp|%|${anySign}))`, "i");
  const sign = (moneyBefore.exec(term) ?? moneyAfter.exec(between))?.[0].trim();
  const size = next.exec(text.slice(at))?.[0];
  return sign === undefined || size === undefined
    ? text
    : `${text.slice(0, at)}${size} ${sign}${text.slice(at + size.length)}`;
};

/** "400k, no, 350" means 350k. */
const withScale = (text: string, at: number, term: string): string => {
  const unit = scaled.exec(term)?.[1];
  const next = unscaled.exec(text.slice(at))?.[0];
  return unit === undefined || next === undefined
    ? text
    : `${text.slice(0, at)}${next}${unit}${text.slice(at + next.length)}`;
};

const changedTo = new RegExp(
  `(${size})([^\\d]{1,60}\\b(?:change|make|reduce|cut|lower|raise|bring|take|put) (?:it|that|this) ` +
    "(?:(?:down|up|back) )?(?:to )?)(?=\\d{1,3}\\s*(?:[.!?,;]|$|(?:imp\\w*|instead|please|pls|then|thx)\\b))",
  "gi",
);
const leastShare = 10;

/** "370k is gone? Change it to 300" means 300k. */
const withChanged = (said: string): string => {
  let text = said;
  for (const match of matchesOf(said, changedTo).toReversed()) {
    const at = match.index + match[0].length;
    const [before, after] = [Number.parseFloat(match[1] ?? ""), Number.parseFloat(said.slice(at))];
    if (after * leastShare >= before) text = withScale(text, at, match[1] ?? "");
  }
  return text;
};

/** "400k... no wait, 600k": without what a later word of the message takes back, and the words that say so. */
export const corrected = (said: string): string => {
  let text = withChanged(said);
  for (const match of matchesOf(text, notThis).toReversed())
    text = withScale(text, match.index + match[0].length, match[1] ?? "");
  if (!isCorrecting.test(text)) return text;
  for (const form of forms) {
    for (const match of matchesOf(text, form).toReversed()) {
      const [whole, term = "", between = "", words = ""] = match;
      const [start, end] = [match.index, match.index + whole.length];
      if (!isCorrecting.test(words)) continue;
      const taken = { start, end: start + term.length };
      const unit = moneyAfter.exec(between)?.[0].length ?? 0;
      const own = { start: taken.start, end: taken.end + unit };
      text = blanked(withMoney(withScale(text, end, term), end, { term, between }), [
        own,
        { start: taken.end + between.length, end },
      ]);
    }
  }
  return text;
};

const words = "(?<![\\p{L}-])[\\p{L}-]{1,30}(?:\\s[\\p{L}-]{1,30}){0,2}";
const looking =
  "(?:(?:let's|let us|show me|i(?:'d| would)? (?:like|want)(?: to)?) (?:(?:see|look at|do|take|start with) )?)?";
const otherProduct = new RegExp(`(${words})[\\s.,;:!?()–-]+(${marker}+)(?=${looking}${small}(${words}))`, "giu");

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
