import { z } from "zod";
import type { Kind } from "../../storage/store.ts";
import type { Context, Loaded } from "./operation.ts";

/** By `cursor`, or by `offset`. */
export const pageInput = {
  limit: z.int().min(1).max(500).default(50).describe("How many on a page, 1 to 500."),
  offset: z.int().min(0).max(10_000_000).default(0).describe("How many to leave out from the start."),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, "Send the next_cursor of the page before.")
    .nullish()
    .describe("The next_cursor of the page before; counts before offset."),
};

/** `total` is of all pages; `next_cursor` null: the last. */
export const pageOutput = { total: z.int(), count: z.int(), next_cursor: z.string().nullable() };

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | null | undefined;
}

/** Term null: all of the kind. */
export interface Listing<T> {
  readonly kind: Kind<T>;
  readonly term: string | null;
  readonly order: "newest" | "oldest";
}

export interface Page<T> {
  readonly rows: readonly Loaded<T>[];
  readonly page: { readonly total: number; readonly count: number; readonly next_cursor: string | null };
}

/** The filter is one exact term, so that rows and count come from the index. */
export const readPage = async <T>(context: Context, listing: Listing<T>, request: PageRequest): Promise<Page<T>> => {
  const { kind, term, order } = listing;
  const terms = term === null ? [] : [term];
  const place = request.cursor == null ? { offset: request.offset } : { after: Number(request.cursor) };
  // One row more tells whether another page follows.
  const found = await context.list(kind, { terms, order, limit: request.limit + 1, ...place });
  const rows = found.slice(0, request.limit);
  const last = rows.at(-1);
  return {
    rows,
    page: {
      total: await context.count(kind, term),
      count: rows.length,
      next_cursor: last === undefined || found.length === rows.length ? null : String(last.n),
    },
  };
};

/** For anonymous callers of lists that show a caller its own. */
export const emptyPage = { rows: [], page: { total: 0, count: 0, next_cursor: null } } as const;
