import type { Context } from "../../protocol/seam/operation.ts";
import type { Kind } from "../../storage/store.ts";

const pageSize = 500;
const mostPages = 20;

/** For filters without a term: newest first, of at most 10,000 rows that carry the terms. */
export const scanNewest = async <T>(
  context: Pick<Context, "list">,
  kind: Kind<T>,
  terms: readonly string[],
  keep: (row: T) => boolean,
): Promise<readonly T[]> => {
  const found: T[] = [];
  let after: number | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const place = after === undefined ? {} : { after };
    const rows = await context.list(kind, { terms, order: "newest", limit: pageSize, ...place });
    found.push(...rows.map(({ body }) => body).filter(keep));
    after = rows.at(-1)?.n;
    if (rows.length < pageSize) break;
  }
  return found;
};
