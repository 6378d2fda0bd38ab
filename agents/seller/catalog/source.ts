import { resolve } from "node:path";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { Catalog } from "../../../skills/seller/products/catalog.ts";
import type { Kind, Store, StoredRow } from "../../../storage/store.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { loadCatalog } from "./load.ts";

const defaultCurrency = "USD";

/** A file of that name is `./default`. */
const defaultName = "default";

/** `named`: the path of the file, `default`, or null. */
export interface NamedCatalog {
  readonly catalog: Catalog;
  readonly named: string | null;
}

export const readNamedCatalog = async (named: string | null): Promise<NamedCatalog> => {
  const file = named === null || named === defaultName ? null : resolve(named);
  return { catalog: await loadCatalog(file, defaultCurrency), named: file ?? named };
};

interface CatalogSourceRow {
  readonly file: string | null;
}

const catalogSourceKind: Kind<CatalogSourceRow> = {
  name: "catalog_source",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

const rowId = "catalog";

const loadSource = async (store: Store): Promise<StoredRow<CatalogSourceRow> | null> =>
  (await store.get(catalogSourceKind.name, rowId)) as StoredRow<CatalogSourceRow> | null;

const expectNamed = (named: string | null, known: StoredRow<CatalogSourceRow> | null): void => {
  const file = known?.body.file ?? null;
  if (named !== null || file === null) return;
  throw new StartFailure(
    `This seller's catalog is the file ${file}, and none was named: the default catalog would be sold in its place. ` +
      `Name it with --catalog or CATALOG_FILE; --catalog ${defaultName} goes over to the default catalog.`,
  );
};

/** A store that sold another catalog must not silently get the default one. Throws `StartFailure`. */
export const checkCatalogSource = async (store: Store, { named }: NamedCatalog): Promise<void> =>
  expectNamed(named, await loadSource(store));

/** Also stores the named catalog; of processes that start at once, one commit decides. */
export const keepCatalogSource = async (store: Store, { named }: NamedCatalog): Promise<void> => {
  for (;;) {
    const known = await loadSource(store);
    expectNamed(named, known);
    const file = named === defaultName ? null : named;
    if (named === null || file === (known?.body.file ?? null)) return;
    const row: CatalogSourceRow = { file };
    const change = known === null ? create(catalogSourceKind, rowId, row) : update(catalogSourceKind, known, row);
    if ((await store.commit({ changes: [change], audit: null })).ok) return;
  }
};
