import type { Agent } from "../../agents/server/agent.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { defaultNegotiationLimits } from "../../machines/negotiation/limits.ts";
import { defaultPricingPolicy } from "../../machines/pricing/price.ts";
import { defaultAudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";
import { hostAdmission } from "../../protocol/seam/admission.ts";
import type { Call } from "../../protocol/seam/operation.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import type { Catalog } from "../../skills/seller/products/catalog.ts";
import type { SellerSettings } from "../../skills/seller/settings.ts";
import { type AgentNetwork, agentNetwork } from "./agent-network.ts";
import { watch } from "../secrecy/watch.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Change, Store } from "../../storage/store.ts";

/** 2027-01-15 12:00 UTC. */
export const startMs = Date.UTC(2027, 0, 15, 12);

/** Limits are out of the tests' way. */
export const plainSettings: SellerSettings = {
  sellerId: "seller-premium-pub-001",
  sellerName: "Default Publisher",
  agentName: "Ad Seller Agent",
  agentUrl: "http://localhost:8000",
  sandbox: false,
  publisherDomain: "",
  testMode: false,
  creativeAutoApprove: false,
  measurementVariancePct: 5,
  pricing: defaultPricingPolicy,
  negotiation: defaultNegotiationLimits,
  given: new Set(),
  quoteTtlSeconds: 86_400,
  sessionTtlSeconds: 604_800,
  sessionMaxMessages: 500,
  dealProposalTtlDays: 30,
  priceProbeLimit: 100,
  apiKeyAuthEnabled: true,
  apiKeyDefaultExpiryDays: null,
  requireApprovalForUnregistered: true,
  approvalGate: { enabled: false, flows: [], aboveMicros: 0 },
  approvalTimeoutHours: 24,
  agentRegistryEnabled: true,
  agentRegistryUrls: [],
  aampRegistry: null,
  autoApproveRegisteredAgents: true,
  outboundAllow: [],
  eventStreamsPerCaller: 50,
  console: true,
  eventRetentionDays: 90,
  audience: defaultAudienceCapabilities,
  mostActivePackages: 5000,
  adServer: { type: "none" },
  inventorySync: { enabled: false, intervalMinutes: 60 },
  languageModel: null,
  rateLimitPerMinute: 0,
  rateLimitAnonymousPerMinute: 0,
};

export interface Reply {
  readonly code: string | null;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly replayed: boolean;
}

export interface Request {
  /** A name of `identities`, `anonymous`, `edge`, `operator`, `senior`, `host`, or a secret. */
  readonly caller: string;
  readonly operation: string;
  readonly input: unknown;
  readonly idempotencyKey?: string;
  readonly dryRun?: boolean;
}

export type Send = (request: Request, secret: string | null) => Promise<Reply>;

export interface World {
  readonly store: Store;
  readonly runner: Runner;
  /** Routes that are no operations. */
  readonly pages: Agent["pages"];
  readonly network: AgentNetwork;
  readonly logged: { readonly level: string; readonly fields: unknown; readonly message: string }[];
  /** Commits that changed something. */
  commits(): number;
  changes(): readonly Change[];
  advance(ms: number): void;
  nowMs(): number;
  send(request: Request): Promise<Reply>;
  secretOf(caller: string): string | null;
  close(): Promise<void>;
}

/** `anonymous` has no key. */
const identities: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  seat: { seat_id: "seat-1" },
  agency: { seat_id: "seat-2", agency_id: "agency-2" },
  advertiser: { seat_id: "seat-3", agency_id: "agency-3", advertiser_id: "advertiser-3" },
  "other advertiser": { seat_id: "seat-4", agency_id: "agency-4", advertiser_id: "advertiser-4" },
  "key without identity": {},
};

const recordingLog = (logged: World["logged"]): Log => {
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    logged.push({ level, fields, message });
  };
  return { info: at("info"), warn: at("warn"), error: at("error") };
};

const callOf = (runner: Runner, request: Request, secret: string | null): Call => ({
  operation: request.operation,
  door: request.caller === "host" ? "host" : "rest",
  admission:
    request.caller === "host"
      ? hostAdmission
      : runner.admit({ apiKey: secret, authorization: null, address: "203.0.113.7" }),
  requestId: "test-request",
  input: () => ({ input: request.input, dryRun: request.dryRun ?? false }),
  idempotencyKey: request.idempotencyKey ?? null,
});

