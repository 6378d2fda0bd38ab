import { randomUUID } from "node:crypto";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { DoorAnswer, DoorRequest, DoorResponse, DoorRoute } from "../protocol/door.ts";
import { type BodyLimits, parseJson } from "../protocol/json-input.ts";
import type { Outcome } from "../protocol/operation.ts";
import { bugBody, refusalBody } from "../protocol/refusal-body.ts";
import { Refused, refusalTable } from "../protocol/refusals.ts";
import type { Runner } from "../protocol/run.ts";
import { toolCall } from "./call.ts";
import { toolCatalog } from "./catalog.ts";
import { createMcpServer, type ToolCaller } from "./server.ts";
import { createSessionTable, credentialDigest, type McpSession, type SessionLimits } from "./sessions.ts";

export interface McpHttpOptions {
  readonly runner: Runner;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly limits: BodyLimits;
  readonly sessions: SessionLimits;
  readonly nowMs: () => number;
  /** Hosts that a request may name, against DNS rebinding of a server bound to loopback; null: any. */
  readonly allowedHosts: readonly string[] | null;
}

/** The MCP routes of an agent, and how to end their sessions. */
export interface McpHttp {
  readonly routes: readonly DoorRoute[];
  close(): Promise<void>;
}

const json = (status: number, body: unknown): DoorResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const rpcError = (status: number, code: number, message: string): DoorResponse =>
  json(status, { jsonrpc: "2.0", error: { code, message }, id: null });

const bareHost = (authority: string): string => authority.replace(/:\d+$/, "").toLowerCase();

const isForeign = (request: DoorRequest, allowed: readonly string[] | null): boolean => {
  if (allowed === null) return false;
  if (!allowed.includes(bareHost(request.headers["host"] ?? ""))) return true;
  const origin = request.headers["origin"];
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !allowed.includes(new URL(origin).hostname);
};

const credentialsOf = (request: DoorRequest): { apiKey: string | null; authorization: string | null } => ({
  apiKey: request.headers["x-api-key"] ?? null,
  authorization: request.headers["authorization"] ?? null,
});

const showRate = (request: DoorRequest, outcome: Outcome): void => {
  const response = request.node.response;
  if (response.headersSent) return;
  if (outcome.kind !== "bug" && outcome.meta.rate !== null) {
    const { remaining, resetSeconds } = outcome.meta.rate;
    response.setHeader("RateLimit", `"default";r=${remaining};t=${resetSeconds}`);
  }
  if (outcome.kind === "refused" && outcome.refusal.retryAfterSeconds !== undefined) {
    response.setHeader("Retry-After", String(Math.ceil(outcome.refusal.retryAfterSeconds)));
  }
};

const callerOf = (request: DoorRequest): ToolCaller => ({
  caller: { kind: "request", ...credentialsOf(request), address: request.address },
  requestId: request.requestId,
  idempotencyKey: request.headers["idempotency-key"] ?? null,
  seen: (outcome) => showRate(request, outcome),
});

/** What the transport hands to a tool handler; `request` is put there by `serveSession`. */
const attachedRequest = (extra: unknown): DoorRequest => {
  const attached = extra as { authInfo?: { extra?: { request?: DoorRequest } } };
  const request = attached.authInfo?.extra?.request;
  if (request === undefined) throw new Error("an MCP request reached its handler without its HTTP request");
  return request;
};

const isInitialize = (message: unknown): boolean =>
  typeof message === "object" && message !== null && (message as { method?: unknown }).method === "initialize";

const refusedBody = (error: unknown): DoorResponse => {
  if (!(error instanceof Refused)) throw error;
  const { code, message } = error.refusal;
  const isBroken = error.refusal.issues?.[0]?.type === "json_invalid";
  return isBroken
    ? rpcError(400, -32700, "The body is not valid JSON.")
    : rpcError(refusalTable[code].status, -32600, message);
};

/**
 * MCP over Streamable HTTP with stateful sessions at `/mcp` (and the paths that existing clients use, decision 16),
 * and three plain JSON routes over the same tools. A session answers only to the credential that opened it.
 */
