import { join, resolve } from "node:path";
import type { Command } from "commander";
import { doorOfHost } from "../buyer/jobs/book.ts";
import { renderBookingTable } from "../buyer/jobs/booking-table.ts";
import { buyerSettingTable } from "../buyer/config.ts";
import { launchBuyer } from "../buyer/launch.ts";
import type { StartedEdge } from "../edge/command.ts";
import { type AgentHost, hostOver, serveHostRequest } from "../host/host.ts";
import type { Launched } from "../server/launch.ts";
import { type AgentLog, createLog } from "../log.ts";
import { type AgentName, type StoreLocation, locationOf, type StoreSettings } from "../host/store-location.ts";
import { reservePorts } from "../server/port.ts";
import { bookSample, sampleBuyerKey, sampleSeller, showSample } from "./sample.ts";
import { type SellerConfig, sellerSettingTable } from "../seller/config.ts";
import { launchNamedSeller } from "../seller/launch.ts";
import { catalogMeaning, catalogOf } from "./host/flags.ts";
import { startSampleEdge } from "./sample-edge.ts";
import { hostCall, answerFor } from "./host/answers.ts";
import { type CommandContext, configMeaning, namedBy, portOf, UsageFailure } from "./context.ts";
import { consoleLink, isLoopback } from "./console-link.ts";
import { type LiveLines, liveLines } from "./live-lines.ts";
import { keysOf } from "./host/keys.ts";
import { effectiveSettings, type SettingSources } from "./settings/sources.ts";

interface AllFlags {
  readonly sellerPort?: string;
  readonly buyerPort?: string;
  readonly edgePort?: string;
  readonly data?: string;
  readonly catalog?: string;
  readonly config?: string;
}

const defaultPorts = { seller: 8000, buyer: 8001, edge: 8787 } as const;

/** The agents share what was named, each in its own folder or schema below it. */
const placeBelow = (agent: AgentName, data: string | undefined, settings: StoreSettings): StoreLocation => {
  const place = locationOf(agent, data ?? (settings.databaseUrl === null ? resolve(".parley") : undefined), settings);
  return place.driver === "lowdb" ? { driver: "lowdb", dir: join(place.dir, agent) } : place;
};

const demoDefaults = {
  SANDBOX: "true",
  APPROVAL_GATE_ENABLED: "true",
  APPROVAL_REQUIRED_FLOWS: "deal",
  APPROVAL_REQUIRED_ABOVE_VALUE: "50000",
  LOG_LEVEL: "warn",
  // The three agents of the demonstration are on loopback themselves.
  OUTBOUND_ALLOW: "127.0.0.1,localhost,[::1]",
};

/** Flags say the ports, and a port for the metrics of two agents would be taken by the first. */
const demoSources = ({ environment }: CommandContext, { config }: AllFlags): SettingSources => ({
  environment: { ...environment, PORT: undefined, METRICS_PORT: undefined },
  config: namedBy("--config", config),
  defaults: demoDefaults,
});

const demoSeller = (context: CommandContext, flags: AllFlags): { config: SellerConfig; log: AgentLog } => {
  const { config, given, secrets } = effectiveSettings("seller", sellerSettingTable, demoSources(context, flags));
  return { config: { ...config, given, metricsPort: null }, log: createLog("seller", config.logLevel, secrets) };
};

const hostOf = (launched: Launched): AgentHost =>
  hostOver(
    (request) => serveHostRequest(launched.agent.runner, launched.store, request),
    launched.agent.runner.contracts,
    () => Promise.resolve(),
  );

const startSeller = async (context: CommandContext, port: number, flags: AllFlags): Promise<Launched> => {
  const { config, log } = demoSeller(context, flags);
  const place = placeBelow("seller", flags.data, config);
  const named = await catalogOf(flags.catalog, config);
  return launchNamedSeller({ config, host: config.host, port, place, log, ...named });
};

