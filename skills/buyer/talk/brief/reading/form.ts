import { unsoldChannels } from "../words/vocabulary.ts";
import { placesIn } from "../../../../understanding/reading/places.ts";
import { blanked, type Span, spansOf } from "../../../../understanding/reading/spans.ts";

const figure = "(?:\\d[\\d.,]*\\d|\\d)(?:\\s?k\\b)?";
const limitWords =
  "max(?:imum)?\\.?|cap(?:ped)?|limit|ceiling|under|below|up to|(?:no|not) (?:more|higher|bigger|" +
  "greater|over|above)(?: than)?|at most|(?:(?:should|must|may|can|does) ?)?(?:not|n't|never) " +
  "(?:exceed|go (?:over|above)|be (?:over|above|higher than|more than))";
const priceLine = new RegExp(
  `\\b(?:(${limitWords}|target|goal|av(?:era)?ge?\\.?|ideal)\\s+)?(?:cpm|tkp)s?\\b[\\s:=(]*` +
    `((?:(?:${limitWords}|target|goal|of|is|at|to|should be|must be|usd|around|about|roughly|approx\\.?|ca\\.?|` +
    "~)[\\s:=)]*)*)" +
    `\\$?\\s?(${figure})(?:\\s?(?:\\$|usd\\b|dollars?\\b))?(\\s*\\(?(?:max(?:imum)?\\b|tops\\b|` +
    `or less\\b|at most\\b)\\)?)?` +
    "(?![\\d.,]*\\s?(?:%|imp))",
  "gi",
);

const aimed = new RegExp(
  `\\b(?:aim(?:ing)?|shoot(?:ing)?|hop(?:e|ing))\\s+(?:for|at)\\s+\\$?\\s?(${figure})(?:\\s?(?:\\$|usd|` +
    "dollars?))?(?:\\s?cpm\\b|(?=\\s*(?:[,;!?]|[.]?$|instead|then|please)))",
  "gi",
);

const notAbove = new RegExp(
  "\\b(?:no|not|nothing|none|never|without|cannot)\\b(?=[^.,;:!?\\n\\d$]*\\b(?:cpm|tkp)s?\\b)" +
    "(?=[^.,;:!?\\n\\d$]*\\b(?:above|over|beyond|exceed\\w*|(?:more|higher|greater|dearer) than)\\b)" +
    `[^.,;:!?\\n\\d$]{4,80}?\\$?\\s?(${figure})(?:\\s?(?:\\$|usd\\b|dollars?\\b))?(?![\\d.,]*\\s?(?:%|imp))`,
  "gi",
);

/** "Max CPM: $30", "CPM under $30" and "CPM limit 30" in the one form that prices are read in: "max 30 CPM". */
export const withPriceLines = (given: string): string =>
  given
    .replace(/(\d[\d.,]*)\s?grand\b/gi, "$1k dollars")
    .replace(/\bus[ -]dol+ars?\b/gi, "dollars")
    .replace(aimed, "target $1 CPM")
    .replace(notAbove, "max $1 CPM")
    .replace(priceLine, (_said, before: string = "", between: string = "", price: string, behind: string = "") => {
      const words = `${before} ${between} ${behind}`;
      if (new RegExp(`\\b(?:${limitWords}|tops|or less)`, "i").test(words)) return `max ${price} CPM`;
      return /\btarget|goal\b/i.test(words) ? `target ${price} CPM` : `${price} CPM`;
    });

const labels: Readonly<Record<"name" | "advertiser" | "audience" | "geo" | "kpi", RegExp>> = {
  name: new RegExp(
    "^(?:the )?(?:campaign(?: name| title)?|name(?: of (?:the|our|my) campaign)?|title|project|nom|nombre|nome|" +
      "titel|titre|kampagne|campagne)$",
    "i",
  ),
  advertiser: /^(?:advertiser|client|brand|customer|kunde|marke|anunciante|annonceur)$/i,
  audience: new RegExp(
    "^(?:target(?:ing)?|(?:target |our )?audiences?|target (?:group|market|demographics?)|tg|who|zielgruppe|publico|" +
      "cible)$",
    "i",
  ),
  geo: /^(?:geo\w*|places?|countr(?:y|ies)|markets?|regions?|locations?|territor(?:y|ies))$/i,
  kpi: /^(?:kpis?|measure(?:ment|d by)?|success)$/i,
};
/** They say of themselves only what the value behind them is. */
const neutral = new RegExp(
  "^(?:when|where|why|money|timing|flight|dates?|period|when|media|channels?|formats?|placements?|budget|spend|" +
    "total budget|" +
    "(?:budget )?split|allocation|(?:media )?mix)$",
  "i",
);
const labelled =
  /(?:^|(?<=[.;!]\s))[ \t]*(?:[-*•][ \t]*)?([\p{L}][\p{L} /-]{1,24}?)[ \t]*[:=][ \t]*((?:(?![.;](?:\s|$))[^\n])+)/gmu;
