import { isOneOf, words } from "./word-lists.ts";
import { type Amount, type EntityReader, type Scan, take, type Words } from "./entity.ts";
import { currencyOf, isOf, valueOf } from "./lexicon.ts";
import type { Token } from "./tokens.ts";
import { ofOthers } from "./deadlines.ts";

interface Figure {
  readonly value: number;
  readonly to: number;
  /** 1 where none stands behind it. */
  readonly scale: number;
  readonly hasCents: boolean;
  readonly isSpelled: boolean;
}

/** "1,500,000", "1.500.000", "22.50", "22,5"; 12.101 is a price, 12.500 a volume. */
const digitsOf = (text: string): { readonly value: number; readonly hasCents: boolean } => {
  const groups = text.split(/[.,]/);
  if (groups.length === 1) return { value: Number(text), hasCents: false };
  const marks = text.replace(/\d/g, "");
  const last = groups.at(-1) ?? "";
  const isWhole = (marks.length > 1 && new Set(marks).size === 1) || (marks === "," && last.length === 3);
  if (isWhole) return { value: Number(groups.join("")), hasCents: false };
  const isThousands = marks === "." && last.length === 3 && last.endsWith("0") && groups[0] !== "0";
  if (isThousands) return { value: Number(groups.join("")), hasCents: false };
  return { value: Number(`${groups.slice(0, -1).join("")}.${last}`), hasCents: true };
};

const scaleAt = (
  tokens: readonly Token[],
  at: number,
): { readonly scale: number; readonly to: number; readonly half?: number } => {
  const scale = valueOf(tokens[at], "scale");
  const isLetter = tokens[at]?.word.length === 1;
  // "5 m" may be anything in another language; "5m" and "5 k" are sizes.
  if (scale === undefined || scale < 1000 || (isLetter && tokens[at]?.word === "b" && !tokens[at]?.isGlued))
    return { scale: 1, to: at };
  const next = valueOf(tokens[at + 1], "scale");
  // "Un millón y medio".
  if (
    isOneOf(tokens[at + 1]?.word ?? "", "y e et und and") &&
    valueOf(tokens[at + 2], "number") === 0.5 &&
    tokens[at + 2]?.word !== "half"
  )
    return { scale, to: at + 3, half: scale / 2 };
  return next !== undefined && next > scale ? { scale: scale * next, to: at + 2 } : { scale, to: at + 1 };
};

/** "twenty-five", "two hundred and fifty", "half a", "a couple of", "one and a half"; a scale must follow. */
const spelledAt = (tokens: readonly Token[], at: number): { readonly value: number; readonly to: number } | null => {
  let value = 0;
  let to = at;
  for (; to < at + 7; to += 1) {
    const token = tokens[to];
    const number = valueOf(token, "number");
    const hundred = valueOf(token, "scale") === 100;
    if (
      isOneOf(token?.word ?? "", "quarter quarters") &&
      valueOf(tokens[to + 1], "scale") === undefined &&
      !(tokens[to + 1]?.word === "of")
    )
      break;
    if (isOneOf(token?.word ?? "", "quarter quarters")) value = Math.max(1, value) * 0.25;
    else if (hundred) value = Math.max(1, value) * 100;
    else if (number !== undefined && (token?.word !== "a" || value === 0))
      value =
        number === 1 && value < 1 && value > 0
          ? value
          : number === 0.5 && value === 1 && !tokens.slice(at, to).some((one) => isOf(one, "and"))
            ? 0.5
            : // "A four-week campaign" is no five weeks.
              to === at + 1 && isOneOf(tokens[at]?.word ?? "", "a an") && number > 2
              ? number
              : value + number;
    else if (to === at || !(isOf(token, "and") || token?.word === "a" || token?.word === "of" || token?.text === "-"))
      break;
  }
  while (to > at && (isOf(tokens[to - 1], "and") || ["of", "-"].includes(tokens[to - 1]?.word ?? ""))) to -= 1;
  return to === at || value === 0 ? null : { value, to };
};

