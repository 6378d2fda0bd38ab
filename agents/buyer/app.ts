import { randomUUID } from "node:crypto";
import { hostAdmission } from "../../protocol/seam/admission.ts";
import type { RateLimiter, TrustRegistry } from "../../protocol/seam/ports.ts";
import { createRunner, type Runner } from "../../protocol/seam/run/run.ts";
import { watchOf } from "../../protocol/seam/watch.ts";
import type { FlowPolicy } from "../../skills/buyer/bookings/flow/session.ts";
import { operatorKeyKind } from "../../skills/buyer/operator-keys/record.ts";
import { auditOf } from "../../storage/audit.ts";
import type { Agent } from "../server/agent.ts";
import type { KeyDirectory } from "../console/sessions.ts";
import { openConsole } from "../console/wiring.ts";
import { type RowsBeside, unwritable, withKeysBeside } from "../server/beside.ts";
import { createKeyUses, type KeyUseCounter, startCountWriter } from "../server/key-uses.ts";
import { createEventStream } from "../server/event-stream.ts";
import { eventView } from "../../skills/buyer/events/view.ts";
import { type TokenIssuer, withAccessTokens } from "../../protocol/door/access-tokens.ts";
import { version } from "../version.ts";
import { createPushes, type Pushes } from "../delivery/push.ts";
import { createTargetGuard } from "../delivery/target-guard.ts";
import { buyerDeeds } from "../../skills/buyer/talk/deeds.ts";
import { converseWith } from "../../skills/buyer/talk/skill.ts";
import { buyerCallables } from "../../skills/buyer/talk/model/calls.ts";
import { createModelReading } from "../../skills/buyer/talk/model/reader.ts";
import { grammar } from "../../skills/buyer/talk/reader/grammar.ts";
import type { Reader } from "../../skills/buyer/talk/reader/request.ts";
import { createGate } from "../../skills/talk/gate/gate.ts";
import { createModelReader } from "../../skills/talk/model/model-reader.ts";
import { createLanguageModel } from "../server/language-model.ts";
import { createCallerDirectory, mayReceive } from "./callers.ts";
import { buyerReadings } from "./readings.ts";
import { buyerOperations } from "./operations.ts";
import type { BuyerSettings } from "./config.ts";
import { type ClientParts, composeClients } from "./clients/compose.ts";
import { createKeyRenewal } from "./clients/renewal.ts";
import { createEventBus, joinRecord } from "./event-bus.ts";
import { createLibrary, keepBookedDeals } from "./library.ts";
import { createSellerCalls } from "./sellers.ts";
import { watchSettledBookings } from "./jobs/settled.ts";
import { startDealFollower } from "./jobs/follower.ts";
import { startBookingWorker, type WorkerParts } from "./jobs/worker.ts";

export interface BuyerParts extends ClientParts {
  readonly limiter?: RateLimiter;
  /** Without it API keys alone are taken. */
  readonly issuer?: TokenIssuer | null;
  /** Of a sandbox: the rows of the agent whose keys it takes. */
  readonly beside?: RowsBeside;
  readonly worker?: Pick<WorkerParts, "leaseMs" | "pollMs" | "mostJobs">;
}

export interface Buyer extends Agent {
  readonly pushes: Pushes;
}

/** Operators are the buyer's only callers, so no trust level applies. */
const noTrust: TrustRegistry = { ofAgent: async () => ({ ceiling: "advertiser", blocked: false }) };

const noLimit: RateLimiter = { take: async () => null };

const flowPolicyOf = ({ researchDeadlineSeconds, negotiates, sellerFees }: BuyerSettings): FlowPolicy => ({
  researchDeadlineMs: researchDeadlineSeconds * 1000,
  negotiates,
  fees: sellerFees,
});

const acquireKey = async (runner: Runner, sellerUrl: string): Promise<boolean> => {
  const from = { door: "host", admission: hostAdmission, requestId: randomUUID(), idempotencyKey: null } as const;
  const call = { operation: "acquire_seller_key", ...from, input: () => ({ input: { seller_url: sellerUrl } }) };
  return (await runner.run(call)).kind === "done";
};

