import type { KeyObject } from "node:crypto";
import { a2aRoutes, type A2aOptions, adcpA2aRoutes, type StoredParts } from "../../protocol/a2a/routes.ts";
import { type CardSigner, createCardSigner } from "../../protocol/a2a/card/card-signature.ts";
import { adcpExtension } from "../../protocol/a2a/messages/tasks.ts";
import { type CardFacts, jwksPath } from "../../protocol/a2a/card/card.ts";
import type { DoorRoute } from "../../protocol/door/door.ts";
import type { BodyLimits } from "../../protocol/neutral/json-input.ts";
import { rpcRoutes } from "../../protocol/jsonrpc/operations.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { AgentWatch } from "../../protocol/seam/watch.ts";
import type { Store } from "../../storage/store.ts";
import { type Adcp, createAdcp } from "../../protocol/adcp/door.ts";
import { adcpMcpRoutes, type McpHttp, type McpHttpOptions, mcpRoutes } from "../../tools/http.ts";
import type { Agent } from "./agent.ts";
import type { AgentFace, Composed } from "./composed.ts";
import { type SpecCardFacts, specCardRoute } from "./agent-card.ts";
import { cardKeyOf, mcpStateKey } from "./card-key.ts";
import { protectedResourceRoutes, resourceChallenge } from "../../protocol/door/protected-resource.ts";
import { type ServerConfig, tokenIssuerOf } from "./server-settings.ts";
import { writeBackup } from "../host/backup.ts";
import { openControlSocket } from "../host/control-socket.ts";
import { serveHostRequest } from "../host/host.ts";
import { openStore, type StoreLocation } from "../host/store-location.ts";
import { createAgentMetrics, type Metrics } from "../watch/metrics.ts";
import { startReminders } from "../watch/reminders.ts";
import { logLevelRoutes } from "../watch/log-level.ts";
import { metricsRoute, type MetricsServer, serveMetrics } from "../watch/route.ts";
import { storeReadings, storeUp, watchedStore } from "../watch/store.ts";
import { asSandbox, openSandbox, type OpenSandbox } from "./sandbox.ts";
import { portFailure, reservePort } from "./port.ts";
import { ListenError, type Served, serve, type ServeOptions } from "./serve.ts";
import type { AgentLog } from "../log.ts";
import { version } from "../version.ts";
import { withExpiry } from "./expiry.ts";
import { startSweeper } from "./sweeper.ts";

export const systemClock: Clock = { nowMs: () => Date.now() };

export interface LaunchOptions {
  readonly host: string;
  readonly port: number;
  readonly place: StoreLocation;
  readonly log: Log & Partial<Pick<AgentLog, "levels">>;
  readonly config: ServerConfig;
  readonly agent: "seller" | "buyer";
  readonly compose: (store: Store, listenUrl: string, watch: AgentWatch) => Composed | Promise<Composed>;
  /** For SANDBOX=calls. It reads `real` and writes to `store` alone. */
  readonly composeSandbox: (store: Store, real: Store, listenUrl: string) => Promise<Composed>;
}

/** `close` drains: for `announceMs` it says that it stops and takes calls, running ones end, then the store closes. */
export interface Launched {
  readonly url: string;
  readonly agent: Agent;
  readonly store: Store;
  /** Of the sandbox for single calls. */
  readonly sandboxStore: Store | null;
  close(announceMs?: number): Promise<void>;
}

const mostTasks = 5000;
const sweepEveryMs = 1000;
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

const shownHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

export const cardFacts = (agent: Agent, face: AgentFace): CardFacts => ({
  name: face.displayName,
  description: agent.description,
  version: agent.version,
  rpcUrl: `${face.publicUrl}/a2a/${agent.name}/jsonrpc`,
  httpUrl: `${face.publicUrl}/a2a/${agent.name}/v1`,
  legacyHttpUrl: `${face.publicUrl}/a2a/${agent.name}/v0.3`,
  documentationUrl: `${face.publicUrl}/docs`,
  provider: () => ({ organization: face.organization(), url: face.publicUrl }),
  skills: face.skills,
  pushNotifications: true,
});

export const specFacts = (agent: Agent, face: AgentFace): SpecCardFacts => ({
  ...cardFacts(agent, face),
  url: face.publicUrl,
  protocols: face.protocols,
  extra: face.cardExtra,
});

interface Doors {
  readonly routes: readonly DoorRoute[];
  close(): Promise<void>;
}

const bodyLimitsOf = (config: ServerConfig): BodyLimits => ({ bytes: config.bodyLimitBytes, depth: config.bodyDepth });

type DoorOptions = Pick<LaunchOptions, "config" | "host"> & {
  readonly stored?: StoredParts;
  readonly signer?: CardSigner | null;
  readonly key?: KeyObject | null;
  readonly metrics?: Metrics;
  readonly log?: LaunchOptions["log"];
};

