import type { AgentHost } from "../../host/host.ts";
import { type NamedCatalog, readNamedCatalog } from "../../seller/catalog/source.ts";
import type { SellerConfig } from "../../seller/config.ts";
import { type CommandContext, namedBy } from "../context.ts";

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

export type OpenAgent = (
  context: CommandContext,
  flags: Pick<AgentFlags, "data" | "catalog">,
  use: Use,
) => Promise<AgentHost>;
