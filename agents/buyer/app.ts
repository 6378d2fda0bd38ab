import { readAllowList } from "../../protocol/client/address-guard.ts";
import { allowedTarget, type AllowList } from "../../protocol/neutral/address-guard.ts";
import { createOutbound, type OutboundParts } from "../../protocol/client/outbound.ts";
import type { Clock, Log, RateLimiter, TrustRegistry } from "../../protocol/seam/ports.ts";
import { createRunner } from "../../protocol/seam/run.ts";
import type { FlowPolicy } from "../../skills/buyer/bookings/flow/session.ts";
import { operatorKeyKind } from "../../skills/buyer/operator-keys/record.ts";
import type { BuyerPorts, Seal } from "../../skills/buyer/ports.ts";
import { sellerUrlOf } from "../../skills/buyer/seller-refusal.ts";
import type { SellerCredential } from "../../skills/buyer/seller-door.ts";
import { originOf } from "../../skills/buyer/seller-url.ts";
import type { Store } from "../../storage/store.ts";
import type { Agent } from "../server/agent.ts";
import { createKeyUses, startKeyUseWriter } from "../server/key-uses.ts";
import { createEventStream } from "../server/event-stream.ts";
import { eventView } from "../../skills/buyer/events/view.ts";
import { version } from "../version.ts";
import { createCallerDirectory } from "./callers.ts";
import { buyerOperations } from "./operations.ts";
import type { BuyerSettings } from "./ports.ts";
import { createSellerCredentials } from "./clients/credentials.ts";
import { createTurns } from "./clients/in-turn.ts";
import { createSellerDoor, type SellerDoorParts } from "./clients/seller-door.ts";
import { createEventBus, joinRecord } from "./event-bus.ts";
import { createLibrary, keepBookedDeals } from "./library.ts";
import { createSellerCalls } from "./sellers.ts";
import { watchSettledBookings } from "./settled.ts";
import { startBookingWorker, type WorkerParts } from "./worker.ts";

/** What a buyer is made of; the store is opened and closed by the caller. The optional parts are for tests. */
export interface BuyerParts {
  readonly store: Store;
  readonly settings: BuyerSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter?: RateLimiter;
  /** Encrypts seller keys; without it none can be stored. */
  readonly seal?: Seal | null;
  readonly outbound?: Pick<OutboundParts, "resolve" | "connector">;
  readonly pause?: SellerDoorParts["pause"];
  readonly worker?: Pick<WorkerParts, "leaseMs" | "pollMs" | "mostJobs">;
}

/** Nobody's trust lowers an operator, and operators are the buyer's only callers. */
const noTrust: TrustRegistry = { ofAgent: async () => ({ ceiling: "advertiser", blocked: false }) };

const noLimit: RateLimiter = { take: async () => null };

/**
 * Beside `OUTBOUND_ALLOW` the sellers' own hosts and ports: whoever configured them meant them, wherever they are. A
 * redirect of theirs to anywhere else is judged like any target (decision 20).
 */
const allowListOf = (settings: BuyerSettings): AllowList => [
  ...readAllowList(settings.outboundAllow.join(",")),
  ...settings.sellers.map(({ url }) => allowedTarget(url)),
  ...(settings.openDirect.baseUrl === null ? [] : [allowedTarget(settings.openDirect.baseUrl)]),
];

const flowPolicyOf = ({ researchDeadlineSeconds, negotiates }: BuyerSettings): FlowPolicy => ({
  researchDeadlineMs: researchDeadlineSeconds * 1000,
  negotiates,
});

/** The keys of SELLER_API_KEYS by origin. */
const configuredKeysOf = ({ sellers }: BuyerSettings): ReadonlyMap<string, SellerCredential> =>
  new Map(
    sellers.flatMap(({ url, key, headerType }) =>
      key === null ? [] : [[originOf(url), { key, headerType }] as const],
    ),
  );

/** The seller of product search: OPENDIRECT_BASE_URL with its key, which goes before its token; else the first one. */
const searchOf = (
  { openDirect, sellers }: BuyerSettings,
  keys: ReadonlyMap<string, SellerCredential>,
): BuyerPorts["search"] => {
  if (openDirect.baseUrl === null) {
    const [first] = sellers;
    return first === undefined ? null : { url: sellerUrlOf(first.url), credential: null };
  }
  const { baseUrl, apiKey, token } = openDirect;
  const own = token === null ? null : ({ key: token, headerType: "bearer" } as const);
  const credential = apiKey === null ? own : ({ key: apiKey, headerType: "api_key" } as const);
  return { url: sellerUrlOf(baseUrl), credential: credential ?? keys.get(originOf(baseUrl)) ?? null };
};

/**
 * Composes the buyer agent and starts its booking worker; `stop` ends it between two calls to a seller, and writes the
 * uses of keys.
 */
export const createBuyer = (parts: BuyerParts): Agent => {
  const { store, settings, clock, log } = parts;
  const allow = allowListOf(settings);
  const timeoutMs = settings.sellerTimeoutSeconds * 1000;
  const outbound = createOutbound({ allow, timeoutMs, ...parts.outbound });
  const seal = parts.seal ?? null;
  const configured = configuredKeysOf(settings);
  const door = createSellerDoor({
    sellers: settings.sellers.map(({ url }) => url),
    credentials: createSellerCredentials({ store, configured, seal, clock, log }),
    timeoutSeconds: settings.sellerTimeoutSeconds,
    dialect: settings.sellerDialect,
    outbound,
    log,
    pause: parts.pause,
  });
  const calls = createSellerCalls({ settings, door, log });
  const settled = watchSettledBookings(store);
  const bus = createEventBus({ clock, log });
  const record = joinRecord({ bus, store, clock, log });
  const library = createLibrary({ store, clock, log });
  const keeping = keepBookedDeals({ bus, library, store, clock, log });
  const uses = createKeyUses({ store, kind: operatorKeyKind, clock });
  const runner = createRunner({
    operations: buyerOperations,
    store,
    ports: {
      agenticExtension: settings.agenticExtension,
      keyUses: uses,
      sellerUrls: calls.sellers,
      settledBooking: (jobId) => settled.wait(jobId),
      sellers: door,
      identity: settings.identity,
      seal,
      configuredKeys: configured,
      inTurn: createTurns(),
      events: bus,
      library,
      search: searchOf(settings, configured),
    },
    callers: createCallerDirectory({ store, settings, clock, log, uses }),
    trust: noTrust,
    limiter: parts.limiter ?? noLimit,
    clock,
    log,
  });
  const mostPerCaller = settings.eventStreamsPerCaller;
  const stream = createEventStream({ store, runner, view: eventView, mostPerCaller });
  const writer = startKeyUseWriter({ uses, log });
  const worker = startBookingWorker({ store, clock, log, calls, policy: flowPolicyOf(settings), ...parts.worker });
  return {
    name: "buyer",
    title: "Ad Buyer Agent API",
    version,
    description:
      "Buys advertising: turns a campaign brief into booked deals within its budget, by quotes from the configured " +
      "sellers, and keeps every step so that a restart loses and repeats nothing.",
    runner,
    errorShape: "plain",
    pages: [stream.route],
    stop: async () => {
      settled.stop();
      stream.stop();
      await worker.stop();
      await writer.stop();
      await record.stop();
      await keeping.stop();
      await outbound.close();
    },
  };
};