/** Each task is a skill: clients that find none of them take the agent for an older one. */
const adcpCardFacts = (card: CardFacts, adcp: Adcp, publicUrl: string): CardFacts => ({
  ...card,
  description: `${card.description} Speaks AdCP.`,
  rpcUrl: `${publicUrl}/adcp`,
  httpUrl: `${publicUrl}/adcp/v1`,
  legacyHttpUrl: `${publicUrl}/adcp/v0.3`,
  extension: adcpExtension,
  skills: adcp.tasks.map(({ name, title, summary }) => ({
    id: name,
    name: title,
    description: summary,
    tags: ["adcp"],
    examples: [],
  })),
});

const openAdcp = ({ runner }: Agent, face: AgentFace, mcp: McpHttpOptions, a2a: A2aOptions): McpHttp => {
  const { publicUrl } = face;
  const facts = { testMode: false, ...face.adcp, agentUrl: `${publicUrl}/adcp/mcp` };
  const adcp = createAdcp({ runner, facts });
  const overMcp = adcpMcpRoutes(adcp, mcp);
  const overA2a = adcpA2aRoutes(adcp, { ...a2a, card: adcpCardFacts(a2a.card, adcp, publicUrl) });
  return {
    routes: [...overMcp.routes, ...overA2a.routes],
    sessions: overMcp.sessions,
    close: async () => {
      await overA2a.close();
      await overMcp.close();
    },
  };
};

export const doorsOf = (
  { agent, face }: Pick<Composed, "agent" | "face">,
  { config, host, stored, signer = null, key = null, metrics, log }: DoorOptions,
): Doors => {
  const { runner } = agent;
  const limits = bodyLimitsOf(config);
  const ownHosts = [...loopbackHosts, new URL(face.publicUrl).hostname, ...config.mcpAllowedOrigins];
  const { publicUrl } = face;
  const issuer = tokenIssuerOf(config, publicUrl);
  const facts = {
    ...cardFacts(agent, face),
    ...(issuer === null ? {} : { tokenIssuer: issuer.issuer }),
  };
  const mcpOptions: McpHttpOptions = {
    runner,
    ...(issuer === null ? {} : { challenge: resourceChallenge(publicUrl) }),
    info: { name: face.displayName, title: agent.title, version: agent.version },
    instructions: face.instructions,
    lists: face.toolLists ?? null,
    prompts: face.prompts,
    confirmAbove: config.mcpConfirmAbove,
    ...(stored === undefined ? {} : { store: stored.store }),
    limits,
    sessions: { most: config.mcpMostSessions, idleMs: config.mcpIdleSeconds * 1000 },
    nowMs: systemClock.nowMs,
    allowedHosts: loopbackHosts.includes(shownHost(host)) ? ownHosts : null,
    allowedOrigins: ownHosts,
    streamsPerCaller: config.eventStreamsPerCaller,
    ...(key === null ? {} : { stateKey: mcpStateKey(key) }),
  };
  const mcp = mcpRoutes(mcpOptions);
  const a2aOptions: A2aOptions = {
    runner,
    card: facts,
    agentType: agent.name,
    limits,
    clock: systemClock,
    mostTasks,
    cardDefaultVersion: config.cardDefaultVersion,
    streamsPerCaller: config.eventStreamsPerCaller,
    signer,
    ...(stored === undefined ? {} : { stored }),
  };
  const a2a = a2aRoutes(a2aOptions);
  const adcp = face.adcp === undefined ? null : openAdcp(agent, face, mcpOptions, a2aOptions);
  const routes = [...rpcRoutes(runner, limits), ...a2a.routes, specCardRoute(specFacts(agent, face)), ...mcp.routes];
  if (adcp !== null) routes.push(...adcp.routes);
  if (metrics !== undefined) {
    metrics.readFrom(() => ({
      parley_mcp_sessions_open: [{ labels: {}, value: mcp.sessions() + (adcp?.sessions() ?? 0) }],
    }));
    routes.push(metricsRoute(metrics));
  }
  if (log?.levels !== undefined) routes.push(...logLevelRoutes(log.levels));
  if (issuer !== null) routes.push(...protectedResourceRoutes(publicUrl, face.displayName, issuer, runner.contracts));
  const close = async (): Promise<void> => {
    await a2a.close();
    await mcp.close();
    await adcp?.close();
  };
  return { routes, close };
};

type ControlSocket = Awaited<ReturnType<typeof openControlSocket>>;

interface Opened {
  readonly agent: Agent;
  readonly doors: Doors;
  readonly control: ControlSocket | null;
  readonly metrics: MetricsServer | null;
  readonly sandbox: OpenSandbox | null;
}

const openControl = async (
  agent: Agent,
  store: Store,
  place: StoreLocation,
  url: string,
): Promise<ControlSocket | null> => {
  if (place.driver !== "lowdb") return null;
  return openControlSocket(place.dir, async (request) => {
    if (request.agent !== agent.name) {
      const message = `The agent that runs on ${place.dir} is the ${agent.name}. Use --agent ${agent.name}.`;
      return { answer: "failure", message };
    }
    if (request.ask === "address") return { answer: "address", url };
    if (request.ask === "backup") return { answer: "backup", bytes: await writeBackup(store, request) };
    return serveHostRequest(agent.runner, store, request);
  });
};

