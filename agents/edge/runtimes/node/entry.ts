import { randomFillSync } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { disablePretenuring } from "../../../server/engine-flags.ts";
import { createEdge, methodNotAllowed, type EdgeApp } from "../../app.ts";
import { allowListOf, plainAddress } from "../../../../protocol/neutral/address-guard.ts";
import type {
  Connection,
  DealDesk,
  EdgeEnv,
  EdgePeers,
  EdgeResponse,
  EdgeTraits,
  EntryStore,
  IdentityStore,
  LogEntry,
  RateCounter,
} from "../../platform.ts";
import { refuse } from "../../http/refusals.ts";
import { admitConnection, createConnectionCounts } from "../../../../protocol/neutral/connection-counts.ts";
import type { EdgeSources } from "../../startup/load.ts";
import { decode, encode } from "../leaf/codings.ts";
import { nativePrimitives } from "../leaf/native-crypto.ts";
import { requestUrl } from "../leaf/leaf-request.ts";
import { createSend } from "../leaf/outbound.ts";
import { createOnePerTurn } from "./one-per-turn.ts";
import { serveUpgrades } from "./upgrade.ts";
import { toEdgeRequest, writeResponse } from "./request.ts";

export const nodeTraits: EdgeTraits = {
  adapter: "A",
  place: "on Node.js",
  health: "before-router",
  startupStatus: 500,
  startupHealth: true,
  fanout: "multiple",
  edgeTtl: "surrogate-control",
  originBody: "streamed",
  clientSource: "trusted-header",
  geoHeaders: "full",
  assetRoutes: true,
  headerText: "latin1",
};

export interface NodeEdgeOptions {
  readonly port: number;
  readonly host: string;
  readonly sources: EdgeSources;
  readonly log: (entry: LogEntry) => void;
  readonly openIdentity: (name: string) => IdentityStore;
  readonly configEntries: EntryStore;
  readonly secretEntries: EntryStore;
  readonly counter: RateCounter;
  readonly peers?: EdgePeers;
  readonly dealDesk?: DealDesk;
}

/** For `announceMs`, `close` leaves kept-alive connections open: their next answer says that it is the last. */
export interface RunningEdge {
  readonly port: number;
  close(announceMs?: number): Promise<void>;
}

const headersTimeoutMs = 10_000;
/** How often they are looked at; Node's own half a minute would be added to the time that a silent one has. */
const checkingMs = 1_000;
const connectionsPerAddress = 1_000;
const requestTimeoutMs = 300_000;
const maxHeaderBytes = 20_480;

const stalledMs = 120_000;
const drainMs = 3_000;

const createEnv = (options: NodeEdgeOptions): EdgeEnv => {
  const { environment } = options.sources;
  const allow = allowListOf(environment.OUTBOUND_ALLOW ?? "");
  const version = environment.FASTLY_SERVICE_VERSION;
  return {
    traits: nodeTraits,
    send: createSend(allow),
    tunnels: true,
    decode,
    encode,
    configEntries: options.configEntries,
    secretEntries: options.secretEntries,
    openIdentity: options.openIdentity,
    counter: options.counter,
    ...(options.peers === undefined ? {} : { peers: options.peers }),
    ...(options.dealDesk === undefined ? {} : { dealDesk: options.dealDesk }),
    primitives: nativePrimitives,
    now: Date.now,
    random: (bytes) => randomFillSync(new Uint8Array(bytes)),
    log: options.log,
    deployment: { ...(version === undefined ? {} : { version }), staging: environment.FASTLY_IS_STAGING === "1" },
  };
};

/** 0: no limit, as behind a proxy, whose address all connections have. */
const mostConnectionsOf = ({ environment }: EdgeSources): number => {
  const given = Number(environment.CONNECTIONS_PER_ADDRESS ?? connectionsPerAddress);
  return Number.isSafeInteger(given) && given >= 0 ? given : connectionsPerAddress;
};

const hostsOf = (incoming: IncomingMessage): string[] =>
  incoming.rawHeaders.filter((_, index, raw) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === "host");

const answer = async (
  app: EdgeApp,
  pending: Set<Promise<unknown>>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<EdgeResponse> => {
  const secure = "encrypted" in incoming.socket;
  const method = incoming.method ?? "GET";
  const url = requestUrl({ method, target: incoming.url ?? "/", hosts: hostsOf(incoming), secure });
  if (url instanceof Response) return url;
  const connection: Connection = {
    peer: plainAddress(incoming.socket.remoteAddress ?? "") || null,
    secure,
    after(work) {
      const tracked: Promise<unknown> = work.catch(() => undefined).finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
  };
  return app(toEdgeRequest(incoming, outgoing, url), connection);
};

const listen = (server: http.Server, options: NodeEdgeOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.removeListener("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const refuseConnect = async (socket: Socket): Promise<void> => {
  const answer = methodNotAllowed("CONNECT");
  const body = await answer.text();
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.on("error", () => undefined);
  const framing = `content-length: ${body.length}\r\nconnection: close\r\n`;
  socket.end(`HTTP/1.1 405 Method Not Allowed\r\n${head}${framing}\r\n${body}`);
};

export const startNodeEdge = async (options: NodeEdgeOptions): Promise<RunningEdge> => {
  disablePretenuring();
  const app = createEdge(options.sources, createEnv(options));
  const pending = new Set<Promise<unknown>>();
  const inTurn = createOnePerTurn();
  let isClosing = false;
  const serveNow = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (isClosing) outgoing.shouldKeepAlive = false;
    answer(app, pending, incoming, outgoing)
      .then((response) => writeResponse(response, incoming, outgoing))
      .catch((error: unknown) => {
        options.log({ level: "error", event: "leaf_bug", cause: String(error) });
        if (outgoing.headersSent) outgoing.destroy();
        else void writeResponse(refuse("internal"), incoming, outgoing);
      });
  };
  const serve = (...both: Parameters<typeof serveNow>): void => inTurn(() => serveNow(...both));
  const server = http.createServer(
    {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkingMs,
      requestTimeout: requestTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
    },
    serve,
  );
  // An expectation that nobody knows is no reason to refuse, as on the other runtimes (RFC 9110, section 10.1.1).
  server.on("checkExpectation", serve);
  server.setTimeout(stalledMs);
  const counts = createConnectionCounts(mostConnectionsOf(options.sources));
  server.on("connection", (socket: Socket) => admitConnection(counts, socket));
  const tunnels = serveUpgrades(server, (incoming, outgoing) => answer(app, pending, incoming, outgoing), options.log);
  server.on("connect", (_, socket) => void refuseConnect(socket as Socket));
  const port = await listen(server, options);
  return {
    port,
    async close(announceMs = 0) {
      isClosing = true;
      // Node's own close resets kept-alive connections, and with them what their clients are just sending.
      const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
      if (announceMs > 0) await Promise.race([closed, sleep(announceMs, undefined, { ref: false })]);
      server.close(() => undefined);
      server.closeIdleConnections();
      tunnels.close();
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMs - announceMs).unref())]);
      server.closeAllConnections();
      await Promise.race([Promise.all(pending), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    },
  };
};
