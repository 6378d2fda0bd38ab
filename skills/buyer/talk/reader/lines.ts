import { isIn, lists } from "./words.ts";
import { valueOf } from "../../../talk/reader/lexicon.ts";
import { channelOf, nameIdOf, type Place, type Text } from "./text.ts";

/** Which lines are meant, as it was said. */
export type Line =
  | { readonly by: "place"; readonly value: number }
  | { readonly by: "channel" | "name" | "seller" | "type"; readonly value: string }
  /** In the order in which the sellers stand in the list. */
  | { readonly by: "seller place"; readonly value: number }
  | {
      readonly by: "extreme";
      readonly value: "cheapest" | "dearest";
      readonly measure: "cost" | "cpm";
      readonly count: number;
    }
  | { readonly by: "limit"; readonly value: number; readonly isAbove: boolean; readonly measure: "cost" | "cpm" }
  | { readonly by: "price"; readonly value: number }
  /** `count`: "both" and "all three" are none of another number of lines. */
  | { readonly by: "all"; readonly count: number | null }
  | { readonly by: "rest" };

export interface Pick {
  readonly lines: readonly Line[];
  readonly except: readonly Line[];
}

export const noPick: Pick = { lines: [], except: [] };

const most = 40;

const cheap = new Set(["cheapest", "cheaper", "lowest"]);
const dear = new Set(["dearest", "dearer", "priciest", "pricier", "highest"]);
const everything = new Set(["all", "everything", "both", "them", "these", "those", "lot"]);
const above = new Set([
  "above",
  "over",
  "more",
  "exceeding",
  "higher",
  "dearer",
  "exceed",
  "exceeds",
  "least",
  "greater",
]);
const below = new Set(["below", "under", "less", "cheaper", "lower", "most", "up", "max"]);

const limitAt = (
  { words, scan }: Text,
  at: number,
  place: Place,
): { readonly line: Line; readonly to: number } | null => {
  const isAbove = above.has(words[at] ?? "");
  if (!isAbove && !below.has(words[at] ?? "")) return null;
  let to = at + 1;
  while (
    to < place.to &&
    isIn(words[to] ?? "", "than a the of to at cpm total is ing usd price our") &&
    scan.owners[to] === undefined
  )
    to += 1;
  const amount = scan.owners[to];
  if (amount === undefined || !("value" in amount) || typeof amount.value !== "number") return null;
  if (amount.kind === "length" || amount.kind === "percent" || to >= place.to) return null;
  const measure =
    amount.kind === "price" || (amount.value <= 500 && amount.kind !== "money") || words[amount.to] === "cpm"
      ? "cpm"
      : "cost";
  return { line: { by: "limit", value: amount.value, isAbove, measure }, to: amount.to };
};

const exceptLeads = new Set(["except", "without", "minus", "excluding", "besides"]);

/** "All, if it weren't for the display" leaves that out. */
export const isButForAt = (words: readonly string[], at: number): boolean =>
  /^if (?:it|that) (?:weren't|wasn't|were not|was not) for\b/.test(words.slice(at, at + 5).join(" "));

const isExceptAt = (words: readonly string[], at: number): boolean =>
  isButForAt(words, at) ||
  exceptLeads.has(words[at] ?? "") ||
  (words[at] === "but" && isIn(words[at - 1] ?? "", "all everything anything both them lines")) ||
  (words[at] === "apart" && words[at + 1] === "from") ||
  (words[at] === "other" && words[at + 1] === "than") ||
  (words[at] === "not" && isIn(words[at - 1] ?? "", "all everything both but ,"));

const leaving = `${lists.drop} ${lists.cancel} ${lists.ends} leave forget pass ignore`;

/**
 * Behind a line that is wanted: "1 and 3 not 2", "display but never native", "the display, no video", "book the CTV,
 * skip the pre-roll"; behind an order to drop such a verb only goes on with it.
 */
export const isRefusedAt = (text: Text, at: number, place: Place): boolean => {
  const isVerb = isIn(text.words[at] ?? "", leaving);
  if (!isVerb && !isIn(text.words[at] ?? "", "not never no nor")) return false;
  if (isVerb && text.words.slice(place.from, at).some((word) => isIn(word, leaving))) return false;
  let next = at + 1;
  while (next < place.to && isIn(text.words[next] ?? "", "the any for line lines number on")) next += 1;
  const isNumber = text.words[at] === "no" && text.scan.tokens[next]?.kind === "number";
  return !isNumber && next < place.to && (namedAt(text, next, place) ?? placeAt(text, next, place)) !== null;
};

