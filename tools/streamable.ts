import type { DoorAnswer, DoorRequest, DoorResponse } from "../protocol/door.ts";
import { callOfDoor, showOutcome } from "../protocol/door-call.ts";
import { type BodyLimits, parseJson } from "../protocol/json-input.ts";
import { parseError, unreadError } from "../protocol/jsonrpc/unread.ts";
import { isRefusal, type Refusal, Refused, refusalTable } from "../protocol/refusals.ts";
import type { Runner } from "../protocol/run.ts";
import type { ToolCaller } from "./call.ts";
import type { ToolCatalog } from "./catalog.ts";
import { createMcpServer } from "./server.ts";
import { rpcError, SessionTransport, unknownSession, withChallenge } from "./session-transport.ts";
import { credentialDigest, type McpSession, type SessionTable } from "./sessions.ts";

/** What the MCP routes of one agent work with. */
export interface McpWire {
  readonly runner: Runner;
  readonly catalog: ToolCatalog;
  readonly table: SessionTable;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly limits: BodyLimits;
  readonly nowMs: () => number;
  /** Hosts that a request may name, against DNS rebinding of a server bound to loopback; null: any. */
  readonly allowedHosts: readonly string[] | null;
}

const bareHost = (authority: string): string => authority.replace(/:\d+$/, "").toLowerCase();

const isForeign = (request: DoorRequest, allowed: readonly string[] | null): boolean => {
  if (allowed === null) return false;
  if (!allowed.includes(bareHost(request.headers["host"] ?? ""))) return true;
  const origin = request.headers["origin"];
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !allowed.includes(new URL(origin).hostname);
};

/** The caller of one HTTP request; every request brings its own credential, a session never lends one. */
export const callerOf = (request: DoorRequest): ToolCaller => ({
  seen: (outcome) => showOutcome(request, outcome),
  ...callOfDoor(request),
});

/** What the transport hands to a tool handler; `request` is put there by `serveSession`. */
const attachedRequest = (extra: unknown): DoorRequest => {
  const attached = extra as { authInfo?: { extra?: { request?: DoorRequest } } };
  const request = attached.authInfo?.extra?.request;
  if (request === undefined) throw new Error("an MCP request reached its handler without its HTTP request");
  return request;
};

/** The JSON message of a body, or why it cannot be read. */
export const readMessage = async (
  request: DoorRequest,
  limits: BodyLimits,
): Promise<{ readonly message: unknown } | { readonly unread: Refusal }> => {
  try {
    return { message: parseJson(await request.readBody(), limits) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { unread: error.refusal };
  }
};

const unreadAnswer = (refusal: Refusal): DoorResponse => {
  const { code, message } = unreadError(refusal);
  return rpcError(code === parseError ? 400 : refusalTable[refusal.code].status, code, message);
};

const openSession = async (wire: McpWire, credential: Buffer): Promise<McpSession> => {
  const server = createMcpServer({
    runner: wire.runner,
    catalog: wire.catalog,
    info: wire.info,
    instructions: wire.instructions,
    callerOf: (extra) => callerOf(attachedRequest(extra)),
  });
  const transport = new SessionTransport({
    opened: (id) => wire.table.add(id, session),
    ended: (id) => wire.table.forget(id),
  });
  const session: McpSession = { transport, server, credential, running: new Set(), usedAtMs: wire.nowMs() };
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return session;
};

const serveSession = async (session: McpSession, request: DoorRequest, body: unknown): Promise<DoorAnswer> => {
  const answered = session.transport.serve(request, body);
  // A stream that a client listens to has no end of its own, so it counts as no call.
  if (request.method === "POST") session.running.add(answered);
  try {
    return await answered;
  } finally {
    session.running.delete(answered);
  }
};

const hasMethod = (message: unknown, method: string): boolean =>
  typeof message === "object" && message !== null && (message as { method?: unknown }).method === method;

/** The gates of credential and rate for a request that calls no tool; a tool call passes them in `run`. */
const refusedAtGate = async (wire: McpWire, request: DoorRequest): Promise<DoorResponse | null> => {
  const { who, rate } = await wire.runner.identify(callerOf(request).caller, { counted: true });
  request.tellRate(rate);
  if (!isRefusal(who)) return null;
  const { status, rpc } = refusalTable[who.code];
  const wait = who.retryAfterSeconds === undefined ? {} : { "retry-after": String(Math.ceil(who.retryAfterSeconds)) };
  const answer = withChallenge(rpcError(status, rpc, who.message));
  return { ...answer, headers: { ...answer.headers, ...wait } };
};

const needsSession = rpcError(400, -32000, "Send Mcp-Session-Id, or initialize first.");
const noBatches = rpcError(400, -32600, "Batches are not accepted here. Send one request.");

/** Streamable HTTP: a session is opened by `initialize` and answers only to the credential that opened it. */
export const serveStreamable = async (wire: McpWire, request: DoorRequest): Promise<DoorAnswer> => {
  if (isForeign(request, wire.allowedHosts)) return rpcError(403, -32000, "This host or origin is not allowed.");
  const isPost = request.method === "POST";
  const body = isPost ? await readMessage(request, wire.limits) : { message: undefined };
  if ("unread" in body) return unreadAnswer(body.unread);
  const refused = hasMethod(body.message, "tools/call") ? null : await refusedAtGate(wire, request);
  if (refused !== null) return refused;
  // MCP has had no batches since 2025-06-18; the SDK still reads them, and one would count as a single request.
  if (Array.isArray(body.message)) return noBatches;
  const { headers } = request;
  const credential = credentialDigest(headers["x-api-key"] ?? null, headers["authorization"] ?? null);
  const id = headers["mcp-session-id"];
  const known = id === undefined ? null : wire.table.find(id, credential, wire.nowMs());
  if (id !== undefined && known === null) return unknownSession;
  if (known !== null) return serveSession(known, request, body.message);
  if (!isPost || !hasMethod(body.message, "initialize")) return needsSession;
  return serveSession(await openSession(wire, credential), request, body.message);
};
