import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { newSession, sessionMachine, type SessionEvent } from "../../../machines/session/machine.ts";
import { step } from "../../../machines/step.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type Outcome } from "../../../protocol/seam/operation.ts";
import { emptyPage, readPage } from "../../../protocol/seam/paging.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import * as contract from "./contract.ts";
import {
  messageTerm,
  sessionEvent,
  sessionKind,
  sessionMessageKind,
  type SessionMessageRow,
  type SessionRow,
  sessionTerm,
  settledSession,
} from "./record.ts";
import { buyerKeyOf, kindOfMessage, newTalk, spokenIn, talkAfter } from "./rules.ts";
import { aboutSession, sessionSummary, sessionView } from "./view.ts";
import type { SellerContext } from "../context.ts";

const given = (claims: Readonly<Record<string, string | null | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(claims).flatMap(([name, value]) => (value == null ? [] : [[name, value]])));

export const createSession = defineOperation(contract.createSession, async (context: SellerContext, input) => {
  const { nowMs, ports } = context;
  const { seat_id, agency_id, advertiser_id, name, dsp_platform } = input;
  const row: SessionRow = {
    session_id: context.mint(randomUUID),
    owner: context.caller.owner,
    buyer_key: buyerKeyOf(context.caller),
    claimed: given({ ...input.buyer_identity, ...given({ seat_id, agency_id, advertiser_id, name, dsp_platform }) }),
    talk: newTalk,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    revision: 1,
    life: newSession(nowMs + Math.round(ports.settings.sessionTtlSeconds * 1000)),
  };
  const about = aboutSession(row);
  const facts = { buyer_pricing_key: row.buyer_key, expires_at: about.expires_at };
  return {
    output: about,
    meta: { revision: 1 },
    changes: [create(sessionKind, row.session_id, row)],
    events: [sessionEvent("session.created", row, facts)],
  };
});

const namesFor = (context: SellerContext, rows: readonly { readonly body: SessionRow }[]) =>
  buyerNames(context, isOperator(context.caller) ? rows.map(({ body }) => body.owner) : []);

export const listSessions = defineOperation(contract.listSessions, async (context: SellerContext, input) => {
  const { caller, nowMs } = context;
  const owner = isOperator(caller) ? undefined : caller.owner;
  const term = sessionTerm({ owner, buyerKey: input.buyer_key ?? undefined, status: input.status ?? undefined });
  const listing = { kind: sessionKind, term, order: "newest" } as const;
  const { rows, page } = caller.kind === "anonymous" ? emptyPage : await readPage(context, listing, input);
  const names = await namesFor(context, rows);
  const sessions = rows.map(({ body }) => ({
    ...sessionSummary(settledSession(body, nowMs)),
    ...(isOperator(caller) ? { buyer_name: names.get(body.owner) ?? null } : {}),
  }));
  return { output: { ...page, sessions } };
});

export const getSession = defineOperation(contract.getSession, async (context: SellerContext, input) => {
  const loaded = await context.own(sessionKind, input.session_id, "session_not_found");
  const row = settledSession(loaded.body, context.nowMs);
  const terms = [messageTerm(row.session_id)];
  const said = await context.list(sessionMessageKind, { terms, order: "oldest", limit: 500 });
  const view = sessionView(
    row,
    said.map(({ body }) => body),
  );
  const names = await namesFor(context, [loaded]);
  return {
    output: isOperator(context.caller) ? { ...view, buyer_name: names.get(row.owner) ?? null } : view,
    meta: { revision: row.revision },
  };
});

/** Seller spec, Errors. */
const overRefusal = (row: SessionRow): Refusal | null =>
  row.life.value === "active"
    ? null
    : refuse("session_not_found", { message: `Session ${row.life.value}: ${row.session_id}. Create a new one.` });

/**
 * By the parsed input of the call: a lost race runs the handler again with the same input, which would otherwise issue
 * a quote twice.
 */
const spoken = new WeakMap<object, Promise<Outcome>>();

const converse = (context: SellerContext, input: object, said: unknown): Promise<Outcome> => {
  const known = spoken.get(input);
  if (known !== undefined) return known;
  const asked = context.call("converse", said);
  spoken.set(input, asked);
  return asked;
};

const stepped = (row: SessionRow, event: SessionEvent, more: Partial<SessionRow>): SessionRow => {
  const life = step(sessionMachine, row.life, event);
  if (life === null) throw new Error(`The session ${row.session_id} did not take ${event.type}.`);
  return { ...row, ...more, life, revision: row.revision + 1 };
};

const messageRows = (row: SessionRow, texts: readonly [string, string], type: string, nowMs: number) =>
  (["user", "assistant"] as const).map((role, place) => {
    const message: SessionMessageRow = {
      session_id: row.session_id,
      owner: row.owner,
      role,
      content: texts[place] ?? "",
      message_type: type,
      at_ms: nowMs,
    };
    return create(sessionMessageKind, `${row.session_id}/${row.life.context.messageCount + place + 1}`, message);
  });

export const sendSessionMessage = defineOperation(
  contract.sendSessionMessage,
  async (context: SellerContext, input) => {
    const { nowMs } = context;
    const loaded = await context.own(sessionKind, input.session_id, "session_not_found");
    const row = settledSession(loaded.body, nowMs);
    const over = overRefusal(row);
    if (over !== null) return over;
    if (row.life.context.messageCount + 2 > context.ports.settings.sessionMaxMessages) return refuse("session_full");
    const { text, words, slots } = spokenIn(input);
    if (text === "" || text.length > 20_000) return fieldRefusal("content", "A text has 1 to 20000 characters.");
    const kind = kindOfMessage(words === "" ? (input.type ?? text) : text);
    const outcome = await converse(context, input, {
      text: words,
      context_id: row.session_id,
      slots,
      agent_url: input.agent_url,
    });
    if (outcome.kind === "refused") return outcome.refusal;
    if (outcome.kind === "bug") throw new Error(`The message of request ${outcome.requestId} could not be answered.`);
    const reply = outcome.output as Pick<z.output<typeof contract.sendSessionMessage.output>, "text" | "answers">;
    const talk = { ...reply.answers.reduce(talkAfter, row.talk), last_intent: kind.intent ?? row.talk.last_intent };
    const after = stepped(row, { type: "EXCHANGE", nowMs, stage: kind.stage }, { talk, updated_at_ms: nowMs });
    const { messageCount, stage } = after.life.context;
    return {
      output: {
        session_id: row.session_id,
        text: reply.text,
        type: kind.type,
        message_count: messageCount,
        negotiation_stage: stage,
        answers: reply.answers,
      },
      meta: { revision: after.revision },
      changes: [update(sessionKind, loaded, after), ...messageRows(row, [text, reply.text], kind.type, nowMs)],
      events: [sessionEvent("session.resumed", after, { message_count: messageCount })],
    };
  },
);

export const closeSession = defineOperation(contract.closeSession, async (context: SellerContext, input) => {
  const { nowMs } = context;
  const loaded = await context.own(sessionKind, input.session_id, "session_not_found");
  const row = settledSession(loaded.body, nowMs);
  const over = overRefusal(row);
  if (over !== null) return over;
  context.matchRevision(row.revision);
  const closed = stepped(row, { type: "CLOSE", nowMs }, { updated_at_ms: nowMs });
  return {
    output: aboutSession(closed),
    meta: { revision: closed.revision },
    changes: [update(sessionKind, loaded, closed)],
    events: [
      sessionEvent("session.closed", closed, { total_messages: closed.life.context.messageCount, status: "closed" }),
    ],
  };
});
