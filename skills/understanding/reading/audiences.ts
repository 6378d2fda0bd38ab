import { anyOf } from "./any-of.ts";
import { matchesOf, type Span, spansOf } from "./spans.ts";

const people =
  "adults|women|men|females?|males?|people|persons|famil(?:ies|ias|ien|les)|parents|kids|children|girls|boys|" +
  "millennials|gen ?z|boomers|moms|mums|mothers|dads|fathers|teens|teenagers|seniors|students|households|hhs?|" +
  "gamers|shoppers|professionals|frauen|manner|erwachsene|eltern|kinder|haushalte|mujeres|hombres|adult[oe]s|" +
  "jovenes|femmes|hommes|jeunes|homens|mulheres|jovens";
const group = `(?:(?:young|older|single|working|new) )?(?:${people})`;
const groups = `${group}(?:\\s?(?:,|and|&|or|/|und|y|et|e)\\s?${group}){0,4}`;
const range = "\\d{2}\\s?(?:-|–|to|bis|a|ate|and|und|y|et|e)\\s?\\d{2}";
const age =
  `(?:${range}|\\d{2}\\s?\\+|(?:under|over|above|below|unter|uber|ab|mas de|plus de)\\s\\d{1,2}\\b)` +
  "(?:(?: |-)?(?:year|yr)s?(?:[ -]olds?)?\\b|\\s?(?:y/?o|jahren?|anos|ans)\\b)?";
const aged = "(?:(?:aged?|ages|between|de|von|zwischen|entre|im alter von)\\s){0,2}";
/** "Moms with kids under 12"; where another thing begins, it ends. */
const stop = "(?=[,.;:!?\\n()/]|$|\\s(?:in|on|for|from|at|by|during|please|pls|and|via|to|starting|between)\\s)";
const trait = `(?:\\s(?:who|with|of|that are)\\s[\\p{L}\\d][\\p{L}\\d %$€'-]{1,50}?${stop})`;

const described = new RegExp(
  `\\b(?:${groups}(?: only)?|ages?|aged|alter)[\\s,:]+${aged}${age}${trait}?|\\b${groups}${trait}`,
  "giu",
);
const alone = new RegExp(
  `(?<=^|[,;:(]\\s?|\\b(?:for|to|at|target\\w*|reach|fur|para|pour|only)\\s)(?!people|persons|households|hhs?|kids)` +
    `\\b${groups}(?=[,.;:!?)]|$|\\s(?:in|only|aged)\\b)`,
  "giu",
);
const coded = anyOf(
  /\b[APMWF]\s?\d{2}(?:-\d{2}|\+)/gi,
  new RegExp(`\\b(?:${range}|\\d{2}\\s?\\+)(?: |-)?(?:(?:year|yr)s?[ -]?olds?\\b|y/?o\\b|jahre\\b)`),
  /(?<![\d.,$€£-])(?:1[2-9]|[2-6]\d)\+(?=[\s,;.)]|$)/,
);

/** Words that follow "target" and name nobody. */
const nobody =
  "cpms?|prices?|rates?|volume|budget|dates?|of|is|are|was|do|does|can|could|you|us|me|we|i|them|it|that|this|those|" +
  "these|there|and|or|options?|available|possib\\w*|frequency|goals?|reach|out|more|many|how|what|which|any|on|in|" +
  "for|with|people|groups?|audiences?|segments?|data|costs?|extra|included|impressions|as|at|to|an agreement|number";
const wished = new RegExp(
  "(?:\\b(?:re-?)?target(?:ing|ed|s)?(?:\\s(?:at|to|on|group:?|audience:?))?:?|" +
    "\\b(?:anyone|everyone|people|users|those|fans|consumers)(?: who (?:are|is))? interested in|" +
    "\\b(?:aim(?:ed|ing) at|addressing|zielgruppe:?)|" +
    "\\baudience(?: is)?:|(?:^|[.,;]\\s?|\\b(?:to|want) )reach)\\s(?:the |an? |our |all |only )?" +
    `(?!(?:${nobody})\\b)(\\p{L}[\\p{L}' -]{2,50}?)${stop}`,
  "giu",
);

/** "Is it targeted to Germany": a place or a product is nobody either. */
const wishedIn = (text: string, isTaken: (words: string) => boolean): readonly Span[] =>
  matchesOf(text, wished).flatMap((match) => {
    const words = match[1] ?? "";
    const end = match.index + match[0].length;
    return isTaken(words) ? [] : [{ start: end - words.length, end }];
  });

const mayName = new RegExp(
  `\\d|\\b(?:${people}|(?:re-?)?target\\w*|interested|aim\\w*|audience|reach|addressing|zielgruppe)\\b`,
  "i",
);

const firstOnes = (spans: readonly Span[]): readonly Span[] => {
  const kept: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end))
    if ((kept.at(-1)?.end ?? 0) <= span.start) kept.push(span);
  return kept;
};

/** Each stretch once, the longest that begins first; what is only wished for gives way to people and ages. */
export const audiencesIn = (text: string, isTaken: (words: string) => boolean): readonly Span[] => {
  if (!mayName.test(text)) return [];
  const sure = firstOnes([described, coded, alone].flatMap((pattern) => spansOf(text, pattern)));
  const others = wishedIn(text, isTaken).filter(
    ({ start, end }) => !sure.some((one) => one.start < end && one.end > start),
  );
  return [...sure, ...others].toSorted((one, other) => one.start - other.start);
};