/** "Native yes, display no". */
const isRefusedBehind = ({ words }: Text, to: number, place: Place): boolean =>
  isIn(words[to] ?? "", "no not") && (to + 1 >= place.to || isIn(words[to + 1] ?? "", ", ; . !"));

interface Found {
  readonly lines: readonly Line[];
  readonly to: number;
}

type LineReader = (text: Text, at: number, place: Place) => Found | null;

const found = (line: Line, to: number): Found => ({ lines: [line], to });

/** A channel, a product, a limit or a price. */
const namedAt: LineReader = (text, at, place) => {
  const owner = text.scan.owners[at];
  if (owner?.kind === "product") {
    const [channel, name] = [channelOf(owner), nameIdOf(owner)];
    if (channel !== null) return found({ by: "channel", value: channel }, owner.to);
    if (name?.startsWith("seller ") === true) return found({ by: "seller", value: name.slice(7) }, owner.to);
    return name?.startsWith("line ") === true
      ? found({ by: "name", value: name.slice(5) }, owner.to)
      : { lines: [], to: owner.to };
  }
  if (owner?.kind === "dealType") return found({ by: "type", value: owner.value }, owner.to);
  const limit = limitAt(text, at, place);
  if (limit !== null) return found(limit.line, limit.to);
  return owner?.kind === "price" ? found({ by: "price", value: owner.value }, owner.to) : null;
};

const units =
  "% k m cpm minute minutes hour hours day days week weeks month months usd dollar dollars impressions people " +
  "campaign campaigns percent";

/** "2", "1 to 3", "the second", "line two". */
const placeAt: LineReader = ({ words, scan }, at) => {
  const [word = "", next = ""] = [words[at], words[at + 1]];
  const owner = scan.owners[at];
  const figure = scan.tokens[at]?.kind === "number" ? Number(word) : Number.NaN;
  if (cheap.has(next) || dear.has(next) || next === "most") return null;
  // "Aged 6-16", "pub-001"
  const isOther =
    isIn(words[at - 1] ?? "", "aged age ages") || (words[at - 1] === "-" && scan.tokens[at]?.isGlued === true);
  // "We have 12 people on it and 3 are new"; "1 and 2 are fine" names both.
  const isCounted =
    (next === "of" && isIn(words[at + 2] ?? "", "what them those these it")) ||
    (isIn(next, "are were") && !(isIn(words[at - 1] ?? "", "and & ,") && scan.tokens[at - 2]?.kind === "number"));
  const isOpen = !isOther && !isCounted && (owner === undefined || owner.kind === "number" || owner.kind === "day");
  if (isOpen && Number.isInteger(figure) && figure > 0 && figure <= most && !isIn(next, units)) {
    const last = isIn(next, "to - – through") ? Number(words[at + 2]) : Number.NaN;
    if (!Number.isInteger(last) || last <= figure || last > most) return found({ by: "place", value: figure }, at + 1);
    const lines = Array.from({ length: last - figure + 1 }, (_, step) => ({
      by: "place" as const,
      value: figure + step,
    }));
    return { lines, to: at + 3 };
  }
  if (owner !== undefined) return null;
  const ordinal = valueOf(scan.tokens[at], "ordinal") ?? ordinals[word];
  const isOfOther =
    isIn(next, "campaign of campaigns may week weeks month quarter year time job half") || word === "back";
  const isAdverb = word === "first" && words[at - 1] !== "the";
  if (ordinal !== undefined && isIn(next, "seller publisher"))
    return found({ by: "seller place", value: ordinal }, at + 2);
  if (ordinal !== undefined && !isOfOther && !isAdverb) return found({ by: "place", value: ordinal }, at + 1);
  const number = isIn(words[at - 1] ?? "", "line number no nr") ? valueOf(scan.tokens[at], "number") : undefined;
  return number === undefined ? null : found({ by: "place", value: number }, at + 1);
};

/** "The cheapest", "the rest", "both". */
const groupAt: LineReader = ({ words }, at, place) => {
  const [before = "", word = "", next = ""] = [words[at - 1], words[at], words[at + 1]];
  const isDear =
    dear.has(word) || word === "most expensive" || (isIn(word, "expensive dear pricey") && isIn(before, "most the"));
  const isCheap =
    cheap.has(word) || (word === "expensive" && before === "least") || (word === "cheap" && before === "the");
  if (isDear || isCheap) {
    const measure = words.slice(place.from, place.to).includes("cpm") ? "cpm" : "cost";
    const size = sizeOf(next);
    // "The two most expensive".
    const count = size ?? sizeOf(before === "most" || before === "least" ? (words[at - 2] ?? "") : before) ?? 1;
    return found(
      { by: "extreme", value: isCheap ? "cheapest" : "dearest", measure, count },
      at + (size === null ? 1 : 2),
    );
  }
  // "The other one" is a single line: of several that wait it is none of them, and surely not all.
  if (word === "other" && before === "the" && isIn(next, "one . ! ?")) return found({ by: "all", count: 1 }, at + 1);
  const isElse = word === "else" && isIn(before, "everything anything all");
  if (
    isElse ||
    isIn(word, "rest remaining remainder remains") ||
    (word === "left" && isIn(before, "is what's whats")) ||
    (word === "other" && isIn(before, "the every"))
  )
    return found({ by: "rest" }, at + 1);
  if (!everything.has(word) || (word === "lot" && before !== "the") || next === "else") return null;
  return found({ by: "all", count: word === "both" ? 2 : countOf(next) }, at + 1);
};

