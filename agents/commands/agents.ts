import type { Contract } from "../../protocol/seam/operation.ts";
import type { Store } from "../../storage/store.ts";
import { talkOperations } from "../../skills/buyer/talk/skill.ts";
import { converse } from "../../skills/understanding/contract.ts";
import { createBuyer } from "../buyer/app.ts";
import { buyerSettingsOf, buyerSettingTable } from "../buyer/config.ts";
import { buyerOperations } from "../buyer/operations.ts";
import type { AgentHost } from "../host/host.ts";
import { openHost } from "../host/hosts.ts";
import { systemClock } from "../server/launch.ts";
import type { AgentName } from "../host/place.ts";
import { createSeller } from "../seller/app.ts";
import {
  checkCatalogSource,
  keepCatalogSource,
  type NamedCatalog,
  readNamedCatalog,
} from "../seller/catalog/source.ts";
import { type SellerConfig, sellerSettingsOf, sellerSettingTable } from "../seller/config.ts";
import { sellerOperations } from "../seller/operations.ts";
import { agentNamed, type CommandContext, namedBy, UsageFailure } from "./context.ts";
import { opened } from "./host/opened.ts";

export const catalogMeaning = "products on sale, a JSON or CSV file (default CATALOG_FILE)";

export const ownCatalogMeaning = `${catalogMeaning}; where a server runs on the folder, its own catalog counts`;

/** Throws on bad rows, naming all of them with lines. */
export const catalogOf = (flag: string | undefined, config: Pick<SellerConfig, "catalogFile">): Promise<NamedCatalog> =>
  readNamedCatalog(namedBy("--catalog", flag) ?? config.catalogFile);

export interface Use {
  readonly sells: boolean;
  readonly writes: boolean;
}

export interface AgentFlags {
  readonly agent: string;
  readonly data?: string;
  readonly catalog?: string;
}

type Flags = Pick<AgentFlags, "data" | "catalog">;

export const contractsOf = (agent: AgentName): readonly Contract[] =>
  agent === "seller"
    ? [...sellerOperations.map(({ contract }) => contract), converse]
    : [...buyerOperations, ...talkOperations].map(({ contract }) => contract);

const sellerHost = async (context: CommandContext, { data, catalog: flag }: Flags, use: Use): Promise<AgentHost> => {
  const { config, log, place } = opened(context, "seller", sellerSettingTable, data);
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
    contracts: contractsOf("seller"),
    compose: async (store) => {
      await settleCatalog(store);
      return createSeller({ store, settings, catalog: named.catalog, clock: systemClock, log });
    },
  });
};

const buyerHost = (context: CommandContext, { data, catalog }: Flags, { writes }: Use): Promise<AgentHost> => {
  if (catalog !== undefined) throw new UsageFailure("--catalog: a buyer has no catalog.");
  const { config, log, place } = opened(context, "buyer", buyerSettingTable, data);
  return openHost({
    agent: "buyer",
    place,
    log,
    writes,
    contracts: contractsOf("buyer"),
    compose: (store) => createBuyer({ store, settings: buyerSettingsOf(config), clock: systemClock, log }),
  });
};

export const onHost = async <T>(
  context: CommandContext,
  { agent: name, ...flags }: AgentFlags,
  use: Use,
  work: (host: AgentHost, agent: AgentName) => Promise<T>,
): Promise<T> => {
  const agent = agentNamed(name);
  const host = await (agent === "seller" ? sellerHost : buyerHost)(context, flags, use);
  try {
    return await work(host, agent);
  } finally {
    await host.close();
  }
};
