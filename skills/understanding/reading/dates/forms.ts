import { dayMs } from "../../../../machines/inventory/dates.ts";
import { month } from "./month-words.ts";
import {
  atOf,
  between,
  comingMonday,
  type Days,
  firstOf,
  monthFrom,
  named,
  numeric,
  quarterOf,
  todayOf,
  yearFrom,
  yearOf,
} from "./moments.ts";

/** Bounded: several readers would try every length of a long row of blanks. */
const gap = "\\s{0,8}";
export const year = `(?:,?${gap}(?:del?\\s)?(?:'(?=\\d\\d\\b))?((?:19|20)\\d\\d|(?<=')\\d\\d))?`;
/** Two digits that have no unit, and are neither a day nor a price. */
const bareYear =
  "(?:2[5-9]|3\\d)(?!\\d|[.,']\\d|\\.?\\s?(?:st|nd|rd|th|k|m|mm|mio|mn|million|thousand|imp\\w*|cpm|tkp|days?|usd|" +
  "eur\\w*|[-–]\\s?\\d|[%$€£:/])(?![a-z]))";
/** "5 April 27"; where no day stands before it, 27 is one itself. */
const shortYear = `(?:,?${gap}(?:del?\\s)?(?:'(?=\\d\\d\\b))?((?:19|20)\\d\\d|(?<=')\\d\\d|(?<=[a-z.] )${bareYear}))?`;
/** "12.50 March" names no day 50. */
const day = "(?<!\\d[.,])(\\d{1,2})(?:st|nd|rd|th|er|\\u00ba)?(?![.,]\\d\\d(?!\\d))";
const noDayBefore = "(?<!(?<![\\d,.])\\d{1,2}(?:st|nd|rd|th)?\\.?\\s)";
const until =
  "-|–|—|to|through|thru|until|till|and|bis(?: zum)?|a|al|au|ate(?: o)?|hasta(?: el)?|" +
  "et(?: le)?|und(?: dem)?|y(?: el)?|e(?: o)?";
const to = `${gap}(?:${until})(?: the)?${gap}`;
const of = "(?:of\\s+|de\\s+|do\\s+|d')?";
const ofMonth = `(?:of|in|im|des|de|del|do|du|d')?\\s?(?:the\\s+)?(${month})\\b${year}`;

const iso = "\\b(\\d{4}(?=[-/])|20\\d\\d(?=[01]\\d[0-3]\\d\\b))[-/]?(\\d{2})[-/]?(\\d{2})\\b";
const us = "(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?";
const dotted = "(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}|\\d{2}\\b)?";

const quarter = "q([1-4])(?:\\s?'?(20\\d\\d|(?<=')\\d\\d))?";
/** "Q2 27", "q2/2027". */
const quarterYear = `(?:\\s*(?:of\\s*|de\\s*|/\\s?)?'?(20\\d\\d|(?<=['/])\\d\\d|(?<=\\d )${bareYear}))?`;

const countWords: Readonly<Record<string, number>> = {
  a: 1,
  ...Object.fromEntries(
    [
      "one two three four five six seven eight nine ten eleven twelve",
      "eine zwei drei vier funf sechs sieben acht",
      "una dos tres cuatro cinco seis siete ocho",
      "une deux trois quatre cinq six sept huit",
      "uma duas tres quatro cinco seis sete oito",
    ].flatMap((names) => names.split(" ").map((name, at) => [name, at + 1])),
  ),
};
export const countWord = `\\d{1,3}|${Object.keys(countWords).join("|")}`;
const lengthWords: readonly (readonly [RegExp, number])[] = [
  [/^(?:fortnight|quin)/i, 14],
  [/^(?:w|sem)/i, 7],
  [/^mo|^mes|^mois/i, 30],
];

export const lengthOf = (count: string | undefined, unit: string | undefined): number => {
  const each = lengthWords.find(([words]) => words.test(unit ?? ""))?.[1] ?? 1;
  return (countWords[(count ?? "").toLowerCase()] ?? Number(count)) * each;
};