const caps = /(?:^|, |\bfor |\bbut )(?:at most|max|maximum|up to|not more than|no more than|under)\b/;

const isCap = (words: readonly string[]): boolean => caps.test(words.join(" ").replace(/ ,/g, ","));

/** "Approve the native (the video is Jim's decision)": an aside chooses nothing, "(1 and 3)" does. */
const asideEnd = (text: Text, at: number, place: Place): number => {
  if (text.words[at] !== "(") return at;
  const end = text.words.indexOf(")", at);
  const to = end < 0 || end > place.to ? place.to : end;
  const isTold = text.words
    .slice(at + 1, to)
    .some(
      (word, step) => text.scan.owners[at + 1 + step] === undefined && isIn(word, "is are was will has have can for"),
    );
  return isTold ? to : at;
};

/** The numbers, names, kinds and words that choose lines in a part of a message. */
export const pickIn = (text: Text, place: Place): Pick => {
  const { words } = text;
  const lines: Line[] = [];
  const except: Line[] = [];
  let isExcept = false;
  for (let at = place.from; at < place.to; at += 1) {
    if (lines.length > 0) at = asideEnd(text, at, place);
    if (text.scan.owners[at]?.kind === "quoted") continue;
    if (isExceptAt(words, at) || (lines.length > 0 && isRefusedAt(text, at, place))) isExcept = true;
    if (isIn(words[at] ?? "", ", ;") && !isIn(words[at + 1] ?? "", "and or")) isExcept = false;
    const read = namedAt(text, at, place) ?? placeAt(text, at, place) ?? groupAt(text, at, place);
    if (read === null) continue;
    const list = isExcept || (lines.length > 0 && isRefusedBehind(text, read.to, place)) ? except : lines;
    for (const line of read.lines) {
      const isBeside = line.by === "all" && (isExcept || (words[at] === "them" && lines.length > 0));
      if (!isBeside && !list.some((one) => JSON.stringify(one) === JSON.stringify(line))) list.push(line);
    }
    at = read.to - 1;
  }
  // "Take both, 1 and 2": what is named is meant, and "all the rest" is the rest; "drop 1, 6.13 is too much" is line 1.
  const isPlaced = lines.some(({ by }) => by === "place");
  const isNamed = lines.some(({ by }) => by !== "all");
  // "Only the CTV line, at most 8,000": a cap of that line, and no other lines below it.
  const said = words.slice(place.from, place.to);
  const isCapped = isCap(said) && lines.some(({ by }) => isIn(by, "place channel name"));
  const isMeant = (line: Line): boolean =>
    !(isNamed && line.by === "all") &&
    !(isPlaced && line.by === "price") &&
    !(isCapped && line.by === "limit" && !line.isAbove);
  return { lines: lines.filter(isMeant), except };
};

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, last: -1 };

/** "The two cheapest", "the cheapest 2": how many. */
const sizeOf = (word: string): number | null => countOf(word) ?? (isIn(word, "2 3 4 5 6 7 8 9") ? Number(word) : null);

const countOf = (word: string): number | null => ({ two: 2, three: 3, four: 4, five: 5 })[word] ?? null;

/** "Only if it stays under 18", "cap it at 20k": the figure, of a price per thousand or of a total. */
export const figureIn = (
  { words, scan }: Text,
  { from, to }: Place,
): { readonly value: number; readonly measure: "cost" | "cpm" } | null => {
  for (let at = to - 1; at >= from; at -= 1) {
    const owner = scan.owners[at];
    if (isIn(words[at - 1] ?? "", "line number no nr")) continue;
    const value = owner !== undefined && "value" in owner ? owner.value : Number(words[at] || Number.NaN);
    const isFigure = owner === undefined ? scan.tokens[at]?.kind === "number" : amounts.has(owner.kind);
    if (!isFigure || typeof value !== "number" || Number.isNaN(value)) continue;
    const isPrice = owner?.kind === "price" || words[owner?.to ?? at + 1] === "cpm" || value <= 500;
    return { value, measure: isPrice ? "cpm" : "cost" };
  }
  return null;
};

