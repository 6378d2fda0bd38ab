import MiniSearch from "minisearch";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import {
  type AudienceFilter,
  audienceFiltersMet,
  audienceKey,
  packageChangeKind,
  packageChangesKeptMs,
  packageKind,
  type PackageRow,
  packageTerm,
} from "../packages/record.ts";
import type { SellerContext, SellerPorts } from "../context.ts";
import { addText, countTokens, type GrowingWords, noWords, wordsOf } from "./words.ts";

/** `n` is its place in creation order. */
interface Entry {
  readonly n: number;
  readonly row: PackageRow;
  readonly audiences: ReadonlySet<string>;
}

/**
 * A changed package gets a new place, its old one stays empty. `near` finds misspelt public words; the first search
 * that needs it builds it. `seen` is the last change included, at `seenAtMs`.
 */
interface SearchIndex {
  readonly entries: (Entry | undefined)[];
  readonly placeOf: Map<string, number>;
  readonly publicWords: GrowingWords;
  readonly segmentWords: GrowingWords;
  near: MiniSearch | null;
  seen: number;
  seenAtMs: number;
}

/** `detail`: the caller sees segments, so they are searched too. */
export interface Search {
  readonly query: string;
  readonly audience: AudienceFilter | null;
  readonly detail: boolean;
}

const pageRows = 500;
const mostTokens = 32;
const featuredFactor = 1.5;

/** A fuzzy look-up of longer words would be slow. */
const longestMisspelt = 40;

/** In shorter words another letter is another word. */
const shortestMisspelt = 5;

const entryOf = ({ n, body: row }: Loaded<PackageRow>): Entry => ({
  n,
  row,
  audiences: new Set(audienceFiltersMet(row.audience_capabilities).map(audienceKey)),
});

const publicText = (row: PackageRow): string =>
  [row.name, row.description ?? "", ...row.tags, ...row.cat, ...row.ad_formats].join(" ");

const segmentText = ({ audience_capabilities: audience }: PackageRow): string =>
  [...audience.standard_segment_ids, ...audience.contextual_segment_ids].join(" ");

const activeTerm = packageTerm({ status: "active", layer: null, featured: false, audience: null });

/** At most MAX_ACTIVE_PACKAGES. */
async function* activePages(context: SellerContext): AsyncGenerator<readonly Loaded<PackageRow>[]> {
  let left = context.ports.settings.mostActivePackages;
  for (let after: number | undefined; left > 0;) {
    const place = after === undefined ? {} : { after };
    const limit = Math.min(pageRows, left);
    const page = await context.list(packageKind, { terms: [activeTerm], order: "newest", limit, ...place });
    yield page;
    after = page.at(-1)?.n;
    left = page.length < limit ? 0 : left - limit;
  }
}

const nearIndex = (index: SearchIndex): MiniSearch => {
  if (index.near !== null) return index.near;
  const near = new MiniSearch({
    idField: "word",
    fields: ["word"],
    searchOptions: { prefix: true, fuzzy: (term) => (term.length < shortestMisspelt ? false : 0.2) },
  });
  near.addAll([...index.publicWords.places.keys()].map((word) => ({ word })));
  index.near = near;
  return near;
};

const replace = (index: SearchIndex, packageId: string, loaded: Loaded<PackageRow> | null): void => {
  const { entries, placeOf, publicWords, segmentWords, near } = index;
  const before = placeOf.get(packageId);
  if (before !== undefined) entries[before] = undefined;
  placeOf.delete(packageId);
  if (loaded?.body.status !== "active") return;
  const place = entries.push(entryOf(loaded)) - 1;
  placeOf.set(packageId, place);
  const fresh = addText(publicWords, publicText(loaded.body), place);
  addText(segmentWords, segmentText(loaded.body), place);
  near?.addAll(fresh.map((word) => ({ word })));
};

const changesAfter = async (context: SellerContext, seen: number) => {
  const ids = new Set<string>();
  for (let after = seen; ;) {
    const page = await context.list(packageChangeKind, { order: "oldest", limit: pageRows, after });
    for (const { body } of page) for (const id of body.package_ids) ids.add(id);
    after = page.at(-1)?.n ?? after;
    if (page.length < pageRows) return { ids: [...ids], last: after };
  }
};

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Yields after each page, so that other requests are not blocked. */
const buildIndex = async (context: SellerContext): Promise<SearchIndex> => {
  const { last: seen } = await changesAfter(context, 0);
  const [publicWords, segmentWords] = [noWords(), noWords()];
  const times = { seen, seenAtMs: context.nowMs };
  const index: SearchIndex = { entries: [], placeOf: new Map(), publicWords, segmentWords, near: null, ...times };
  for await (const page of activePages(context)) {
    for (const loaded of page) replace(index, loaded.id, loaded);
    await nextTurn();
  }
  return index;
};

