import { z } from "zod";
import type { Kind } from "../../storage/store.ts";
import type { Refusal } from "../neutral/refusals.ts";
import { fieldRefusal } from "../neutral/validation.ts";
import type { Context, Loaded } from "./operation.ts";
import { pageInput } from "./paging.ts";

/** Null: any value. */
export type Selected = readonly (readonly string[] | null)[];

/** Null: any value. */
export const selectionTerm = (values: readonly (string | null)[]): string => `in=${JSON.stringify(values)}`;

const crossed = <T>(members: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  members.reduce<readonly (readonly T[])[]>(
    (found, values) => found.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );

const isNarrowed = (values: readonly (string | null)[]): boolean => values.some((value) => value !== null);

/** One per combination but that of nulls, so that filters need no scan. As `selectionTerm` writes them. */
export const selectionTerms = (values: readonly string[]): string[] => {
  let texts = ["in=["];
  for (const [place, value] of values.entries()) {
    const comma = place === 0 ? "" : ",";
    const [quoted, any] = [`${comma}${JSON.stringify(value)}`, `${comma}null`];
    const longer: string[] = [];
    for (const text of texts) longer.push(text + quoted, text + any);
    texts = longer;
  }
  return texts.slice(0, -1).map((text) => `${text}]`);
};

/** A row carries at most one of them. Null: all rows. */
export const selectedTerms = (selected: Selected): readonly (string | null)[] =>
  crossed(selected.map((values) => (values === null ? [null] : [...new Set(values)]))).map((values) =>
    isNarrowed(values) ? selectionTerm(values) : null,
  );

export const selectionInput = {
  limit: pageInput.limit,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, "Send the next_cursor of the page before.")
    .nullish()
    .describe("The next_cursor of the page before, with the same filters."),
};

/** A page may hold fewer than `limit` and still have a `next_cursor`. */
export const selectionOutput = {
  total: z.int().nullable().describe("All matches; null where a filter has to look at each row."),
  count: z.int(),
  next_cursor: z.string().nullable(),
};

/** Newest first, unless `order` says otherwise. */
export interface Selection<T> {
  readonly kind: Kind<T>;
  readonly order?: "newest" | "oldest";
  /** A row carries at most one of them; null: all rows. */
  readonly terms: readonly (string | null)[];
  /** Inclusive, in milliseconds; null: open. */
  readonly fromMs?: number | null;
  readonly toMs?: number | null;
  readonly createdAtMs: (row: T) => number;
  /** False: a deadline has passed since the row was written. */
  readonly isCurrent?: (row: T) => boolean;
  /** A filter without a term. */
  readonly keep?: ((row: T) => boolean) | null;
}

export interface SelectedPage<T> {
  readonly rows: readonly Loaded<T>[];
  readonly page: {
    readonly total: number | null;
    readonly count: number;
    readonly next_cursor: string | null;
  };
}

export const emptySelection = { rows: [], page: { total: 0, count: 0, next_cursor: null } } as const;

/** The store's largest page but one. */
const mostLookedAt = 499;

/** Most filters find a page among the first. */
const fewLookedAt = 60;

/** By bisection: rows are in order of creation. */
const placeBefore = async <T>(
  context: Context,
  { kind, createdAtMs }: Selection<T>,
  timeMs: number,
): Promise<number> => {
  const [newest] = await context.list(kind, { order: "newest", limit: 1 });
  let [low, high] = [-1, newest?.n ?? -1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await context.list(kind, { order: "oldest", limit: 1, after: middle });
    if (row === undefined || createdAtMs(row.body) >= timeMs) high = middle;
    else low = row.n;
  }
  return high;
};

/** Behind `place` in the selection's order. The terms share no row. */
const rowsBehind = async <T>(
  context: Context,
  { kind, terms, order = "newest" }: Selection<T>,
  limit: number,
  place: number | null,
): Promise<readonly Loaded<T>[]> => {
  const after = place === null ? {} : { after: place };
  const lists = await Promise.all(
    terms.map((term) => context.list(kind, { terms: term === null ? [] : [term], order, limit, ...after })),
  );
  const [first] = lists;
  if (lists.length === 1 && first !== undefined) return first;
  return lists
    .flat()
    .sort((left, right) => (order === "newest" ? right.n - left.n : left.n - right.n))
    .slice(0, limit);
};

const countOf = async <T>(context: Context, { kind, terms }: Selection<T>): Promise<number> => {
  const counts = await Promise.all(terms.map((term) => context.count(kind, term)));
  return counts.reduce((sum, count) => sum + count, 0);
};

const boundsOf = async <T>(context: Context, selection: Selection<T>, cursor: number | null) => {
  const { fromMs = null, toMs = null } = selection;
  const from = fromMs === null ? 0 : (await placeBefore(context, selection, fromMs)) + 1;
  const end = toMs === null ? null : (await placeBefore(context, selection, toMs + 1)) + 1;
  if (selection.order === "oldest") return { from, end, start: Math.max(from - 1, cursor ?? -1) };
  return { from, end, start: end === null || cursor === null ? (end ?? cursor) : Math.min(end, cursor) };
};

