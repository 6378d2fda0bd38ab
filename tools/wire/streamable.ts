import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import type { Caller } from "../../protocol/seam/caller.ts";
import type { DoorAnswer, DoorRequest, DoorResponse } from "../../protocol/door/door.ts";
import { type Challenge, lackingScope } from "../../protocol/door/challenge.ts";
import { scopeOf } from "../../protocol/seam/scopes.ts";
import { isTokenCaller } from "../../protocol/door/access-tokens.ts";
import { callerOf, callOfDoor, queriedOf, showOutcome } from "../../protocol/door/door-call.ts";
import { accessRefusal, refusedOutcome } from "../../protocol/seam/run/gates.ts";
import { type BodyLimits, isMembers, parseJson } from "../../protocol/neutral/json-input.ts";
import { messageOfRefused, refusedResponse, unreadError } from "../../protocol/jsonrpc/answers.ts";
import { queryOf } from "../../protocol/neutral/query.ts";
import { type Refusal, Refused, refusalTable } from "../../protocol/neutral/refusals.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { refusedAnswer, type ToolCaller } from "../calls/call.ts";
import type { ToolCatalog } from "../catalog.ts";
import { queriedSelection } from "../listing.ts";
import { answersOf } from "../surface/answers.ts";
import type { EventLog } from "./event-log.ts";
import { isRequest, messageOf, type ReadMessage } from "./message.ts";
import { createMcpServer, type McpParts } from "../server.ts";
import type { ModernHttp } from "./per-request.ts";
import { SessionTransport, unknownSession } from "./session-transport.ts";
import { CallerInfo, jsonAnswer, rpcError } from "./web.ts";
import type { McpSession, SessionTable } from "./sessions.ts";

export interface McpWire {
  readonly runner: Runner;
  readonly catalog: ToolCatalog;
  readonly parts: McpParts;
  readonly table: SessionTable;
  readonly limits: BodyLimits;
  readonly nowMs: () => number;
  /** Against DNS rebinding of a server bound to loopback; null: any. */
  readonly allowedHosts: readonly string[] | null;
  /** Host names of pages that may call. Default: `allowedHosts`. */
  readonly allowedOrigins?: readonly string[];
  readonly events: EventLog;
  /** Revision 2026-07-28, on the same address. */
  readonly modern: ModernHttp;
  /** Where an issuer of access tokens is configured: the `WWW-Authenticate` that leads a client to it. */
  readonly challenge?: Challenge;
  /** A call of such a tool without a key is refused by its status, as clients of the dialect expect. */
  readonly needsKey?: (tool: unknown) => boolean;
  /** Tools that keep nothing between two calls are called without a session too. */
  readonly isSessionless?: true;
}

const bareHost = (authority: string): string => authority.replace(/:\d+$/, "").toLowerCase();

const isForeign = (request: DoorRequest, { allowedHosts: hosts, allowedOrigins }: McpWire): boolean => {
  const origins = allowedOrigins ?? hosts;
  if (hosts !== null && !hosts.includes(bareHost(request.headers["host"] ?? ""))) return true;
  const origin = request.headers["origin"];
  if (origins === null || origin === undefined) return false;
  return !URL.canParse(origin) || !origins.includes(new URL(origin).hostname);
};

/** Every request brings its own credential; a session never lends one. */
export const toolCallerOf = (request: DoorRequest): ToolCaller => ({
  seen: (outcome) => showOutcome(request, outcome),
  selection: queriedSelection(queryOf(request.node.request.url ?? "")),
  queried: queriedOf(request),
  ...callOfDoor(request),
});

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
  const { status, error } = unreadError(refusal);
  return rpcError(status === 200 ? 400 : status, error.code, error.message);
};

const refusedBody = (body: Exclude<Body, { message: unknown }>): DoorResponse =>
  "unread" in body ? unreadAnswer(body.unread) : rpcError(400, body.malformed.code, body.malformed.message, body.id);

type Body = ReadMessage | { readonly unread: Refusal };

const bodyOf = async (request: DoorRequest, limits: BodyLimits): Promise<Body> => {
  const read = await readJson(request, limits);
  return "unread" in read ? read : messageOf(read.value, request);
};

/** Progress, a question to a person, or whatever a surface's own tool sends. */
const speaks = ({ parts: { surfaces } }: McpWire, { server }: McpSession, sent: JSONRPCMessage): boolean => {
  if (!isRequest(sent) || sent.method !== "tools/call") return false;
  if (sent.params?._meta?.progressToken !== undefined) return true;
  if (server.getClientCapabilities()?.elicitation !== undefined) return true;
  return surfaces.some((surface) => surface.speaks(sent.params?.["name"]));
};

const openSession = async (wire: McpWire, opener: Caller): Promise<McpSession> => {
  const server = createMcpServer(wire.parts, "legacy");
  const transport = new SessionTransport({
    opened: (id) => wire.table.add(id, session),
    ended: (id) => wire.table.forget(id),
    streaming: (ended) => {
      session.running.add(ended);
      void ended.then(() => session.running.delete(ended));
    },
    events: wire.events.ofSession(),
    speaks: (sent) => speaks(wire, session, sent),
  });
  const session: McpSession = { transport, server, opener, running: new Set(), usedAtMs: wire.nowMs() };
  await server.connect(transport as Transport);
  return session;
};

type Message = JSONRPCMessage | undefined;

const offered = (capability: unknown, forms: readonly string[]): Readonly<Record<string, object>> | undefined =>
  isMembers(capability)
    ? Object.fromEntries(forms.filter((form) => isMembers(capability[form])).map((form) => [form, {}]))
    : undefined;