/** Where another search was quicker, continues from its result. */
const bringUpToDate = async (context: SellerContext, index: SearchIndex): Promise<void> => {
  for (;;) {
    const { seen } = index;
    const { ids, last } = await changesAfter(context, seen);
    const rows = await Promise.all(ids.map((id) => context.load(packageKind, id)));
    if (index.seen !== seen) continue;
    for (const [at, id] of ids.entries()) replace(index, id, rows[at] ?? null);
    index.seen = last;
    index.seenAtMs = Math.max(index.seenAtMs, context.nowMs);
    return;
  }
};

const known = new WeakMap<SellerPorts, Promise<SearchIndex>>();

/** Changes may have expired unread, or most places are empty. */
const isOutworn = ({ entries, placeOf, seenAtMs }: SearchIndex, nowMs: number): boolean =>
  nowMs - seenAtMs > packageChangesKeptMs / 2 || entries.length > pageRows + 2 * placeOf.size;

/** A failed build is not kept. */
const beginIndex = (context: SellerContext): Promise<SearchIndex> => {
  const { ports } = context;
  const made = buildIndex(context).catch((thrown: unknown) => {
    known.delete(ports);
    throw thrown;
  });
  known.set(ports, made);
  return made;
};

/** Built once for all who wait. Each search adds what changed since, whichever process changed it. */
const currentIndex = async (context: SellerContext): Promise<SearchIndex> => {
  const kept = known.get(context.ports);
  let index = await (kept ?? beginIndex(context));
  if (isOutworn(index, context.nowMs)) {
    const another = known.get(context.ports);
    index = await (another === undefined || another === kept ? beginIndex(context) : another);
  }
  await bringUpToDate(context, index);
  return index;
};

const tokensOf = (query: string): readonly string[] => [...new Set(wordsOf(query))].slice(0, mostTokens);

const newestFirst = (left: Entry, right: Entry): number => right.n - left.n;

/** A featured package scores half as much again. */
const weighed = ({ row }: Entry, score: number): number => (row.is_featured ? score * featuredFactor : score);

const nearly = (
  index: SearchIndex,
  tokens: readonly string[],
  fits: (entry: Entry) => boolean,
): readonly PackageRow[] => {
  const words = tokens.filter((token) => token.length <= longestMisspelt);
  const scores = new Map<Entry, number>();
  for (const hit of nearIndex(index).search(words.join(" "))) {
    for (const place of index.publicWords.places.get(String(hit.id)) ?? []) {
      const entry = index.entries[place];
      if (entry === undefined || !fits(entry)) continue;
      scores.set(entry, (scores.get(entry) ?? 0) + weighed(entry, hit.score));
    }
  }
  return [...scores]
    .sort(([left, score], [right, otherScore]) => otherScore - score || newestFirst(left, right))
    .map(([{ row }]) => row);
};

/**
 * A point for each word that is part of a text, newer first among equals. The public view reads public texts only, so
 * that neither result, order nor time reveals what is hidden.
 */
export const searchPackages = async (context: SellerContext, search: Search): Promise<readonly PackageRow[]> => {
  const index = await currentIndex(context);
  const tokens = tokensOf(search.query);
  const key = search.audience === null ? null : audienceKey(search.audience);
  const fits = (entry: Entry): boolean => key === null || entry.audiences.has(key);
  const read = search.detail ? [index.publicWords, index.segmentWords] : [index.publicWords];
  const byScore: (Entry[] | undefined)[] = [];
  for (const { place, tokens: points } of countTokens(index.entries.length, read, tokens)) {
    const entry = index.entries[place];
    if (entry !== undefined && fits(entry)) (byScore[2 * weighed(entry, points)] ??= []).push(entry);
  }
  if (byScore.length === 0) return nearly(index, tokens, fits);
  return byScore.toReversed().flatMap((entries) => entries?.sort(newestFirst).map(({ row }) => row) ?? []);
};
