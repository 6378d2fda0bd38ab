import { isOneOf, words } from "../word-lists.ts";
import { type EntityReader, type Named, type Scan, take, type Words } from "../entity.ts";
import { isOf } from "../lexicon.ts";
import type { NamedInventory, ProductFinder } from "./product-finder.ts";

const links = "- – — / ( ) : & +";

const mostWords = 9;

type Strength = "name" | "part" | "link" | null;

/** What a name is called otherwise, in words that alone name nothing. */
const aliases = [
  "run of site",
  "run of network",
  "home page",
  "prime time",
  "pagina de inicio",
  "pagina principal",
  "page d'accueil",
  "vernetztes fernsehen",
  "vernetzte fernsehen",
  "videos recompensados",
  "video recompensado",
].map((alias) => alias.split(" "));
const ofAlias = new Set(aliases.flat());

const isAlias = ({ tokens }: Scan, at: number): boolean =>
  ofAlias.has(tokens[at]?.word ?? "") &&
  aliases.some((words) =>
    words.some((_, step) => {
      const own = tokens.slice(Math.max(0, at - step * 2), at + words.length * 2).filter(({ kind }) => kind === "word");
      const place = own.indexOf(tokens[at] as (typeof own)[number]);
      return place >= step && words.every((word, offset) => own[place - step + offset]?.word === word);
    }),
  );

const strengthAt = (scan: Scan, at: number, finder: ProductFinder): Strength => {
  const { tokens, owners } = scan;
  const token = tokens[at];
  if (token === undefined || owners[at] !== undefined) return null;
  if (token.kind === "mark") return isOneOf(token.text, links) ? "link" : null;
  if (isAlias(scan, at)) return "name";
  return finder.knows(finder.spelt(token.word));
};

/** The end of the longest run of words that could be a name; 0 where none begins. */
const runEnd = (scan: Scan, start: number, finder: ProductFinder): number => {
  let end = 0;
  let hasName = false;
  for (let at = start; at < start + mostWords; at += 1) {
    const strength = strengthAt(scan, at, finder);
    if (strength === null || (at > start && scan.tokens[at]?.isFirst === true)) break;
    // "In" is part of "In-Feed" only where the dash is.
    const isLoose = strength === "part" && isOf(scan.tokens[at], "function") && scan.tokens[at + 1]?.isGlued !== true;
    if (isLoose || (strength === "link" && at === start)) break;
    if (strength === "link" && isOneOf(scan.tokens[at]?.text ?? "", "& + /") && scan.tokens[at]?.isGlued !== true)
      break;
    hasName ||= strength === "name";
    if (strength !== "link") end = at + 1;
  }
  return hasName ? end : 0;
};

const spelt = ({ tokens, text }: Scan, from: number, to: number, finder: ProductFinder): string => {
  let out = "";
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    if (token === undefined) continue;
    if (at > from) out += text.slice(tokens[at - 1]?.end ?? 0, token.start);
    out += token.kind === "word" ? finder.spelt(token.word) : token.text;
  }
  return out;
};

const everyday = words(`
  premium standard national local display video videos native mobile streaming linear cable app apps
  top tv television reward network networks cool
`);

const namedOf = (found: NamedInventory, { tokens }: Scan, from: number, to: number): Named => ({
  kind: "product",
  ids: found.products.map(({ product_id: id }) => id),
  inventoryType: found.isNamed ? null : found.inventoryType,
  isExact: found.isExact,
  isExcluded: false,
  isEveryday: to === from + 1 && everyday.has(tokens[from]?.word ?? ""),
  from,
  to,
});

/** "How many times" is no square, and "let's roll" no pre-roll. */
const neverAlone = words("time times roll rolls");

/** Runs of words of a name or a kind: "in-feed native", "cable network", "rewarded". */
export const namedReader =
  (finder: ProductFinder): EntityReader =>
  (scan, at) => {
    const longest = runEnd(scan, at, finder);
    for (let to = longest; to > at; to -= 1) {
      if (strengthAt(scan, to - 1, finder) === "link") continue;
      if (to === at + 1 && neverAlone.has(scan.tokens[at]?.word ?? "")) continue;
      const found = finder.find(spelt(scan, at, to, finder));
      if (found.products.length === 0) continue;
      // "Avails NBC": the first word belongs to another name, and to the request.
      const rest =
        strengthAt(scan, at, finder) === "part" && to > at + 1 ? finder.find(spelt(scan, at + 1, to, finder)) : null;
      const isSame =
        rest !== null && rest.products.length === found.products.length && rest.products[0] === found.products[0];
      return isSame ? namedOf(rest, scan, at + 1, to) : namedOf(found, scan, at, to);
    }
    return null;
  };

const productNamed = (id: string, from: number, to: number): Named => ({
  kind: "product",
  ids: [id],
  inventoryType: null,
  isExact: true,
  isExcluded: false,
  isEveryday: false,
  from,
  to,
});

/** A product's own id, in whatever form its catalog has ids. */
export const productIdReader =
  (finder: ProductFinder): EntityReader =>
  ({ tokens, text }, at) => {
    const first = tokens[at];
    if (first === undefined || first.kind === "mark" || (first.isGlued && tokens[at - 1]?.kind !== "mark")) return null;
    let to = at + 1;
    while (
      tokens[to]?.isGlued === true &&
      to < at + 12 &&
      (tokens[to]?.kind !== "mark" || isOneOf(tokens[to]?.text ?? "", "- _ ."))
    )
      to += 1;
    for (; to > at; to -= 1) {
      if (tokens[to - 1]?.kind === "mark" || (to === at + 1 && first.kind === "word")) continue;
      const product = finder.get(text.slice(first.start, tokens[to - 1]?.end));
      if (product !== null) return productNamed(product.product_id, at, to);
    }
    return null;
  };

/** Whole names of the catalog, before their numbers and months are read as such. */
export const readNames = (scan: Scan, finder: ProductFinder, take: (entity: Named) => void): void => {
  const starts = new Map(scan.tokens.map(({ start }, at) => [start, at]));
  for (const { start, end, product } of finder.namesIn(scan.text)) {
    const from = starts.get(start);
    if (product === null || from === undefined) continue;
    let to = from + 1;
    while (scan.tokens[to] !== undefined && (scan.tokens[to]?.end ?? 0) <= end) to += 1;
    take(productNamed(product.product_id, from, to));
  }
};

const media = words(`
  audio podcast podcasts radio newspaper newspapers magazine magazines cinema newsletter newsletters
  print sponsorship sponsorships advertorial advertorials influencer influencers facebook instagram
  tiktok youtube google
`);

/** Media that nobody here sells. */
export const unsoldAt: EntityReader = ({ tokens }, at): Words | null =>
  tokens[at]?.kind === "word" && media.has(tokens[at]?.word ?? "")
    ? { kind: "unsold", value: tokens[at]?.word ?? "", from: at, to: at + 1 }
    : null;

/** "Podcasts 200k, native 300k": the volume of what is not sold is none of another's. */
export const withOwnVolume = (scan: Scan): void => {
  for (const one of scan.owners.filter((owner) => owner?.kind === "unsold")) {
    if (one?.kind !== "unsold") continue;
    const own = [scan.owners[one.to], scan.owners[one.from - 1]].find((owner) => owner?.kind === "volume");
    if (own !== undefined) take(scan, { kind: "reference", value: "", from: own.from, to: own.to });
  }
};
