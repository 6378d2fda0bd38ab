import type { AgentCard } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
} from "@a2a-js/sdk/errors";
import { type DefaultRequestHandler, JsonRpcTransportHandler, validateVersion } from "@a2a-js/sdk/server";
import { failure, internalError, methodNotFound, type RpcAnswer } from "../jsonrpc/message.ts";
import type { Members } from "../neutral/members.ts";
import type { CallContext } from "./call-context.ts";
import { asksFlat, flatReply, standardForm } from "./messages/flat.ts";
import { bringsFile, paramsDefect } from "./messages/params-form.ts";
import { isCurrent, methodKind } from "./methods.ts";
import { namedConfig } from "./push/form.ts";

export type RpcStream = AsyncGenerator<RpcAnswer, void, undefined>;

/** Never rejects. */
export type A2aTransport = (body: Members, context: CallContext) => Promise<RpcAnswer | RpcStream>;

export const isStream = (reply: RpcAnswer | RpcStream): reply is RpcStream => Symbol.asyncIterator in reply;

/** In the words of the version that was spoken. */
export const thrownAnswer = (body: Members, error: unknown): RpcAnswer => {
  const { code, message, data } = isCurrent(body["method"])
    ? JsonRpcTransportHandler.mapToJSONRPCError(error)
    : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error);
  return withoutInnerText(failure(body["id"], code, message, data));
};

/** The SDK puts the text of unexpected errors into the answer. */
const withoutInnerText = (reply: RpcAnswer): RpcAnswer =>
  reply.error?.code === internalError ? failure(reply.id, internalError, "Internal error") : reply;

const flatAnswer = (reply: RpcAnswer): RpcAnswer => {
  const result = reply.result as Members | undefined;
  return result?.["kind"] === "task" ? { ...reply, result: flatReply(result) } : reply;
};

const fileRefused = "This agent reads text and data parts. Send what the file says as one of them.";

const checkRequest = (card: AgentCard, body: Members, context: CallContext): void => {
  validateVersion(context.requestedVersion, card, context.envelope.binding);
  // The SDK would parse the params first, and throw.
  if (methodKind(body["method"]) === "push" && card.capabilities?.pushNotifications !== true) {
    throw new PushNotificationNotSupportedError();
  }
  const defect = paramsDefect(body);
  if (defect !== null) throw new RequestMalformedError(defect);
  if (bringsFile(body)) throw new ContentTypeNotSupportedError(fileRefused);
};

/** The SDK's transport of the version that is spoken, and what it leaves out or answers otherwise than A2A says. */
export const createTransport = (handler: DefaultRequestHandler, card: AgentCard): A2aTransport => {
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  const current = new JsonRpcTransportHandler(handler);
  const handle = (body: Members, context: CallContext) =>
    (isCurrent(body["method"]) ? current : legacy).handle(
      body as Record<string, unknown>,
      context,
    ) as ReturnType<A2aTransport>;

  /** A canceled task is not cancelable in A2A 0.3 (7.4); the SDK returns the task again, as 1.0 allows. */
  const isCanceledAlready = async (body: Members, context: CallContext): Promise<boolean> => {
    if (body["method"] !== "tasks/cancel") return false;
    const { result } = (await handle({ ...body, method: "tasks/get" }, context)) as RpcAnswer;
    return (result as { readonly status?: { readonly state?: unknown } } | undefined)?.status?.state === "canceled";
  };

  return async (body, context) => {
    // The SDK looks at the params of a method first.
    if (methodKind(body["method"]) === null) return failure(body["id"], methodNotFound, "Method not found");
    try {
      checkRequest(card, body, context);
      if (await isCanceledAlready(body, context)) return failure(body["id"], -32002, "The task is canceled.");
      if (asksFlat(body)) return withoutInnerText(flatAnswer((await handle(standardForm(body), context)) as RpcAnswer));
      const reply = await handle(namedConfig(body), context);
      return isStream(reply) ? reply : withoutInnerText(reply);
    } catch (error) {
      return thrownAnswer(body, error);
    }
  };
};