const startBuyer = async (
  context: CommandContext,
  port: number,
  flags: AllFlags,
  seller: { readonly url: string; readonly key: string },
): Promise<Launched> => {
  const sources = demoSources(context, flags);
  const environment = {
    ...sources.environment,
    SELLER_ENDPOINTS: seller.url,
    SELLER_API_KEYS: `${seller.url}=${seller.key}`,
    SELLER_API_KEYS_FILE: undefined,
  };
  const read = effectiveSettings("buyer", buyerSettingTable, { ...sources, environment });
  const config = { ...read.config, metricsPort: null };
  const log = createLog("buyer", config.logLevel, read.secrets);
  return launchBuyer({ config, host: config.host, port, place: placeBelow("buyer", flags.data, config), log });
};

const hasOperatorKey = async (host: AgentHost, agent: AgentName): Promise<boolean> => {
  for await (const key of keysOf(host, agent)) if (key.role !== "buyer" && key.role !== "edge") return true;
  return false;
};

/** On a fresh data directory each agent gets its first operator key, shown once and stored as a hash. */
const firstKeys = async (context: CommandContext, hosts: Readonly<Record<AgentName, AgentHost>>): Promise<void> => {
  let isTold = false;
  for (const agent of ["seller", "buyer"] as const) {
    if (await hasOperatorKey(hosts[agent], agent)) continue;
    const input = { label: "first operator", role: "senior" };
    const key = (await answerFor(hosts[agent], hostCall("create_operator_key", input))) as { api_key: string };
    // Shown as soon as it exists: a failure at the next key must not lose this one.
    if (!isTold) context.print("operator keys, shown this once (mint more with: parley key create):");
    context.print(`  ${agent.padEnd(6)}  ${key.api_key}`);
    isTold = true;
  }
  if (isTold) context.print("");
};

/** Only on loopback: elsewhere the link would show on a screen what opens the agent to a network. */
const consoleLinks = async (
  context: CommandContext,
  launched: Readonly<Record<AgentName, Launched>>,
  hosts: Readonly<Record<AgentName, AgentHost>>,
): Promise<void> => {
  for (const agent of ["seller", "buyer"] as const) {
    const link = isLoopback(launched[agent].url) ? await consoleLink(hosts[agent], agent, launched[agent].url) : null;
    if (link !== null) context.print(`console of the ${agent}, signs in once within 10 minutes: ${link}`);
  }
  context.print("");
};

/** What a first reader of the table and of its records asks. */
const sandboxWords = [
  "This is a sandbox (SANDBOX=true): records say sandbox: true, and nothing is bought, delivered or charged.",
  "DEMO- begins the id of every deal, also outside a sandbox.",
  "",
];

const nextSteps = (seller: Launched, edge: StartedEdge): readonly string[] => {
  const message = {
    jsonrpc: "2.0",
    id: "1",
    method: "message/send",
    params: {
      message: {
        messageId: "hello-1",
        role: "user",
        parts: [{ kind: "text", text: "price of CTV Premium Streaming for 5M impressions" }],
      },
    },
  };
  const entry = { mcpServers: { "parley-seller": { type: "http", url: `${seller.url}/mcp` } } };
  return [
    "Try next:",
    `  1. REST     curl -s ${seller.url}/products`,
    `  2. MCP      add to your assistant's servers: ${JSON.stringify(entry)}`,
    `  3. A2A      curl -s ${seller.url}/a2a/seller/jsonrpc -H 'content-type: application/json' ` +
      `-d '${JSON.stringify(message)}'`,
    "",
    `Guide at ${seller.url}/guide/, API at ${seller.url}/docs. A sample publisher's page behind the edge, its ad the ` +
      `display deal: ${edge.url}/`,
    "Ctrl-C stops; what was booked is kept.",
  ];
};

/** The ready lines, also those that a program waits for. */
const listening = {
  seller: ({ url }: Launched): string => `seller listening on ${url}`,
  buyer: ({ url }: Launched): string => `buyer  listening on ${url}`,
  edge: ({ url }: StartedEdge): string => `edge   listening on ${url}`,
};

interface Closable {
  close(): Promise<void>;
}

const closeAll = async (launched: readonly Closable[]): Promise<void> => {
  for (const one of [...launched].reverse()) await one.close();
};

interface Demonstration {
  readonly seller: Launched;
  readonly buyer: Launched;
  readonly edge: StartedEdge;
  readonly isSandbox: boolean;
}

