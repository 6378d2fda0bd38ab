import type { Log } from "../../protocol/seam/ports.ts";
import type { Catalog } from "../../skills/seller/products/catalog.ts";
import { apiKeyKind } from "../../skills/seller/api-keys/record.ts";
import { sellerDueWork } from "../../skills/seller/due-work.ts";
import { forgottenConversation } from "../../skills/seller/talk/memory.ts";
import { forgottenDesk } from "../../skills/talk/gate/record.ts";
import { forgottenExchange } from "../../skills/seller/talk/exchanges.ts";
import { spokenIntents } from "../../skills/seller/talk/contract.ts";
import { intentsOf, sellerSkills, withPhrases } from "../server/card-skills.ts";
import { type Watched, watchOf } from "../../protocol/seam/watch.ts";
import type { Store } from "../../storage/store.ts";
import { upgradeRows } from "../../storage/upgrade.ts";
import { sellerRowFormats } from "./row-formats.ts";
import type { Composed } from "../server/composed.ts";
import { type Launched, launch, systemClock } from "../server/launch.ts";
import type { StoreLocation } from "../host/store-location.ts";
import type { SellingRules } from "../../skills/seller/selling-rules/record.ts";
import { withRules } from "../../skills/seller/selling-rules/rules.ts";
import { storedRules } from "./live-rules.ts";
import { besideOf } from "../server/beside.ts";
import { createSeller, type SellerParts } from "./app.ts";
import { keepCatalogSource, type NamedCatalog } from "./catalog/source.ts";
import { type SellerConfig, sellerSettingsOf } from "./config.ts";
import { sandboxCatalog, sandboxConfig, withOneMode } from "./sandbox.ts";
import { tokenIssuerOf } from "../server/server-settings.ts";
import { sellerPrompts } from "./prompts.ts";
import { sellerInstructions, sellerTools } from "./tool-lists.ts";

export interface SellerLaunch {
  readonly config: SellerConfig;
  readonly host: string;
  readonly port: number;
  readonly place: StoreLocation;
  readonly catalog: Catalog;
  readonly log: Log;
}

type NamedSellerLaunch = Omit<SellerLaunch, "catalog"> & NamedCatalog;

const supportedDealTypes = ["pg", "pmp", "preferred_deal", "private_auction"];

/** `shared`: of the agent that it stands beside; its own go before them. */
interface StoredRules {
  readonly own?: SellingRules;
  readonly shared?: SellingRules;
}

export const composeSeller = (
  options: Pick<SellerLaunch, "config" | "catalog" | "log"> & Watched & Pick<SellerParts, "beside">,
  store: Store,
  listenUrl: string,
  stored: StoredRules = {},
): Composed => {
  const settings = withRules(sellerSettingsOf(options.config, listenUrl), stored.shared ?? {});
  const agent = createSeller({
    store,
    issuer: tokenIssuerOf(options.config, settings.agentUrl.replace(/\/+$/, "")),
    settings,
    rules: stored.own ?? {},
    catalog: options.catalog,
    clock: systemClock,
    log: options.log,
    ...watchOf(options),
    ...(options.beside === undefined ? {} : { beside: options.beside }),
  });
  const { background } = agent;
  const due = sellerDueWork(agent.settings);
  return {
    agent,
    due: async (row, nowMs, reader) =>
      forgottenConversation(row) ??
      forgottenExchange(row) ??
      forgottenDesk(row) ??
      (await background.due(row, nowMs, reader)) ??
      due(row, nowMs, reader),
    start: agent.start,
    keyKind: apiKeyKind.name,
    a2a: { push: background.pushes.ports, approvals: agent.approvals },
    face: {
      displayName: settings.agentName,
      organization: () => agent.settings.sellerName,
      publicUrl: settings.agentUrl.replace(/\/+$/, ""),
      skills: withPhrases(sellerSkills, [...intentsOf(agent.runner.contracts), ...spokenIntents]),
      protocols: ["opendirect21", "a2a"],
      adcp: { testMode: settings.testMode },
      instructions: sellerInstructions,
      toolLists: sellerTools,
      prompts: sellerPrompts,
      cardExtra: () => ({
        inventory_types: options.catalog.inventoryTypes,
        supported_deal_types: supportedDealTypes,
        audience_capabilities: settings.audience,
      }),
    },
  };
};

/** Beside the agent whose store is `real`, with the rules that it starts with; what waits is the sandbox's own. */
const composeSandbox =
  ({ config, log }: Pick<SellerLaunch, "config" | "log">) =>
  async (store: Store, real: Store, listenUrl: string): Promise<Composed> => {
    await upgradeRows(store, sellerRowFormats, log);
    const options = { config: sandboxConfig(config), catalog: sandboxCatalog(), log, beside: besideOf(real) };
    const rules = await storedRules(real);
    const { approval_enabled: _isOn, approval_flows: _flows, approval_above_micros: _above, ...shared } = rules;
    return composeSeller(options, store, listenUrl, { own: await storedRules(store), shared });
  };

export const launchNamedSeller = (given: NamedSellerLaunch): Promise<Launched> => {
  const options = { ...given, config: withOneMode(given.config) };
  return launch({
    ...options,
    agent: "seller",
    composeSandbox: composeSandbox(options),
    compose: async (store, listenUrl, watch) => {
      await upgradeRows(store, sellerRowFormats, options.log);
      await keepCatalogSource(store, options);
      return composeSeller({ ...options, watch }, store, listenUrl, { own: await storedRules(store) });
    },
  });
};

export const launchSeller = (given: SellerLaunch): Promise<Launched> => {
  const options = { ...given, config: withOneMode(given.config) };
  return launch({
    ...options,
    agent: "seller",
    composeSandbox: composeSandbox(options),
    compose: async (store, listenUrl, watch) => {
      await upgradeRows(store, sellerRowFormats, options.log);
      return composeSeller({ ...options, watch }, store, listenUrl, { own: await storedRules(store) });
    },
  });
};