interface Walked<T> {
  readonly shown: Loaded<T>[];
  /** Left out because their terms are outdated. */
  overdue: number;
  looked: number;
  /** Null: the last page. */
  next: number | null;
}

/** False: no more rows. */
const walkOn = async <T>(
  context: Context,
  selection: Selection<T>,
  walked: Walked<T>,
  place: Awaited<ReturnType<typeof boundsOf>> & { readonly limit: number; readonly most: number },
): Promise<boolean> => {
  const wanted = Math.min(place.most - walked.looked, Math.max(place.limit - walked.shown.length, fewLookedAt));
  const read = await rowsBehind(context, selection, wanted + 1, walked.next ?? place.start);
  const found = read.filter(({ n }) => n >= place.from && (place.end === null || n < place.end));
  for (const [index, row] of found.slice(0, wanted).entries()) {
    walked.looked += 1;
    if (selection.isCurrent?.(row.body) === false) walked.overdue += 1;
    else if (selection.keep?.(row.body) ?? true) walked.shown.push(row);
    walked.next = index + 1 < found.length ? row.n : null;
    if (walked.shown.length === place.limit) return false;
  }
  if (found.length === 0) walked.next = null;
  return walked.next !== null && walked.looked < place.most;
};

/**
 * As fast in a million rows as in a thousand. Without a term, a page reads a bounded number of rows and the next one
 * goes on behind them.
 */
export const readSelection = async <T>(
  context: Context,
  selection: Selection<T>,
  request: { readonly limit: number; readonly cursor?: string | null | undefined },
): Promise<SelectedPage<T>> => {
  const { keep = null, fromMs = null, toMs = null } = selection;
  const { limit } = request;
  const bounds = await boundsOf(context, selection, request.cursor == null ? null : Number(request.cursor));
  const most = keep === null ? limit : mostLookedAt;
  const walked: Walked<T> = { shown: [], overdue: 0, looked: 0, next: null };
  while (await walkOn(context, selection, walked, { ...bounds, limit, most }));
  const isCounted = keep === null && fromMs === null && toMs === null;
  return {
    rows: walked.shown,
    page: {
      total: isCounted ? (await countOf(context, selection)) - walked.overdue : null,
      count: walked.shown.length,
      next_cursor: walked.next === null ? null : String(walked.next),
    },
  };
};

/** Bounds the time that one call takes. */
const mostSorted = 10_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Placed {
  readonly id: string;
  readonly n: number;
  readonly key: number;
}

/** Calls `visit` for each match, the newest first. False: there are more than may be looked at. */
export const visitSelection = async <T>(
  context: Context,
  selection: Selection<T>,
  visit: (row: Loaded<T>) => void,
): Promise<boolean> => {
  const { isCurrent, keep } = selection;
  const bounds = await boundsOf(context, selection, null);
  let looked = 0;
  for (let before = bounds.start; ;) {
    const read = await rowsBehind(context, selection, mostLookedAt, before);
    const found = read.filter(({ n }) => n >= bounds.from);
    looked += found.length;
    if (looked > mostSorted) return false;
    for (const row of found) {
      if ((isCurrent?.(row.body) ?? true) && (keep?.(row.body) ?? true)) visit(row);
    }
    if (found.length < mostLookedAt) return true;
    before = found.at(-1)?.n ?? null;
    // Others are answered between two pages.
    await nextTurn();
  }
};

/** Of each match its key alone: the rows would take tens of megabytes a call. Null: more than may be sorted. */
const sortedPlaces = async <T>(
  context: Context,
  selection: Selection<T>,
  keyOf: (row: T) => number,
): Promise<readonly Placed[] | null> => {
  const places: Placed[] = [];
  const isAll = await visitSelection(context, selection, ({ id, n, body }) => {
    places.push({ id, n, key: keyOf(body) });
  });
  return isAll ? places.sort((one, other) => one.key - other.key || other.n - one.n) : null;
};

/** The smallest key first, newest first among equals. The cursor is an offset. */
export const readSorted = async <T>(
  context: Context,
  selection: Selection<T>,
  keyOf: (row: T) => number,
  request: { readonly limit: number; readonly cursor?: string | null | undefined },
): Promise<SelectedPage<T> | Refusal> => {
  const places = await sortedPlaces(context, selection, keyOf);
  if (places === null) {
    const most = mostSorted.toLocaleString("en-US");
    return fieldRefusal("sort", `More than ${most} match. Narrow the list, or leave sort out.`);
  }
  const start = Number(request.cursor ?? 0);
  const shown = places.slice(start, start + request.limit);
  const loaded = await Promise.all(shown.map(({ id }) => context.load(selection.kind, id)));
  const rows = loaded.filter((row) => row !== null);
  const end = start + shown.length;
  return {
    rows,
    page: { total: places.length, count: rows.length, next_cursor: end < places.length ? String(end) : null },
  };
};
