import { isOneOf, words } from "./word-lists.ts";
import type { EntityReader, Scan, Words } from "./entity.ts";
import { isOf } from "./lexicon.ts";
import { take } from "./entity.ts";

const titles = words("campaign advertiser brand client objective kpi kpis");
const parties = words("advertiser brand client");
const naming = words("put add use set enter list name with record note book have");
const mostOfName = 6;

const isCapital = (scan: Scan, at: number): boolean => /^\p{Lu}/u.test(scan.tokens[at]?.text ?? "");

const labelledNote = (label: string, scan: Scan, from: number, to: number): string => {
  const name = scan.text.slice(scan.tokens[from]?.start ?? 0, scan.tokens[to - 1]?.end ?? 0);
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${name.replace(/^["“„‘']|["“”’']$/g, "").slice(0, 80)}`;
};

/** The end of a name in capitals: "Acme Foods", "Procter & Gamble". */
const nameEnd = (scan: Scan, from: number): number => {
  let to = from;
  while (
    to < from + mostOfName &&
    scan.tokens[to]?.isFirst !== true &&
    (isCapital(scan, to) || (to > from && isOneOf(scan.tokens[to]?.text ?? "", "& + of") && isCapital(scan, to + 1)))
  )
    to += 1;
  return to;
};

/** "The advertiser is Acme", "our client Nike", "on behalf of Acme"; "the client is happy" names nobody. */
const partyAt = (scan: Scan, at: number, productAt: EntityReader): Words | null => {
  const { tokens } = scan;
  const said = tokens[at]?.word ?? "";
  const word = said.replace(/'s$/, "");
  const isBehalf = word === "behalf" && tokens[at + 1]?.word === "of";
  if (!parties.has(word) && !isBehalf) return null;
  let from = at + (isBehalf ? 2 : 1);
  while (from < at + 4 && isOneOf(tokens[from]?.word ?? "", "name is : = should will be")) from += 1;
  // "Client Nordlicht Kaffee, PO 4500".
  // "Put the client Nordwind on both"; "the client Nordwind" of a story may be anybody's.
  const isPut = tokens[at - 1]?.word === "the" && naming.has(tokens[at - 2]?.word ?? "");
  const isNamed =
    isCapital(scan, from) &&
    !isOf(tokens[from], "function") &&
    (isPut || !isOneOf(tokens[at - 1]?.word ?? "", "the a an"));
  const isOwn = from > at + 1 || isNamed || isOneOf(tokens[at - 1]?.word ?? "", "our my for with");
  const to = isOwn ? nameEnd(scan, from) : from;
  // "Our client's CTV deal", "our running shoe brand: Pre-Roll Video, 15,000 USD"
  const isPossessed = said !== word && from === at + 1;
  const isNone =
    to === from ||
    (isOf(tokens[from], "function") && to === from + 1) ||
    isPossessed ||
    (productAt(scan, from)?.to ?? 0) >= to;
  return isNone
    ? null
    : {
        kind: "reference",
        value: "",
        from: at,
        to,
        note: labelledNote(isBehalf ? "advertiser" : word, scan, from, to),
      };
};

/** "I'm from Trailhead & Co.", "Trailhead & Co. here": who writes, unless that is an agency. */
const isOfWriter = ({ tokens }: Scan, at: number, to: number): boolean => {
  if (tokens.some(({ word }) => isOneOf(word, "agency agencies"))) return false;
  const isFrom = tokens[at - 1]?.word === "from" && isOneOf(tokens[at - 2]?.word ?? "", "i'm im am we're are");
  const here = tokens[to]?.text === "." ? to + 1 : to;
  const opens = at === 0 || (at < 4 && isOneOf(tokens[at - 1]?.word ?? "", "hi hello hey , !"));
  return isFrom || (opens && tokens[here]?.word === "here" && tokens[here + 1]?.kind !== "word");
};

/** "500k native for Halden Coffee": a name that nothing else is. */
export const clientAt = (scan: Scan, at: number): Words | null => {
  const { tokens, owners } = scan;
  const end = isCapital(scan, at) ? nameEnd(scan, at) : at;
  const to = tokens[at - 1]?.word === "for" || isOfWriter(scan, at, end) ? end : at;
  const isOwned = owners.slice(at, to).some((owner) => owner !== undefined) || isOf(tokens[at], "function");
  const isPartOfMore =
    tokens[to]?.kind === "word" &&
    tokens[to]?.word !== "here" &&
    !isOf(tokens[to], "function") &&
    owners[to] === undefined;
  return to === at || isOwned || isPartOfMore
    ? null
    : { kind: "reference", value: "", from: at, to, note: labelledNote("client", scan, at, to) };
};

/** "Put acme as the advertiser". */
const partyPutAt = (scan: Scan, at: number): Words | null => {
  const { tokens } = scan;
  if (!naming.has(tokens[at]?.word ?? "")) return null;
  const end = tokens.slice(at + 1, at + 2 + mostOfName).findIndex(({ word }) => word === "as");
  if (end < 1) return null;
  const as = at + 1 + end;
  const label = isOneOf(tokens[as + 1]?.word ?? "", "the our an a my") ? as + 2 : as + 1;
  const name = tokens[label]?.word ?? "";
  const isName = tokens.slice(at + 1, as).every(({ kind, word }) => kind !== "mark" || isOneOf(word, "& \" “ ” - '"));
  if (
    !(parties.has(name) || name === "campaign") ||
    !isName ||
    isOneOf(tokens[at + 1]?.word ?? "", "it that this them")
  )
    return null;
  // "I have a travel company as a client" names nobody.
  const note = isOneOf(tokens[at + 1]?.word ?? "", "a an") ? {} : { note: labelledNote(name, scan, at + 1, as) };
  return { kind: "reference", value: "", from: at + 1, to: label + 1, ...note };
};

/** Quotation marks of a name: an apostrophe opens one too. */
const closings: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“", "'": "'", "‘": "’" };

const dspNames = ["display & video 360", "display and video 360", "dv 360"].map((name) => name.split(" "));

/** "Display & Video 360" is no inventory. */
const dspAt = ({ tokens }: Scan, at: number): Words | null => {
  const name = dspNames.find((words) => words.every((word, place) => tokens[at + place]?.word === word));
  return name === undefined ? null : { kind: "reference", value: "", from: at, to: at + name.length };
};

/** 'Campaign "Summer Sun Last Minute"' */
const campaignAt = (scan: Scan, at: number): Words | null => {
  const isQuoted = closings[scan.tokens[at + 1]?.text ?? ""] !== undefined;
  return isQuoted ? campaignFrom(scan, at, at + 1) : null;
};

/** The name of a campaign that begins at `from`, in quotes or in capitals, with a year behind it. */
const campaignFrom = (scan: Scan, at: number, from: number): Words | null => {
  const { tokens } = scan;
  if (tokens[at]?.word !== "campaign") return null;
  const closing = closings[tokens[from]?.text ?? ""];
  const size = tokens.slice(from + 1, from + 2 + mostOfName).findIndex(({ text }) => text === closing);
  let to = closing === undefined ? nameEnd(scan, from) : from + 2 + size;
  if (closing === undefined && to > from && tokens[to]?.kind === "number" && tokens[to]?.isFirst !== true) to += 1;
  const isNone = closing === undefined ? to === from : size < 1;
  return isNone ? null : { kind: "reference", value: "", from: at, to, note: labelledNote("campaign", scan, from, to) };
};

/** "Campaign name Sofa Spring 2027", "the campaign is called Sofa Spring": of a sale, whose booking carries it. */
export const campaignNameAt: EntityReader = (scan, at) => {
  const { tokens } = scan;
  let from = at + 1;
  let isNamed = [1, 2].some((back) => isOneOf(tokens[at - back]?.word ?? "", "name call"));
  while (from < at + 5 && isOneOf(tokens[from]?.word ?? "", "is was will be name called named titled : =")) {
    isNamed ||= isOneOf(tokens[from]?.word ?? "", "name called named titled");
    from += 1;
  }
  // "The campaign is called off".
  return isNamed && tokens[from]?.word !== "off" ? campaignFrom(scan, at, from) : null;
};

/** "Campaign: Winter Sale": a name of the buyer's own. */
export const readTitles = (scan: Scan, productAt: EntityReader): void => {
  const { tokens } = scan;
  for (const [at, { isFirst, word }] of tokens.entries()) {
    if (isFirst && titles.has(word) && tokens[at + 1]?.text === ":") {
      let to = at + 2;
      while (tokens[to] !== undefined && tokens[to]?.isFirst !== true && tokens[to]?.text !== ".") to += 1;
      const note = parties.has(word) || word === "campaign" ? { note: labelledNote(word, scan, at + 2, to) } : {};
      take(scan, { kind: "reference", value: "", from: at, to, ...note });
    } else {
      if (scan.owners[at] !== undefined) continue;
      const named = dspAt(scan, at) ?? campaignAt(scan, at) ?? partyAt(scan, at, productAt) ?? partyPutAt(scan, at);
      if (named !== null) take(scan, named);
    }
  }
};