/** Where another member follows the people of one line. */
const otherMember = new RegExp(
  ",\\s*(?:(?:brand )?awareness|branding|traffic|sales|conversions?|leads|reach|installs?|objectives?|goals?|" +
    "budget|cpm|max|" +
    "from|[$€]\\d[\\d.,]*k?|\\d[\\d.,]*k|\\d{4,})\\b",
  "i",
);
const mailHead = /^[ \t]*(?:subject|re|fwd?|aw|wg|betreff|asunto|objet|cc|sent)[ \t]*:[^\n]*/gim;
/** How often and how well ads are to be shown: no brief asks sellers for it. */
const unsoldWishes = new RegExp(
  "\\b(?:(?:max(?:imum)?\\.?\\s+)?freq(?:uency)?\\b\\.?(?:\\s+cap\\w*)?[^,.;\\n]{0,30}|" +
    "(?:max(?:imum)?\\.?\\s+)?\\d{1,2}\\s?(?:x|times)\\s+(?:per|a)\\s+(?:user|person|day|week|" +
    "month)\\b[^,.;\\n]{0,20}|" +
    "(?:min(?:imum)?\\.?\\s+)?(?:\\d{1,3}\\s?%\\s+)?(?:viewab\\w+|completion(?: rate)?|vtr|brand " +
    "safety)\\b(?:[^,.;\\n]{0,20}\\d{1,3}\\s?%)?)",
  "gi",
);

const quotedAudience = /\b(?:target )?audience\b[^.\n"“”]{0,40}["“”]([^"“”\n]{3,120})["“”]/i;

/** The country, where it can be no pronoun. */
const bareUs = new RegExp(
  "(?<=[,;(]\\s?)us(?=\\s*(?:[,;).\\n]|$))|(?<=\\b(?:in|across|throughout|within|the)\\s)us\\b|" +
    "\\bus(?=[\\s-](?:only|wide|market|adults|households|audience)\\b)",
  "gi",
);

const leftOut = /\b(?:no|not|without|skip|exclud\w*|avoid|drop|except|on|in|of)\s+(?:the\s+|any\s+)?$/i;

export interface Form {
  /** The text without what was read of it. */
  readonly left: string;
  readonly name: string | null;
  readonly advertiser: string | null;
  readonly audience: string | null;
  readonly places: readonly string[];
  /** Called channels, and none here. */
  readonly unsold: readonly string[];
  /** Wishes that a brief has no member for. */
  readonly unused: readonly string[];
}

export const formIn = (given: string): Form => {
  const text = given.replace(mailHead, (words) => " ".repeat(words.length));
  const taken: Span[] = [];
  let name: string | null = null;
  let advertiser: string | null = null;
  const inQuotes = quotedAudience.exec(text);
  if (inQuotes !== null) taken.push({ start: inQuotes.index, end: inQuotes.index + inQuotes[0].length });
  let audience = inQuotes?.[1]?.trim() ?? null;
  const places: string[] = [];
  const unused: string[] = [];
  for (const { 0: row, 1: label = "", 2: said = "", index } of text.matchAll(labelled)) {
    const isAudience = labels.audience.test(label);
    const rest = isAudience ? said.search(otherMember) : -1;
    const value = (rest < 0 ? said : said.slice(0, rest)).trim();
    const at = { start: index, end: index + row.length - (rest < 0 ? 0 : said.length - rest) };
    if (labels.name.test(label)) name = value.replace(/^["']|["']$/g, "").slice(0, 100);
    else if (labels.advertiser.test(label)) advertiser = value.slice(0, 100);
    else if (isAudience) audience = value;
    else if (labels.geo.test(label)) places.push(value);
    else if (labels.kpi.test(label) && !/\bcpm\b/i.test(value)) unused.push(`${label}: ${value}`);
    else if (neutral.test(label)) {
      const colon = row.search(/[:=]/);
      taken.push({ start: index, end: index + colon + 1 });
      continue;
    } else continue;
    taken.push(at);
  }
  const rest = blanked(text, taken);
  const named = [...placesIn(rest, () => false), ...spansOf(rest, bareUs)].toSorted(
    (one, other) => one.start - other.start,
  );
  places.push(...named.map(({ start, end }) => rest.slice(start, end).replace(/^the /i, "")));
  const wishes = spansOf(rest, unsoldWishes);
  unused.push(...wishes.map(({ start, end }) => rest.slice(start, end).trim()));
  const bare = blanked(rest, [...withPrepositions(rest, named), ...wishes]);
  const unsold = spansOf(bare, unsoldChannels).filter(({ start }) => !leftOut.test(bare.slice(0, start)));
  return {
    left: blanked(bare, unsold),
    unsold: [...new Set(unsold.map(({ start, end }) => bare.slice(start, end)))],
    name,
    advertiser,
    audience,
    places: [...new Set(places)],
    unused,
  };
};

const beforePlace = new RegExp(
  "(?:\\b(?:only|just|not|except|outside|excluding)\\s+)?(?:\\b(?:of|in|across|throughout|within|for|from|and|,|" +
    "geo:?)\\s*)?" +
    "(?:\\bthe\\s+)?$",
  "i",
);

/** "In the UK only" is of the place as a whole. */
const withPrepositions = (text: string, spans: readonly Span[]): readonly Span[] =>
  spans.map(({ start, end }) => {
    const before = beforePlace.exec(text.slice(0, start));
    const behind = /^(?:\s+only\b)?/i.exec(text.slice(end))?.[0].length ?? 0;
    return { start: before?.index ?? start, end: end + behind };
  });
