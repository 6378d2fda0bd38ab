import { z } from "zod";
import type { Kind } from "../../storage/store.ts";
import type { Context, Loaded } from "./operation.ts";

/** The input members of every list (decision 19): a page is asked for by `cursor`, or by `offset`. */
export const pageInput = {
  limit: z.int().min(1).max(500).default(50).describe("How many on a page, 1 to 500."),
  offset: z.int().min(0).max(10_000_000).default(0).describe("How many to leave out from the start."),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, "Send the next_cursor of the page before.")
    .nullish()
    .describe("The next_cursor of the page before; counts before offset."),
};

/** The output members of every list (decision 69): all matches, items of this page, null at the end. */
export const pageOutput = { total: z.int(), count: z.int(), next_cursor: z.string().nullable() };

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | null | undefined;
}

/** Which rows a list shows: those with the term (null: all of the kind), newest or oldest first. */
export interface Listing<T> {
  readonly kind: Kind<T>;
  readonly term: string | null;
  readonly order: "newest" | "oldest";
}

export interface Page<T> {
  readonly rows: readonly Loaded<T>[];
  readonly page: { readonly total: number; readonly count: number; readonly next_cursor: string | null };
}

/** A filter is one exact term of the kind, so that rows and count come from its index. */
export const readPage = async <T>(context: Context, listing: Listing<T>, request: PageRequest): Promise<Page<T>> => {
  const { kind, term, order } = listing;
  const terms = term === null ? [] : [term];
  const place = request.cursor == null ? { offset: request.offset } : { after: Number(request.cursor) };
  // One row more than is shown tells whether another page follows.
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

/** A page of nothing: what an anonymous caller sees of lists that show a caller its own (decision 50). */
export const emptyPage = { rows: [], page: { total: 0, count: 0, next_cursor: null } } as const;
