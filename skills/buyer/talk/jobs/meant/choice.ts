import { wholeWords } from "../../whole-words.ts";
import { mentionsIn } from "../../brief/words/mentions.ts";
import { channelWords } from "../../brief/words/vocabulary.ts";
import { namingsIn } from "./names.ts";

export type Extreme = "dearest" | "cheapest";

/** Money in total, unless the price per thousand is named. */
export type Measure = "cost" | "cpm";

interface Named {
  readonly isAll: boolean;
  readonly places: readonly number[];
  readonly extremes: readonly Extreme[];
  readonly measure: Measure;
}

export interface Wanted {
  readonly chosen: Named;
  readonly except: Named | null;
}

export interface Numbered {
  readonly place: number;
  readonly cpm: number;
  readonly cost: number;
  /** Its name, its id, and what its channel is called by. */
  readonly names: readonly string[];
}

const mostNamed = 6;

/** "The homepage one": by a part of its name that no other line has. */
const byParts = (text: string, lines: readonly Numbered[]): string => {
  const names = lines.map((line) => [line, line.names[0] ?? ""] as const);
  let said = text;
  for (let at = 0; at < mostNamed; at += 1) {
    const [one, other] = namingsIn(said, names);
    if (one === undefined || other !== undefined) return said;
    said = `${said.slice(0, one.span.start)}${one.named.place}${said.slice(one.span.end)}`;
  }
  return said;
};

/** "The TV line" where one line is CTV; where several are, only "the TV lines" means them. */
const byChannels = (text: string, lines: readonly Numbered[]): string =>
  mentionsIn(text, channelWords).reduceRight((said, { name, start, end }) => {
    const places = lines.filter((line) => line.names.includes(name)).map(({ place }) => place);
    const isOne = /^ (?:line|one)\b/i.test(said.slice(end));
    return places.length === 0 || (isOne && places.length > 1)
      ? said
      : `${said.slice(0, start)}${places.join(" ")}${said.slice(end)}`;
  }, text);