export const mcpRoutes = (options: McpHttpOptions): McpHttp => {
  const catalog = toolCatalog(options.runner.contracts);
  const table = createSessionTable(options.sessions);

  const openSession = async (credential: Buffer): Promise<McpSession> => {
    const server = createMcpServer({
      runner: options.runner,
      catalog,
      info: options.info,
      instructions: options.instructions,
      callerOf: (extra) => callerOf(attachedRequest(extra)),
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => table.add(id, session),
      onsessionclosed: (id) => table.forget(id),
    });
    const session: McpSession = { transport, server, credential, usedAtMs: options.nowMs() };
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return session;
  };

  const serveSession = async (session: McpSession, request: DoorRequest, body: unknown): Promise<DoorAnswer> => {
    const message = Object.assign(request.node.request, {
      auth: { token: "", clientId: "", scopes: [], extra: { request } },
    });
    await session.transport.handleRequest(message, request.node.response, body);
    return "taken";
  };

  const streamable = async (request: DoorRequest): Promise<DoorAnswer> => {
    if (isForeign(request, options.allowedHosts)) return rpcError(403, -32000, "This host or origin is not allowed.");
    const { apiKey, authorization } = credentialsOf(request);
    const credential = credentialDigest(apiKey, authorization);
    const id = request.headers["mcp-session-id"];
    const known = id === undefined ? null : table.find(id, credential, options.nowMs());
    if (id !== undefined && known === null) return rpcError(404, -32001, "Session not found. Initialize a new one.");
    if (request.method !== "POST") {
      if (known === null) return rpcError(400, -32000, "Send Mcp-Session-Id, or initialize first.");
      return serveSession(known, request, undefined);
    }
    const body = await readMessage(request);
    if ("refused" in body) return body.refused;
    if (known !== null) return serveSession(known, request, body.message);
    if (!isInitialize(body.message)) return rpcError(400, -32000, "Send Mcp-Session-Id, or initialize first.");
    return serveSession(await openSession(credential), request, body.message);
  };

  const readMessage = async (request: DoorRequest): Promise<{ message: unknown } | { refused: DoorResponse }> => {
    try {
      return { message: parseJson(await request.readBody(), options.limits) };
    } catch (error) {
      return { refused: refusedBody(error) };
    }
  };

  const plainCall = async (request: DoorRequest): Promise<DoorAnswer> => {
    const body = await readMessage(request);
    if ("refused" in body) return body.refused;
    const { name, arguments: sent } = (body.message ?? {}) as { name?: unknown; arguments?: unknown };
    const contract = typeof name === "string" ? catalog.byName.get(name) : undefined;
    if (contract === undefined) {
      const error = { error: "unknown_operation", message: "Unknown tool. GET /mcp/tools lists the names." };
      return json(404, { success: false, result: null, error });
    }
    const outcome = await options.runner.run(toolCall(contract, sent, callerOf(request)));
    if (outcome.kind === "done") return json(200, { success: true, result: outcome.output, error: null });
    const isBug = outcome.kind === "bug";
    const error = isBug ? bugBody(outcome.requestId) : refusalBody(outcome.refusal);
    return json(isBug ? 500 : outcome.status, { success: false, result: null, error });
  };

  const tools = (): Promise<DoorAnswer> => Promise.resolve(json(200, { tools: catalog.entries }));
  const info = (): Promise<DoorAnswer> =>
    Promise.resolve(json(200, { ...options.info, transport: "streamable-http", endpoint: "/mcp" }));

  return {
    routes: [
      { method: "GET", path: "/mcp/tools", handle: tools },
      { method: "GET", path: "/mcp/info", handle: info },
      { method: "POST", path: "/mcp/call", handle: plainCall },
      { method: "ALL", path: "/mcp/sse", handle: streamable },
      { method: "ALL", path: "/mcp", handle: streamable },
    ],
    close: () => table.closeAll(),
  };
};
