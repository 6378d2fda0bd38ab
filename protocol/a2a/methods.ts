import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
} from "@a2a-js/sdk/errors";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  type DefaultRequestHandler,
  JsonRpcTransportHandler,
  type ServerCallContext,
  validateVersion,
} from "@a2a-js/sdk/server";
import type { AgentCard } from "@a2a-js/sdk";
import { isMembers } from "../neutral/json-input.ts";
import { failure, type RpcAnswer, type RpcDispatcher } from "../jsonrpc/dispatcher.ts";
import type { CallContext } from "./call-context.ts";
import { asksFlat, flatReply, standardForm } from "./messages/flat.ts";
import { hasFile, idDefect, isListOrNone, isTextUpTo, messageDefect, mostIdLength } from "./messages/message-form.ts";
import { configDefect, inlineConfig, namedConfig, pushDefect } from "./push/form.ts";
import type { Members } from "../neutral/members.ts";

export interface A2aTransports {
  readonly legacy: LegacyJsonRpcTransportHandler;
  readonly current: JsonRpcTransportHandler;
  readonly card: AgentCard;
}

const legacyMethods = ["message/send", "tasks/get", "tasks/cancel", "agent/getAuthenticatedExtendedCard"];
const currentMethods = ["SendMessage", "GetTask", "ListTasks", "CancelTask", "GetExtendedAgentCard"];
const legacyPushMethods = ["set", "get", "list", "delete"].map((verb) => `tasks/pushNotificationConfig/${verb}`);
const currentPushMethods = [
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
];

/** A2A 1.0 names methods in Pascal case, 0.3 with a slash. */
export const isCurrent = (method: unknown): boolean => typeof method === "string" && /^[A-Z]/.test(method);

export const transportsOf = (handler: DefaultRequestHandler, card: AgentCard): A2aTransports => ({
  legacy: new LegacyJsonRpcTransportHandler(handler),
  current: new JsonRpcTransportHandler(handler),
  card,
});

/**
 * No skill reads referenced tasks, and the SDK prints unknown ones to stderr as sent: a caller could write log lines.
 */
export const withoutReferences = (body: unknown): unknown => {
  if (!isMembers(body) || !isMembers(body["params"]) || !isMembers(body["params"]["message"])) return body;
  const named = body["params"]["message"];
  if (!("referenceTaskIds" in named || "reference_task_ids" in named)) return body;
  const { referenceTaskIds: _camel, reference_task_ids: _snake, ...message } = named;
  return { ...body, params: { ...body["params"], message } };
};

/** In the words of the version that was spoken. */
export const thrownAnswer = (body: Members, error: unknown): RpcAnswer => {
  const mapped = isCurrent(body["method"])
    ? JsonRpcTransportHandler.mapToJSONRPCError(error)
    : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error);
  const internal = mapped.code === -32603;
  return { ...failure(body["id"], 0, ""), error: internal ? { code: -32603, message: "Internal error" } : mapped };
};

const idMembers = (from: unknown, names: readonly string[]): boolean =>
  !isMembers(from) || names.every((name) => from[name] === undefined || isTextUpTo(mostIdLength, from[name]));

/** The SDK reads those of 1.0 in both spellings. */
const messageIds = ["messageId", "taskId", "contextId", "message_id", "task_id", "context_id"];

/** What A2A requires beyond the SDK's checks. */
const paramsDefect = (body: Members): string | null => {
  const params = body["params"] as Members | undefined;
  if (isMembers(params) && "" in params) return "A member of params must have a name.";
  if (!idMembers(params, ["id", "taskId", "contextId"])) return idDefect;
  const message = params?.["message"] as Members | null | undefined;
  if (!idMembers(message, messageIds)) return idDefect;
  const malformed = isMembers(message) ? messageDefect(message, isCurrent(body["method"])) : null;
  if (malformed !== null) return malformed;
  const configuration = params?.["configuration"] as Members | undefined;
  if (!isListOrNone(configuration?.["acceptedOutputModes"])) return "acceptedOutputModes must be a list.";
  const push = inlineConfig(params);
  const pushRefused = push === null ? null : configDefect(push);
  if (pushRefused !== null) return pushRefused;
  const asked = configuration?.["historyLength"] ?? params?.["historyLength"];
  // Protobuf's JSON has numbers as text too.
  const isLength = asked == null || (typeof asked !== "object" && /^\d+$/.test(`${asked as string | number}`));
  return isLength ? null : "historyLength must be a whole number, 0 or more.";
};

