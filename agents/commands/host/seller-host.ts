import type { Contract } from "../../../protocol/seam/operation.ts";
import { converse } from "../../../skills/seller/talk/contract.ts";
import type { Store } from "../../../storage/store.ts";
import { upgradeRows } from "../../../storage/upgrade.ts";
import { openHost } from "../../host/hosts.ts";
import { checkCatalogSource, keepCatalogSource, readNamedCatalog } from "../../seller/catalog/source.ts";
import { createSeller } from "../../seller/app.ts";
import { sellerSettingsOf, sellerSettingTable } from "../../seller/config.ts";
import { sellerRowFormats } from "../../seller/row-formats.ts";
import { sellerOperations } from "../../seller/operations.ts";
import { systemClock } from "../../server/launch.ts";
import { catalogOf, type OpenAgent } from "./flags.ts";
import { opened } from "./opened.ts";

export const contracts: readonly Contract[] = [...sellerOperations.map(({ contract }) => contract), converse];

export const open: OpenAgent = async (context, { data, catalog: flag }, use) => {
  const { config, log, place } = opened(context, "seller", sellerSettingTable, { data });
  const named = use.sells ? await catalogOf(flag, config) : await readNamedCatalog(null);
  const settings = sellerSettingsOf(config, `http://127.0.0.1:${config.port}`);
  const settleCatalog = async (store: Store): Promise<void> => {
    if (use.sells) await (use.writes ? keepCatalogSource : checkCatalogSource)(store, named);
  };
  return openHost({
    agent: "seller",
    place,
    log,
    writes: use.writes,
    contracts,
    compose: async (store) => {
      await upgradeRows(store, sellerRowFormats, log);
      await settleCatalog(store);
      return createSeller({ store, settings, catalog: named.catalog, clock: systemClock, log });
    },
  });
};
