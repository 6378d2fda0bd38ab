import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { DoorRoute } from "../protocol/door.ts";
import type { BodyLimits } from "../protocol/json-input.ts";
import type { Log } from "../protocol/ports.ts";
import { type RefusalCode, refusalTable } from "../protocol/refusals.ts";
import { createHttpApp } from "../protocol/rest/app.ts";
import { wasAnsweredEarly } from "../protocol/rest/connections.ts";
import { errorBody, type ErrorShape } from "../protocol/rest/errors.ts";
import { type PageParts, type Readiness, restPages } from "../protocol/rest/pages.ts";
import type { Agent } from "./agent.ts";
import { growHeapTwofold } from "./grow-heap-twofold.ts";
import { keepCallsYoung } from "./keep-calls-young.ts";

/** How an agent is served. Times are in milliseconds; `doors` are the routes of A2A, MCP and the like. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly doors?: readonly DoorRoute[];
  readonly limits?: BodyLimits;
  readonly cors?: boolean;
  readonly trustProxy?: boolean;
  /** How long a caller may take to send a request, its headers, and how long a stopping server waits for answers. */
  readonly requestTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly drainMs?: number;
  /** Why the agent's store takes no commits, null while it does; asked for the readiness page. */
  readonly storeFailure?: () => Promise<Error | null>;
}

/** A server that listens. `close` lets running answers end, at most `drainMs`, and resolves when the port is free. */
export interface Served {
  readonly url: string;
  readonly port: number;
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

const reasonOf: Readonly<Record<string, readonly [status: string, code: RefusalCode, message?: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "request_timeout"],
  HPE_INVALID_EOF_STATE: ["400 Bad Request", "malformed_body", "The request ended before its body. Send it whole."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "body_too_large", "The header fields are too large."],
};

const notHttp = ["400 Bad Request", "malformed_url", "This is not an HTTP request."] as const;

/** Answers what is no HTTP request, or came too slowly: the router never sees it, so the answer is written raw. */
const answerBroken = (shape: ErrorShape, error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable || wasAnsweredEarly(socket)) return void socket.destroy();
  const [status, code, message] = reasonOf[error.code ?? ""] ?? notHttp;
  const said = message ?? refusalTable[code].message;
  const body = JSON.stringify(errorBody(shape, { code, message: said, extras: {} }));
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${randomUUID()}`,
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
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
 * A plain close waits for idle keep-alive connections, so those are closed over and over until it is done. Connections
 * on which nothing was asked yet (browsers open them in advance) do not count as idle and are closed at once.
 */
const drain = (server: Server, silent: ReadonlySet<Socket>, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });

/** Questions to the store are shared, and asked again a second later at the earliest: the page has no rate limit. */
const readinessOf = (closing: AbortSignal, { storeFailure, log }: ServeOptions): (() => Promise<Readiness>) => {
  let asked: { readonly atMs: number; readonly failure: Promise<Error | null> } | null = null;
  const ask = async (): Promise<Error | null> => {
    const failure = (await storeFailure?.()) ?? null;
    if (failure !== null) log.warn({ error: failure.name, message: failure.message }, "the store takes no commits");
    return failure;
  };
  return async () => {
    if (closing.aborted) return "stopping";
    const nowMs = performance.now();
    if (asked === null || nowMs - asked.atMs >= 1000) asked = { atMs: nowMs, failure: ask() };
    return (await asked.failure) === null ? "ready" : "unavailable";
  };
};

/** What the pages of an agent tell; its OpenAPI document shows the described routes of its pages and doors. */
export const pageParts = (agent: Agent, doors: readonly DoorRoute[], readiness: PageParts["readiness"]): PageParts => {
  const { name, title, version, description, errorShape, dialects = new Map(), examples = {} } = agent;
  const { contracts } = agent.runner;
  const routes = [...agent.pages, ...doors];
  return { name, title, version, description, contracts, errorShape, dialects, examples, routes, readiness };
};

/** Serves an agent over HTTP: its REST routes, its pages and the doors that are handed in. Throws `ListenError`. */
export const serve = async (agent: Agent, options: ServeOptions): Promise<Served> => {
  keepCallsYoung();
  growHeapTwofold();
  const closing = new AbortController();
  const doors = options.doors ?? [];
  const parts = pageParts(agent, doors, readinessOf(closing.signal, options));
  const answer = createHttpApp({
    runner: agent.runner,
    errorShape: agent.errorShape,
    doors: [...restPages(parts), ...agent.pages, ...doors],
    log: options.log,
    cors: options.cors ?? agent.name === "seller",
    dialects: parts.dialects,
    trustProxy: options.trustProxy ?? false,
    closing: closing.signal,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const silent = new Set<Socket>();
  const server = createServer(
    {
      requestTimeout: options.requestTimeoutMs ?? 30_000,
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs ?? 10_000),
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      silent.delete(request.socket);
      answer(request, response);
    },
  );
  server.on("connection", (socket: Socket) => {
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
    close: () => {
      closing.abort();
      closed ??= drain(server, silent, options.drainMs ?? 10_000);
      return closed;
    },
  };
};