const mostDigits = 15;

/** "5 000 000", "5'000'000": groups of three digits that a blank or an apostrophe parts. */
const groupedAt = (tokens: readonly Token[], at: number): { readonly value: number; readonly to: number } | null => {
  const first = tokens[at]?.text ?? "";
  if (!/^\d{1,3}$/.test(first)) return null;
  let text = first;
  let to = at + 1;
  for (;;) {
    const isMark = isOneOf(tokens[to]?.text ?? "", "' ’") && tokens[to]?.isGlued === true;
    const next = tokens[isMark ? to + 1 : to];
    if (next?.kind !== "number" || !/^\d{3}$/.test(next.text) || next.isFirst || (next.isGlued && !isMark)) break;
    text += next.text;
    to += isMark ? 2 : 1;
    // A row of numbers; looked for from each of them to its end, it would cost the square of its length.
    if (text.length > mostDigits) return null;
  }
  return to === at + 1 ? null : { value: Number(text), to };
};

/** A number with its scale; null where there is none. A spelled one counts only before a scale or a unit. */
export const figureAt = (tokens: readonly Token[], at: number): Figure | null => {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === "number") {
    const grouped = groupedAt(tokens, at);
    if (grouped !== null) return { ...grouped, scale: 1, hasCents: false, isSpelled: false };
    const { value, hasCents } = digitsOf(token.text);
    const { scale: named, to, half: more = 0 } = scaleAt(tokens, at + 1);
    // "1.8 mil" is English, "200 mil" Spanish.
    const scale =
      named === 1e6 &&
      tokens[at + 1]?.word === "mil" &&
      (value >= 100 || isOneOf(tokens[at + 2]?.word ?? "", "impresiones impressoes de"))
        ? 1000
        : named;
    const half = to > at + 1 ? null : tokens[at + 1]?.word === "and" && tokens[at + 3]?.word === "half" ? at + 4 : null;
    if (half !== null) {
      const scaled = scaleAt(tokens, half);
      return { value: (value + 0.5) * scaled.scale, to: scaled.to, scale: scaled.scale, hasCents, isSpelled: false };
    }
    // "1.500 Mio" is one and a half.
    const own = scale > 1 && /^\d\.\d{3}$/.test(token.text) ? Number(token.text) : value;
    return { value: own * scale + more, to, scale, hasCents: hasCents && scale === 1, isSpelled: false };
  }
  if (token.kind !== "word" || (valueOf(token, "number") === undefined && valueOf(token, "scale") !== 100)) return null;
  const spelled = spelledAt(tokens, at);
  if (spelled === null) return null;
  const { scale, to, half = 0 } = scaleAt(tokens, spelled.to);
  return { value: spelled.value * scale + half, to, scale, hasCents: false, isSpelled: true };
};

const cpmAt = (tokens: readonly Token[], at: number): number => {
  const dash = tokens[at]?.text === "/" || tokens[at]?.text === "-" ? 1 : 0;
  if (isOf(tokens[at + dash], "cpm")) return at + dash + 1;
  const first = tokens[at + dash]?.word ?? "";
  const second = tokens[at + dash + 1];
  const isPer = (dash === 1 && isOneOf(first, "thousand mille m")) || isOneOf(first, "per pro por pour");
  const unit = dash === 1 ? first : (second?.word ?? "");
  const isThousand = isOneOf(unit, "thousand mille tausend mil 1000 1,000 cpm");
  return isPer && isThousand ? at + dash + (dash === 1 ? 1 : 2) : at;
};

