import { countWord, year } from "./forms.ts";
import { month, weekdays } from "./month-words.ts";

/** What of these no flight took was not understood. */
export const dateWords = new RegExp(
  [
    `\\b(?:some |any )?(?:${countWord})\\s(?:days?|weeks?)\\s(?:in|of|during)\\s(?:${month})\\b${year}`,
    `\\b(?:(?<!\\d[.,])\\d{1,2}(?:st|nd|rd|th|\\.)?(?:\\s?(?:-|–|to|bis)\\s?\\d{1,2}(?:st|nd|rd|th|\\.)?)?` +
      `\\s+(?:of\\s+)?|(?:early|mid|late|beginning of|end of|middle of|anfang|mitte|ende)[\\s-]+)?(?:${month})\\b` +
      `(?:\\s+\\d{1,2}(?:st|nd|rd|th)?(?![\\w.,'%]|\\s?(?:[km%$€]|mio|million|imp\\w*|cpm)\\b))?${year}`,
    `\\b(?:(?:first|second|third|fourth|last) (?:${weekdays}) (?:in|of) (?:${month})|(?:${weekdays}))\\b` +
      "(?=[\\s,.;?!]|$)",
    "\\bq[1-4]\\b|\\b(?:tomorrow|yesterday|tonight)\\b",
    "\\bnext (?:(?:\\w+ )?(?:days|weeks|months)|week|month|quarter|year)\\b",
    "\\buntil further notice\\b|(?<=\\b(?:start|starting|from|begin|beginning|live|launch|launching)\\s)asap\\b",
    "\\basap(?=\\s+(?:to|until|till|through|bis|-)\\s)|\\bnew year(?:'s(?: eve| day)?)?\\b",
    "\\bwithin (?:the next )?\\d{1,3} (?:days|weeks|months)\\b",
    "(?<=\\b(?:im|zu|an|vor|nach) )(?:fruhling|fruhjahr|sommer|herbst|winter|ostern|weihnachten)\\b",
    "\\b(?:super ?bowl|world cup|olympics|black friday|cyber (?:monday|week)|thanksgiving)\\b",
    "(?<=\\b(?:in|all|whole|this|next|for|until|by|over|of|around|at|during|before|after|since)(?: the)? )" +
      "(?:spring|summer|autumn|fall|winter|christmas|easter)\\b" +
      "(?! (?:launch|campaign|sale|collection))(?: 20\\d\\d)?",
    "\\bweekends?\\b|\\d{4}-\\d{2}-\\d{2}|\\b\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?\\b|\\b20\\d\\d\\b",
  ].join("|"),
  "gi",
);