const present = async (
  context: CommandContext,
  { seller, buyer, edge, isSandbox }: Demonstration,
  stopped: AbortSignal,
  live: LiveLines | null,
): Promise<void> => {
  const hosts = { seller: hostOf(seller), buyer: hostOf(buyer) };
  if (live === null)
    for (const line of [listening.seller(seller), listening.buyer(buyer), listening.edge(edge)]) context.print(line);
  context.print("");
  await firstKeys(context, hosts);
  await consoleLinks(context, { seller, buyer }, hosts);
  const book = (): ReturnType<typeof bookSample> => bookSample(doorOfHost(hosts.buyer), Date.now(), stopped);
  const sample = await (live?.step("sample brief: quotes, price talk, booking", book, () => null) ?? book());
  if (sample?.isNew === false) context.print("The sample brief was booked by an earlier start:");
  if (sample !== null) {
    context.print(`${renderBookingTable(sample.report)}\n`);
    await showSample(hosts.seller, sample.report, Date.now());
  }
  if (isSandbox) sandboxWords.forEach(context.print);
  for (const line of nextSteps(seller, edge)) context.print(line);
};

/** Files, also where the agents are on PostgreSQL. */
const edgeDir = (data: string | undefined): string => join(resolve(data ?? ".parley"), "edge");

/** Throws on a bad or repeated port before any is bound. */
const portsOf = (flags: AllFlags): readonly number[] => {
  const asked = [
    { flag: "--seller-port", port: portOf(flags.sellerPort, defaultPorts.seller, "--seller-port") },
    { flag: "--buyer-port", port: portOf(flags.buyerPort, defaultPorts.buyer, "--buyer-port") },
    { flag: "--edge-port", port: portOf(flags.edgePort, defaultPorts.edge, "--edge-port") },
  ];
  for (const [place, { flag, port }] of asked.entries()) {
    const other = asked.slice(0, place).find((earlier) => earlier.port === port && port !== 0);
    if (other === undefined) continue;
    throw new UsageFailure(
      `${other.flag} and ${flag} are both port ${port}. Give each a port of its own; 0 takes any free one.`,
    );
  }
  return asked.map(({ port }) => port);
};

const runAll = async (context: CommandContext, flags: AllFlags): Promise<void> => {
  const { host, sandbox } = demoSeller(context, flags).config;
  namedBy("--data", flags.data);
  const [sellerPort = 0, buyerPort = 0, edgePort = 0] = await reservePorts(host, portsOf(flags));
  const started: Closable[] = [];
  const stopping = new AbortController();
  const live = liveLines(process.stdout);
  const step: LiveLines["step"] = (doing, work, said) => live?.step(doing, work, said) ?? work();
  context.onStop(() => {
    stopping.abort();
    return closeAll(started);
  });
  try {
    const seller = await step("seller", () => startSeller(context, sellerPort, flags), listening.seller);
    started.push(seller);
    const key = await sampleBuyerKey(hostOf(seller));
    const known = { url: seller.url, key };
    const buyer = await step("buyer", () => startBuyer(context, buyerPort, flags, known), listening.buyer);
    started.push(buyer);
    const sold = await sampleSeller(hostOf(seller), seller.url);
    const edge = await step("edge", () => startSampleEdge(host, edgePort, edgeDir(flags.data), sold), listening.edge);
    started.push(edge);
    await present(context, { seller, buyer, edge, isSandbox: sandbox === "all" }, stopping.signal, live);
  } catch (error) {
    if (stopping.signal.aborted) return;
    await closeAll(started);
    throw error;
  }
};

/** `parley all` (= `npm start`): seller, buyer and edge with samples; the first run books the sample brief. */
export const addAllCommand = (program: Command, context: CommandContext): void => {
  program
    .command("all")
    .description("serve seller, buyer and edge with samples; the first run books the sample brief")
    .option("--seller-port <port>", "port of the seller (default 8000)")
    .option("--buyer-port <port>", "port of the buyer (default 8001)")
    .option("--edge-port <port>", "port of the edge (default 8787)")
    .option("--data <dir>", "folder that holds the folders of the agents (default ./.parley)")
    .option("--catalog <file>", catalogMeaning)
    .option("--config <file>", configMeaning)
    .action((flags: AllFlags) => runAll(context, flags));
};