/** Keys of the agent beside a sandbox are noted as used by calls of that agent alone. */
const directoryOf = ({ store, settings, clock, log, beside }: BuyerParts, uses: KeyUseCounter): KeyDirectory => {
  if (beside === undefined) return createCallerDirectory({ store, settings, clock, log, uses });
  const own = createCallerDirectory({ store, settings: { legacyApiKey: null }, clock, log, uses });
  const unnoted = { note: () => undefined };
  return withKeysBeside(own, createCallerDirectory({ store: beside, settings, clock, log, uses: unnoted }));
};

const readerOf = (parts: BuyerParts): Reader => {
  const { settings, clock, log } = parts;
  const model = createLanguageModel({ settings, clock, log, outbound: { ...parts.outbound, ...watchOf(parts) } });
  if (model === null) return grammar;
  const names = new Set(buyerCallables.map(({ name }) => name));
  return createModelReading(createModelReader(model, buyerCallables, names));
};

/** `stop` ends the worker between two calls to a seller and writes the key usage. */
export const createBuyer = (parts: BuyerParts): Buyer => {
  const { store, settings, clock, log } = parts;
  const { outbound, ports: clients, addedRead, close } = composeClients(parts);
  const acquire = (sellerUrl: string): Promise<boolean> => acquireKey(runner, sellerUrl);
  const { sellers: door, registry, inTurn } = clients;
  const renewKey = createKeyRenewal({ store, inTurn, acquire, clock, log });
  const calls = createSellerCalls({ settings, door, addedRead, registry, renewKey, clock, log });
  const settled = watchSettledBookings(store);
  const bus = createEventBus({ clock, log });
  const record = joinRecord({ bus, store, clock, log });
  const library = createLibrary({ store, clock, log });
  const keeping = keepBookedDeals({ bus, library, store, log });
  const uses = createKeyUses({ store, kind: operatorKeyKind, clock });
  const keys = directoryOf(parts, uses);
  const directory = withAccessTokens(keys, { from: parts.issuer, clock, log, tierOf: () => "public" });
  const signedIn = parts.beside === undefined ? store : unwritable(parts.beside);
  const forPeople = openConsole({ name: "buyer", agentUrl: settings.agentUrl, store: signedIn, clock, directory });
  const runner = createRunner({
    operations: [...buyerOperations, converseWith(createGate(buyerDeeds), readerOf(parts))],
    store,
    ports: {
      agenticExtension: settings.agenticExtension,
      keyUses: uses,
      settledBooking: (jobId, withinMs) => settled.wait(jobId, withinMs),
      ...clients,
      events: bus,
      library,
      audit: auditOf(store),
    },
    callers: forPeople.callers,
    trust: noTrust,
    limiter: parts.limiter ?? noLimit,
    clock,
    log,
    ...watchOf(parts),
  });
  const stream = createEventStream({ store, runner, view: eventView, mostPerCaller: settings.eventStreamsPerCaller });
  const pushes = createPushes({
    store,
    clock,
    log,
    outbound,
    ...watchOf(parts),
    targets: createTargetGuard({ settings, ...(parts.outbound === undefined ? {} : { outbound: parts.outbound }) }),
    mayReceive: (keyId) => mayReceive({ store, settings, clock }, keyId),
  });
  const writer = startCountWriter({ counts: uses, log });
  const worker = startBookingWorker({ store, clock, log, calls, policy: flowPolicyOf(settings), ...parts.worker });
  const follower = startDealFollower({ store, clock, log, calls, library, events: bus });
  return {
    name: "buyer",
    title: "Ad Buyer Agent API",
    version,
    description:
      "Buys advertising: turns a campaign brief into booked deals within its budget, by quotes from the configured " +
      "sellers, and keeps every step so that a restart loses and repeats nothing.",
    runner,
    errorShape: "plain",
    pages: [stream.route, ...(settings.console && parts.beside === undefined ? forPeople.routes(runner) : [])],
    pushes,
    readings: () => buyerReadings({ store, clock, pushes, stream }),
    stop: async () => {
      settled.stop();
      stream.stop();
      for (const part of [worker, follower, writer, record, keeping, pushes]) await part.stop();
      await close();
    },
  };
};
