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
import { addText, countTokens, noWords, type Words, wordsOf } from "./words.ts";

type SellerContext = Context<SellerPorts>;

/** A package with the keys of the audience filters that it meets. */
interface Entry {
  readonly row: PackageRow;
  readonly audiences: ReadonlySet<string>;
}

/**
 * The active packages, newest first, with the words that everybody sees of them and those of their segments. `near`
 * finds public words that are written nearly so; it is made with the first search that needs it.
 */
interface SearchIndex {
  readonly entries: readonly Entry[];
  readonly publicWords: Words;
  readonly segmentWords: Words;
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

const entryOf = (row: PackageRow): Entry => ({
  row,
  audiences: new Set(audienceFiltersMet(row.audience_capabilities).map(audienceKey)),
});

const publicText = (row: PackageRow): string =>
  [row.name, row.description ?? "", ...row.tags, ...row.cat, ...row.ad_formats].join(" ");

const segmentText = ({ audience_capabilities: audience }: PackageRow): string =>
  [...audience.standard_segment_ids, ...audience.contextual_segment_ids].join(" ");

const activeTerm = packageTerm({ status: "active", layer: null, featured: false, audience: null });

/** The active packages, a page at a time, at most as many as may be active (MAX_ACTIVE_PACKAGES). */
async function* activePages(context: SellerContext): AsyncGenerator<readonly PackageRow[]> {
  let left = context.ports.settings.mostActivePackages;
  for (let after: number | undefined; left > 0;) {
    const place = after === undefined ? {} : { after };
    const limit = Math.min(pageRows, left);
    const page = await context.list(packageKind, { terms: [activeTerm], order: "newest", limit, ...place });
    yield page.map(({ body }) => body);
    after = page.at(-1)?.n;
    left = page.length < limit ? 0 : left - limit;
  }
}

const nearIndex = (words: Words): MiniSearch => {
  const near = new MiniSearch({
    idField: "word",
    fields: ["word"],
    searchOptions: { prefix: true, fuzzy: (term) => (term.length < shortestMisspelt ? false : 0.2) },
  });
  near.addAll([...words.places.keys()].map((word) => ({ word })));
  return near;
};

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Other requests have their turn after each page. */
const buildIndex = async (context: SellerContext): Promise<SearchIndex> => {
  const entries: Entry[] = [];
  const publicWords = noWords();
  const segmentWords = noWords();
  for await (const page of activePages(context)) {
    for (const row of page) {
      addText(publicWords, publicText(row), entries.length);
      addText(segmentWords, segmentText(row), entries.length);
      entries.push(entryOf(row));
    }
    await nextTurn();
  }
  let made: MiniSearch | null = null;
  const near = (): MiniSearch => (made ??= nearIndex(publicWords));
  return { entries, publicWords, segmentWords, near };
};

/** An index that is there or on its way, with the number of changes that it holds. */
interface Known {
  readonly changes: number;
  readonly index: Promise<SearchIndex>;
}

const known = new WeakMap<SellerPorts, Known>();

const changesOf = (context: SellerContext): Promise<number> => context.reserved(packageChangesLedger, 0, 0);

/**
 * The index of a seller's active packages. It is made anew only after a package changed, which the ledger of changes
 * tells, whichever process wrote it, and once for all who wait for it; one that was read while packages changed serves
 * them and is not kept.
 */
const currentIndex = async (context: SellerContext): Promise<SearchIndex> => {
  const { ports } = context;
  const changes = await changesOf(context);
  const kept = known.get(ports);
  if (kept?.changes === changes) return kept.index;
  const made: Known = { changes, index: buildIndex(context) };
  known.set(ports, made);
  let isTrue = false;
  try {
    const index = await made.index;
    isTrue = (await changesOf(context)) === changes;
    return index;
  } finally {
    if (!isTrue && known.get(ports) === made) known.delete(ports);
  }
};

const tokensOf = (query: string): readonly string[] => [...new Set(wordsOf(query))].slice(0, mostTokens);

/** Packages by score, best first, newer ones first among equals. */
const ranked = (index: SearchIndex, scores: ReadonlyMap<number, number>): readonly PackageRow[] =>
  [...scores]
    .sort(([place, score], [otherPlace, otherScore]) => otherScore - score || place - otherPlace)
    .flatMap(([place]) => index.entries[place]?.row ?? []);

/** A featured package counts half as much again. */
const weighed = ({ row }: Entry, score: number): number => (row.is_featured ? score * featuredFactor : score);

/** Where no word is part of any text, what is nearly written so, best first. */
const nearly = (
  index: SearchIndex,
  tokens: readonly string[],
  fits: (entry: Entry) => boolean,
): readonly PackageRow[] => {
  const words = tokens.filter((token) => token.length <= longestMisspelt);
  const scores = new Map<number, number>();
  for (const hit of index.near().search(words.join(" "))) {
    for (const place of index.publicWords.places.get(String(hit.id)) ?? []) {
      const entry = index.entries[place];
      if (entry === undefined || !fits(entry)) continue;
      scores.set(place, (scores.get(place) ?? 0) + weighed(entry, hit.score));
    }
  }
  return ranked(index, scores);
};

/**
 * The packages that a query finds, best first, newer ones first among equals: one point for each of its words that is
 * part of their texts (wire contract 3.10). A search on the public view reads public texts only, so that neither what
 * is found, nor its order, nor the time it takes tells of what is hidden.
 */
export const searchPackages = async (context: SellerContext, search: Search): Promise<readonly PackageRow[]> => {
  const index = await currentIndex(context);
  const tokens = tokensOf(search.query);
  const key = search.audience === null ? null : audienceKey(search.audience);
  const fits = (entry: Entry): boolean => key === null || entry.audiences.has(key);
  const read = search.detail ? [index.publicWords, index.segmentWords] : [index.publicWords];
  const byScore: (PackageRow[] | undefined)[] = [];
  for (const { place, tokens: points } of countTokens(index.entries.length, read, tokens)) {
    const entry = index.entries[place];
    if (entry !== undefined && fits(entry)) (byScore[2 * weighed(entry, points)] ??= []).push(entry.row);
  }
  return byScore.length === 0 ? nearly(index, tokens, fits) : byScore.toReversed().flatMap((rows) => rows ?? []);
};