/** The words before a figure that give it a meaning: "budget is around 50k", "impressions: 2m". */
const namedBefore = (tokens: readonly Token[], at: number, name: string): boolean => {
  for (let place = at - 1; place >= Math.max(0, at - 5); place -= 1) {
    const token = tokens[place];
    if (isOf(token, name)) return true;
    if (token?.kind === "number" || token === undefined || isOneOf(token.text, ", ; . ! ?")) return false;
    if (token.kind === "mark" && !/[:=~≈$€£(-]/.test(token.text)) return false;
    if (
      token.kind === "word" &&
      !isOneOf(
        token.word,
        `
          is of for around about roughly up to max maximum a the with at target approx circa ca von de
          now goes limit it's ist wanted requested needed on only just not by from
        `,
      )
    )
      return false;
  }
  return false;
};

const mostCpm = 500;
const years = /^(?:19|20)\d\d$/;

const isBudgetAhead = (tokens: readonly Token[], at: number): boolean => {
  const end = tokens.slice(at, at + 4).findIndex(({ text }) => isOneOf(text, ", ; ."));
  const words = tokens.slice(at, end < 0 ? at + 4 : at + end).map(({ word }) => word);
  if (isOneOf(words[0] ?? "", "budget budgets total altogether spend") && words[0] !== "total") return true;
  if (words[0] === "to" && isOneOf(words[1] ?? "", "spend invest play burn put work")) return true;
  if (words[0] === "in" && words[1] === "total") return true;
  return (
    isOneOf(words[0] ?? "", "media display ctv video campaign total of in as is was") &&
    words.slice(1).some((word) => word === "budget")
  );
};

/** The signs ahead of a figure: "@", "US$". */
const signsAt = (
  tokens: readonly Token[],
  start: number,
): { readonly at: number; readonly isAt: boolean; readonly sign: string | undefined } => {
  const isAt = tokens[start]?.text === "@";
  let at = isAt ? start + 1 : start;
  if (
    isOneOf(tokens[at]?.word ?? "", "us u ca c a au") &&
    tokens[at + 1]?.text === "$" &&
    tokens[at + 1]?.isGlued === true
  )
    at += 1;
  const sign = currencyOf(tokens[at]);
  const isOfFigure =
    sign !== undefined &&
    figureAt(tokens, at + 1) !== null &&
    (tokens[at]?.kind === "mark" || tokens[at + 1]?.kind === "number");
  return isOfFigure ? { at: at + 1, isAt, sign } : { at, isAt, sign: undefined };
};

/** "CPM of 12", "CPM: $12": the word stands ahead of its figure. */
const behindCpm = (tokens: readonly Token[], start: number, at: number): Amount | null => {
  let place = at + 1;
  while (isOneOf(tokens[place]?.word ?? "", "of at is to : = target max around about - under below von de")) place += 1;
  const own = currencyOf(tokens[place]);
  if (own !== undefined && tokens[place]?.kind === "mark") place += 1;
  const figure = figureAt(tokens, place);
  if (
    figure === null ||
    figure.isSpelled ||
    figure.value >= mostCpm ||
    figure.scale > 1 ||
    isOf(tokens[figure.to], "impressions")
  )
    return null;
  if (tokens[figure.to]?.text === "%") return null;
  return { kind: "price", value: figure.value, currency: own ?? null, isUnsure: false, from: start, to: figure.to };
};

interface Unmarked {
  readonly figure: Figure;
  readonly made: (kind: Amount["kind"], end?: number, isUnsure?: boolean) => Amount;
  readonly isAt: boolean;
}

/** The word or the sign behind a figure tells what it counts. */
const counted = ({ tokens }: Scan, start: number, { figure, made }: Unmarked): Amount | Words | null | undefined => {
  const { to } = figure;
  const dash = tokens[to]?.text === "-" ? to + 1 : to;
  const unit = valueOf(tokens[dash], "unit");
  if (unit !== undefined && !figure.hasCents && figure.scale === 1)
    return { ...made("length", dash + 1), value: figure.value * unit };
  if (isOf(tokens[dash], "impressions") && !(tokens[dash]?.word === "views" && figure.value < 1000))
    return made("volume", dash + 1);
  if (figure.isSpelled && figure.scale === 1) return null;
  if (
    isOneOf(
      tokens[to]?.word ?? "",
      "unique uniques users people persons households hhs clicks leads installs completes grp grps",
    )
  )
    return { kind: "vague", value: "", from: start, to: to + 1 };
  // "8812xy" is a number of somebody's papers.
  const glued = tokens[to];
  if (
    figure.scale === 1 &&
    glued?.isGlued === true &&
    glued.kind === "word" &&
    !isOneOf(glued.word, "x s st nd rd th h am pm er sec secs yo d") &&
    valueOf(glued, "unit") === undefined &&
    valueOf(glued, "month") === undefined
  )
    return { kind: "reference", value: `${tokens[start]?.text ?? ""}${glued.text}`, from: start, to: to + 1 };
  return undefined;
};

/** Reads the figure at `at` by the signs and words around it. */
export const amountAt: EntityReader = (scan, start) => ofOthers(scan.tokens, amountOf(scan, start));

const amountOf = (scan: Scan, start: number): Amount | Words | null => {
  const { tokens } = scan;
  const { at, isAt, sign } = signsAt(tokens, start);
  let currency = sign;
  if (isOf(tokens[at], "cpm") && currency === undefined) return behindCpm(tokens, start, at);
  const figure = figureAt(tokens, at);
  if (figure === null) return null;
  let { to } = figure;
  if (tokens[to]?.word === "us" && currencyOf(tokens[to + 1]) === "USD") to += 1;
  const behind = currencyOf(tokens[to]);
  if (
    currency === undefined &&
    behind !== undefined &&
    (tokens[to]?.isGlued === true || tokens[to]?.kind === "word" || tokens[to]?.text !== "$")
  ) {
    currency = behind;
    to += 1;
  }
  const made = (kind: Amount["kind"], end = to, isUnsure = false): Amount => ({
    kind,
    value: figure.value,
    currency: currency ?? null,
    isUnsure,
    from: start,
    to: end,
  });
  // "5k is dollars, not imps".
  if (
    currency === undefined &&
    isOneOf(tokens[to]?.word ?? "", "is are was") &&
    currencyOf(tokens[to + 1]) !== undefined
  )
    return { ...made("money", to + 2), currency: currencyOf(tokens[to + 1]) ?? null };
  const cpmEnd = cpmAt(tokens, to);
  // "What is a CPM?"
  const isArticle = isOneOf(tokens[at]?.word ?? "", "a an");
  if (cpmEnd > to && figure.value < mostCpm * 2 && !isArticle) return made("price", cpmEnd);
  if (tokens[to]?.word === "per" && tokens[to + 1]?.word === "cent") return made("percent", to + 2);
  if (tokens[to]?.text === "%" || isOf(tokens[to], "percent"))
    return made("percent", isOneOf(tokens[to + 1]?.word ?? "", "points point") ? to + 2 : to + 1);
  if (currency !== undefined || tokens[to - 1]?.word === "grand") {
    const isSum =
      figure.scale > 1 || figure.value >= mostCpm || namedBefore(tokens, start, "budget") || isBudgetAhead(tokens, to);
    if (isSum || (figure.isSpelled && figure.value >= 100)) return made("money");
    return made("price", to, !isAt);
  }
  const unmarkedFigure = { figure, made, isAt };
  const known = counted(scan, start, unmarkedFigure);
  return known === undefined ? unmarked(scan, start, unmarkedFigure) : known;
};

/** A small figure behind such a word is a price, where nothing is counted by it: "not more than 29". */
const limits = words(
  "than under below most max maximum limit exceed above over pay paying bid bidding offer price counter down",
);

const isAlone = (tokens: readonly Token[], to: number): boolean => {
  const next = tokens[to];
  return (
    next === undefined ||
    (next.kind === "mark" && next.text !== "-") ||
    next.isFirst ||
    isOneOf(next.word, "for on in and please pls then max per at it is works flat or if net all")
  );
};

/** No sign and no unit: its size and the words around tell. */
const unmarked = ({ tokens }: Scan, start: number, { figure, made, isAt }: Unmarked): Amount | Words | null => {
  const { value, to, scale } = figure;
  const [before, after] = [tokens[start - 1], tokens[to]];
  // "DV360" is a name.
  if (tokens[start]?.isGlued === true && before?.kind === "word" && before.word.length > 1)
    return { kind: "reference", value: "", from: start, to };
  if (isOneOf(after?.word ?? "", 's sec secs second seconds sekunden segundos " ”') && value <= 180 && !figure.hasCents)
    return { kind: "spot", value: String(value), from: start, to: to + 1 };
  if (before?.text === ":" && before.isGlued === false && [6, 10, 15, 20, 30, 45, 60, 90].includes(value))
    return { kind: "spot", value: String(value), from: start, to };
  if (isOneOf(after?.word ?? "", "x ×") && after?.isGlued === true && tokens[to + 1]?.kind === "number")
    return { kind: "size", value: `${value}x${tokens[to + 1]?.text ?? ""}`, from: start, to: to + 2 };
  if (namedBefore(tokens, start, "budget") && !namedBefore(tokens, start, "impressions") && value >= 100)
    return made("money");
  if (isBudgetAhead(tokens, to) && value >= 100) return made("money");
  if (namedBefore(tokens, start, "impressions") || isOneOf(before?.word ?? "", "volume menge volumen"))
    return made("volume", to, false);
  if (isAt && value < mostCpm) return made("price");
  // "13.20" says by itself that it is a price.
  if (figure.hasCents && value >= 1 && value < mostCpm && /[.,]\d\d$/.test(tokens[start]?.text ?? ""))
    return made("price", to, true);
  if (scale === 1 && value > 0 && value < mostCpm && limits.has(before?.word ?? "") && isAlone(tokens, to))
    return made("price", to, true);
  if (scale > 1 && value >= 1000) return made("volume", to, scale < 1e6 && value < 1e6);
  if (value >= 10_000 || (value >= 1000 && !years.test(tokens[start]?.text ?? ""))) return made("volume", to, true);
  return made("number", to, true);
};

const isUnit = (word: string): boolean => isOneOf(word, "day week month tag woche monat dia semana mes semaine mois");

/** "Between 1M and 1.5M", "4 x 500k", "200k a week": several figures, or one of several, are named and no volume. */
const caps = words("over exceed exceeding above under below than max maximum most");

/** "2M, not over 40k", "1M impressions, about 35k": beside a volume a much smaller limit or sum is one of money. */
const isCap = (scan: Scan, one: Amount): boolean => {
  if (one.kind !== "volume" || !one.isUnsure) return false;
  const before = scan.tokens[one.from - 1]?.word ?? "";
  const isBeside = isOneOf(before, "about around roughly circa approx") && scan.owners[one.from - 3]?.kind === "volume";
  return (
    (isBeside || caps.has(before)) &&
    scan.owners.some((other) => other?.kind === "volume" && other.value >= 5 * one.value)
  );
};

export const readUnclear = (scan: Scan): void => {
  const { tokens, owners } = scan;
  for (let at = 0; at < tokens.length; at += 1) {
    const one = owners[at];
    if (one === undefined || one.from !== at || (one.kind !== "volume" && one.kind !== "number")) continue;
    if (isCap(scan, one)) {
      take(scan, { ...one, kind: "money", isUnsure: false });
      continue;
    }
    const next = owners[one.to + 1];
    const link = tokens[one.to]?.word ?? "";
    const isRange =
      next?.kind === "volume" &&
      next.from === one.to + 1 &&
      (isOneOf(link, "- – x ×") ||
        (link === "to" && tokens[at - 1]?.word !== "from") ||
        (isOf(tokens[one.to], "and") && isOneOf(tokens[at - 1]?.word ?? "", "between zwischen entre")));
    const isRate =
      one.kind === "volume" &&
      isOneOf(link, "a per each every / pro por par") &&
      isUnit(tokens[one.to + 1]?.word ?? "");
    if (!isRange && !isRate) continue;
    const from = isOneOf(tokens[at - 1]?.word ?? "", "between zwischen entre") ? at - 1 : at;
    take(scan, { kind: "vague", value: "", from, to: isRange && next !== undefined ? next.to : one.to + 2 });
  }
};
