import { createRecentAuctions } from "../../agents/edge/auction/recent-auctions.ts";
import { edgeConfigSchema } from "../../agents/edge/config.ts";
import { loadConsentReaders } from "../../agents/edge/consent/load.ts";
import type { EdgeContext } from "../../agents/edge/context.ts";
import { createMetrics } from "../../agents/edge/metrics.ts";
import { createMetHosts } from "../../agents/edge/proxy/met-hosts.ts";
import { createTokens } from "../../agents/edge/proxy/token.ts";
import type {
  Geo,
  DealDesk,
  EdgeEnv,
  EdgeResponse,
  EdgeTraits,
  IdentityRecord,
  IdentityStore,
  LogEntry,
  OutboundRequest,
  OutboundResult,
} from "../../agents/edge/platform.ts";
import { decode, encode } from "../../agents/edge/runtimes/leaf/codings.ts";
import { toResponse } from "../../agents/edge/runtimes/leaf/fetch-request.ts";
import { nodeTraits } from "../../agents/edge/runtimes/node/entry.ts";

/** The application would have loaded these. */
await loadConsentReaders(new Map([["__gpp", ""]]));

export const NOW = Date.parse("2026-11-21T10:00:00.250Z");

const traits: EdgeTraits = { ...nodeTraits, place: "in a test" };

/** `fail` may reject an access. */
export const memoryStore = (fail: (access: string, id: string) => void = () => undefined) => {
  const records = new Map<string, IdentityRecord & { ttlSeconds: number }>();
  let generation = 0;
  const put = (write: { id: string; body: string; metadata: string; ttlSeconds: number }): void => {
    generation += 1;
    records.set(write.id, { ...write, generation });
  };
  const store: IdentityStore = {
    name: "ec-store",
    async get(id) {
      fail("get", id);
      return records.get(id) ?? null;
    },
    async add(write) {
      fail("add", write.id);
      if (records.has(write.id)) return false;
      put(write);
      return true;
    },
    async overwrite(write) {
      fail("overwrite", write.id);
      put(write);
    },
    async ifGeneration(write, wanted) {
      fail("ifGeneration", write.id);
      if (records.get(write.id)?.generation !== wanted) return false;
      put(write);
      return true;
    },
    async ifGenerations(writes) {
      for (const { write } of writes) fail("ifGenerations", write.id);
      if (writes.some(({ write, generation: wanted }) => records.get(write.id)?.generation !== wanted)) return false;
      for (const { write } of writes) put(write);
      return true;
    },
    async countPrefix(prefix, most) {
      fail("countPrefix", prefix);
      return Math.min(most, [...records.keys()].filter((id) => id.startsWith(prefix)).length);
    },
  };
  return { store, records };
};

export type FakeEdge = {
  readonly context: EdgeContext;
  readonly sent: OutboundRequest[];
  readonly logs: LogEntry[];
  /** Resolves when all work behind the response is done. */
  settled(): Promise<void>;
};

export const fakeEdge = (
  given: {
    config?: Record<string, unknown>;
    url?: string;
    cookies?: Record<string, string>;
    geo?: Geo | null;
    clientIp?: string | null;
    ja4?: string | null;
    h2?: string | null;
    identity?: IdentityStore | null;
    limitReached?: boolean | "broken";
    traits?: Partial<EdgeTraits>;
    dealDesk?: DealDesk;
    /** Hosts that creatives had. */
    met?: readonly string[];
    now?: () => number;
    send?: (request: OutboundRequest) => Promise<OutboundResult> | OutboundResult;
  } = {},
): FakeEdge => {
  const sent: OutboundRequest[] = [];
  const logs: LogEntry[] = [];
  const after: Promise<unknown>[] = [];
  const config = edgeConfigSchema.parse({
    publisher: { domain: "pub.example", origin_url: "https://origin.example", proxy_secret: "unit-test-proxy-secret" },
    ec: { passphrase: "test-secret-key-32-bytes-minimum" },
    ...given.config,
  });
  const now = given.now ?? (() => NOW);
  let seed = 0;
  const env: EdgeEnv = {
    traits: { ...traits, ...given.traits },
    async send(request) {
      sent.push(request);
      return given.send === undefined ? { ok: false, fault: "refused", reason: "no fake" } : given.send(request);
    },
    tunnels: true,
    decode,
    encode,
    now,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => (seed = (seed + 41) % 256)),
    log: (entry) => void logs.push(entry),
    deployment: { staging: false },
    ...(given.dealDesk === undefined ? {} : { dealDesk: given.dealDesk }),
    ...(given.identity === null ? {} : { openIdentity: () => given.identity ?? memoryStore().store }),
  };
  const met = createMetHosts(config);
  for (const host of given.met ?? []) met.meet(host);
  const absent = { get: async () => null };
  const context: EdgeContext = {
    env,
    config,
    url: new URL(given.url ?? "https://pub.example/"),
    clientIp: given.clientIp === undefined ? "203.0.113.7" : given.clientIp,
    geo: given.geo === undefined ? { country: "JP" } : given.geo,
    cookies: new Map(Object.entries(given.cookies ?? {})),
    ja4: given.ja4 ?? null,
    h2: given.h2 ?? null,
    startedAtMs: now(),
    requestId: "req-1",
    metrics: createMetrics(),
    auctions: createRecentAuctions(),
    tokens: createTokens(config.publisher.proxy_secret),
    met,
    identity: given.identity ?? null,
    counter: {
      async take() {
        if (given.limitReached === "broken") throw new Error("counter");
        return given.limitReached !== true;
      },
    },
    configStore: absent,
    secretStore: absent,
    after: (work) => void after.push(work),
  };
  return { context, sent, logs, settled: async () => void (await Promise.all(after)) };
};

export const answer = (
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array | ReadableStream<Uint8Array> | null,
): OutboundResult => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return {
    ok: true,
    status,
    headers: new Headers(headers),
    body:
      bytes instanceof Uint8Array
        ? (new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>)
        : bytes,
  };
};

export const served = async (answering: Promise<EdgeResponse>): Promise<Response> => toResponse(await answering);
