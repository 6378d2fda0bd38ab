import { type AgentCard, formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import type { DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { callerOf } from "../door/door-call.ts";
import { messageOfRefused, refusedResponse, rpcResponse, unreadResponse } from "../jsonrpc/answers.ts";
import {
  a2aProfile,
  createRpcDispatcher,
  failure,
  parseMessage,
  type RpcAnswer,
  type RpcDispatcher,
} from "../jsonrpc/dispatcher.ts";
import { type BodyLimits, isMembers, type Members } from "../neutral/json-input.ts";
import { Refused } from "../neutral/refusals.ts";
import type { Store } from "../../storage/store.ts";
import type { Clock } from "../seam/ports.ts";
import type { Runner } from "../seam/run.ts";
import { agentCard, type CardDefault, type CardFacts, cardHandler } from "./card.ts";
import { cardDescription, rpcDescription } from "./described.ts";
import { CallContext } from "./call-context.ts";
import { taskAnswerer } from "./executor.ts";
import { withContext } from "./flat.ts";
import {
  type A2aTransports,
  isCurrent,
  refusedCall,
  registerMethods,
  streamingMethods,
  thrownAnswer,
  transportsOf,
  withoutInnerText,
  withoutReferences,
} from "./methods.ts";
import { DirectRequestHandler } from "./request-handler.ts";
import { subscription } from "./subscription.ts";
import { createStoredTasks } from "./stored-tasks.ts";
import { createTaskStore, type FollowedTaskStore } from "./task-store.ts";

export interface A2aOptions {
  readonly runner: Runner;
  readonly card: CardFacts;
  readonly agentType: "seller" | "buyer";
  readonly limits: BodyLimits;
  readonly clock: Clock;
  /** In memory: tasks of anonymous callers, or all without a store. */
  readonly mostTasks: number;
  /** Default: `both`. */
  readonly cardDefaultVersion?: CardDefault;
  readonly store?: Store;
}

/** Bounds memory: a message may be as long as a body. */
const mostTaskCharacters = 33_554_432;
/** Each turn would else make the next ones longer. */
const mostSaidInTask = 1_048_576;

const requestHandler = (options: A2aOptions, card: AgentCard, tasks: FollowedTaskStore): DirectRequestHandler =>
  new DirectRequestHandler(card, tasks, taskAnswerer(options.runner, options.clock));

const openTasks = ({ runner, mostTasks, store, clock }: A2aOptions): FollowedTaskStore => {
  const secretMembers = [...new Set(runner.contracts.flatMap((contract) => contract.secretOutput ?? []))];
  const options = { mostTasks, mostCharacters: mostTaskCharacters, mostSaid: mostSaidInTask, secretMembers };
  const anonymous = createTaskStore(options);
  return store === undefined ? anonymous : createStoredTasks({ store, clock, options, anonymous });
};

interface A2aWire {
  readonly tasks: FollowedTaskStore;
  readonly transports: A2aTransports;
  readonly dispatcher: RpcDispatcher<CallContext>;
}

type Stream = AsyncGenerator<unknown, void, undefined>;

const sseHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };

/** Never sent: a stream answers. */
const opened: RpcAnswer = { jsonrpc: "2.0", id: null, result: null };

const isStream = (value: unknown): value is Stream =>
  typeof (value as { [Symbol.asyncIterator]?: unknown } | null)?.[Symbol.asyncIterator] === "function";

async function* sse(first: IteratorResult<unknown, void>, stream: Stream, body: Members): AsyncGenerator<string> {
  try {
    if (!first.done) yield formatSSEEvent(first.value as object);
    for await (const event of stream) yield formatSSEEvent(event as object);
  } catch (error) {
    yield formatSSEErrorEvent(thrownAnswer(body, error));
  } finally {
    await stream.return?.();
  }
}

const sseResponse = (body: DoorResponse["body"]): DoorResponse => ({ status: 200, headers: sseHeaders, body });

/** The first event is awaited before the headers, so that an early failure is a plain JSON error. */
const openStream = async (wire: A2aWire, body: Members, context: CallContext): Promise<RpcAnswer> => {
  const refused = refusedCall(wire.transports, body, context);
  if (refused !== null) return refused;
  if (body["method"] === "SubscribeToTask") return openSubscription(wire, body, context);
  const handler = isCurrent(body["method"]) ? wire.transports.current : wire.transports.legacy;
  try {
    const reply = await handler.handle(body as Record<string, unknown>, context);
    if (!isStream(reply)) return withoutInnerText(reply as RpcAnswer);
    context.stream = sseResponse(sse(await reply.next(), reply, body));
    return opened;
  } catch (error) {
    const failed = thrownAnswer(body, error);
    if (body["method"] === "tasks/resubscribe") context.stream = sseResponse(formatSSEErrorEvent(failed));
    return failed;
  }
};

/** Followed before it is read, so that no state is missed. */
const openSubscription = async (wire: A2aWire, body: Members, context: CallContext): Promise<RpcAnswer> => {
  const taskId = (body["params"] as Members | undefined)?.["id"];
  const states = wire.tasks.follow(String(taskId), context);
  try {
    const reply = await wire.transports.current.handle(body as Record<string, unknown>, context);
    const first = isStream(reply) ? await reply.next() : null;
    if (first?.done === false) {
      context.stream = sseResponse(subscription(body["id"], first.value as object, states));
      return opened;
    }
    await states.return?.();
    return withoutInnerText(reply as RpcAnswer);
  } catch (error) {
    await states.return?.();
    return thrownAnswer(body, error);
  }
};

const serve = async (wire: A2aWire, request: DoorRequest, limits: BodyLimits): Promise<DoorResponse> => {
  const given = withoutReferences(parseMessage(await request.readBody(), limits));
  const refused = wire.dispatcher.refused(given);
  if (refused !== null) return rpcResponse(200, refused);
  const method = isMembers(given) ? given["method"] : null;
  const context = new CallContext(request, await callerOf(request), isCurrent(method) ? "1.0" : "0.3");
  const address = context.user?.isAuthenticated === true ? "" : request.address;
  const message = isMembers(given) ? withContext(given, address) : given;
  const answer = await wire.dispatcher.receive(message, context);
  return context.stream ?? rpcResponse(200, answer);
};

const unread = (error: unknown): DoorResponse => {
  if (error instanceof Refused && error.refusal.code === "unsupported_media_type") {
    return rpcResponse(400, failure(null, -32005, error.refusal.message));
  }
  return unreadResponse(error);
};

/**
 * One address for A2A 0.3, A2A 1.0 and the spec's flat reply: methods in Pascal case are 1.0; a `message/send` without
 * `kind` is answered flat.
 */
export const a2aRoutes = (options: A2aOptions): readonly DoorRoute[] => {
  const card = agentCard(options.card);
  const tasks = openTasks(options);
  const transports = transportsOf(requestHandler(options, card, tasks), card);
  const dispatcher = createRpcDispatcher<CallContext>(a2aProfile);
  const wire: A2aWire = { tasks, transports, dispatcher };
  registerMethods(dispatcher, transports);
  for (const name of streamingMethods) {
    dispatcher.server.addMethodAdvanced(name, (body, context) => openStream(wire, body as unknown as Members, context));
  }
  const { limits } = options;
  const cardRoute = cardHandler(options.card, options.clock.nowMs(), options.cardDefaultVersion ?? "both");
  return [
    {
      method: "POST",
      path: `/a2a/${options.agentType}/jsonrpc`,
      ...(options.agentType === "buyer" ? { access: "key" as const } : {}),
      description: rpcDescription,
      refused: async (request, refusal) => refusedResponse(await messageOfRefused(request, limits), refusal),
      handle: (request) => serve(wire, request, limits).catch(unread),
    },
    {
      method: "GET",
      path: `/a2a/${options.agentType}/.well-known/agent-card.json`,
      description: cardDescription("get_a2a_card"),
      handle: cardRoute,
    },
    {
      method: "GET",
      path: "/.well-known/agent-card.json",
      description: cardDescription("get_agent_card"),
      handle: cardRoute,
    },
  ];
};
