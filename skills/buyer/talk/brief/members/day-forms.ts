import { anyLength } from "../../../../understanding/reading/dates/forms.ts";
import { month } from "../../../../understanding/reading/dates/month-words.ts";

type Rewrite = readonly [pattern: RegExp, words: string];

/** "Dec not oct" is december. */
const formerMonth = new RegExp(
  `(?<=\\b${month}(?: 20\\d\\d)?),?\\s+(?:and\\s+)?(?:not|instead of|rather than)\\s+(?:in\\s+)?${month}\\b(?!\\s+\\d)`,
  "gi",
);
/** "Not october, december". */
const formerFirst = new RegExp(`\\bnot\\s+(?:in\\s+)?${month}\\s*,\\s*(?:but\\s+)?(?=(?:in\\s+)?${month}\\b)`, "gi");
/** "Dec, dec 1 to 31" names the month once. */
const sameMonth = new RegExp(`\\b(${month}),\\s+(?=\\1\\s+\\d)`, "gi");
const makesIt = "(?:but\\s+|make it\\s+|rather\\s+|it'?s\\s+)+";
/** "Not end of feb, make it 20 feb" is "until 20 feb". */
const contrasts: readonly Rewrite[] = [
  [
    new RegExp(
      `\\bnot\\s+(?:the\\s+)?(?:end of|until|till|to)\\s+[^,.;]{2,20}?[\\s,;]+${makesIt}(?:until\\s+|till\\s+)?`,
      "gi",
    ),
    "until ",
  ],
  [
    new RegExp(
      `\\bnot\\s+(?:the\\s+)?(?:beginning of|start of|from)\\s+[^,.;]{2,20}?[\\s,;]+${makesIt}(?:from\\s+)?`,
      "gi",
    ),
    "from ",
  ],
];
/** "The end date moved to 20 may" as "until 20 may". */
const movedDay = (side: string): RegExp =>
  new RegExp(
    `\\b(?:(?:move|change|set|push|shift|put|extend)\\s+)?(?:the\\s+)?(?:${side})(?:ing)?(?:\\s+(?:date|day))?\\s+` +
      "(?:(?:is|be|was|should be|must be|has to be|to be)\\s+)?(?:moved|changed|set|pushed|shifted|" +
      "put|extended)?\\s*to\\s+(?=[\\w])",
    "gi",
  );
const movedDays: readonly Rewrite[] = [
  [
    new RegExp(
      "\\b(?:postpon(?:e|ing)|delay(?:ing)?|defer|push|mov(?:e|ing)|shift)\\s+(?:the\\s+)?(?:start|beginning|launch)" +
        "(?:ing)?(?:\\s+(?:date|day))?\\s+(?:back\\s+|out\\s+)?(?:to|until|till)\\s+(?=\\w)",
      "gi",
    ),
    "from ",
  ],
  [movedDay("end|last day|finish"), "until "],
  [movedDay("start|first day|begin"), "from "],
];

const beside =
  "(?<=\\b(?:until|till|til|to|through|thru|by|before|from|starting|on|and|bis|hasta|jusqu'a|ate|[-–])\\s{0,3})";
const xmas = "(?:christmas|xmas|x-mas)";
/** "Two weeks less" is shorter. */
const lengths: readonly Rewrite[] = [
  [new RegExp(`(?<=\\b${anyLength.replace("(", "(?:")}) less\\b`, "gi"), " shorter"],
  [new RegExp(`(?<=\\b${anyLength.replace("(", "(?:")}) more\\b`, "gi"), " longer"],
];
const namedDay = `(?:${month}\\s+\\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month})`;
/** "May 3 start" as "from May 3", "thru" as "until". */
const sides: readonly Rewrite[] = [
  [
    new RegExp(`(${namedDay})\\s+(?:as\\s+(?:the\\s+)?)?(?:start|launch|begin)(?:\\s+(?:date|day))?\\b`, "gi"),
    "from $1",
  ],
  [new RegExp(`(${namedDay})\\s+(?:as\\s+(?:the\\s+)?)?(?:end|finish)(?:\\s+(?:date|day))?\\b`, "gi"), "until $1"],
  [new RegExp(`\\b(?:the\\s+)?first(?:\\s+day)?\\s+of\\s+(?=${month}\\b)`, "gi"), "1 "],
  [/\b(?:thru|'?til)\b/gi, "until"],
  [/\bnot\s+(?:start\w*\s+)?(?:before|earlier than)\b/gi, "from"],
  [/\b(?:not?|never)\s+(?:end\w*\s+)?(?:after|later than|beyond)(?=\s+(?:the\s+)?\d|\s+[a-z]+\s+\d)/gi, "until"],
];
/** Days of the year that have a name and never move. */
const namedDays: readonly Rewrite[] = [
  [new RegExp(`${beside}(?:the\\s+)?(?:${xmas}[ -]eve|heiligabend|nochebuena)\\b`, "gi"), "24 December"],
  [new RegExp(`${beside}(?:the\\s+)?${xmas}[ -]day\\b`, "gi"), "25 December"],
  [new RegExp(`${beside}(?:the\\s+)?(?:new year'?s eve|nye|silvester|nochevieja)\\b`, "gi"), "31 December"],
  [new RegExp(`${beside}(?:new year'?s day|neujahr)\\b`, "gi"), "1 January"],
  [new RegExp(`${beside}(?:st\\.? )?valentine'?s(?: day)?\\b`, "gi"), "14 February"],
  [new RegExp(`${beside}halloween\\b`, "gi"), "31 October"],
];

const rewritten = (text: string, rewrites: readonly Rewrite[]): string =>
  rewrites.reduce((left, [pattern, words]) => left.replace(pattern, words), text);

/** Days that have a name in figures, and each with the word of its side before it. */
export const withDaysInFigures = (said: string): string =>
  rewritten(said, [[formerMonth, ""], [formerFirst, ""], [sameMonth, ""], ...namedDays, ...sides]);

/** What moves days, in the forms that flights are read in. */
export const withMovedDays = (said: string): string => rewritten(said, [...contrasts, ...movedDays, ...lengths]);
