import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Challenge } from "../../protocol/door/challenge.ts";
import type { DoorRoute } from "../../protocol/door/door.ts";
import { isForSandbox } from "../../protocol/door/sandbox.ts";
import { admitConnection, createConnectionCounts } from "../../protocol/neutral/connection-counts.ts";
import type { BodyLimits } from "../../protocol/neutral/json-input.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import type { AgentWatch } from "../../protocol/seam/watch.ts";
import { type Refusal, refusalTable, refuse } from "../../protocol/neutral/refusals.ts";
import { createHttpApp } from "../../protocol/rest/app.ts";
import { canBeTold } from "../../protocol/rest/connections.ts";
import { errorBody, type ErrorShape } from "../../protocol/rest/errors.ts";
import { type PageParts, type Readiness, restPages } from "../../protocol/rest/pages/pages.ts";
import type { Agent } from "./agent.ts";
import { disablePretenuring, doubleHeapGrowth } from "./engine-flags.ts";

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly doors?: readonly DoorRoute[];
  readonly limits?: BodyLimits;
  readonly cors?: boolean;
  /** `WWW-Authenticate` of a 401. Default: `bearerChallenge`. */
  readonly challenge?: Challenge;
  /** Left out: nothing is counted. */
  readonly watch?: AgentWatch;
  /** The OpenAPI document names it. */
  readonly tokenIssuer?: string;
  readonly trustProxy?: boolean;
  /** Limits for a request, for its headers, and for running answers of a stopping server. */
  readonly requestTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly drainMs?: number;
  /** 0: no limit. */
  readonly connectionsPerAddress?: number;
  /** The agent itself is one. */
  readonly isSandbox?: boolean;
  /** Answers the requests that ask for a sandbox. Left out: they are refused, unless the agent is one. */
  readonly sandbox?: { readonly agent: Agent; readonly doors: readonly DoorRoute[] };
  /** The answer is null while the store takes commits. */
  readonly storeFailure?: () => Promise<Error | null>;
}

/**
 * `announce` tells that it will stop, and takes calls for `ms` longer: `/readyz` is 503, streams end with the time to
 * come back, and each answer is the last of its connection. `close` lets running answers end, at most `drainMs`, and
 * resolves when the port is free.
 */