const amounts = new Set(["money", "volume", "price", "number"]);

/** As far as a pick of lines goes. */
export interface Choosable {
  readonly place: number;
  readonly names: readonly string[];
  readonly channel: string;
  readonly dealType: string;
  readonly sellerUrl: string;
  readonly cpm: number;
  readonly cost: number;
}

type Chosen<One> = { readonly lines: readonly One[] } | { readonly problem: string };

const extremesOf = <One extends Choosable>(
  lines: readonly One[],
  { value, measure, count }: Extract<Line, { by: "extreme" }>,
): readonly One[] => {
  // Lines of the same total differ by their price alone.
  const isSame = new Set(lines.map(({ cost }) => Math.round(cost))).size === 1;
  const by = isSame ? "cpm" : measure;
  // Totals that differ by cents of rounding are equal, and the price decides between them.
  const distance = (one: One, other: One): number =>
    (by === "cost" ? Math.round(one.cost) - Math.round(other.cost) : 0) || one.cpm - other.cpm;
  const sorted = lines.toSorted((one, other) => (value === "cheapest" ? distance(one, other) : distance(other, one)));
  return sorted.slice(0, count);
};

/** By one of its own properties: whether a line fits, and what is said where none does. */
const fitsOf = <One extends Choosable>(
  line: Line,
  lines: readonly One[],
): { readonly fits: (one: One) => boolean; readonly what: string } | null => {
  switch (line.by) {
    case "place": {
      const place = line.value < 0 ? lines.at(-1)?.place : line.value;
      return { fits: (one) => one.place === place, what: `has the number ${line.value}` };
    }
    case "channel":
      return { fits: ({ channel }) => channel === line.value, what: `is for ${line.value}` };
    case "type":
      return { fits: ({ dealType }) => dealType === line.value, what: `is a ${line.value} deal` };
    case "seller":
      return { fits: ({ sellerUrl }) => sellerUrl === line.value, what: "is of that seller" };
    case "seller place": {
      const urls = [...new Set(lines.map(({ sellerUrl }) => sellerUrl))];
      const url = line.value < 0 ? urls.at(-1) : urls[line.value - 1];
      return { fits: ({ sellerUrl }) => sellerUrl === url, what: `is of seller ${line.value} of them` };
    }
    case "name":
      return { fits: ({ names }) => names.includes(line.value), what: `is called ${line.value}` };
    case "price":
      return { fits: ({ cpm }) => cpm === line.value, what: `costs ${line.value} CPM` };
    case "limit":
      return {
        fits: (one) => (line.isAbove ? one[line.measure] > line.value : one[line.measure] < line.value),
        what: `is ${line.isAbove ? "above" : "below"} ${line.value}`,
      };
    default:
      return null;
  }
};

const chosenBy = <One extends Choosable>(line: Line, lines: readonly One[], rest: readonly One[]): Chosen<One> => {
  if (line.by === "rest") return { lines: rest };
  if (line.by === "extreme") return { lines: extremesOf(lines, line) };
  if (line.by === "all" && line.count !== null && line.count !== lines.length)
    return {
      problem:
        line.count === 1
          ? `Which of the ${lines.length} lines?`
          : `${lines.length === 1 ? "1 line waits" : `${lines.length} lines wait`}, not ${line.count}.`,
    };
  const by = fitsOf(line, lines);
  const chosen = by === null ? lines : lines.filter(by.fits);
  return by !== null && chosen.length === 0 ? { problem: `No line that waits ${by.what}.` } : { lines: chosen };
};

/** `shown`: the lines that were spoken of; "the rest" is the others. */
export const chosenOf = <One extends Choosable>(
  { lines: said, except }: Pick,
  lines: readonly One[],
  shown: readonly number[] = [],
): Chosen<One> => {
  const rest = lines.filter(({ place }) => !shown.includes(place));
  const chosen = new Set<One>();
  for (const one of said.length === 0 && except.length > 0 ? [{ by: "all", count: null } as const] : said) {
    const found = chosenBy(one, lines, rest.length === 0 ? lines : rest);
    if ("problem" in found) return found;
    for (const line of found.lines) chosen.add(line);
  }
  // What is left out and not there is left out anyway.
  for (const one of except) {
    const found = chosenBy(one, lines, rest);
    for (const line of "problem" in found ? [] : found.lines) chosen.delete(line);
  }
  return { lines: lines.filter((line) => chosen.has(line)) };
};
