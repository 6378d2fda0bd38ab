import { randomUUID } from "node:crypto";
import { type AgentCard, type Part, Role, type SendMessageRequest } from "@a2a-js/sdk";
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { isMembers } from "../../neutral/json-input.ts";
import { type ClientFailure, failureOf } from "../client-result.ts";
import type { Exchanged } from "../exchange.ts";
import { Ended, type ExchangeParts, parseAnswer, withinTime } from "../limits.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { createKept, keyMember, type Kept, notOffered, refusedBy, type SpokenCall, unreadable } from "./spoken.ts";
import type { Members } from "../../neutral/members.ts";

interface KnownCard {
  readonly card: AgentCard;
  readonly untilMs: number;
}

/** By address. */
export type A2aCards = Kept<KnownCard>;

export const createA2aCards = (): A2aCards => createKept<KnownCard>();

const cardLastsMs = 300_000;
const cardPath = ".well-known/agent-card.json";

/** SDKs of A2A 1.0 speak 0.3 too when they are asked to. */
const legacyCompat = { enabled: true };

/** The credential belongs to the origin that was configured: a card cannot send it elsewhere. */
const ofOrigin = (card: AgentCard, base: string): AgentCard => ({
  ...card,
  supportedInterfaces: card.supportedInterfaces.filter(
    ({ url }) => URL.canParse(url) && new URL(url).origin === new URL(base).origin,
  ),
});

const cardOf = async (cards: A2aCards, base: string, fetchImpl: typeof fetch): Promise<AgentCard> => {
  const known = cards.get(base);
  if (known !== undefined && Date.now() < known.untilMs) return known.card;
  const card = await new DefaultAgentCardResolver({ fetchImpl, legacyCompat }).resolve(`${base}/`, cardPath);
  const usable = ofOrigin(card, base);
  if (usable.supportedInterfaces.length === 0) {
    const named = card.supportedInterfaces.map(({ url }) => url).join(", ");
    const detail = `The agent card of ${base} names no address of its own origin, only ${named || "none"}.`;
    throw new Ended(failureOf(new URL(base).origin, 200, "invalid_response", detail));
  }
  cards.set(base, { card: usable, untilMs: Date.now() + cardLastsMs });
  return usable;
};

const clientOf = async (cards: A2aCards, base: string, fetchImpl: typeof fetch): Promise<Client> => {
  const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
  return new ClientFactory({ transports }).createFromAgentCard(await cardOf(cards, base, fetchImpl));
};

const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "text/plain",
});

export const dataPart = (value: Members): Part => ({
  content: { $case: "data", value },
  metadata: undefined,
  filename: "",
  mediaType: "application/json",
});

interface Sent {
  readonly messageId: string;
  /** Empty: a new conversation. */
  readonly contextId: string;
  readonly parts: Part[];
  /** Of the protocol, which the message is written in. */
  readonly extensions?: string[];
}

const sendRequest = (sent: Sent): SendMessageRequest => ({
  tenant: "",
  metadata: undefined,
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false },
  message: {
    extensions: [],
    ...sent,
    taskId: "",
    role: Role.ROLE_USER,
    metadata: undefined,
    referenceTaskIds: [],
  },
});

export type A2aReply = Awaited<ReturnType<Client["sendMessage"]>>;

export const dataIn = (parts: readonly Part[]): readonly Members[] =>
  parts.map(({ content }): unknown => (content?.$case === "data" ? content.value : null)).filter(isMembers);

/** The answer to a call stands in the data part that names its operation. */
const answerIn = (reply: A2aReply, operation: string): Members | null => {
  const parts = "artifacts" in reply ? reply.artifacts.flatMap((artifact) => artifact.parts) : reply.parts;
  return dataIn(parts).find((value) => value["operation"] === operation) ?? null;
};

