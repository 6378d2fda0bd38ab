import MiniSearch from "minisearch";
import type { Context } from "../../../protocol/operation.ts";
import {
  type AudienceFilter,
  audienceFiltersMet,
  audienceKey,
  packageChangesLedger,
  packageKind,
  type PackageRow,
  packageTerm,
} from "../packages/record.ts";
import type { SellerPorts } from "../ports.ts";

type SellerContext = Context<SellerPorts>;

/** A package with the texts that are searched: what everybody sees of it, and its segments besides. */
interface Entry {
  readonly row: PackageRow;
  readonly publicText: string;
  readonly detailText: string;
  readonly audiences: ReadonlySet<string>;
}

/**
 * The active packages, newest first. `near` finds by words that are misspelt or cut short, in public texts alone; it is
 * made with the first search that needs it.
 */
interface SearchIndex {
  readonly changes: number;
  readonly entries: readonly Entry[];
  readonly near: () => MiniSearch;
}

/** What is searched; `detail`: the caller sees segments, so they are searched too. */
export interface Search {
  readonly query: string;
  readonly audience: AudienceFilter | null;
  readonly detail: boolean;
}

const pageRows = 500;
const mostTokens = 32;
const featuredFactor = 1.5;

/** A longer word is nobody's misspelling, and a fuzzy look-up of it would cost. */
const longestMisspelt = 40;

/** Words of this length may be misspelt; in shorter ones another letter is another word. */
const shortestMisspelt = 5;

const entryOf = (row: PackageRow): Entry => {
  const seen = [row.name, row.description ?? "", ...row.tags, ...row.cat, ...row.ad_formats];
  const { standard_segment_ids: standard, contextual_segment_ids: contextual } = row.audience_capabilities;
  const publicText = seen.join(" ").toLowerCase();
  return {
    row,
    publicText,
    detailText: [publicText, ...standard, ...contextual].join(" ").toLowerCase(),
    audiences: new Set(audienceFiltersMet(row.audience_capabilities).map(audienceKey)),
  };
};

const activeTerm = packageTerm({ status: "active", layer: null, featured: false, audience: null });

/** Reads the active packages, at most as many as may be active (MAX_ACTIVE_PACKAGES). */
const readActive = async (context: SellerContext): Promise<readonly PackageRow[]> => {
  const most = context.ports.settings.mostActivePackages;
  const rows: PackageRow[] = [];
  let after: number | undefined;
  while (rows.length < most) {
    const place = after === undefined ? {} : { after };
    const limit = Math.min(pageRows, most - rows.length);
    const page = await context.list(packageKind, { terms: [activeTerm], order: "newest", limit, ...place });
    rows.push(...page.map(({ body }) => body));
    after = page.at(-1)?.n;
    if (page.length < limit) break;
  }
  return rows;
};

const nearIndex = (entries: readonly Entry[]): MiniSearch => {
  const near = new MiniSearch({
    idField: "place",
    fields: ["text"],
    searchOptions: { prefix: true, fuzzy: (term) => (term.length < shortestMisspelt ? false : 0.2) },
  });
  near.addAll(entries.map(({ publicText }, place) => ({ place, text: publicText })));
  return near;
};

const buildIndex = (rows: readonly PackageRow[], changes: number): SearchIndex => {
  const entries = rows.map(entryOf);
  let made: MiniSearch | null = null;
  return { changes, entries, near: () => (made ??= nearIndex(entries)) };
};

const known = new WeakMap<SellerPorts, SearchIndex>();

/**
 * The index of a seller's active packages. It is made anew only after a package changed, which the ledger of changes
 * tells, whichever process wrote it; one that was read while packages changed is used once and not kept.
 */
const currentIndex = async (context: SellerContext): Promise<SearchIndex> => {
  const changes = await context.reserved(packageChangesLedger, 0, 0);
  const kept = known.get(context.ports);
  if (kept?.changes === changes) return kept;
  const index = buildIndex(await readActive(context), changes);
  if ((await context.reserved(packageChangesLedger, 0, 0)) === changes) known.set(context.ports, index);
  return index;
};

const tokensOf = (query: string): readonly string[] =>
  [
    ...new Set(
      query
        .toLowerCase()
        .split(/\s+/)
        .filter((token) => token !== ""),
    ),
  ].slice(0, mostTokens);

/** One point for each word that is part of the text, half as much again where featured (wire contract 3.10). */
const scoreOf = (entry: Entry, tokens: readonly string[], detail: boolean): number => {
  const text = detail ? entry.detailText : entry.publicText;
  const points = tokens.filter((token) => text.includes(token)).length;
  return entry.row.is_featured ? points * featuredFactor : points;
};

/** Where no word is part of any text, what is nearly written so, best first. */
const nearly = (
  index: SearchIndex,
  tokens: readonly string[],
  fits: (entry: Entry) => boolean,
): readonly PackageRow[] => {
  const words = tokens.filter((token) => token.length <= longestMisspelt);
  const scored = index
    .near()
    .search(words.join(" "))
    .flatMap((hit) => {
      const entry = index.entries[Number(hit.id)];
      if (entry === undefined || !fits(entry)) return [];
      const score = entry.row.is_featured ? hit.score * featuredFactor : hit.score;
      return [{ row: entry.row, score, place: Number(hit.id) }];
    });
  return scored.sort((left, right) => right.score - left.score || left.place - right.place).map(({ row }) => row);
};

/**
 * The packages that a query finds, best first, newer ones first among equals. A search on the public view reads public
 * texts only, so that neither what is found, nor its order, nor the time it takes tells of what is hidden.
 */
export const searchPackages = async (context: SellerContext, search: Search): Promise<readonly PackageRow[]> => {
  const index = await currentIndex(context);
  const tokens = tokensOf(search.query);
  const key = search.audience === null ? null : audienceKey(search.audience);
  const fits = (entry: Entry): boolean => key === null || entry.audiences.has(key);
  const scored = index.entries.flatMap((entry) => {
    const score = fits(entry) ? scoreOf(entry, tokens, search.detail) : 0;
    return score > 0 ? [{ row: entry.row, score }] : [];
  });
  if (scored.length === 0) return nearly(index, tokens, fits);
  return scored.sort((left, right) => right.score - left.score).map(({ row }) => row);
};
