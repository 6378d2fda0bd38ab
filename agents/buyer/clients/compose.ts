import { readAllowList } from "../../../protocol/client/address-guard.ts";
import { allowedTarget, type AllowList } from "../../../protocol/neutral/address-guard.ts";
import { createOutbound, type Outbound, type OutboundMore } from "../../../protocol/client/outbound.ts";
import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import type { AgentWatch } from "../../../protocol/seam/watch.ts";
import type { BuyerPorts, Seal } from "../../../skills/buyer/ports.ts";
import type { Store } from "../../../storage/store.ts";
import type { SellerCredential } from "../../../skills/buyer/seller-door.ts";
import { isAdcpWire } from "../../../skills/buyer/adcp-tasks.ts";
import { sellerUrlOf } from "../../../skills/buyer/seller-refusal.ts";
import { originOf } from "../../../skills/buyer/seller-url.ts";
import type { BuyerSettings } from "../config.ts";
import { createSellerCredentials } from "./credentials.ts";
import { inSandboxesOnly } from "../../../protocol/client/in-sandboxes.ts";
import { createTurns } from "./in-turn.ts";
import { createRegistryClient } from "./registry.ts";
import { createAddedSellers } from "./added-sellers.ts";
import { createSellerDoor, type SellerDoorParts } from "./seller-door.ts";

const configuredKeysOf = ({ sellers }: BuyerSettings): ReadonlyMap<string, SellerCredential> =>
  new Map(
    sellers.flatMap(({ url, key, headerType }) =>
      key === null ? [] : [[originOf(url), { key, headerType }] as const],
    ),
  );

/** OPENDIRECT_BASE_URL, its key before its token; else the first configured seller whose catalog is Parley's. */
const searchOf = (
  { openDirect, sellers }: BuyerSettings,
  keys: ReadonlyMap<string, SellerCredential>,
): BuyerPorts["search"] => {
  if (openDirect.baseUrl === null) {
    const first = sellers.find(({ wire }) => !isAdcpWire(wire));
    return first === undefined ? null : { url: sellerUrlOf(first.url), credential: null };
  }
  const { baseUrl, apiKey, token } = openDirect;
  const own = token === null ? null : ({ key: token, headerType: "bearer" } as const);
  const credential = apiKey === null ? own : ({ key: apiKey, headerType: "api_key" } as const);
  return { url: sellerUrlOf(baseUrl), credential: credential ?? keys.get(originOf(baseUrl)) ?? null };
};

/** Configured hosts may be private; what they redirect to is checked like any target. */
const allowListOf = ({ outboundAllow, sellers, openDirect, registryUrl, aampRegistry }: BuyerSettings): AllowList => [
  ...readAllowList(outboundAllow.join(",")),
  ...sellers.map(({ url }) => allowedTarget(url)),
  ...[openDirect.baseUrl, registryUrl, aampRegistry?.url ?? null].filter((url) => url !== null).map(allowedTarget),
];

/** A seller that is configured by its host and port; a found one, a registry, a receiver is one of many. */
const peersOf = ({ sellers }: BuyerSettings): ((origin: string) => string) => {
  const known = new Map(sellers.map(({ url }) => [originOf(url), new URL(originOf(url)).host]));
  return (origin) => known.get(origin) ?? "other";
};

export interface ClientParts {
  readonly store: Store;
  readonly settings: BuyerSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Without it no seller key can be stored. */
  readonly seal?: Seal | null;
  readonly outbound?: OutboundMore;
  /** Left out: nothing is counted. */
  readonly watch?: AgentWatch;
  readonly pause?: SellerDoorParts["pause"];
}

type ClientPorts = Pick<
  BuyerPorts,
  | "sellers"
  | "identity"
  | "seal"
  | "configuredKeys"
  | "inTurn"
  | "search"
  | "registry"
  | "agentUrl"
  | "hasRegistry"
  | "storeFailure"
>;

export interface Clients {
  readonly outbound: Outbound;
  readonly ports: ClientPorts;
  /** Resolves when the sellers that people added are known. */
  addedRead(): Promise<void>;
  close(): Promise<void>;
}

export const composeClients = (parts: ClientParts): Clients => {
  const { store, settings, clock, log, seal = null } = parts;
  const timeoutMs = settings.sellerTimeoutSeconds * 1000;
  const allow = allowListOf(settings);
  const outbound = createOutbound({
    allow,
    timeoutMs,
    peerOf: peersOf(settings),
    ...(parts.watch === undefined ? {} : { watch: parts.watch }),
    ...parts.outbound,
  });
  const configured = configuredKeysOf(settings);
  const added = createAddedSellers({ store, log });
  const sellers = createSellerDoor({
    sellers: settings.sellers.map(({ url, wire = null }) => {
      const isChosen = settings.openDirect.account === null || isAdcpWire(wire);
      return { url: sellerUrlOf(url), wire: isChosen ? wire : "rest" };
    }),
    added: added.list,
    credentials: createSellerCredentials({ store, configured, seal, clock, log }),
    allow,
    timeoutSeconds: settings.sellerTimeoutSeconds,
    dialect: settings.sellerDialect,
    outbound: settings.sandbox ? inSandboxesOnly(outbound, clock.nowMs) : outbound,
    log,
    pause: parts.pause,
  });
  const { registryUrl, aampRegistry, identity, agentUrl } = settings;
  return {
    outbound,
    addedRead: added.ready,
    close: async () => {
      added.stop();
      await sellers.close();
      await outbound.close();
    },
    ports: {
      sellers,
      identity,
      seal,
      configuredKeys: configured,
      inTurn: createTurns(),
      search: searchOf(settings, configured),
      registry: createRegistryClient({ registryUrl, aamp: aampRegistry, outbound, clock, log }),
      agentUrl,
      hasRegistry: registryUrl !== null || aampRegistry !== null,
      storeFailure: () => store.failure(),
    },
  };
};
