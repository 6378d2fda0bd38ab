import { z } from "zod";
import { create, remove, update } from "../../../protocol/seam/changes.ts";
import { defineContract, defineOperation, type EventDraft } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { closeSession, createSession, sendSessionMessage } from "../../seller/sessions/contract.ts";
import type { BuyerContext } from "../ports.ts";
import type { SellerCallResult } from "../seller-door.ts";
import { sellerDealKind } from "../seller-deals/record.ts";
import { callFrom, sellerRefusal, sellerUrlOf } from "../seller-refusal.ts";
import * as contract from "./contract.ts";
import { isActive, sellerSessionKind, type SellerSessionRow, sessionLifetimeMs, sessionView } from "./record.ts";

/** Sellers differ here; only the id is needed. */
const opened = defineContract({
  ...createSession,
  input: z.looseObject({}),
  output: z.looseObject({
    session_id: z.string().min(1).max(255),
    created_at: z.string().nullish(),
    expires_at: z.string().nullish(),
  }),
});

const said = defineContract({
  ...sendSessionMessage,
  input: z.looseObject({ session_id: z.string() }),
  output: z.record(z.string(), z.unknown()),
});

const closed = defineContract({ ...closeSession, output: z.unknown() });

const sessionEvent = (type: string, { session_id, seller_url }: SellerSessionRow, more: object = {}): EventDraft => ({
  event_type: type,
  session_id,
  payload: { session_id, seller_url, ...more },
});

const timeOf = (text: string | null | undefined): number | null => {
  const timeMs = Date.parse(text ?? "");
  return Number.isNaN(timeMs) ? null : timeMs;
};

const openAt = async (context: BuyerContext, url: string, instead: string): Promise<SellerSessionRow | Refusal> => {
  const { identity, sellers } = context.ports;
  if (Object.keys(identity).length === 0) return refuse("identity_required");
  const request = { ...identity, buyer_identity: identity };
  const answer = await sellers.call(url, opened, request, callFrom(context, `session-after-${instead}`));
  if (!answer.ok) return sellerRefusal(answer);
  const { session_id, created_at, expires_at } = answer.value;
  const latest = context.nowMs + sessionLifetimeMs;
  return {
    session_id,
    seller_url: url,
    created_at_ms: timeOf(created_at) ?? context.nowMs,
    expires_at_ms: Math.min(timeOf(expires_at) ?? latest, latest),
  };
};

const dealsSince = async (context: BuyerContext, url: string, sinceMs: number): Promise<number> => {
  const rows = await context.list(sellerDealKind, { terms: [`seller=${url}`], order: "newest", limit: 500 });
  return rows.filter(({ body }) => body.deal_id !== null && body.created_at_ms >= sinceMs).length;
};

const dryRow = (url: string, nowMs: number): SellerSessionRow => ({
  session_id: "",
  seller_url: url,
  created_at_ms: nowMs,
  expires_at_ms: nowMs + sessionLifetimeMs,
});

export const openSellerSession = defineOperation(contract.openSellerSession, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  const known = await context.load(sellerSessionKind, url);
  const isUsable = known !== null && isActive(known.body, context.nowMs) && known.body.session_id !== input.replaces;
  if (isUsable) return { output: { ...sessionView(known.body, context.nowMs), reused: true } };
  if (context.dryRun) {
    return { output: { ...sessionView(dryRow(url, context.nowMs), context.nowMs), session_id: null, reused: false } };
  }
  const row = await openAt(context, url, known?.body.session_id ?? "none");
  if (isRefusal(row)) return row;
  const change = known === null ? create(sellerSessionKind, url, row) : update(sellerSessionKind, known, row);
  return {
    output: { ...sessionView(row, context.nowMs), reused: false },
    changes: [change],
    events: [sessionEvent("session.created", row)],
  };
});

/** Two concurrent messages must not open two sessions. */
const activeId = async (context: BuyerContext, url: string, replaces: string | null): Promise<string | Refusal> => {
  const input = { seller_url: url, replaces };
  const outcome = await context.ports.inTurn(url, () => context.call("open_seller_session", input));
  if (outcome.kind === "refused") return outcome.refusal;
  if (outcome.kind === "bug") throw new Error("open_seller_session failed");
  return String((outcome.output as { session_id: unknown }).session_id);
};

type Message = z.output<typeof contract.sendSellerMessage.input>["message"];

type Told = Record<string, unknown>;

const say = (
  context: BuyerContext,
  url: string,
  session_id: string,
  message: Message,
): Promise<SellerCallResult<Told>> => {
  const body = typeof message === "string" ? { message } : message;
  const call = callFrom(context, `message-${session_id}`);
  return context.ports.sellers.call(url, said, { ...body, session_id }, call);
};

const wordsOf = (told: Told): string | null => {
  const found = [told["text"], told["response"], told["message"]].find((one) => typeof one === "string");
  return typeof found === "string" ? found : null;
};

export const sendSellerMessage = defineOperation(contract.sendSellerMessage, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  if (context.dryRun) {
    return { output: { seller_url: url, session_id: null, text: null, answer: null, renewed: false } };
  }
  let sessionId = await activeId(context, url, null);
  if (isRefusal(sessionId)) return sessionId;
  let answer = await say(context, url, sessionId, input.message);
  const renewed = !answer.ok && answer.status === 404;
  if (renewed) {
    sessionId = await activeId(context, url, sessionId);
    if (isRefusal(sessionId)) return sessionId;
    answer = await say(context, url, sessionId, input.message);
  }
  if (!answer.ok) return sellerRefusal(answer);
  const text = wordsOf(answer.value);
  return { output: { seller_url: url, session_id: sessionId, text, answer: answer.value, renewed } };
});

export const closeSellerSession = defineOperation(contract.closeSellerSession, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  const loaded = await context.load(sellerSessionKind, url);
  if (loaded === null || context.dryRun) {
    return { output: { seller_url: url, session_id: null, closed: loaded !== null, seller_informed: false } };
  }
  const { session_id } = loaded.body;
  const call = callFrom(context, `close-${session_id}`);
  const answer = await context.ports.sellers.call(url, closed, { session_id }, call);
  const deals_count = await dealsSince(context, url, loaded.body.created_at_ms);
  return {
    output: { seller_url: url, session_id, closed: true, seller_informed: answer.ok },
    changes: [remove(sellerSessionKind, loaded)],
    events: [sessionEvent("session.closed", loaded.body, { deals_count })],
  };
});

export const listSellerSessions = defineOperation(contract.listSellerSessions, async (context: BuyerContext, input) => {
  const { limit, offset } = input;
  const rows = await context.list(sellerSessionKind, { order: "newest", limit, offset });
  const sessions = rows.map(({ body }) => sessionView(body, context.nowMs));
  return { output: { sessions, count: sessions.length, total: await context.count(sellerSessionKind, null) } };
});