/** Client information would be held as long as the session: only what the server may use is. */
const namelessClient = (message: JSONRPCRequest): JSONRPCRequest => {
  const sent = message.params?.["capabilities"];
  const given = isMembers(sent) ? sent : {};
  const elicitation = offered(given["elicitation"], ["form", "url"]);
  const sampling = offered(given["sampling"], ["tools", "context"]);
  return {
    ...message,
    params: {
      protocolVersion: message.params?.["protocolVersion"],
      capabilities: {
        ...(elicitation === undefined ? {} : { elicitation }),
        ...(sampling === undefined ? {} : { sampling }),
      },
      clientInfo: { name: "client", version: "" },
    },
  };
};

const serveSession = async (
  session: McpSession,
  request: DoorRequest,
  from: CallerInfo,
  message: Message,
): Promise<DoorAnswer> => {
  const answered = session.transport.serve(request, from, message);
  // A listening stream has no end, so it is no running call.
  if (request.method === "POST") session.running.add(answered);
  try {
    return await answered;
  } finally {
    session.running.delete(answered);
  }
};

/** A tool call over the limit is a tool's error, which a model reads; a bad key is 401 as everywhere. */
export const refusedStreamable = async (wire: McpWire, request: DoorRequest, refusal: Refusal): Promise<DoorAnswer> => {
  const message = await messageOfRefused(request, wire.limits);
  const isInSession = request.headers["mcp-session-id"] !== undefined;
  const read = messageOf(message);
  const sent = "message" in read ? read.message : undefined;
  const isOfTool = isInSession && isRequest(sent) && sent.method === "tools/call";
  if (!isOfTool || refusal.code !== "rate_limited") return refusedResponse(message, refusal);
  const { name, arguments: given } = sent.params ?? {};
  const contract = wire.catalog.byName.get(String(name)) ?? null;
  const result = refusedAnswer(wire, name, given, refusedOutcome(contract, refusal));
  return jsonAnswer(200, { jsonrpc: "2.0", id: sent.id, result });
};

const foreignHost = rpcError(403, -32000, "This host or origin is not allowed.");

const sessionOf = (wire: McpWire, request: DoorRequest, caller: Caller): McpSession | null => {
  const id = request.headers["mcp-session-id"];
  return id === undefined ? null : wire.table.find(id, caller, wire.nowMs());
};

/** RFC 6750, 3.1: a client that can get a token, or one of more scopes, learns so by the status of its call. */
const challengeOf = ({ challenge, catalog }: McpWire, caller: Caller, message: Message): DoorResponse | null => {
  const mayGetToken = caller.kind === "anonymous" || isTokenCaller(caller);
  if (challenge === undefined || !mayGetToken || !isRequest(message) || message.method !== "tools/call") return null;
  const contract = catalog.byName.get(String(message.params?.["name"]));
  const refusal = contract === undefined ? null : accessRefusal(contract, caller);
  if (refusal === null) return null;
  const { status, rpc } = refusalTable[refusal.code];
  const role = contract?.access === "senior" ? "senior" : "operator";
  const scope = refusal.code === "insufficient_scope" && contract !== undefined ? scopeOf(contract) : role;
  const more = status === 403 ? lackingScope(scope) : {};
  const answer = rpcError(status, rpc, refusal.message, message.id);
  return { ...answer, headers: { ...answer.headers, "www-authenticate": challenge(more) } };
};

const withoutKey = ({ needsKey }: McpWire, caller: Caller, message: Message): DoorResponse | null => {
  if (caller.kind !== "anonymous" || !isRequest(message) || message.method !== "tools/call") return null;
  if (needsKey?.(message.params?.["name"]) !== true) return null;
  const { status, rpc, message: said } = refusalTable.authentication_required;
  return rpcError(status, rpc, said, message.id);
};

const withoutSession = async (wire: McpWire, from: CallerInfo, message: Message): Promise<DoorResponse | null> => {
  if (wire.isSessionless !== true || !isRequest(message)) return null;
  const answers = answersOf(wire.parts.surfaces);
  const request = {
    from: from.from,
    canAsk: () => false,
    ask: () => Promise.resolve({}),
    log: () => Promise.resolve(),
  };
  const { method, params = {} } = message;
  if (method !== "tools/list" && method !== "tools/call") return null;
  const result =
    method === "tools/list"
      ? await answers.tools(request)
      : await answers.call(params["name"], params["arguments"], request);
  return jsonAnswer(200, { jsonrpc: "2.0", id: message.id, result });
};

/** A session is opened by `initialize` and answers only the owner that opened it. */
export const serveStreamable = async (wire: McpWire, request: DoorRequest): Promise<DoorAnswer> => {
  if (isForeign(request, wire)) return foreignHost;
  const noBody = { message: undefined, isModern: false };
  const body = request.method === "POST" ? await bodyOf(request, wire.limits) : noBody;
  if (!("message" in body)) return refusedBody(body);
  const { message } = body;
  const caller = await callerOf(request);
  const challenged = challengeOf(wire, caller, message) ?? withoutKey(wire, caller, message);
  if (challenged !== null) return challenged;
  const from = new CallerInfo(toolCallerOf(request), caller);
  if (message !== undefined && body.isModern) {
    return wire.modern.serve(request, from, message);
  }
  const session = sessionOf(wire, request, caller);
  if (session !== null) return serveSession(session, request, from, message);
  const id = isRequest(message) ? message.id : null;
  if (request.headers["mcp-session-id"] !== undefined) return unknownSession(id);
  const direct = await withoutSession(wire, from, message);
  if (direct !== null) return direct;
  if (!isRequest(message) || message.method !== "initialize") {
    return rpcError(400, -32000, "Send Mcp-Session-Id, or initialize first.", id);
  }
  return serveSession(await openSession(wire, caller), request, from, namelessClient(message));
};
