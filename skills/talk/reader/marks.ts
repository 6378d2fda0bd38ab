import { isOneOf, words } from "./word-lists.ts";
import type { EntityReader, Scan, Words } from "./entity.ts";
import { isOf, valueOf } from "./lexicon.ts";
import { take } from "./entity.ts";

export const idAt: EntityReader = ({ tokens }, at) => {
  const token = tokens[at];
  if (token?.kind === "id") return { kind: "id", value: token.text, from: at, to: at + 1 };
  return token?.kind === "address" ? { kind: "address", value: token.text, from: at, to: at + 1 } : null;
};

/** Of a number by E.164, and no more: each place of a long run of digits is looked at. */
const mostGroups = 16;

const digitsIn = ({ tokens }: Scan, from: number): number => {
  let at = from;
  const isDigits = (place: number): boolean =>
    tokens[place]?.kind === "number" && /^\d+$/.test(tokens[place]?.text ?? "");
  const isJoint = (place: number): boolean => isOneOf(tokens[place]?.text ?? "", "( ) / . -") && isDigits(place + 1);
  while (at - from < mostGroups && (isDigits(at) || isJoint(at))) at += 1;
  return at;
};

/** "+49 171 2345678", "212 555 0148". */
export const phoneAt: EntityReader = (scan, at) => {
  const { tokens } = scan;
  const end = digitsIn(scan, at);
  const digits = tokens.slice(at, end).filter(({ kind }) => kind === "number");
  const isLocal = digits.length > 2 && digits.length < 6 && digits.at(-1)?.text.length === 4 && digits[0]?.text !== "1";
  if (isLocal && digits.slice(0, -1).every(({ text }) => text.length === 3))
    return { kind: "address", value: "", from: at, to: end };
  if (tokens[at]?.text !== "+" || tokens[at + 1]?.kind !== "number" || tokens[at + 1]?.isGlued !== true) return null;
  let to = at + 2;
  while (
    tokens[to]?.kind === "number" ||
    (isOneOf(tokens[to]?.text ?? "", "( ) / -") && tokens[to + 1]?.kind === "number")
  )
    to += 1;
  return to === at + 2 ? null : { kind: "address", value: "", from: at, to };
};

const papers = words(`
  po extension advertiser client customer publisher buyer io ref reference ticket invoice case seat
  account member campaign job order dsp id code phone tel ext pro
`);
const filler = words("number no nr id code is was ist : # . = - now will be our center centre there here");

/** "PO 4711", "our reference is AB-12", "seat 99120": a number of somebody's papers, no amount. */
export const referenceAt: EntityReader = ({ tokens, owners }, start) => {
  // "4500123 is our PO".
  const isBehind =
    tokens[start]?.kind === "number" &&
    isOneOf(tokens[start + 1]?.word ?? "", "is as") &&
    isOneOf(tokens[start + 2]?.word ?? "", "our my the a") &&
    papers.has(tokens[start + 3]?.word ?? "");
  if (isBehind) return { kind: "reference", value: tokens[start]?.text ?? "", from: start, to: start + 4 };
  const isHash = tokens[start]?.text === "#" && tokens[start + 1]?.isGlued === true;
  const isPair = isOneOf(tokens[start]?.word ?? "", "purchase insertion") && tokens[start + 1]?.word === "order";
  const isPaper = papers.has(tokens[start]?.word ?? "") || isPair;
  if (!isPaper && !isHash) return null;
  let at = isPair ? start + 2 : start + 1;
  // "Our seat in DV360 is 4471".
  const isInDsp = (place: number): boolean =>
    isOneOf(tokens[start]?.word ?? "", "seat account member") &&
    (isOneOf(tokens[place]?.word ?? "", "in on at with dv ttd xandr") ||
      (tokens[place]?.text === "360" && tokens[place - 1]?.word === "dv"));
  while (at < start + 6 && (filler.has(tokens[at]?.word ?? "") || isInDsp(at)) && owners[at] === undefined) at += 1;
  let to = at;
  let digits = 0;
  while (
    to < at + 8 &&
    tokens[to] !== undefined &&
    (to === at || tokens[to]?.isGlued === true) &&
    tokens[to]?.isFirst !== true
  ) {
    if (owners[to] !== undefined || (tokens[to]?.kind === "mark" && !isOneOf(tokens[to]?.text ?? "", "- / _"))) break;
    if (tokens[to]?.kind === "number" || tokens[to]?.kind === "id") digits += tokens[to]?.text.length ?? 0;
    to += 1;
  }
  // "Line 2" and "#3" are numbers of a list; "order 500k" is a volume.
  const isSize =
    valueOf(tokens[to], "scale") !== undefined ||
    isOf(tokens[to], "impressions") ||
    /[.,]/.test(tokens[at]?.text ?? "");
  const isOrder = tokens[start]?.word === "order" && at === start + 1;
  const isWord = valueOf(tokens[to - 1], "scale") !== undefined && tokens[to - 1]?.kind === "word";
  if (digits < 3 || isSize || isOrder || isWord) return null;
  const value = tokens
    .slice(at, to)
    .map(({ text }) => text)
    .join("");
  const label = tokens.slice(start, isPair ? start + 2 : start + 1).map(({ text }) => text);
  const note = isHash ? {} : { note: [...label, value].join(" ") };
  return { kind: "reference", value, from: start, to, ...note };
};