export const anyLength =
  `(${countWord})[\\s-]?` +
  "(days?|weeks?|fortnights?|months?|tagen?|wochen?|monaten?|dias|semanas?|meses|jours|semaines?)\\b";

const ordinals: readonly (readonly [RegExp, number])[] = [
  [/^(?:first|front|1st|erste|prim|premier|1\.|1er)/i, 1],
  [/^(?:second|back|2nd|zweite|segund|deuxieme|2\.)/i, 2],
  [/^(?:third|3rd|dritte|terce|troisieme|3\.)/i, 3],
  [/^(?:fourth|4th|vierte|cuart|quart|quatrieme|4\.)/i, 4],
];
const ordinal =
  "first|front|1st|back|second|2nd|third|3rd|fourth|4th|last|(?:erste|zweite|dritte|vierte|letzte)[nrs]?|primer[oa]?|" +
  "primeir[oa]|segund[oa]|tercera?|tercero|terceir[oa]|cuart[oa]|quart[oa]|ultim[oa]|premiere?|deuxieme|seconde|" +
  "troisieme|quatrieme|derniere?";

/** 0 for the last. */
const placeOf = (word: string | undefined): number => ordinals.find(([pattern]) => pattern.test(word ?? ""))?.[1] ?? 0;

const partOf = (days: Days | null, place: number, length: number): Days | null => {
  if (days === null) return null;
  const [start, end] = days;
  if (place === 0) return [Math.max(start, end - (length - 1) * dayMs), end];
  const from = start + (place - 1) * length * dayMs;
  return [from, Math.min(from + (length - 1) * dayMs, end)];
};

const monthOfName = (name: string | undefined, ofYear: string | undefined, nowMs: number): Days | null =>
  between(named(name, "1", ofYear), named(name, undefined, ofYear), nowMs);

const halfOf = (name: string | undefined, isFirst: boolean, ofYear: string | undefined, nowMs: number): Days | null =>
  between(named(name, isFirst ? "1" : "16", ofYear), named(name, isFirst ? "15" : undefined, ofYear), nowMs);

/** By ISO 8601: the first week of a year holds its 4 January. */
const isoWeek = (week: number, ofYear: number): Days | null => {
  if (week < 1 || week > 53) return null;
  const fourth = new Date(Date.UTC(ofYear, 0, 4));
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs;
  return [monday, monday + 6 * dayMs];
};

const weeks = (
  from: string | undefined,
  until: string | undefined,
  nowMs: number,
  given: number | null,
): Days | null => {
  const thisYear = given ?? new Date(nowMs).getUTCFullYear();
  const read = (ofYear: number): Days | null => {
    const [first, last] = [isoWeek(Number(from), ofYear), isoWeek(Number(until ?? from), ofYear)];
    return first === null || last === null ? null : [first[0], last[1]];
  };
  const found = read(thisYear);
  return found !== null && given === null && found[1] < todayOf(nowMs) ? read(thisYear + 1) : found;
};

const relative: Readonly<Record<string, (nowMs: number, ahead: number) => Days | null>> = {
  month: monthFrom,
  year: yearFrom,
  week: (nowMs, ahead) => {
    const monday = comingMonday(nowMs) + (ahead - 1) * 7 * dayMs;
    return [monday, monday + 6 * dayMs];
  },
  quarter: (nowMs, ahead) => {
    const now = new Date(nowMs);
    const place = Math.floor(now.getUTCMonth() / 3) + ahead;
    return quarterOf((place % 4) + 1, now.getUTCFullYear() + Math.floor(place / 4), nowMs);
  },
};

const relativeUnits: readonly (readonly [RegExp, keyof typeof relative])[] = [
  [/^(?:w|sem)/i, "week"],
  [/^(?:mo|mes)/i, "month"],
  [/^(?:qu|tri)/i, "quarter"],
  [/^(?:y|j|a)/i, "year"],
];

