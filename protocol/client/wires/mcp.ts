import { AsyncLocalStorage } from "node:async_hooks";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { isMembers } from "../../neutral/json-input.ts";
import { type ClientFailure, failureOf } from "../client-result.ts";
import type { Exchanged } from "../exchange.ts";
import { Ended, type ExchangeParts, parseAnswer, withinTime } from "../limits.ts";
import { type FetchLimits, limitedFetch } from "./limited-fetch.ts";
import { createKept, keyMember, type Kept, notOffered, refusedBy, type SpokenCall, unreadable } from "./spoken.ts";

interface McpSession {
  readonly client: Client;
  /** Sends DELETE, so that the server need not keep the session until it expires. Never throws. */
  end(): Promise<void>;
}

/**
 * A session by endpoint and credential, as it answers only who opened it. It is shared by parallel calls: request ids
 * must differ within it.
 */
export type McpSessions = Kept<Promise<McpSession>>;

const endOpened = async (session: Promise<McpSession>): Promise<void> => (await session.catch(() => null))?.end();

export const createMcpSessions = (): McpSessions =>
  createKept<Promise<McpSession>>({ evicted: (session) => void endOpened(session) });

export const endMcpSessions = async (sessions: McpSessions): Promise<void> => {
  await Promise.all(sessions.takeAll().map(endOpened));
};

const endpointOf = (base: string): URL => new URL(/\/(mcp|sse)$/.test(base) ? base : `${base}/mcp`);

/** Contracts validate the answers; the default would compile schemas for each call. */
const noSchemas: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

const noListening = (): Response => new Response(null, { status: 405 });

export const contentText = (content: unknown): string | null => {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const block = blocks.filter(isMembers).find(({ type }) => type === "text");
  return typeof block?.["text"] === "string" ? block["text"] : null;
};

/** Existing sellers answer a refusal as plain JSON with `error`, without the mark of the protocol. */
const readResult = (sellerUrl: string, result: Readonly<Record<string, unknown>>): Exchanged => {
  const { structuredContent, content, isError, _meta: meta } = result;
  const text = contentText(content);
  const body = isMembers(structuredContent) ? JSON.stringify(structuredContent) : (text ?? "");
  const parsed = parseAnswer(body);
  const isRefused = isError === true || (isMembers(parsed?.json) && typeof parsed.json["error"] === "string");
  if (isRefused) return refusedBy(sellerUrl, parsed?.json ?? text);
  if (parsed === null) return failureOf(sellerUrl, 200, "invalid_response", "The tool's answer is not JSON.");
  const replayed = isMembers(meta) && meta["parley/idempotency-replayed"] === true;
  return { ok: true, status: 200, json: parsed.json, replayed };
};

const thrownFailure = (sellerUrl: string, signal: AbortSignal, error: unknown): ClientFailure => {
  if (signal.aborted) throw error;
  if (error instanceof McpError) {
    const isUnknown = error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidParams;
    if (isUnknown) return notOffered(sellerUrl, error.message);
    return failureOf(sellerUrl, 200, "rpc_error", error.message);
  }
  if (error instanceof StreamableHTTPError && error.code !== undefined && error.code >= 300) {
    return failureOf(sellerUrl, error.code, "redirect_refused", "The redirect leaves the seller.");
  }
  return unreadable(sellerUrl, error, "MCP message");
};

/** The limits of the call that a request of the shared session belongs to. */
const limitsOfCall = new AsyncLocalStorage<FetchLimits>();

const fetchOfCall: FetchLike = async (url, init) => {
  const limits = limitsOfCall.getStore();
  return limits === undefined || init?.method === "GET" ? noListening() : limitedFetch(limits)(url, init);
};

/** Our own deadline is the earlier one: its failure says more. */
const within = ({ parts, signal }: FetchLimits) => ({ signal, timeout: parts.timeoutMs + 1_000 });

/** A stopping agent does not wait longer for a server that is gone. */
const longestEndMs = 2_000;

const connect = async (endpoint: URL, limits: FetchLimits): Promise<McpSession> => {
  const transport = new StreamableHTTPClientTransport(endpoint, { fetch: fetchOfCall });
  const client = new Client({ name: "parley", version: "1" }, { jsonSchemaValidator: noSchemas });
  await client.connect(transport as Parameters<typeof client.connect>[0], within(limits));
  const { signal: _ofCall, ...parts } = limits.parts;
  const ending = { ...parts, timeoutMs: Math.min(parts.timeoutMs, longestEndMs) };
  const end = async (): Promise<void> => {
    await withinTime(ending, (signal, stop) =>
      limitsOfCall.run({ ...limits, parts: ending, signal, stop }, () => transport.terminateSession()),
    );
    await client.close();
  };
  return { client, end };
};

const isGone = (error: unknown): boolean => error instanceof Ended && error.failure.status === 404;

/** In the session of that name; one that has expired is opened anew. */
const inSession = async (
  sessions: McpSessions,
  name: string,
  endpoint: URL,
  limits: FetchLimits,
  ask: (client: Client, limits: FetchLimits) => Promise<Exchanged>,
): Promise<Exchanged> => {
  const known = sessions.get(name);
  // Who opened it may have been stopped.
  const session = (await known?.catch(() => null)) ?? null;
  if (session !== null) {
    const stop: FetchLimits["stop"] = (failure) => {
      if (failure.status !== 404) limits.stop(failure);
    };
    const answer = await ask(session.client, { ...limits, stop }).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (answer !== null) return answer;
  }
  if (sessions.get(name) === known) sessions.drop(name);
  const opening = connect(endpoint, limits);
  sessions.set(name, opening);
  return ask((await opening).client, limits);
};

type InSession = (client: Client, options: ReturnType<typeof within>) => Promise<Exchanged>;

/** What is asked in the session of that endpoint and credential. */
export const exchangeByMcp = (
  parts: ExchangeParts,
  sessions: McpSessions,
  { base, headers }: Pick<SpokenCall, "base" | "headers">,
  inside: InSession,
): Promise<Exchanged> =>
  withinTime<Exchanged>(parts, async (signal, stop) => {
    const endpoint = endpointOf(base);
    const name = JSON.stringify([endpoint.href, headers["x-api-key"], headers["authorization"]]);
    const ask = (client: Client, limits: FetchLimits): Promise<Exchanged> =>
      limitsOfCall.run(limits, () => inside(client, within(limits)));
    const limits = { parts, signal, stop, headers };
    try {
      return await limitsOfCall.run(limits, () => inSession(sessions, name, endpoint, limits, ask));
    } catch (error) {
      return thrownFailure(parts.sellerUrl, signal, error);
    }
  });

export const toolCall = (call: SpokenCall) => ({
  name: call.operation,
  arguments: { ...(isMembers(call.input) ? call.input : {}), ...keyMember(call) },
});

/** One tool call. */
export const callByMcp = (parts: ExchangeParts, sessions: McpSessions, call: SpokenCall): Promise<Exchanged> =>
  exchangeByMcp(parts, sessions, call, async (client, options) =>
    readResult(parts.sellerUrl, await client.callTool(toolCall(call), undefined, options)),
  );
