import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../protocol/seam/caller.ts";
import type { DoorAnswer, DoorRequest, DoorResponse } from "../protocol/door/door.ts";
import { callOfDoor, showOutcome } from "../protocol/door/door-call.ts";
import { metaOf, refusedOutcome } from "../protocol/seam/gates.ts";
import { type BodyLimits, parseJson } from "../protocol/neutral/json-input.ts";
import { parseError, unreadError } from "../protocol/jsonrpc/unread.ts";
import type { IdentifiedCaller } from "../protocol/seam/operation.ts";
import { isRefusal, type Refusal, Refused, refusalTable } from "../protocol/neutral/refusals.ts";
import type { Runner } from "../protocol/seam/run.ts";
import { type ToolCaller, toolAnswer } from "./call.ts";
import type { ToolCatalog } from "./catalog.ts";
import { countedAtGate, enter } from "./gate.ts";
import { isRequest, messageOf, type ReadMessage } from "./message.ts";
import { createMcpServer } from "./server.ts";
import { jsonAnswer, rpcError, SessionTransport, unknownSession, withChallenge } from "./session-transport.ts";
import type { McpSession, SessionTable } from "./sessions.ts";

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
export const callerOf = (request: DoorRequest, caller: IdentifiedCaller): ToolCaller => ({
  seen: (outcome) => showOutcome(request, outcome),
  ...callOfDoor(request),
  caller,
});

/** What the transport hands to a tool handler; `from` is put there by the session's transport. */
const attachedCaller = (extra: unknown): ToolCaller => {
  const attached = extra as { authInfo?: { extra?: { from?: ToolCaller } } };
  const from = attached.authInfo?.extra?.from;
  if (from === undefined) throw new Error("an MCP request reached its handler without its caller");
  return from;
};

/** The JSON value of a body, or why it cannot be read. */
export const readJson = async (
  request: DoorRequest,
  limits: BodyLimits,
): Promise<{ readonly value: unknown } | { readonly unread: Refusal }> => {
  try {
    return { value: parseJson(await request.readBody(), limits) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { unread: error.refusal };
  }
};

const unreadAnswer = (refusal: Refusal): DoorResponse => {
  const { code, message } = unreadError(refusal);
  return rpcError(code === parseError ? 400 : refusalTable[refusal.code].status, code, message);
};

/** The answer to a body that holds no message: it cannot be read, or what it holds has another form. */
const refusedBody = (body: Exclude<Body, { message: unknown }>): DoorResponse =>
  "unread" in body ? unreadAnswer(body.unread) : rpcError(400, body.malformed.code, body.malformed.message, body.id);

type Body = ReadMessage | { readonly unread: Refusal };

const bodyOf = async (request: DoorRequest, limits: BodyLimits): Promise<Body> => {
  const read = await readJson(request, limits);
  return "unread" in read ? read : messageOf(read.value);
};

const openSession = async (wire: McpWire, opener: Caller): Promise<McpSession> => {
  const server = createMcpServer({
    runner: wire.runner,
    catalog: wire.catalog,
    info: wire.info,
    instructions: wire.instructions,
    callerOf: attachedCaller,
  });
  const transport = new SessionTransport({
    opened: (id) => wire.table.add(id, session),
    ended: (id) => wire.table.forget(id),
  });
  const session: McpSession = { transport, server, opener, running: new Set(), usedAtMs: wire.nowMs() };
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return session;
};

type Message = JSONRPCMessage | undefined;

/**
 * An `initialize` that says nothing of the client: the server asks nothing of it, and what it says would be held as
 * long as the session, of every session as much as a body may hold.
 */
const namelessClient = (message: JSONRPCRequest): JSONRPCRequest => ({
  ...message,
  params: {
    protocolVersion: message.params?.["protocolVersion"],
    capabilities: {},
    clientInfo: { name: "client", version: "" },
  },
});

const serveSession = async (
  session: McpSession,
  request: DoorRequest,
  caller: IdentifiedCaller,
  message: Message,
): Promise<DoorAnswer> => {
  const answered = session.transport.serve(request, callerOf(request, caller), message);
  // A stream that a client listens to has no end of its own, so it counts as no call.
  if (request.method === "POST") session.running.add(answered);
  try {
    return await answered;
  } finally {
    session.running.delete(answered);
  }
};

const refusedAtGate = ({ code, message }: Refusal): DoorResponse => {
  const { status, rpc } = refusalTable[code];
  return withChallenge(rpcError(status, rpc, message));
};

/**
 * The answer to a credential that is refused. A tool call of a session is told as `run` would tell it, so that a key
 * that ends in mid-session is the same refusal through every door; the body is read for no more than that form.
 */
const refusedEntry = async (wire: McpWire, request: DoorRequest, refusal: Refusal): Promise<DoorResponse> => {
  const isInSession = request.method === "POST" && request.headers["mcp-session-id"] !== undefined;
  const body = isInSession ? await bodyOf(request, wire.limits) : { message: undefined };
  const message = "message" in body ? body.message : undefined;
  if (!isRequest(message) || message.method !== "tools/call") return refusedAtGate(refusal);
  const contract = wire.catalog.byName.get(String(message.params?.["name"])) ?? null;
  const result = toolAnswer(refusedOutcome(contract, refusal, metaOf(null)));
  return jsonAnswer(200, { jsonrpc: "2.0", id: message.id, result });
};

const foreignHost = rpcError(403, -32000, "This host or origin is not allowed.");
const needsSession = rpcError(400, -32000, "Send Mcp-Session-Id, or initialize first.");

const sessionOf = (wire: McpWire, request: DoorRequest, caller: Caller): McpSession | null => {
  const id = request.headers["mcp-session-id"];
  return id === undefined ? null : wire.table.find(id, caller, wire.nowMs());
};

/** Whether a message is a tool call that the session is going to run: `run` is its gate of the rate. */
const runsIn = (session: McpSession | null, request: DoorRequest, message: Message): session is McpSession =>
  session !== null && isRequest(message) && session.transport.runs(request, message);

/**
 * Streamable HTTP: a session is opened by `initialize` and answers only to the owner that opened it. The credential is
 * judged before the body is read, and each request is counted once, before anything is told of its body.
 */
export const serveStreamable = async (wire: McpWire, request: DoorRequest): Promise<DoorAnswer> => {
  const entered = await enter(wire.runner, request);
  if (isRefusal(entered)) return refusedEntry(wire, request, entered);
  if (isForeign(request, wire.allowedHosts)) {
    const counted = await countedAtGate(wire.runner, request, entered);
    return isRefusal(counted) ? refusedAtGate(counted) : foreignHost;
  }
  const isPost = request.method === "POST";
  const body = isPost ? await bodyOf(request, wire.limits) : { message: undefined };
  const message = "message" in body ? body.message : undefined;
  const running = sessionOf(wire, request, entered.who);
  if (runsIn(running, request, message)) return serveSession(running, request, entered, message);
  const counted = await countedAtGate(wire.runner, request, entered);
  if (isRefusal(counted)) return refusedAtGate(counted);
  if (!("message" in body)) return refusedBody(body);
  // The session may have ended while the request was counted.
  const session = sessionOf(wire, request, entered.who);
  if (session !== null) return serveSession(session, request, counted, message);
  if (request.headers["mcp-session-id"] !== undefined) return unknownSession;
  if (!isRequest(message) || message.method !== "initialize") return needsSession;
  return serveSession(await openSession(wire, entered.who), request, counted, namelessClient(message));
};