const askRunner = async (runner: Runner, request: Request, secret: string | null): Promise<Reply> => {
  const outcome = await runner.run(callOf(runner, request, secret));
  if (outcome.kind === "bug") return { code: "bug", status: 500, body: {}, replayed: false };
  if (outcome.kind === "refused") {
    const { code, message, extras, issues, retryAfterSeconds } = outcome.refusal;
    const more = { ...(issues && { issues }), ...(retryAfterSeconds && { retry_after_seconds: retryAfterSeconds }) };
    const body = { ...extras, ...more, error: code, message, help: `/guide/refusals/${code}` };
    return { code, status: outcome.status, body, replayed: false };
  }
  const body = JSON.parse(JSON.stringify(outcome.output)) as Reply["body"];
  return { code: null, status: 200, body, replayed: outcome.meta.replayed };
};

/** As on the wires, the body is the refusal's extras, code, message and page of the guide. */
export const sendToRunner =
  (runner: Runner): Send =>
  async (request, secret) => {
    const reply = await askRunner(runner, request, secret);
    if (request.caller !== "host") watch.answered(secret, request, reply);
    return reply;
  };

const mintSecrets = async (send: Send): Promise<ReadonlyMap<string, string>> => {
  const secrets = new Map<string, string>();
  const mint = async (name: string, operation: string, input: unknown): Promise<void> => {
    const reply = await send({ caller: "host", operation, input }, null);
    const secret = reply.body["api_key"];
    if (typeof secret !== "string") throw new Error(`no key for ${name}: ${JSON.stringify(reply)}`);
    secrets.set(name, secret);
  };
  for (const [name, identity] of Object.entries(identities)) await mint(name, "create_api_key", identity);
  await mint("operator", "create_operator_key", { label: "operator of the tests" });
  await mint("edge", "create_operator_key", { label: "edge of the tests", role: "edge" });
  await mint("senior", "create_operator_key", { label: "senior of the tests", role: "senior" });
  return secrets;
};

const counting = (store: Store): Pick<World, "store" | "commits" | "changes"> => {
  let commits = 0;
  const changes: Change[] = [];
  return {
    store: {
      ...store,
      commit: async (commit) => {
        const outcome = await store.commit(commit);
        if (!outcome.ok) return outcome;
        commits += 1;
        changes.push(...commit.changes);
        return outcome;
      },
    },
    commits: () => commits,
    changes: () => changes,
  };
};

/** `settings` and `catalog` replace the plain ones. */
export const openWorld = async (
  options: {
    openStore?: () => Promise<Store>;
    settings?: Partial<SellerSettings>;
    catalog?: Catalog;
    sendVia?: (runner: Runner) => Send;
    network?: AgentNetwork;
  } = {},
): Promise<World> => {
  const { store, commits, changes } = counting((await options.openStore?.()) ?? openMemoryStore());
  const logged: World["logged"] = [];
  let now = startMs;
  const network = options.network ?? agentNetwork();
  const seller = createSeller({
    store,
    outbound: network.outbound,
    settings: { ...plainSettings, ...options.settings },
    catalog: options.catalog ?? createCatalog(canaryProducts),
    clock: { nowMs: () => now },
    log: watch.logging(recordingLog(logged)),
  });
  const { runner } = seller;
  const secrets = await mintSecrets(sendToRunner(runner));
  const send = (options.sendVia ?? sendToRunner)(runner);
  const secretOf = (caller: string): string | null =>
    caller === "anonymous" || caller === "host" ? null : (secrets.get(caller) ?? caller);
  return {
    store,
    runner,
    pages: seller.pages,
    network,
    logged,
    commits,
    changes,
    advance: (ms) => {
      now += ms;
    },
    nowMs: () => now,
    secretOf,
    send: (request) => send(request, secretOf(request.caller)),
    close: async () => {
      await seller.stop();
      await network.close();
      await store.close();
      watch.scan.forgetRecords();
    },
  };
};