const capUnit = words("user users person household hh device viewer day week month hour session campaign 24h 24 48");
const counts: ReadonlySet<string> = new Set(["once", "twice", "thrice"]);

/** "3 per user a day", "frequency cap of 2", "at most twice a week". */
export const capAt: EntityReader = ({ tokens }, start) => {
  let at = start;
  const isNamed = isOneOf(tokens[at]?.word ?? "", "frequency fcap freq cap capping capped");
  while (
    isNamed &&
    at < start + 5 &&
    isOneOf(tokens[at]?.word ?? "", "frequency freq fcap cap capping capped of at to : is max maximum")
  )
    at += 1;
  if (!isNamed && isOneOf(tokens[at]?.word ?? "", "max maximum")) at += 1;
  const count = tokens[at];
  const isCount =
    (count?.kind === "number" && count.text.length < 3) ||
    counts.has(count?.word ?? "") ||
    (valueOf(count, "number") ?? 0) >= 1;
  if (!isCount) return isNamed && at > start + 1 ? { kind: "cap", value: "", from: start, to: at } : null;
  at += 1;
  if (isOneOf(tokens[at]?.word ?? "", "x times exposures impressions imps ads")) at += 1;
  let units = 0;
  while (
    at < start + 14 &&
    isOneOf(tokens[at]?.word ?? "", "per a each every / unique") &&
    (capUnit.has(tokens[at + 1]?.word ?? "") || capUnit.has(tokens[at + 2]?.word ?? ""))
  ) {
    at += capUnit.has(tokens[at + 1]?.word ?? "") ? 2 : 3;
    units += 1;
  }
  const isPerson =
    units > 0 &&
    (isNamed ||
      counts.has(count?.word ?? "") ||
      tokens
        .slice(start, at)
        .some(({ word }) => isOneOf(word, "user users person household hh device viewer x times")));
  return isPerson || (isNamed && units === 0) ? { kind: "cap", value: "", from: start, to: at } : null;
};

const dealTypes: Readonly<Record<string, string>> = { pg: "PG", pd: "PD", pmp: "PA" };
const otherGuarantee = words(
  "viewability completion vtr ctr clicks position reach grps views rate rates price quality",
);

