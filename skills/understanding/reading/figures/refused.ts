import { matchesOf, blanked, type Span, spansOf } from "../spans.ts";
import { month } from "../dates/month-words.ts";
import { anySign } from "./money.ts";
import { figure, fromStart, scale, spanOf } from "./numbers.ts";

const dear = "high|expensive|steep|much|rich|dear|pricey|costly|hefty|stiff|above";
const tooDear =
  "(?:(?:just|a|way|far|still|really)\\s+){0,2}(?:too|bit|rather|quite|pretty|very|little|tad)\\s+" +
  `(?:too\\s+)?(?:${dear})\\b`;
const pricedAt = `(?:(?:${anySign})\\s?)?${fromStart}(?:${figure})(?:\\s?(?:${anySign}|cpm))?`;
const looks = "(?:isn't|is|'s|was|seems|sounds|feels|looks)";
const refusedPrice = new RegExp(
  `${pricedAt}\\s+(?:es|ist|est|e)\\s+(?:(?:muy|demasiado|zu|trop|muito)\\s+)?(?:caro|teuer|cher|hoch)\\b|` +
    `${pricedAt}\\s+${looks}\\s+${tooDear}|\\b${looks}\\s+(?:not\\s+)?${pricedAt}\\s+(?:not\\s+)?${tooDear}|` +
    `${pricedAt}\\s+is\\s+(?:more than|over|above)\\s+(?:what\\s+)?(?:we|i|our)\\b` +
    "(?:\\s+(?:can|could|want to|wanted to|budget|pay|spend)){0,3}|" +
    `\\b(?:you|they) (?:quoted|asked(?: for)?|said|want(?:ed)?)\\s+${pricedAt}(?=\\s*,)`,
  "gi",
);

const size = `${fromStart}${figure}\\s?(?:(?:${scale})\\b)?(?:\\s?(?:imp\\w*|cpm))?`;
const noDay = "(?!\\d|[.,:/]\\d|\\s?(?:st|nd|rd|th)\\b|\\s?[-–]\\s?\\d)";
/** "Not 1M but 1.2M". */
const replaced = new RegExp(
  `(?:\\b(?:not|nicht|no)|n't)\\s+${size}${noDay}(?=\\s*[,.;!?]|\\s*$|\\s+(?:but|sondern|sino)\\b)|` +
    "\\byou(?:'ve| have)? (?:only |just )?(?:used|took|taken|put|gave|given|spent|planned)" +
    `(?: only| just)? ${size}${noDay}|` +
    `\\b(?:instead of|rather than|statt|en vez de)\\s+(?:the )?${size}${noDay}(?!\\s\\p{L}{3,} \\d)`,
  "giu",
);
/** "Not all of March, just 8-21 March". */
const notWhole = new RegExp(
  `\\bnot (?:for |in )?(?:all|the (?:whole|entire|full))(?: of| month of)? ${month}\\b(?=[^.?!]*\\b${month}\\b)`,
  "gi",
);

const otherSide = new RegExp(
  "\\byour (?:\\w+ )?(?:proposal|offer|price|quote|quotation|counter(?:[ -]?offer)?|ask)\\b,? " +
    "(?:(?:of|at|is|was|being) )+" +
    `${pricedAt}|${pricedAt}\\s+(?:isn't|is not|ain't)(?=\\s)|(?:isn't|is not|ain't)\\s+${pricedAt}(?=\\s*,? is it\\b)`,
  "gi",
);
const ownPrice = new RegExp(`(?:${anySign})\\s?\\d|\\d\\s?(?:${anySign}|cpm\\b)|\\d[.,]\\d\\d(?!\\d)`, "i");

/** "Your proposal of 28.00, yet our ceiling is 27.50". */
const otherSideIn = (text: string): readonly Span[] => {
  const spans = matchesOf(text, otherSide).map((match) => spanOf(match));
  return ownPrice.test(blanked(text, spans)) ? spans : [];
};

const nth = "\\d{1,2}(?:st|nd|rd|th)";
const day = `(?:(?:${month})\\s+(?:${nth}|\\d{1,2})|(?:${nth}|\\d{1,2})\\s+(?:of\\s+)?(?:${month})|the ${nth})\\b`;
/** "That says February 28, I said until the 21st". */
const otherDay = new RegExp(
  "\\b(?:that|it|this|you|the (?:quote|offer|deal)|your (?:quote|offer))(?:'s| is)? " +
    "(?:says?|said|has|shows?|wrote|quoted|put|runs|ends)(?: (?:until|till|to|by|on|it|down))* " +
    `${day}(?=[,;.]| (?:but|and|not)\\b)`,
  "gi",
);
const anyDay = new RegExp(`${day}|\\b${nth}\\b`, "i");

const otherDayIn = (text: string): readonly Span[] => {
  const spans = spansOf(text, otherDay);
  return spans.length > 0 && anyDay.test(blanked(text, spans)) ? spans : [];
};

/** Figures that are named as not wanted beside those that are: "31.50 is too high, 26 would do". */
export const refusedIn = (text: string): readonly Span[] => {
  const parts = spansOf(text, notWhole);
  if (!/\d/.test(text)) return parts;
  const instead = matchesOf(text, replaced).map((match) => spanOf(match));
  const isInstead = /\d|\b(?:thousand|million|grand)\b/i.test(blanked(text, instead));
  return [
    ...parts,
    ...otherDayIn(text),
    ...otherSideIn(text),
    ...matchesOf(text, refusedPrice).map((match) => spanOf(match)),
    ...(isInstead ? instead : []),
  ];
};
