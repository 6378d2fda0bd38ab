import type { OutboundMore } from "../../protocol/client/outbound.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import { sellerDialects } from "../../protocol/rest/dialects/seller.ts";
import { createRunner } from "../../protocol/seam/run/run.ts";
import { type Watched, watchOf } from "../../protocol/seam/watch.ts";
import type { Catalog } from "../../skills/seller/products/catalog.ts";
import type { SellerSettings } from "../../skills/seller/settings.ts";
import type { NamedProduct } from "../../skills/talk/reader/names/full-names.ts";
import { createModelReader, type ModelReader } from "../../skills/talk/model/model-reader.ts";
import { createProductFinder } from "../../skills/talk/reader/names/product-finder.ts";
import { converseWith } from "../../skills/seller/talk/skill.ts";
import { answeredOperations } from "../../skills/seller/talk/calls.ts";
import { sellerDeeds } from "../../skills/seller/talk/deeds.ts";
import { createGate } from "../../skills/talk/gate/gate.ts";
import type { Ears } from "../../skills/seller/talk/turn.ts";
import { eventView } from "../../skills/seller/events/view.ts";
import { apiKeyKind } from "../../skills/seller/api-keys/record.ts";
import { auditOf } from "../../storage/audit.ts";
import type { Store } from "../../storage/store.ts";
import type { Agent } from "../server/agent.ts";
import type { KeyDirectory } from "../console/sessions.ts";
import { openConsole } from "../console/wiring.ts";
import { type RowsBeside, unwritable, withKeysBeside } from "../server/beside.ts";
import { createKeyUses } from "../server/key-uses.ts";
import { tierOfIdentity } from "../../machines/pricing/tiers.ts";
import { type TokenIssuer, withAccessTokens } from "../../protocol/door/access-tokens.ts";
import { version } from "../version.ts";
import { createRateLimiter } from "../server/rate-limiter.ts";
import { openAdServer } from "./ad-server/open.ts";
import type { AgentLookup } from "../../skills/seller/registry/agent-lookup.ts";
import { createAgentLookup } from "./ports/agent-lookup.ts";
import { type Background, createBackground } from "./background/background.ts";
import { createCallerDirectory } from "./ports/callers.ts";
import type { Approvals } from "../../protocol/a2a/approvals.ts";
import { createApprovals } from "./ports/approvals.ts";
import { datedExamples } from "./examples.ts";
import { createEventStream } from "../server/event-stream.ts";
import { sellerOperations } from "./operations.ts";
import { createSyncSchedule } from "./background/sync-schedule.ts";
import { createLiveRules } from "./live-rules.ts";
import { createLiveCatalog } from "./catalog/live-catalog.ts";
import { createLanguageModel } from "../server/language-model.ts";
import { createPriceProbes } from "./ports/price-probes.ts";
import { createDayCounter } from "./ports/day-counter.ts";
import { withTestKeys } from "./ports/test-keys.ts";
import { withTestProducts } from "./catalog/test-catalog.ts";
import type { Operation } from "../../protocol/seam/operation.ts";
import type { SellingRules } from "../../skills/seller/selling-rules/record.ts";
import type { SellerPorts } from "../../skills/seller/context.ts";
import { createFixtures, type Fixtures } from "../../skills/seller/test-mode/fixtures.ts";
import { fixtureProducts } from "./sandbox.ts";
import { runTestWith, testProduct } from "../../skills/seller/test-mode/skill.ts";
import { createTargetGuard } from "../delivery/target-guard.ts";
import { createTrustRegistry } from "./ports/trust.ts";
import { sellerReadings } from "./readings.ts";

/** The store is opened and closed by the caller. */
export interface SellerParts extends Watched {
  readonly store: Store;
  readonly settings: SellerSettings;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly log: Log;
  /** Without it API keys alone are taken. */
  readonly issuer?: TokenIssuer | null;
  /** Of a sandbox: the rows of the agent whose keys it takes. */
  readonly beside?: RowsBeside;
  /** As they were stored when the agent was started. */
  readonly rules?: SellingRules;
  /** Tests connect by it. */
  readonly outbound?: OutboundMore;
}

export interface Seller extends Agent {
  readonly approvals: Approvals;
  readonly background: Background;
  readonly start: () => void;
  /** As they are at the moment. */
  readonly settings: SellerSettings;
}

/** Leaves prices out: what a conversation says of a product goes out as it is. */
const everyName = (catalog: Catalog): readonly NamedProduct[] =>
  catalog
    .page({ inventoryTypes: [], offset: 0, limit: Number.MAX_SAFE_INTEGER })
    .products.map(({ product_id, name, inventory_type, deal_types }) => ({
      product_id,
      name,
      inventory_type,
      deal_types,
    }));

/** Its keys are noted as used by calls of its own alone. */
const directoryBeside = (
  { settings, clock }: Pick<SellerParts, "settings" | "clock">,
  store: RowsBeside,
  agents: AgentLookup,
): KeyDirectory =>
  createCallerDirectory({
    store,
    settings,
    clock,
    trust: createTrustRegistry(store, settings, agents),
    uses: { note: () => undefined },
  });