/** PA in small letters is a word of other languages. "Non-guaranteed" and "without PG" leave the others open. */
export const dealTypeAt: EntityReader = ({ tokens }, at): Words | null => {
  const word = tokens[at]?.word ?? "";
  const next = tokens[at + 1]?.word ?? "";
  const made = (value: string, to: number): Words => ({ kind: "dealType", value, from: at, to });
  const isNot =
    isOf(tokens[at - 1], "not") ||
    (isOneOf(tokens[at - 1]?.word ?? "", "of than") && isOneOf(tokens[at - 2]?.word ?? "", "instead rather")) ||
    (tokens[at - 1]?.text === "-" && tokens[at - 2]?.word === "non") ||
    tokens[at - 1]?.word === "non";
  const own = dealTypes[word];
  if (own !== undefined) return isNot ? made("", at + 1) : made(own, at + 1);
  if (word === "pa" && (tokens[at]?.text === "PA" || next === "deal")) return made(isNot ? "" : "PA", at + 1);
  if (word === "private" && isOneOf(next, "auction marketplace")) return made(isNot ? "" : "PA", at + 2);
  if (word === "preferred" && !otherGuarantee.has(next))
    return made(isNot ? "" : "PD", next === "deal" || next === "deals" ? at + 2 : at + 1);
  if (word === "programmatic" && next === "guaranteed") return made(isNot ? "" : "PG", at + 2);
  if (word === "guaranteed" || word === "garantiert") {
    if (isNot) return made("", at + 1);
    return otherGuarantee.has(next) || otherGuarantee.has(tokens[at - 1]?.word ?? "") ? null : made("PG", at + 1);
  }
  return null;
};

const salutations = words("dear hi hello hey hallo hola bonjour");
const mostOfSalutation = 6;

/** "Dear Sales Team," asks for nobody. */
export const readSalutation = (scan: Scan): void => {
  const { tokens } = scan;
  if (!salutations.has(tokens[0]?.word ?? "")) return;
  const end = tokens.findIndex((token, at) => at > 0 && (token.text === "," || token.isFirst));
  if (end < 2 || end > mostOfSalutation) return;
  if (tokens.slice(1, end).every(({ kind }) => kind === "word"))
    take(scan, { kind: "reference", value: "", from: 1, to: end });
};

const pairs: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“", "«": "»", "[": "]", "<": ">" };

const mostPlain = 6;
const mostQuoted = 400;

/**
 * What somebody else said: quoted sentences, brackets, lines of quoted mail. A short quotation is a name or a stressed
 * word and is read as it stands; brackets in square form never are.
 */
export const readQuoted = (scan: Scan): void => {
  const { tokens } = scan;
  for (let at = 0; at < tokens.length; at += 1) {
    const { text = "", isFirst = false } = tokens[at] ?? {};
    if (isFirst && text === ">") {
      let to = at + 1;
      while (tokens[to] !== undefined && tokens[to]?.isFirst !== true) to += 1;
      take(scan, { kind: "quoted", value: "", from: at, to });
      at = to - 1;
      continue;
    }
    const close = pairs[text];
    if (close === undefined) continue;
    let end = at + 1;
    while (
      end < tokens.length &&
      end < at + mostQuoted &&
      tokens[end]?.text !== close &&
      !(text === "„" && tokens[end]?.text === "”")
    )
      end += 1;
    if (tokens[end] === undefined || end === at + mostQuoted) {
      // Each further one without its end would be looked for again.
      if (end === tokens.length) return;
      continue;
    }
    if (end - at > mostPlain || text === "[" || text === "<")
      take(scan, { kind: "quoted", value: "", from: at, to: end + 1 });
    at = end;
  }
};

/** "50/30/20" of a whole. */
export const readShares = (scan: Scan): void => {
  const { tokens, owners } = scan;
  for (let at = 0; at < tokens.length; at += 1) {
    if (owners[at] !== undefined || tokens[at]?.kind !== "number") continue;
    const places = [at];
    let to = at + 1;
    while (
      tokens[to]?.text === "/" &&
      tokens[to]?.isGlued === true &&
      tokens[to + 1]?.kind === "number" &&
      tokens[to + 1]?.isGlued === true
    ) {
      places.push(to + 1);
      to += 2;
    }
    const sum = places.reduce((total, place) => total + Number(tokens[place]?.text), 0);
    if (places.length > 1 && sum === 100)
      for (const place of places)
        take(scan, {
          kind: "percent",
          value: Number(tokens[place]?.text),
          currency: null,
          isUnsure: false,
          from: place,
          to: place + 1,
        });
    at = to - 1;
  }
};