const relativeOf = (unit: string | undefined, nowMs: number, ahead: number): Days | null => {
  const name = relativeUnits.find(([words]) => words.test(unit ?? ""))?.[1];
  return name === undefined ? null : (relative[name]?.(nowMs, ahead) ?? null);
};

const orNull = (startMs: number | null, endMs: number | null): Days | null =>
  startMs === null || endMs === null ? null : [startMs, endMs];

const atIso = (y?: string, m?: string, d?: string): number | null => atOf(Number(y), Number(m), Number(d));

type Groups = readonly (string | undefined)[];

export type Form<Read> = readonly [pattern: RegExp, read: (groups: Groups, nowMs: number) => Read | null];

/** What a text must hold for a form to be tried: most texts hold none of it. */
export type Needs = "figures" | "month" | "words";

/** Whole flights, longest first: a later form does not see what an earlier one covers. */
export const flights: Readonly<Record<Needs, readonly Form<Days>[]>> = {
  figures: [
    [new RegExp(`${iso}${to}${iso}`, "gi"), ([y1, m1, d1, y2, m2, d2]) => orNull(atIso(y1, m1, d1), atIso(y2, m2, d2))],
    [
      new RegExp(`\\b${us}${to}${us}\\b`, "gi"),
      ([m1, d1, y1, m2, d2, y2], now) =>
        Number(m1) > 12 || Number(m2) > 12
          ? between(numeric(d1, m1, y1), numeric(d2, m2, y2), now)
          : between(numeric(m1, d1, y1), numeric(m2, d2, y2), now),
    ],
    [
      new RegExp(`(?<![\\d.])${day}\\.${to}${dotted}`, "gi"),
      ([d1, d2, m, y], now) => between(numeric(m, d1, y), numeric(m, d2, y), now),
    ],
    [
      new RegExp(`\\b${dotted}${to}${dotted}`, "gi"),
      ([d1, m1, y1, d2, m2, y2], now) => between(numeric(m1, d1, y1), numeric(m2, d2, y2), now),
    ],
  ],
  month: [
    [
      new RegExp(`\\b(${ordinal}) (${month})halfte\\b${year}`, "gi"),
      ([half, name, y], now) => halfOf(name, placeOf(half) === 1, y, now),
    ],
    [
      new RegExp(
        `\\b(?:the )?(${month})\\b${year},?\\s+(?:from|between)\\s+(?:the )?${day}${to}${day}\\b` +
          `(?!\\s+(?:of\\s)?(?:${month}))`,
        "gi",
      ),
      ([name, y, d1, d2], now) => between(named(name, d1, y), named(name, d2, y), now),
    ],
    [
      new RegExp(`\\b(${ordinal}) (?:half|halfte|mitad|metade|quincena|quinzena|moitie|quinzaine) ${ofMonth}`, "gi"),
      ([half, name, y], now) => halfOf(name, placeOf(half) === 1, y, now),
    ],
    [
      new RegExp(`\\b(${ordinal}) (?:full )?(?:week|wk|woche|semana|semaine) ${ofMonth}`, "gi"),
      ([place, name, y], now) => partOf(monthOfName(name, y, now), placeOf(place), 7),
    ],
    [
      new RegExp(`\\b(?:the )?(first|last) (${countWord}) (days|weeks) ${ofMonth}`, "gi"),
      ([place, count, unit, name, y], now) => partOf(monthOfName(name, y, now), placeOf(place), lengthOf(count, unit)),
    ],
    [
      new RegExp(`\\b(${month})\\b${year},\\s(?:the )?(first|last) (${countWord}) (days|weeks)\\b`, "gi"),
      ([name, y, place, count, unit], now) => partOf(monthOfName(name, y, now), placeOf(place), lengthOf(count, unit)),
    ],
    [
      new RegExp(`${noDayBefore}\\b(${month})\\.?\\s+${day}${year}${to}(?:(${month})\\.?\\s+)?${day}\\b${year}`, "gi"),
      ([n1, d1, y1, n2, d2, y2], now) => between(named(n1, d1, y1), named(n2 ?? n1, d2, y2), now),
    ],
    [
      new RegExp(
        `\\b${day}\\.?${gap}${of}(?:(${month})\\.?)?${shortYear}${to}${day}\\.?\\s+${of}(${month})\\b${shortYear}`,
        "gi",
      ),
      ([d1, n1, y1, d2, n2, y2], now) => between(named(n1 ?? n2, d1, y1), named(n2, d2, y2), now),
    ],
    [
      new RegExp(`\\b${day}\\.?\\s+${of}(${month})\\b${year}${to}${day}(?<=st|nd|rd|th)\\b`, "gi"),
      ([d1, name, y, d2], now) => between(named(name, d1, y), named(name, d2, y), now),
    ],
    [
      new RegExp(`\\b(${month})\\b${year}${gap}(?:and|und|&|/|\\+|y|e|et)${gap}(${month})\\b${shortYear}`, "gi"),
      ([n1, y1, n2, y2], now) => between(named(n1, undefined, y1), named(n2, undefined, y2), now),
    ],
    [
      new RegExp(`\\b(${month})\\b${year}${to}(${month})\\b${year}`, "gi"),
      ([n1, y1, n2, y2], now) => between(named(n1, undefined, y1), named(n2, undefined, y2), now),
    ],
    [
      new RegExp(`\\b(?:in|im|en|em|during|throughout)\\s+(${month})\\b${shortYear}(?!${to}\\S)`, "gi"),
      ([name, y], now) => (y?.length === 2 ? monthOfName(name, y, now) : null),
    ],
  ],
  words: [
    [/\bthe month after next\b/gi, (_, now) => monthFrom(now, 2)],
    [
      new RegExp(`\\b${quarter}\\s?(?:-|–|/|to|through|and|&|\\+)\\s?${quarter}\\b`, "gi"),
      ([first, y1, last, y2], now) =>
        between(
          { year: yearOf(y1), month: Number(first) * 3 - 2, day: 1 },
          { year: yearOf(y2), month: Number(last) * 3, day: null },
          now,
        ),
    ],
    [
      new RegExp("\\b(?:(20\\d\\d)[\\s/-]?q([1-4])|([1-4])q\\s?'?(20\\d\\d|\\d\\d))\\b", "gi"),
      ([y1, q1, q2, y2], now) => quarterOf(Number(q1 ?? q2), yearOf(y1 ?? y2), now),
    ],
    [
      new RegExp(`\\b(?:q([1-4])|(${ordinal}|[1-4]\\.) (?:quarter|quartal|trimestre))${quarterYear}(?!\\d)`, "gi"),
      ([digit, name, ofYear], now) =>
        quarterOf(digit === undefined ? placeOf(name) : Number(digit), yearOf(ofYear), now),
    ],
    [
      new RegExp(`\\bh([12])${quarterYear}(?!\\d)`, "gi"),
      ([half, ofYear], now) => {
        const first = Number(half) * 6 - 5;
        const at = yearOf(ofYear);
        return between({ year: at, month: first, day: 1 }, { year: at, month: first + 5, day: null }, now);
      },
    ],
    [
      /\b(?:kw|cw|weeks?|wks?)\s?(\d{1,2}(?:,\s?\d{1,2}){1,8}(?:,?\s(?:and|und)\s\d{1,2})?)\b(?! of| in)/gi,
      ([list], now) => {
        const named = (list?.match(/\d+/g) ?? []).map(Number);
        const isRow = named.every((week, at) => at === 0 || week === Number(named[at - 1]) + 1);
        return isRow ? weeks(String(named[0]), String(named.at(-1)), now, null) : null;
      },
    ],
    [
      new RegExp(
        "\\b(?:kw|cw|w(?=\\d)|(?:calendar |iso )?(?:weeks?|wk))\\s?(\\d{1,2})" +
          "(?:\\s?(?:-|–|/|to|bis|and|und|&)\\s?(?:(?:kw|cw|w(?=\\d)|week|wk)\\s?)?(\\d{1,2}))?\\b(?! of| in)" +
          "(?:\\s?(?:of |in |/)?(20\\d\\d))?",
        "gi",
      ),
      ([first, last, ofYear], now) => weeks(first, last, now, yearOf(ofYear)),
    ],
    [
      /\b(?:the )?(?:(?:whole|full|entire) (?:of |year )?|all of |year |throughout )(20\d\d)\b/gi,
      ([ofYear]) => [Date.UTC(Number(ofYear), 0, 1), Date.UTC(Number(ofYear), 11, 31)],
    ],
    [
      new RegExp(
        "\\b(?:next|(?:nachste|kommende)[nrs]?|proxim[oa]) " +
          "(week|month|quarter|year|woche|monat|quartal|jahr|semana|mes|trimestre|ano)\\b",
        "gi",
      ),
      ([unit], now) => relativeOf(unit, now, 1),
    ],
    [/\b(semaine|mois|trimestre) prochaine?\b/gi, ([unit], now) => relativeOf(unit, now, 1)],
    [/\bthis (month|quarter|year)\b/gi, ([unit], now) => relativeOf(unit, now, 0)],
  ],
};