const listenFor = (agent: Agent, options: ServeOptions): Promise<Served> =>
  serve(agent, options).catch((error: unknown) => {
    throw error instanceof ListenError ? portFailure(error.code, error.host, error.port) : error;
  });

/**
 * The order matters: tell it, and serve until the others know; stop accepting; end the agent's work, so that waiting
 * calls are answered; close sessions after their calls; send the remaining answers.
 */
const closeAgent = async (
  { agent, doors, control, metrics, sandbox }: Opened,
  served: Served | null,
  announceMs = 0,
): Promise<void> => {
  await served?.announce(announceMs);
  const drained = served?.close();
  await agent.stop();
  await doors.close();
  await sandbox?.close();
  await drained;
  await metrics?.close();
  await control?.close();
};

const openMetrics = async (metrics: Metrics, { config, host, log }: LaunchOptions): Promise<MetricsServer | null> => {
  if (config.metricsPort === null) return null;
  const served = await serveMetrics(metrics, host, config.metricsPort);
  log.info({ port: served.port }, "metrics are served without a key");
  return served;
};

/** Without the key of the agent's card: what the sandbox signs must not count outside it. */
const sandboxBeside = async (real: Store, options: LaunchOptions, listenUrl: string): Promise<OpenSandbox | null> => {
  const { config, composeSandbox } = options;
  if (config.sandbox !== "calls") return null;
  return openSandbox({
    ...options,
    clock: systemClock,
    sweepEveryMs,
    compose: (store) => composeSandbox(store, real, listenUrl),
    doorsOf: (composed, stored) => doorsOf(composed, { ...options, stored }),
  });
};

const launchOver = async (
  { store, metrics }: { readonly store: Store; readonly metrics: Metrics },
  options: LaunchOptions,
  port: number,
): Promise<Launched> => {
  const { watch } = metrics;
  const listenUrl = `http://${shownHost(options.host)}:${port}`;
  const isSandbox = options.config.sandbox === "all";
  const plain = await options.compose(store, listenUrl, watch);
  const composed = isSandbox ? asSandbox(plain) : plain;
  const { agent, due, start, a2a } = composed;
  if (agent.readings !== undefined) metrics.readFrom(agent.readings);
  const stored: StoredParts = { store, log: options.log, ...a2a };
  const key = cardKeyOf(options.config.cardSigningKey, options.place);
  const signer = key === null ? null : await createCardSigner(key, `${composed.face.publicUrl}${jwksPath}`);
  const { publicUrl } = composed.face;
  const issuer = tokenIssuerOf(options.config, publicUrl);
  let opened: Opened = {
    agent,
    doors: doorsOf(composed, { ...options, stored, signer, key, metrics }),
    control: null,
    metrics: null,
    sandbox: null,
  };
  try {
    opened = { ...opened, sandbox: await sandboxBeside(store, options, listenUrl) };
    opened = { ...opened, control: await openControl(agent, store, options.place, listenUrl) };
    opened = { ...opened, metrics: await openMetrics(metrics, options) };
    const served = await listenFor(agent, {
      host: options.host,
      port,
      log: options.log,
      watch,
      doors: opened.doors.routes,
      isSandbox,
      ...(opened.sandbox === null ? {} : { sandbox: opened.sandbox }),
      limits: bodyLimitsOf(options.config),
      trustProxy: options.config.trustProxy,
      headersTimeoutMs: options.config.headersTimeoutSeconds * 1000,
      connectionsPerAddress: options.config.trustProxy ? 0 : options.config.connectionsPerAddress,
      ...(issuer === null ? {} : { challenge: resourceChallenge(publicUrl), tokenIssuer: issuer.issuer }),
      storeFailure: () => store.failure(),
    });
    start?.();
    opened.sandbox?.start();
    const reminders = startReminders({
      store,
      clock: systemClock,
      log: options.log,
      kind: composed.keyKind,
      rotationDays: options.config.keyRotationDays,
    });
    metrics.readFrom(reminders.read);
    const sweeper = startSweeper({ store, clock: systemClock, log: options.log, due: withExpiry(due) }, sweepEveryMs);
    const close = async (announceMs?: number): Promise<void> => {
      await closeAgent(opened, served, announceMs);
      await sweeper.stop();
      await reminders.stop();
      await store.close();
    };
    return { url: served.url, agent, store, sandboxStore: opened.sandbox?.store ?? null, close };
  } catch (error) {
    await closeAgent(opened, null);
    throw error;
  }
};

/** Throws `StartFailure` with the cure. */
export const launch = async (options: LaunchOptions): Promise<Launched> => {
  const port = await reservePort(options.host, options.port);
  const metrics = createAgentMetrics({ agent: options.agent, version });
  const store = watchedStore(await openStore(options.place, options.log), metrics);
  metrics.readFrom(() => storeUp(store));
  metrics.readFrom(() => storeReadings(store));
  try {
    return await launchOver({ store, metrics }, options, port);
  } catch (error) {
    await store.close();
    throw error;
  }
};
