import type { SellerCalls } from "../../../skills/buyer/bookings/flow/ports.ts";
import type { AskedSeller } from "../../../skills/buyer/bookings/record.ts";
import type { AgentCard, RegistryClient } from "../../../skills/buyer/registry/models.ts";
import type { BuyerSettings } from "../config.ts";

export interface FinderParts {
  readonly settings: Pick<BuyerSettings, "discovers" | "agentUrl">;
  readonly configured: () => Promise<readonly string[]>;
  readonly registry: RegistryClient;
}

/** A registry must not make a job ask the whole market. */
const mostFound = 20;

/** Configured sellers are asked whatever their trust, as an operator chose them; of the others blocked ones are not. */
export const createSellerFinder = ({ settings, configured, registry }: FinderParts): SellerCalls["findSellers"] => {
  const chosen = async (url: string): Promise<AskedSeller> => {
    const trust_level = settings.discovers ? (await registry.verify(url)).trust_level : null;
    return { url, source: "configured", trust_level };
  };

  const listed = async ({ url, trust_level: shown }: AgentCard): Promise<AskedSeller | null> => {
    const trust = await registry.verify(url);
    if (shown === "blocked" || trust.trust_level === "blocked") return null;
    return { url, source: "registry", trust_level: trust.is_registered ? trust.trust_level : shown };
  };

  return async (inventoryTypes) => {
    const asked = await configured();
    const cards = settings.discovers ? await registry.discover(inventoryTypes) : [];
    const known = new Set([...asked, settings.agentUrl]);
    const fresh = new Map(cards.filter(({ url }) => !known.has(url)).map((card) => [card.url, card]));
    const found = await Promise.all([...asked.map(chosen), ...[...fresh.values()].slice(0, mostFound).map(listed)]);
    return found.filter((seller) => seller !== null);
  };
};
