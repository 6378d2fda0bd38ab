import { A2A_VERSION_HEADER, Extensions, formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { DefaultRequestHandler, JsonRpcTransportHandler, ServerCallContext, validateVersion } from "@a2a-js/sdk/server";
import type { DoorRequest, DoorResponse, DoorRoute } from "../door.ts";
import type { BodyLimits } from "../json-input.ts";
import { a2aProfile, createRpcDispatcher, type RpcAnswer } from "../jsonrpc/dispatcher.ts";
import type { Clock } from "../ports.ts";
import { isRefusal, refusalTable, Refused } from "../refusals.ts";
import type { Runner } from "../run.ts";
import { agentCard, type CardFacts, cardHandler } from "./card.ts";
import { createExecutor, messageWasReused, setSpeaker } from "./executor.ts";
import { asksFlat, flatReply, standardForm, withExplicitBlocking } from "./flat.ts";
import { createTaskStore } from "./task-store.ts";

export interface A2aOptions {
  readonly runner: Runner;
  readonly card: CardFacts;
  readonly agentType: "seller" | "buyer";
  readonly limits: BodyLimits;
  readonly clock: Clock;
  /** How many finished tasks are kept for `tasks/get`. */
  readonly mostTasks: number;
}

type Members = Readonly<Record<string, unknown>>;
type Stream = AsyncGenerator<unknown, void, undefined>;

/** One request on its way through the dispatcher. */
interface A2aCall {
  readonly request: DoorRequest;
  readonly context: ServerCallContext;
}

const legacyMethods = [
  "message/send",
  "tasks/get",
  "tasks/cancel",
  "tasks/pushNotificationConfig/set",
  "tasks/pushNotificationConfig/get",
  "tasks/pushNotificationConfig/list",
  "tasks/pushNotificationConfig/delete",
  "agent/getAuthenticatedExtendedCard",
];
const currentMethods = [
  "SendMessage",
  "GetTask",
  "ListTasks",
  "CancelTask",
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
];
const streamingMethods = new Set(["message/stream", "tasks/resubscribe", "SendStreamingMessage", "SubscribeToTask"]);
/** Methods that call an operation, whose own gates count the request; all others are counted here. */
const messageMethods = new Set(["message/send", "message/stream", "SendMessage", "SendStreamingMessage"]);

const isCurrentMethod = (method: unknown): boolean => typeof method === "string" && /^[A-Z]/.test(method);

const answer = (status: number, body: unknown): DoorResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const failure = (id: unknown, code: number, message: string): RpcAnswer => ({
  jsonrpc: "2.0",
  id: typeof id === "string" || typeof id === "number" ? id : null,
  error: { code, message },
});

const isStream = (value: unknown): value is Stream =>
  typeof (value as { [Symbol.asyncIterator]?: unknown } | null)?.[Symbol.asyncIterator] === "function";

const paramsDefect = (body: Members): string | null => {
  const params = body["params"] as Members | undefined;
  const message = params?.["message"] as Members | undefined;
  if (Array.isArray(message?.["parts"]) && message["parts"].length === 0) return "A message must have a part.";
  const configuration = params?.["configuration"] as Members | undefined;
  const asked = configuration?.["historyLength"] ?? params?.["historyLength"];
  return typeof asked === "number" && asked < 0 ? "historyLength must not be negative." : null;
};

const callerOf = (request: DoorRequest): Parameters<Runner["identify"]>[0] => ({
  kind: "request",
  apiKey: request.headers["x-api-key"] ?? null,
  authorization: request.headers["authorization"] ?? null,
  address: request.address,
});

async function* sse(first: IteratorResult<unknown, void>, stream: Stream, id: unknown): AsyncGenerator<string> {
  try {
    if (!first.done) yield formatSSEEvent(first.value as object);
    for await (const event of stream) yield formatSSEEvent(event as object);
  } catch {
    yield formatSSEErrorEvent(failure(id, -32603, "Internal error"));
  } finally {
    await stream.return?.();
  }
}

/**
 * The A2A door: one address for A2A 0.3, A2A 1.0 and the spec's flat reply, told apart by the request (decision 15).
 * Method names in Pascal case are 1.0; a `message/send` whose message has no `kind` is answered flat.
 */
export const a2aRoutes = (options: A2aOptions): readonly DoorRoute[] => {
  const card = agentCard(options.card);
  const executor = createExecutor(options.runner, options.clock);
  const handler = new DefaultRequestHandler(card, createTaskStore(options.mostTasks), executor);
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  const current = new JsonRpcTransportHandler(handler);
  const dispatcher = createRpcDispatcher<A2aCall>(a2aProfile, options.limits);

  const legacyCall = async (body: Members, call: A2aCall): Promise<RpcAnswer> => {
    const isFlat = asksFlat(body);
    const sent = isFlat ? standardForm(body) : withExplicitBlocking(body);
    const reply = (await legacy.handle(sent as Record<string, unknown>, call.context)) as RpcAnswer;
    if (messageWasReused(call.context)) return failure(body["id"], -32602, "This messageId was used before.");
    const result = reply.result as Members | undefined;
    return isFlat && result?.["kind"] === "task" ? { ...reply, result: flatReply(result) } : reply;
  };

  const currentCall = async (body: Members, call: A2aCall): Promise<RpcAnswer> => {
    validateVersion(call.context.requestedVersion, card, "JSONRPC");
    const reply = (await current.handle(body as Record<string, unknown>, call.context)) as RpcAnswer;
    return messageWasReused(call.context) ? failure(body["id"], -32602, "This messageId was used before.") : reply;
  };

  const guarded =
    (run: (body: Members, call: A2aCall) => Promise<RpcAnswer>, toError: (error: unknown) => RpcAnswer["error"]) =>
    async (request: unknown, call: A2aCall): Promise<never> => {
      const body = request as Members;
      const defect = paramsDefect(body);
      if (defect !== null) return failure(body["id"], -32602, defect) as never;
      try {
        return (await run(body, call)) as never;
      } catch (error) {
        const mapped = toError(error) ?? { code: -32603, message: "Internal error" };
        return { jsonrpc: "2.0", id: body["id"] ?? null, error: mapped } as never;
      }
    };

  const legacyError = (error: unknown): RpcAnswer["error"] =>
    LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error);
  const currentError = (error: unknown): RpcAnswer["error"] => JsonRpcTransportHandler.mapToJSONRPCError(error);
  for (const name of legacyMethods) dispatcher.server.addMethodAdvanced(name, guarded(legacyCall, legacyError));
  for (const name of currentMethods) dispatcher.server.addMethodAdvanced(name, guarded(currentCall, currentError));

  const openContext = async (request: DoorRequest, method: unknown): Promise<ServerCallContext | RpcAnswer> => {
    const caller = callerOf(request);
    const isMessage = messageMethods.has(String(method));
    const who = await options.runner.identify(caller, { counted: !isMessage });
    if (isRefusal(who) && !isMessage) return failure(null, refusalTable[who.code].rpc, who.message);
    const version = request.headers[A2A_VERSION_HEADER.toLowerCase()];
    const asked = request.headers["a2a-extensions"] ?? request.headers["x-a2a-extensions"];
    const owner = isRefusal(who) ? "refused" : who.owner;
    const context = new ServerCallContext({
      requestedExtensions: Extensions.parseServiceParameter(asked),
      user: { isAuthenticated: !isRefusal(who) && who.kind !== "anonymous", userName: owner },
      requestedVersion: version ?? (isCurrentMethod(method) ? "1.0" : "0.3"),
    });
    setSpeaker(context, { caller, requestId: request.requestId });
    return context;
  };

  const stream = async (body: Members, context: ServerCallContext): Promise<DoorResponse> => {
    const isCurrent = isCurrentMethod(body["method"]);
    const toError = isCurrent ? currentError : legacyError;
    const failed = (error: unknown): RpcAnswer => ({
      jsonrpc: "2.0",
      id: failure(body["id"], 0, "").id,
      error: toError(error) ?? { code: -32603, message: "Internal error" },
    });
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };
    try {
      const defect = paramsDefect(body);
      if (defect !== null) return answer(200, failure(body["id"], -32602, defect));
      const reply = await (isCurrent ? current : legacy).handle(body as Record<string, unknown>, context);
      if (!isStream(reply)) return answer(200, reply);
      return { status: 200, headers, body: sse(await reply.next(), reply, body["id"]) };
    } catch (error) {
      if (body["method"] !== "tasks/resubscribe") return answer(200, failed(error));
      return { status: 200, headers, body: formatSSEErrorEvent(failed(error)) };
    }
  };

  const handle: DoorRoute["handle"] = async (request) => {
    const text = await request.readBody().catch((error: unknown) => {
      if (error instanceof Refused) return error;
      throw error;
    });
    if (text instanceof Refused) {
      const isType = text.refusal.code === "unsupported_media_type";
      const status = refusalTable[text.refusal.code].status;
      return answer(isType ? 400 : status, failure(null, isType ? -32005 : -32600, text.refusal.message));
    }
    const parsed = dispatcher.parse(text);
    if ("refused" in parsed) return answer(200, parsed.refused);
    if (Array.isArray(parsed.message)) return answer(200, failure(null, -32600, "Batches are not accepted here."));
    const method = (parsed.message as Members | null)?.["method"];
    const context = await openContext(request, method);
    if ("jsonrpc" in context) return answer(200, { ...context, id: failure((parsed.message as Members)["id"], 0, "").id });
    if (typeof method === "string" && streamingMethods.has(method)) return stream(parsed.message as Members, context);
    return answer(200, await dispatcher.receiveMessage(parsed.message, { request, context }));
  };

  const cardRoute = cardHandler(options.card, options.clock.nowMs());
  return [
    { method: "POST", path: `/a2a/${options.agentType}/jsonrpc`, handle },
    { method: "GET", path: `/a2a/${options.agentType}/.well-known/agent-card.json`, handle: cardRoute },
    { method: "GET", path: "/.well-known/agent-card.json", handle: cardRoute },
  ];
};