/** Two of them are a flight, one with a length too. */
export const days: Readonly<Record<Needs, readonly Form<number>[]>> = {
  figures: [
    [new RegExp(iso, "g"), ([y, m, d]) => atIso(y, m, d)],
    [new RegExp(`\\b${dotted}`, "g"), ([d, m, y], now) => firstOf(between(numeric(m, d, y), numeric(m, d, y), now))],
    [new RegExp(`\\b${us}\\b`, "g"), ([m, d, y], now) => firstOf(between(numeric(m, d, y), numeric(m, d, y), now))],
  ],
  month: [
    [
      new RegExp(
        `\\b(${month})\\b${year},?\\s+(?:from|starting|beginning|on|ab)\\s+(?:on\\s+)?(?:the )?` +
          `${day}(?<=st|nd|rd|th)\\b` +
          `(?!\\s+(?:of\\s+)?(?:${month}))`,
        "gi",
      ),
      ([name, y, d], now) => firstOf(between(named(name, d, y), named(name, d, y), now)),
    ],
    [
      new RegExp(
        `\\b(${month})\\.?\\s+(?:the )?${day}\\b(?!\\s?(?:[km]\\b|mm\\b|million|thousand|,\\d{3}))${year}`,
        "gi",
      ),
      ([name, d, y], now) => firstOf(between(named(name, d, y), named(name, d, y), now)),
    ],
    [
      new RegExp(`\\b${day}\\.?\\s+${of}(${month})\\b${shortYear}`, "gi"),
      ([d, name, y], now) => firstOf(between(named(name, d, y), named(name, d, y), now)),
    ],
    [
      new RegExp(`\\b(?:(?:the )?end of|eom|ende|fin(?:ales)? de|fim de) (${month})\\b${year}`, "gi"),
      ([name, y], now) => monthOfName(name, y, now)?.[1] ?? null,
    ],
    [
      new RegExp(`\\b(?:(?:the )?(?:beginning|start) of|bom|anfang|inicio de|debut) (${month})\\b${year}`, "gi"),
      ([name, y], now) => firstOf(monthOfName(name, y, now)),
    ],
    [
      new RegExp(
        `\\b(?:mid(?:dle)?(?:[\\s-]of)?[\\s-]|mitte\\s|a?\\s?mediados\\sde\\s|meados\\sde\\s|mi-)(${month})\\b${year}`,
        "gi",
      ),
      ([name, y], now) => firstOf(between(named(name, "15", y), named(name, "15", y), now)),
    ],
  ],
  words: [
    [/\btomorrow\b/gi, (_, now) => todayOf(now) + dayMs],
    [/\b(?:today|now(?= (?:to|until|till|through)\b))\b/gi, (_, now) => todayOf(now)],
    [/\b(?:next |coming )?monday\b(?!,? (?:the )?\d)/gi, (_, now) => comingMonday(now)],
  ],
};