export interface Served {
  readonly url: string;
  readonly port: number;
  announce(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The address cannot be listened on; `code` is the system's word for it (`EADDRINUSE`, `EACCES`, …). */
export class ListenError extends Error {
  readonly code: string;
  readonly host: string;
  readonly port: number;

  constructor(code: string, host: string, port: number) {
    super(`cannot listen on ${host}:${port} (${code})`);
    this.name = "ListenError";
    this.code = code;
    this.host = host;
    this.port = port;
  }
}

const badChunk = refuse("malformed_body", { message: "The chunks of the body are not as RFC 9112, 7.1 wants them." });
const cutOff = refuse("malformed_body", { message: "The request ended before its body. Send it whole." });

/** Any other code: not HTTP. */
const reasonOf: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: refuse("request_timeout"),
  HPE_INVALID_EOF_STATE: cutOff,
  HPE_HEADER_OVERFLOW: refuse("headers_too_large"),
  HPE_INVALID_CHUNK_SIZE: badChunk,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: badChunk,
  HPE_INVALID_URL: refuse("malformed_url"),
};

const lingerMs = 1000;

const notHttp = refuse("malformed_request");
/** RFC 9110, 15.5.6: a 405 lists what may be sent. */
const allowed = ["Allow: DELETE, GET, HEAD, OPTIONS, POST, PUT"];
const noTunnel = refuse("method_not_allowed", { message: "This is no proxy: it opens no tunnels." });

/** Written raw, and the connection's last. */
const answerRaw = (
  shape: ErrorShape,
  { code, message }: Refusal,
  socket: Socket,
  more: readonly string[] = [],
): void => {
  if (!socket.writable || !canBeTold(socket)) return void socket.destroy();
  const { status } = refusalTable[code];
  const body = JSON.stringify(errorBody(shape, { code, message, extras: {} }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${randomUUID()}`,
    "X-Content-Type-Options: nosniff",
    ...more,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Closed at once, unread bytes would reset the connection and lose the answer; left open, connections pile up.
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(lingering));
};

/** Answers what is no HTTP, or too slow. */
const answerBroken = (shape: ErrorShape, error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET") return void socket.destroy();
  answerRaw(shape, reasonOf[error.code ?? ""] ?? notHttp, socket);
};

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(new ListenError(error.code ?? "unknown", host, port));
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });

/**
 * Node's own close resets kept-alive connections, and with them what their clients are just sending. So it is that of
 * the port alone; idle and silent connections are closed.
 */
const drain = (server: Server, silent: ReadonlySet<Socket>, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline);
      clearInterval(idle);
      server.close(() => undefined);
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });

/** What a prober waits for at most: a silent database would hold it. */
const readyWithinMs = 2000;

const soon = (failure: Promise<Error | null>): Promise<Error | null> =>
  new Promise((resolve, reject) => {
    const late = new Error(`The store did not answer within ${readyWithinMs / 1000} s.`);
    const timer = setTimeout(() => resolve(late), readyWithinMs);
    failure.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Cached for a second, since the page has no rate limit; a store that has not answered yet is not asked again. */
const readinessOf = (closing: AbortSignal, { storeFailure, log }: ServeOptions): (() => Promise<Readiness>) => {
  let asked: { readonly atMs: number; readonly failure: Promise<Error | null> } | null = null;
  let isAsking = false;
  const ask = async (): Promise<Error | null> => {
    isAsking = true;
    const answer = (storeFailure?.() ?? Promise.resolve(null)).finally(() => (isAsking = false));
    const failure = await soon(answer);
    if (failure !== null) log.warn({ error: failure.name, message: failure.message }, "the store takes no commits");
    return failure;
  };
  return async () => {
    if (closing.aborted) return "stopping";
    const nowMs = performance.now();
    if (asked === null || (!isAsking && nowMs - asked.atMs >= 1000)) asked = { atMs: nowMs, failure: ask() };
    return (await asked.failure) === null ? "ready" : "unavailable";
  };
};

/** The OpenAPI document shows the described routes. */
interface PageOptions {
  readonly readiness: PageParts["readiness"];
  readonly tokenIssuer?: string | undefined;
}

export const pageParts = (
  agent: Agent,
  doors: readonly DoorRoute[],
  { readiness, tokenIssuer }: PageOptions,
): PageParts => {
  const { name, title, version, description, errorShape, dialects = new Map(), examples } = agent;
  const { contracts } = agent.runner;
  const routes = [...agent.pages, ...doors];
  return {
    name,
    title,
    version,
    description,
    contracts,
    errorShape,
    dialects,
    routes,
    readiness,
    ...(examples === undefined ? {} : { examples }),
    ...(tokenIssuer === undefined ? {} : { tokenIssuer }),
  };
};

const appsOf = (options: ServeOptions, closing: AbortSignal) => {
  const readiness = readinessOf(closing, options);
  return (agent: Agent, doors: readonly DoorRoute[], isSandbox: boolean): RequestListener => {
    const parts = pageParts(agent, doors, { readiness, tokenIssuer: options.tokenIssuer });
    return createHttpApp({
      runner: agent.runner,
      errorShape: agent.errorShape,
      doors: [...restPages(parts), ...agent.pages, ...doors],
      log: options.log,
      cors: options.cors ?? agent.name === "seller",
      dialects: parts.dialects,
      trustProxy: options.trustProxy ?? false,
      closing,
      isSandbox,
      ...(options.watch === undefined ? {} : { watch: options.watch }),
      ...(options.challenge === undefined ? {} : { challenge: options.challenge }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    });
  };
};

/** Throws `ListenError`. */
export const serve = async (agent: Agent, options: ServeOptions): Promise<Served> => {
  disablePretenuring();
  doubleHeapGrowth();
  const closing = new AbortController();
  const appOf = appsOf(options, closing.signal);
  const answer = appOf(agent, options.doors ?? [], options.isSandbox === true);
  const { sandbox } = options;
  const answerInSandbox = sandbox === undefined ? answer : appOf(sandbox.agent, sandbox.doors, true);
  const silent = new Set<Socket>();
  const heard: RequestListener = (request, response) => {
    silent.delete(request.socket);
    (isForSandbox(request.headers) ? answerInSandbox : answer)(request, response);
  };
  const server = createServer(
    {
      requestTimeout: options.requestTimeoutMs ?? 30_000,
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs ?? 10_000),
      keepAliveTimeout: 65_000,
      // The HTTP layer rejects these with a body: Node would send none.
      requireHostHeader: false,
    },
    heard,
  );
  server.on("checkExpectation", heard);
  server.on("connect", (_request, socket) => {
    // Node has detached from it, so nobody else handles its errors or drains it.
    socket.on("error", () => socket.destroy()).resume();
    answerRaw(agent.errorShape, noTunnel, socket as Socket, allowed);
  });
  const counts = createConnectionCounts(options.connectionsPerAddress ?? 0);
  server.on("connection", (socket: Socket) => {
    admitConnection(counts, socket);
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("clientError", (error, socket) => answerBroken(agent.errorShape, error, socket as Socket));
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  const shown = options.host.includes(":") ? `[${options.host}]` : options.host;
  let closed: Promise<void> | null = null;
  return {
    url: `http://${shown}:${port}`,
    port,
    announce: async (ms) => {
      closing.abort();
      if (ms > 0) await wait(ms);
    },
    close: () => {
      closing.abort();
      closed ??= drain(server, silent, options.drainMs ?? 10_000);
      return closed;
    },
  };
};
