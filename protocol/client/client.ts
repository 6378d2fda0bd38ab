import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import type { Contract } from "../seam/operation.ts";
import type { Log } from "../seam/ports.ts";
import { withRetries } from "./attempts.ts";
import { type ClientFailure, type ClientResult, failureOf } from "./client-result.ts";
import { createDialectMemory, type DialectMemory, namesIdempotencyKey, readAnyForm } from "./dialect-memory.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import type { ExchangeParts } from "./limits.ts";
import type { Outbound } from "./outbound.ts";
import { baseOf, callHeaders, InvalidRequest, type RequestOptions, type Target, writeRequest } from "./request.ts";
import { type A2aCards, callByA2a, createA2aCards, type SaidBack, sayByA2a, type Saying } from "./wires/a2a.ts";
import { callAdcpByA2a, callAdcpByMcp } from "./wires/adcp.ts";
import { callByMcp, createMcpSessions, type McpSessions } from "./wires/mcp.ts";
import type { SpokenCall } from "./wires/spoken.ts";

/** How operations are called: REST routes, MCP tools, A2A data parts, or the tasks of AdCP over either. */
export type Wire = "rest" | "mcp" | "a2a" | "adcp-mcp" | "adcp-a2a";

const wires: Readonly<
  Record<Exclude<Wire, "rest">, (parts: ExchangeParts, client: Client, call: SpokenCall) => Promise<Exchanged>>
> = {
  mcp: (parts, { sessions }, call) => callByMcp(parts, sessions, call),
  a2a: (parts, { cards }, call) => callByA2a(parts, cards, call),
  "adcp-mcp": (parts, { sessions }, call) => callAdcpByMcp(parts, sessions, call),
  "adcp-a2a": (parts, { cards }, call) => callAdcpByA2a(parts, cards, call),
};

/** `timeoutMs` is per attempt. */
export interface Client {
  readonly target: Target;
  readonly wire: Wire;
  readonly outbound: Outbound;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly dialects: DialectMemory;
  readonly sessions: McpSessions;
  readonly cards: A2aCards;
  readonly pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

export interface CallOptions extends RequestOptions {
  readonly signal?: AbortSignal;
  /** Sent at most once: the other side does not know a repeat by its key. */
  readonly isOnce?: boolean;
}

const defaultTimeoutMs = 30_000;
const defaultMostBytes = 1_048_576;

const pauseFor = async (delayMs: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await wait(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch {
    // The retry loop looks at the signal itself.
  }
};

export const createClient = (parts: Pick<Client, "target" | "outbound" | "log"> & Partial<Client>): Client => ({
  wire: "rest",
  timeoutMs: defaultTimeoutMs,
  mostBytes: defaultMostBytes,
  dialects: createDialectMemory("auto"),
  sessions: createMcpSessions(),
  cards: createA2aCards(),
  pause: pauseFor,
  random: Math.random,
  ...parts,
});

const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : "the seller");

type Exchange = (parts: ExchangeParts) => Promise<Exchanged>;

const send = (
  client: Client,
  { name }: Pick<Contract, "name">,
  once: Exchange,
  options: CallOptions,
): Promise<Exchanged> => {
  const sellerUrl = originOf(client.target.baseUrl);
  const onFailure = (failure: ClientFailure, attempt: number): void => {
    const { status, code } = failure;
    // An abort is ours and says nothing of the seller.
    const level = code === "aborted" ? "info" : "warn";
    client.log[level]({ operation: name, seller: sellerUrl, status, code, attempt }, "seller call failed");
  };
  const { signal, isOnce = false } = options;
  const { timeoutMs, mostBytes, pause, random } = client;
  const parts = { fetch: client.outbound.fetch, sellerUrl, timeoutMs, mostBytes, signal };
  return withRetries({ pause, random, signal, onFailure, isOnce }, () => once(parts));
};

/** A retried write without a key could act twice. */
const keyed = (contract: Contract, options: CallOptions): CallOptions =>
  contract.effect !== "read" && options.idempotencyKey === undefined
    ? { ...options, idempotencyKey: randomUUID() }
    : options;

/** A seller that wants the other form is asked once more. */
const sendByRest = async (client: Client, contract: Contract, input: unknown, of: CallOptions): Promise<Exchanged> => {
  const seller = originOf(client.target.baseUrl);
  const ask = (): Promise<Exchanged> => {
    const written = client.dialects.written(seller, contract, input, of.idempotencyKey);
    const request = writeRequest(client.target, contract, written, of);
    return send(client, contract, (parts) => exchange(parts, request), of);
  };
  const answer = await ask();
  if (answer.ok || !namesIdempotencyKey(answer) || !client.dialects.switchTo(seller, contract)) return answer;
  return ask();
};

const sendByWire = async (client: Client, contract: Contract, input: unknown, of: CallOptions): Promise<Exchanged> => {
  const { wire, target } = client;
  if (wire === "rest") return sendByRest(client, contract, input, of);
  const call: SpokenCall = {
    base: baseOf(target.baseUrl),
    headers: callHeaders(target, of),
    operation: contract.name,
    input,
    idempotencyKey: of.idempotencyKey,
  };
  return send(client, contract, (parts) => wires[wire](parts, client, call), of);
};

/**
 * Never throws: failures are values, and neither they nor log lines hold a credential. At most three attempts, on 502,
 * 503, 504 and timeouts alone.
 */
export const callContract = async <I extends z.ZodType, O extends z.ZodType>(
  client: Client,
  contract: Contract<I, O>,
  input: z.input<I>,
  options: CallOptions = {},
): Promise<ClientResult<z.output<O>>> => {
  const sellerUrl = originOf(client.target.baseUrl);
  try {
    const answer = await sendByWire(client, contract, input, keyed(contract, options));
    if (!answer.ok) return answer;
    const parsed = contract.output.safeParse(readAnyForm(contract, answer.json));
    if (parsed.success) return { ok: true, status: answer.status, output: parsed.data, replayed: answer.replayed };
    const issue = parsed.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? "the answer" : issue.path.map(String).join(".");
    const detail = `The answer of ${contract.name} has another form: ${where}: ${issue?.message ?? "invalid"}`;
    return failureOf(sellerUrl, answer.status, "invalid_response", detail);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return failureOf(sellerUrl, 0, "invalid_request", error.message);
  }
};

/** A message over A2A, to an agent that reads words; with the promises of `callContract`. */
export const say = async (
  client: Client,
  saying: Saying,
  options: CallOptions = {},
): Promise<ClientResult<SaidBack>> => {
  const { target, cards } = client;
  try {
    const to = { base: baseOf(target.baseUrl), headers: callHeaders(target, options) };
    const message = { ...saying, messageId: randomUUID() };
    const answer = await send(client, { name: "message" }, (parts) => sayByA2a(parts, cards, to, message), options);
    return answer.ok ? { ok: true, status: answer.status, output: answer.json as SaidBack, replayed: false } : answer;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return failureOf(originOf(target.baseUrl), 0, "invalid_request", error.message);
  }
};