const readReply = (sellerUrl: string, reply: A2aReply, operation: string): Exchanged => {
  const answer = answerIn(reply, operation);
  if (answer === null) {
    return failureOf(sellerUrl, 200, "invalid_response", `The reply has no data part for ${operation}.`);
  }
  if (answer["error"] !== undefined) return refusedBy(sellerUrl, answer["error"]);
  const parsed = parseAnswer(JSON.stringify(answer["result"] ?? null));
  if (parsed === null) return failureOf(sellerUrl, 200, "invalid_response", "The result is nested too deep.");
  return { ok: true, status: 200, json: parsed.json, replayed: answer["replayed"] === true };
};

const methodNotFound = -32_601;

const thrownFailure = (sellerUrl: string, signal: AbortSignal, error: unknown): ClientFailure => {
  if (signal.aborted) throw error;
  const code = isMembers(error) ? error["envelopeCode"] : undefined;
  if (typeof code !== "number") return unreadable(sellerUrl, error, "A2A reply");
  const text = error instanceof Error ? error.message : "";
  return code === methodNotFound ? notOffered(sellerUrl, text) : failureOf(sellerUrl, 200, "rpc_error", text);
};

/** `ask` gets the card's reader and a sender, so that what is said can depend on the card. */
export const exchangeByA2a = (
  parts: ExchangeParts,
  cards: A2aCards,
  { base, headers }: Pick<SpokenCall, "base" | "headers">,
  ask: (
    card: () => Promise<AgentCard>,
    send: (sent: Sent, more?: Readonly<Record<string, string>>) => Promise<A2aReply>,
  ) => Promise<Exchanged>,
): Promise<Exchanged> =>
  withinTime<Exchanged>(parts, async (signal, stop) => {
    const fetchWith = (more: Readonly<Record<string, string>>) =>
      limitedFetch({ parts, signal, stop, headers: { ...headers, ...more } });
    try {
      return await ask(
        () => cardOf(cards, base, fetchWith({})),
        async (sent, more = {}) =>
          (await clientOf(cards, base, fetchWith(more))).sendMessage(sendRequest(sent), { signal }),
      );
    } catch (error) {
      return thrownFailure(parts.sellerUrl, signal, error);
    }
  });

/** One message with one data part, which calls the operation of that name. */
export const callByA2a = (parts: ExchangeParts, cards: A2aCards, call: SpokenCall): Promise<Exchanged> => {
  const value = { operation: call.operation, input: call.input, ...keyMember(call) };
  const sent = { messageId: randomUUID(), contextId: "", parts: [dataPart(value)] };
  return exchangeByA2a(parts, cards, call, async (_card, send) =>
    readReply(parts.sellerUrl, await send(sent), call.operation),
  );
};

/** What a person or a program says in words, in a data part, or in both. */
export interface Saying {
  /** Empty: a new conversation. */
  readonly contextId: string;
  readonly text: string;
  readonly data: Members | null;
}

export interface SaidBack {
  readonly contextId: string;
  readonly text: string;
  readonly answers: readonly Members[];
}

/** The last answer of a task; agents without artifacts put their words into its status. */
const saidBack = (reply: A2aReply): SaidBack => {
  const parts: readonly Part[] =
    "artifacts" in reply ? (reply.artifacts.at(-1)?.parts ?? reply.status?.message?.parts ?? []) : reply.parts;
  const texts = parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []));
  return { contextId: reply.contextId, text: texts.join("\n"), answers: dataIn(parts) };
};

/** Each attempt is the same message, so that it acts once. */
export const sayByA2a = (
  parts: ExchangeParts,
  cards: A2aCards,
  to: Pick<SpokenCall, "base" | "headers">,
  { messageId, contextId, text, data }: Saying & { readonly messageId: string },
): Promise<Exchanged> => {
  const said = [...(text === "" ? [] : [textPart(text)]), ...(data === null ? [] : [dataPart(data)])];
  return exchangeByA2a(parts, cards, to, async (_card, send) => {
    const reply = await send({ messageId, contextId, parts: said });
    const parsed = parseAnswer(JSON.stringify(saidBack(reply)));
    if (parsed === null) return failureOf(parts.sellerUrl, 200, "invalid_response", "The reply is nested too deep.");
    return { ok: true, status: 200, json: parsed.json, replayed: false };
  });
};
