import { resolve } from "node:path";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { Catalog } from "../../../skills/seller/ports.ts";
import type { Kind, Store, StoredRow } from "../../../storage/store.ts";
import { StartFailure } from "../../settings.ts";
import { loadCatalog } from "./load.ts";

/** The currency of catalog rows that name none (wire contract 5.1). */
const defaultCurrency = "USD";

/** The word for the default catalog; a file of that name is `./default`. */
const defaultName = "default";

/** A catalog, and how it was named: the path of its file from the root, the word `default`, null where nothing was. */
export interface NamedCatalog {
  readonly catalog: Catalog;
  readonly named: string | null;
}

/** Reads the catalog that was named, a file or `default`; the default one where none was. Throws `CatalogError`. */
export const readNamedCatalog = async (named: string | null): Promise<NamedCatalog> => {
  const file = named === null || named === defaultName ? null : resolve(named);
  return { catalog: await loadCatalog(file, defaultCurrency), named: file ?? named };
};

/** The file that a seller's catalog comes from, kept with what was sold from it; null: the default catalog. */
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

/** Refuses to sell the default catalog, named by nobody, from the store of another. Throws `StartFailure`. */
export const checkCatalogSource = async (store: Store, { named }: NamedCatalog): Promise<void> =>
  expectNamed(named, await loadSource(store));

/** The same, and keeps a catalog that was named as the one of this store. Processes that start at once settle it. */
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
