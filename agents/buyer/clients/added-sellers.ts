import type { Log } from "../../../protocol/seam/ports.ts";
import { type AddedSellerRow, addedSellerKind } from "../../../skills/buyer/registry/record.ts";
import type { SellerAddress } from "../../../skills/buyer/seller-url.ts";
import type { Store } from "../../../storage/store.ts";

export interface AddedSellers {
  /** In the order in which they were added. */
  list(): readonly SellerAddress[];
  /** Resolves when the rows of the store are in `list`; a store that cannot be read is asked again at the next call. */
  ready(): Promise<void>;
  stop(): void;
}

const pageRows = 500;

/** Reads the rows at the start and whenever a process commits some. */
export const createAddedSellers = ({
  store,
  log,
}: {
  readonly store: Pick<Store, "list" | "watch">;
  readonly log: Log;
}): AddedSellers => {
  const kind = addedSellerKind.name;
  let known: readonly SellerAddress[] = [];
  let reading: Promise<boolean> | null = null;

  const load = async (): Promise<boolean> => {
    const rows: AddedSellerRow[] = [];
    try {
      for (let after: number | undefined; ;) {
        const place = after === undefined ? {} : { after };
        const page = await store.list({ kind, terms: [], order: "oldest", limit: pageRows, ...place });
        rows.push(...page.map(({ body }) => body as AddedSellerRow));
        after = page.at(-1)?.n;
        if (page.length < pageRows) break;
      }
    } catch (error) {
      log.warn({ error: String(error) }, "the sellers that people added could not be read");
      return false;
    }
    known = rows.map(({ seller_url: url, wire }) => ({ url, wire }));
    return true;
  };
  const read = (): Promise<boolean> => {
    const begun = (reading ?? Promise.resolve(true)).then(load);
    reading = begun;
    return begun;
  };
  const stop = store.watch(kind, () => void read());
  void read();
  return {
    list: () => known,
    ready: async () => {
      const isRead = await reading;
      if (isRead !== true) await read();
    },
    stop,
  };
};
