import type { Log } from "../../protocol/seam/ports.ts";
import { intentsOf, buyerSkills, withPhrases } from "../server/card-skills.ts";
import { operatorKeyKind } from "../../skills/buyer/operator-keys/record.ts";
import { type Watched, watchOf } from "../../protocol/seam/watch.ts";
import type { Store } from "../../storage/store.ts";
import { upgradeRows } from "../../storage/upgrade.ts";
import { buyerRowFormats } from "./row-formats.ts";
import type { Composed } from "../server/composed.ts";
import { type Launched, launch, systemClock } from "../server/launch.ts";
import type { StoreLocation } from "../host/store-location.ts";
import { createRateLimiter } from "../server/rate-limiter.ts";
import { forgottenTalk } from "../../skills/buyer/talk/record.ts";
import { forgottenDesk } from "../../skills/talk/gate/record.ts";
import type { Seal } from "../../skills/buyer/ports.ts";
import { besideOf } from "../server/beside.ts";
import { type BuyerParts, createBuyer } from "./app.ts";
import { createSeal, secretOfDirectory } from "./clients/seal.ts";
import { type BuyerConfig, buyerSettingsOf } from "./config.ts";
import { tokenIssuerOf } from "../server/server-settings.ts";
import { buyerPrompts } from "./prompts.ts";
import { buyerInstructions, buyerTools } from "./tool-lists.ts";

export interface BuyerLaunch {
  readonly config: BuyerConfig;
  readonly host: string;
  readonly port: number;
  readonly place: StoreLocation;
  readonly log: Log;
}

/** The configured secret, else that of the data directory; null without either. */
const sealOf = ({ config, place }: { readonly config: BuyerConfig; readonly place?: StoreLocation }): Seal | null => {
  if (config.sellerKeysSecret !== null) return createSeal(config.sellerKeysSecret);
  return place?.driver === "lowdb" ? createSeal(secretOfDirectory(place.dir)) : null;
};

export const composeBuyer = (
  options: Pick<BuyerLaunch, "config" | "log"> &
    Watched &
    Pick<BuyerParts, "beside"> & { readonly place?: StoreLocation },
  store: Store,
  listenUrl: string,
): Composed => {
  const { config, log } = options;
  const agentUrl = (config.agentUrl === "" ? listenUrl : config.agentUrl).replace(/\/+$/, "");
  const agent = createBuyer({
    issuer: tokenIssuerOf(config, agentUrl),
    store,
    settings: { ...buyerSettingsOf(config), agentUrl },
    clock: systemClock,
    log,
    ...watchOf(options),
    ...(options.beside === undefined ? {} : { beside: options.beside }),
    seal: sealOf(options),
    limiter: createRateLimiter(config),
  });
  return {
    agent,
    due: (row, nowMs) => forgottenTalk(row) ?? forgottenDesk(row) ?? agent.pushes.due(row, nowMs),
    keyKind: operatorKeyKind.name,
    a2a: { push: agent.pushes.ports, approvals: null },
    face: {
      displayName: "Ad Buyer Agent",
      organization: () => "Parley buyer",
      publicUrl: agentUrl,
      skills: withPhrases(buyerSkills, intentsOf(agent.runner.contracts)),
      protocols: ["opendirect21", "a2a"],
      instructions: buyerInstructions,
      toolLists: buyerTools,
      prompts: buyerPrompts,
      cardExtra: () => ({}),
    },
  };
};

/** Buys in the sandboxes of its sellers. */
const composeSandbox =
  ({ config, log, place }: BuyerLaunch) =>
  async (store: Store, real: Store, listenUrl: string): Promise<Composed> => {
    await upgradeRows(store, buyerRowFormats, log);
    const sandboxed = { ...config, sandbox: "all" as const };
    return composeBuyer({ config: sandboxed, log, place, beside: besideOf(real) }, store, listenUrl);
  };

export const launchBuyer = (options: BuyerLaunch): Promise<Launched> =>
  launch({
    ...options,
    agent: "buyer",
    composeSandbox: composeSandbox(options),
    compose: async (store, listenUrl, watch) => {
      await upgradeRows(store, buyerRowFormats, options.log);
      return composeBuyer({ ...options, watch }, store, listenUrl);
    },
  });