const bringsFile = (body: Members): boolean => {
  const message = (body["params"] as Members | undefined)?.["message"];
  return isMembers(message) && hasFile(message);
};

const fileRefused = "This agent reads text and data parts. Send what the file says as one of them.";

/** Null: the request is handed on. */
export const refusedCall = ({ card }: A2aTransports, body: Members, context: CallContext): RpcAnswer | null => {
  try {
    validateVersion(context.requestedVersion, card, context.envelope.binding);
    const defect = paramsDefect(body);
    if (defect !== null) return thrownAnswer(body, new RequestMalformedError(defect));
    return bringsFile(body) ? thrownAnswer(body, new ContentTypeNotSupportedError(fileRefused)) : null;
  } catch (error) {
    return thrownAnswer(body, error);
  }
};

/** The SDK puts the text of unexpected errors into the answer. */
export const withoutInnerText = (reply: RpcAnswer): RpcAnswer =>
  reply.error?.code === -32603 ? failure(reply.id, -32603, "Internal error") : reply;

/** A canceled task is not cancelable in A2A 0.3 (7.4); the SDK returns the task again, as 1.0 allows. */
const isCanceledAlready = async (
  transports: A2aTransports,
  body: Members,
  context: ServerCallContext,
): Promise<boolean> => {
  if (body["method"] !== "tasks/cancel") return false;
  const read = (await transports.legacy.handle({ ...body, method: "tasks/get" }, context)) as RpcAnswer;
  const task = read.result as { readonly status?: { readonly state?: unknown } } | undefined;
  return task?.status?.state === "canceled";
};

const legacyCall = async (transports: A2aTransports, body: Members, context: ServerCallContext): Promise<RpcAnswer> => {
  if (await isCanceledAlready(transports, body, context)) return failure(body["id"], -32002, "The task is canceled.");
  const isFlat = asksFlat(body);
  const sent = isFlat ? standardForm(body) : body;
  const reply = (await transports.legacy.handle(sent as Record<string, unknown>, context)) as RpcAnswer;
  const result = reply.result as Members | undefined;
  return isFlat && result?.["kind"] === "task" ? { jsonrpc: "2.0", id: reply.id, result: flatReply(result) } : reply;
};

const currentCall = async (transports: A2aTransports, body: Members, context: ServerCallContext): Promise<RpcAnswer> =>
  (await transports.current.handle(body as Record<string, unknown>, context)) as RpcAnswer;

const pushCall =
  (call: typeof legacyCall): typeof legacyCall =>
  (transports, body, context) => {
    // The SDK would parse the params first, and throw.
    if (transports.card.capabilities?.pushNotifications !== true) throw new PushNotificationNotSupportedError();
    const defect = pushDefect(body);
    if (defect !== null) throw new RequestMalformedError(defect);
    return call(transports, namedConfig(body), context);
  };

const answered = async (
  call: typeof legacyCall,
  transports: A2aTransports,
  body: Members,
  context: CallContext,
): Promise<RpcAnswer> => {
  const refused = refusedCall(transports, body, context);
  if (refused !== null) return refused;
  try {
    return withoutInnerText(await call(transports, body, context));
  } catch (error) {
    return thrownAnswer(body, error);
  }
};

export const registerMethods = (dispatcher: RpcDispatcher<CallContext>, transports: A2aTransports): void => {
  const register = (names: readonly string[], call: typeof legacyCall): void => {
    for (const name of names) {
      dispatcher.server.addMethodAdvanced(
        name,
        (request, context) => answered(call, transports, request as unknown as Members, context) as Promise<never>,
      );
    }
  };
  register(legacyMethods, legacyCall);
  register(currentMethods, currentCall);
  register(legacyPushMethods, pushCall(legacyCall));
  register(currentPushMethods, pushCall(currentCall));
};
