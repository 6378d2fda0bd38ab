import { randomUUID } from "node:crypto";
import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";
import { boundedText, type ClientFailure, failureOf } from "../client-result.ts";
import type { Exchanged } from "../exchange.ts";
import { type ExchangeParts, parseAnswer } from "../limits.ts";
import { type A2aCards, dataIn, dataPart, exchangeByA2a, type A2aReply } from "./a2a.ts";
import { contentText, exchangeByMcp, type McpSessions, toolCall } from "./mcp.ts";
import { keyMember, type SpokenCall } from "./spoken.ts";

/** Not a task of AdCP: its answer is `{tasks}`, the names that the seller lists. */
const adcpTaskList = "tasks/list";

/** AdCP 3, error.json: what the code says where `recovery` is missing, since older sellers leave it out. */
const passing = new Set(["RATE_LIMITED", "SERVICE_UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT"]);
const conflicts = new Set(["IDEMPOTENCY_CONFLICT", "IDEMPOTENCY_EXPIRED", "CONFLICT"]);

/** A 503 is sent again with the same key; a 409 may have been done, and is looked up; the rest was not done. */
const statusOf = (code: string, recovery: unknown): number => {
  if (conflicts.has(code)) return 409;
  if (code.startsWith("AUTH_")) return 401;
  if (code === "REFERENCE_NOT_FOUND" || code.endsWith("_NOT_FOUND")) return 404;
  return recovery === "transient" || passing.has(code) ? 503 : 422;
};

const longestRetrySeconds = 3_600;

const refusal = (sellerUrl: string, error: Members): ClientFailure => {
  const code = typeof error["code"] === "string" ? boundedText(error["code"]).slice(0, 64) : "UNKNOWN_ERROR";
  const texts = [error["message"], error["field"], error["suggestion"]];
  const detail = texts.filter((text) => typeof text === "string" && text !== "").join("; ");
  const { retry_after: after } = error;
  const retryAfterSeconds =
    typeof after === "number" && after >= 0 ? Math.min(longestRetrySeconds, Math.ceil(after)) : null;
  return failureOf(sellerUrl, statusOf(code, error["recovery"]), code, boundedText(detail), { retryAfterSeconds });
};

/** What stands in an answer that did what was asked. */
const successMembers = [
  ...["adcp", "tasks", "products", "accounts", "task_id", "media_buy_id", "media_buys", "media_buy_deliveries"],
];

/** The answer's own words count, whatever `isError` or the state of an A2A task says (AdCP 3, error handling). */
const readPayload = (sellerUrl: string, payload: Members, isError: boolean): Exchanged => {
  const { adcp_error: error, errors } = payload;
  const listed: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const stated = isMembers(error) ? error : listed.find(isMembers);
  const isDone = successMembers.some((member) => payload[member] !== undefined && payload[member] !== null);
  if (stated !== undefined && !isDone) return refusal(sellerUrl, stated);
  if (isError && !isDone) return failureOf(sellerUrl, 422, "UNKNOWN_ERROR", boundedText(JSON.stringify(payload)));
  const parsed = parseAnswer(JSON.stringify(payload));
  if (parsed === null) return failureOf(sellerUrl, 200, "invalid_response", "The answer is nested too deep.");
  return { ok: true, status: 200, json: parsed.json, replayed: payload["replayed"] === true };
};

const readResult = (sellerUrl: string, result: Readonly<Record<string, unknown>>): Exchanged => {
  const { structuredContent, content, isError } = result;
  if (isMembers(structuredContent)) return readPayload(sellerUrl, structuredContent, isError === true);
  const text = contentText(content) ?? "";
  const parsed = parseAnswer(text)?.json;
  if (isMembers(parsed)) return readPayload(sellerUrl, parsed, isError === true);
  return isError === true
    ? failureOf(sellerUrl, 422, "UNKNOWN_ERROR", boundedText(text))
    : failureOf(sellerUrl, 200, "invalid_response", "The tool's answer is no JSON object.");
};

const mostToolPages = 10;

export const callAdcpByMcp = (parts: ExchangeParts, sessions: McpSessions, call: SpokenCall): Promise<Exchanged> =>
  exchangeByMcp(parts, sessions, call, async (client, options) => {
    if (call.operation !== adcpTaskList) {
      return readResult(parts.sellerUrl, await client.callTool(toolCall(call), undefined, options));
    }
    const tasks: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostToolPages; page += 1) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, options);
      tasks.push(...listed.tools.map(({ name }) => name));
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    return { ok: true, status: 200, json: { tasks }, replayed: false };
  });

/** The last data part of the last artifact; some frameworks wrap it. */
const payloadIn = (reply: A2aReply): Members | null => {
  const parts = "artifacts" in reply ? (reply.artifacts.at(-1)?.parts ?? reply.status?.message?.parts) : reply.parts;
  const last = dataIn(parts ?? []).at(-1) ?? null;
  const inner = last === null ? null : last["response"];
  return isMembers(inner) && Object.keys(last ?? {}).length === 1 ? inner : last;
};

/** AdCP 3.2, A2A profile. Older sellers read `parameters`, so it is used only where the card requires it. */
const profile = "https://adcontextprotocol.org/extensions/adcp/v3";

export const callAdcpByA2a = (parts: ExchangeParts, cards: A2aCards, call: SpokenCall): Promise<Exchanged> =>
  exchangeByA2a(parts, cards, call, async (card, send) => {
    const { skills, capabilities } = await card();
    if (call.operation === adcpTaskList) {
      return { ok: true, status: 200, json: { tasks: skills.map(({ id }) => id) }, replayed: false };
    }
    const isProfiled = (capabilities?.extensions ?? []).some(({ uri, required }) => uri === profile && required);
    const asked = { ...(isMembers(call.input) ? call.input : {}), ...keyMember(call) };
    const value = { skill: call.operation, [isProfiled ? "input" : "parameters"]: asked };
    const sent = { messageId: randomUUID(), contextId: "", parts: [dataPart(value)] };
    const reply = await (isProfiled
      ? send({ ...sent, extensions: [profile] }, { "a2a-extensions": profile })
      : send(sent));
    const payload = payloadIn(reply);
    if (payload !== null) return readPayload(parts.sellerUrl, payload, false);
    return failureOf(parts.sellerUrl, 200, "invalid_response", "The reply has no data part.");
  });