const quotedPlace = /["'\u201c\u201d\u00ab\u00bb](\s*\d{1,3}\s*)["'\u201c\u201d\u00ab\u00bb]/g;

const money = "[$]?\\d[\\d.,]*\\s?(?:k|usd|dollars?|bucks)?(?:\\s?cpm)?";
const lineWord = "(?:lines?|ones?|deals?|offers?|options?|products?)";
const byMoney = new RegExp(
  `(?<![\\w.,])${money}(?= ${lineWord}\\b)|(?<=\\b${lineWord} )(?:of|for|at|with|worth|costing) ${money}(?![\\w%])`,
  "gi",
);

/** "The 500 dollar one", "the line at 28 CPM": where one line costs that. */
const byFigures = (text: string, lines: readonly Numbered[]): string =>
  text.replace(byMoney, (said) => {
    const [, digits = "", unit = ""] = /(\d[\d.,]*)\s?(k?)/i.exec(said) ?? [];
    const value = Number(digits.replace(/[.,](?=\d{3}\b)/g, "").replace(/[.,]$/, "")) * (unit === "" ? 1 : 1000);
    const isCpm = /cpm/i.test(said);
    const isNear = (line: Numbered): boolean =>
      isCpm ? line.cpm === value : value >= 100 && Math.abs(line.cost - value) < (unit === "" ? 1 : 500);
    const near = lines.filter(isNear);
    const numbered = near.filter(({ place }) => new RegExp(`\\b(?:number|line|no\\.?) ?${place}\\b`, "i").test(text));
    const [one, other] = near.length > 1 ? numbered : near;
    return one === undefined || other !== undefined ? said : String(one.place);
  });

const counts = ["two", "three", "four", "five", "six"];
const counted = new RegExp(
  `\\b(?:(?:all|these|those|the|them) )*(?:of (?:the |them )?)?(${counts.join("|")}|[2-6])` +
    `(?= (?:lines|ones|deals|of them)\\b)|` +
    `\\b(?:all|these|those|the)(?: the| of)? (${counts.join("|")})\\b`,
  "gi",
);

/** "All three lines" where three wait. */
const byCount = (text: string, lines: readonly Numbered[]): string =>
  text.replace(counted, (said, before: string | undefined, behind: string | undefined) => {
    const word = (before ?? behind ?? "").toLowerCase();
    const size = counts.includes(word) ? counts.indexOf(word) + 2 : Number(word);
    return size === lines.length ? "all" : said;
  });

/** "The CTV line" as the numbers of the lines that are called so. */
export const withPlaces = (text: string, lines: readonly Numbered[]): string => {
  const names = [...new Set(lines.flatMap((line) => line.names.slice(0, 2)))].toSorted(
    (one, other) => other.length - one.length,
  );
  const said = names.reduce((left, name) => {
    const places = lines.filter((line) => line.names.includes(name)).map(({ place }) => place);
    return left.replace(wholeWords(name, "gi"), places.join(" "));
  }, text);
  return byChannels(byParts(byFigures(byCount(said, lines), lines), lines), lines).replace(quotedPlace, "$1");
};

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const foreignOrdinals: readonly RegExp[] = [
  /^(?:erste[nrs]?|primer[ao]?|premiere?|primeir[ao])$/,
  /^(?:zweite[nrs]?|segund[ao]|deuxieme|seconde?)$/,
  /^(?:dritte[nrs]?|tercer[ao]?|troisieme|terceir[ao])$/,
];

const ordinalOf = (word: string): string => {
  const place = ordinals.indexOf(word);
  const at = place < 0 ? foreignOrdinals.findIndex((words) => words.test(word)) : place;
  return at < 0 ? word : String(at + 1);
};

const allWords = /^(?:all|everything|both|beide|alle|alles|ambas|ambos)$/;
const bothWords = /^(?:both|beide|ambas|ambos)$/;
const exception = /\b(?:but(?: not)?|except(?: for)?|excluding|apart from|without|minus|not)\b/;
const extremeWords: readonly (readonly [Extreme, RegExp])[] = [
  [
    "dearest",
    new RegExp(
      "\\b(?:(?:most|more) expensive|priciest|pricier|dearest|dearer|highest(?=[- ]?cpm)|" +
        "(?:highest|biggest|largest)[- ](?:priced?|total))\\b",
      "gi",
    ),
  ],
  [
    "cheapest",
    /\b(?:cheapest|cheaper|(?:least|less) expensive|lowest(?=[- ]?cpm)|(?:lowest|smallest)[- ](?:priced?|total))\b/gi,
  ],
];
const perThousand = /\b(?:(?:by|in|per) )?(?:the )?(?:cpm|(?:price )?per (?:thousand|mille))\b/gi;
const byTotal = /\b(?:by|in) (?:the )?total(?: (?:cost|price|money))?\b/gi;

export const measureIn = (text: string): Measure => (text.search(perThousand) < 0 ? "cost" : "cpm");

export const extremesIn = (text: string): readonly Extreme[] =>
  extremeWords.filter(([, pattern]) => text.search(pattern) >= 0).map(([extreme]) => extreme);
/** Beside a choice of lines they add no term, no condition and no doubt. */
const fillers = new Set(
  (
    "approve approved approval book booking take accept buy purchase reserve secure confirm order get pick select " +
    "choose choice lock run proceed please pls plz kindly hereby ok okay yes yep yeah yup the line lines number " +
    "numbers deal deals offer offers recommendation recommendations product products placement placements ad ads " +
    "option options item items only just and also too as well of them one ones it this that these those now i i'd " +
    "i'll i'm we we'd we'll you us me my our your want need let's let lets go going ahead do with then so for " +
    "to in on would like can could have has is be fine good great perfect alright sure thanks thank nice looks " +
    "recommended suggested shown remaining agree cool everybody green light thumbs up sign off keep start rather " +
    "should wish give hi hello hey dear team actually aprove aproved proposed behalf kind as " +
    "bitte nimm nehme nehmen wir ich die der das den zeile zeilen buche buchen por favor reserva compra " +
    "decide decided tomamos la las el los quiero linea lineas svp je on prends prenons le les ligne lignes reservez"
  ).split(" "),
);

const bareWish = /^\W*(?:(?:a bit|a little|much|please|pls)\W+)*(?:cheaper|dearer|(?:less|more) expensive)\W*$/i;

/** Null where any word is more than a choice; "cheaper" alone wishes for another price. */
const named = (text: string): Named | null => {
  if (bareWish.test(text)) return null;
  const extremes = extremesIn(text);
  const left = [...extremeWords.map(([, pattern]) => pattern), perThousand, byTotal].reduce(
    (rest, pattern) => rest.replace(pattern, " "),
    text,
  );
  const words = left
    .split(/[\s,;&+-]+/)
    .map((word) => word.replace(/[.!:]+$/, ""))
    .filter((word) => word !== "" && !fillers.has(word));
  const rest = words
    .filter((word) => !allWords.test(word))
    .map((word) => word.replace(/^#/, "").replace(/^(\d{1,3})(?:st|nd|rd|th)$/, "$1"))
    .map(ordinalOf);
  if (!rest.every((word) => /^\d{1,3}$/.test(word))) return null;
  const places = rest.map(Number);
  // "Both, 1 and 2" says the same twice.
  const isTwice = places.length === 2 && words.some((word) => bothWords.test(word));
  const isAll = !isTwice && words.some((word) => allWords.test(word));
  const isList = places.length + extremes.length > 0;
  return isAll === isList ? null : { isAll, places, extremes, measure: measureIn(text) };
};

const range = (said: string, from: string, to: string): string => {
  const size = Number(to) - Number(from) + 1;
  return size < 2 || size > mostNamed ? said : Array.from({ length: size }, (_, at) => Number(from) + at).join(" ");
};

/** "Let me get sign-off first" names no first line. */
const beforeAll = /(?<!\b(?:the|my|our|your|line|only|just|and|take|book|approve|drop),? )\bfirst[.!\s]*$/i;

/** Null where the words leave open what is meant: a condition, a question, a negation. */
export const wantedIn = (text: string): Wanted | null => {
  if (/\d[.,]\d{3}\b/.test(text) || (/\s/.test(text.trim()) && beforeAll.test(text))) return null;
  const plain = text
    .toLowerCase()
    .replace(/[.!\s]+$/, "")
    .replace(/,? (?:and )?(?:leave|skip|forget|ignore) the (?:rest|others?)$/, "")
    .replace(/\b(\d{1,2}) ?(?:to|-|through|until) ?(\d{1,2})\b/g, range);
  const [head = "", ...tails] = plain.split(exception);
  const chosen = named(head);
  if (chosen === null || tails.length > 1) return null;
  if (tails.length === 0) return { chosen, except: null };
  const except = named(tails[0] ?? "");
  return except === null || except.isAll || !chosen.isAll ? null : { chosen, except };
};

type Found<T> = { readonly lines: readonly T[] } | { readonly problem: string };

export const extremeOf = <T extends { readonly cpm: number; readonly cost: number }>(
  lines: readonly T[],
  extreme: Extreme,
  measure: Measure,
): readonly T[] => {
  const values = lines.map((line) => line[measure]);
  const value = extreme === "dearest" ? Math.max(...values) : Math.min(...values);
  return lines.filter((line) => line[measure] === value);
};

/** Which of the two a choice of "the cheapest" was made by. */
export const measureWords = ({ chosen, except }: Wanted): string => {
  const of = [chosen, ...(except === null ? [] : [except])].find(({ extremes }) => extremes.length > 0);
  if (of === undefined) return "";
  const words = of.extremes.map((extreme) => (extreme === "dearest" ? "most expensive" : "cheapest")).join(" and ");
  return of.measure === "cpm" ? ` (the ${words} by CPM)` : ` (the ${words} by its total, not by CPM)`;
};

const linesOf = <T extends Numbered>(of: Named, lines: readonly T[]): Found<T> => {
  const unknown = of.places.filter((place) => !lines.some((line) => line.place === place));
  if (unknown.length > 0) return { problem: `No line ${unknown.join(", ")} waits for approval.` };
  const picked = new Set(lines.filter(({ place }) => of.isAll || of.places.includes(place)));
  for (const extreme of of.extremes) {
    const [line, other] = extremeOf(lines, extreme, of.measure);
    if (line === undefined || other !== undefined)
      return { problem: `Several lines are the ${extreme}: name numbers.` };
    picked.add(line);
  }
  return { lines: lines.filter((line) => picked.has(line)) };
};

export const chosenOf = <T extends Numbered>({ chosen, except }: Wanted, lines: readonly T[]): Found<T> => {
  const found = linesOf(chosen, lines);
  if ("problem" in found || except === null) return found;
  const spared = linesOf(except, lines);
  return "problem" in spared ? spared : { lines: found.lines.filter((line) => !spared.lines.includes(line)) };
};