const directoryOf = (
  { store, settings, clock, log, issuer, beside }: SellerParts,
  of: Pick<Parameters<typeof createCallerDirectory>[0], "trust" | "uses">,
  agents: AgentLookup,
) => {
  const own = createCallerDirectory({ store, settings, clock, ...of });
  const real = beside === undefined ? own : withKeysBeside(own, directoryBeside({ settings, clock }, beside, agents));
  const keys = settings.testMode ? withTestKeys(real) : real;
  return withAccessTokens(keys, { from: issuer, clock, log, tierOf: tierOfIdentity });
};

const modelOf = ({ settings, clock, log }: SellerParts, outbound: OutboundMore): ModelReader | null => {
  const model = createLanguageModel({ settings, clock, log, outbound });
  const contracts = sellerOperations.map(({ contract }) => contract);
  return (
    model &&
    createModelReader(
      model,
      contracts,
      new Set([...sellerDeeds.map(({ operation }) => operation), ...answeredOperations]),
    )
  );
};

const readersOf = (parts: SellerParts, outbound: OutboundMore): Ears => ({
  finder: createProductFinder(everyName(parts.catalog)),
  model: modelOf(parts, outbound),
});

/** What a test puts in is there in test mode alone. */
const operationsWith = (
  parts: SellerParts,
  outbound: OutboundMore,
  fixtures: Fixtures | null,
): readonly Operation<SellerPorts>[] => [
  ...sellerOperations,
  ...(fixtures === null ? [] : [runTestWith(fixtures)]),
  converseWith(readersOf(parts, outbound), createGate(sellerDeeds)),
];

type Pending = () => Promise<void> | null;

/** A call that went past pending changes would read an older product or rule. */
const listenersOf = (
  pendings: readonly [Pending, Pending],
  counts: Pick<ReturnType<typeof createDayCounter>, "noteCommit" | "noteRefusal">,
) => ({
  before: () => {
    const [first, second] = [pendings[0](), pendings[1]()];
    return first === null || second === null ? (first ?? second) : Promise.all([first, second]).then(() => undefined);
  },
  committed: counts.noteCommit,
  refused: counts.noteRefusal,
});

const description =
  "Sells advertising inventory: products, prices by access tier, quotes that hold a price, deals with OpenRTB " +
  "activation parameters, and API keys.";

export const createSeller = (parts: SellerParts): Seller => {
  const { store, clock, log } = parts;
  const rules = createLiveRules(parts.settings, store, parts.rules);
  const { settings } = rules;
  const sockets = { outbound: { ...parts.outbound, ...watchOf(parts) } };
  const fixtures = settings.testMode ? createFixtures([testProduct("test-product"), ...fixtureProducts]) : null;
  const operations = operationsWith(parts, sockets.outbound, fixtures);
  const names = new Set(operations.map(({ contract }) => contract.name));
  const dayCounts = createDayCounter({ store, clock, isOperation: (name) => names.has(name) });
  const catalog = withTestProducts(createLiveCatalog(parts.catalog, { store, clock }), fixtures);
  const agents = createAgentLookup({ settings, log, ...sockets });
  const trust = createTrustRegistry(store, settings, agents);
  const adServer = openAdServer({ settings, ...sockets });
  const targets = createTargetGuard({ settings, ...sockets });
  const uses = createKeyUses({ store, kind: apiKeyKind, clock });
  const directory = directoryOf(parts, { trust, uses }, agents);
  const signedIn = parts.beside === undefined ? store : unwritable(parts.beside);
  const forPeople = openConsole({ name: "seller", agentUrl: settings.agentUrl, store: signedIn, clock, directory });
  const shared = { settings, startSettings: parts.settings, catalog, keyUses: uses, dayCounts, agents, targets, store };
  const runner = createRunner({
    operations,
    store,
    ports: {
      ...shared,
      probes: createPriceProbes(settings),
      adServer: adServer.port,
      fixtures,
      audit: auditOf(store),
    },
    callers: forPeople.callers,
    trust,
    limiter: createRateLimiter(settings),
    clock,
    log,
    ...watchOf(parts),
    listeners: listenersOf([catalog.pending, rules.pending], dayCounts),
  });
  const counts = { write: () => Promise.all([uses.write(), dayCounts.write()]).then(() => undefined) };
  const background = createBackground({ ...parts, settings, trust, targets, counts, ...sockets });
  const events = createEventStream({ store, runner, view: eventView, mostPerCaller: settings.eventStreamsPerCaller });
  const schedule = createSyncSchedule({ settings, runner, store, log });
  return {
    name: "seller",
    title: "Ad Seller System API",
    version,
    description,
    runner,
    errorShape: "wrapped",
    dialects: sellerDialects,
    examples: () => datedExamples(clock.nowMs()),
    pages: [events.route, ...(settings.console && parts.beside === undefined ? forPeople.routes(runner) : [])],
    readings: () => sellerReadings({ store, clock, background, events }),
    start: () => {
      background.start();
      schedule.start();
    },
    background,
    settings,
    approvals: createApprovals({ store, runner, clock }),
    stop: async () => {
      events.stop();
      catalog.stop();
      rules.stop();
      await schedule.stop();
      await background.stop();
      await Promise.all([agents.close(), adServer.close()]);
    },
  };
};
