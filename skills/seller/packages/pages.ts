import { isOperator } from "../../../protocol/seam/caller.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { type Page, type PageRequest, readPage } from "../../../protocol/seam/paging.ts";
import type { SellerContext } from "../context.ts";
import { type PackageFilter, packageKind, type PackageRow, packageTerm } from "./record.ts";
import { isVisible } from "./sold.ts";

const mostAtOnce = 500;

/** Passes over what is hidden from the tier; `n` of the last row looked at, null at the end. */
const visibleRows = async (context: SellerContext, term: string, { limit, offset, cursor }: PageRequest) => {
  const rows: Loaded<PackageRow>[] = [];
  let skip = cursor == null ? offset : 0;
  let after = cursor == null ? undefined : Number(cursor);
  for (;;) {
    const place = after === undefined ? {} : { after };
    const read = await context.list(packageKind, { terms: [term], order: "newest", limit: mostAtOnce, ...place });
    for (const row of read) {
      if (!isVisible(context, row.body)) continue;
      if (skip > 0) skip -= 1;
      else rows.push(row);
      if (rows.length > limit) return rows;
    }
    after = read.at(-1)?.n;
    if (read.length < mostAtOnce) return rows;
  }
};

/** Those that the caller's tier sees; the usual case, that none is hidden from it, reads one page. */
export const readPackages = async (
  context: SellerContext,
  filter: PackageFilter,
  request: PageRequest,
): Promise<Page<PackageRow>> => {
  const term = packageTerm(filter);
  const hiddenTerm = packageTerm({ ...filter, hiddenFrom: context.tier });
  const hidden = isOperator(context.caller) ? 0 : await context.count(packageKind, hiddenTerm);
  if (hidden === 0) return readPage(context, { kind: packageKind, term, order: "newest" }, request);
  const found = await visibleRows(context, term, request);
  const rows = found.slice(0, request.limit);
  const last = rows.at(-1);
  return {
    rows,
    page: {
      total: (await context.count(packageKind, term)) - hidden,
      count: rows.length,
      next_cursor: last === undefined || found.length === rows.length ? null : String(last.n),
    },
  };
};
