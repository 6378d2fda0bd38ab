import { A2A_VERSION_HEADER, type AgentCard, Extensions, formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { addressLimitKey } from "../seam/caller.ts";
import type { DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { callOfDoor, claimOf, identifiedAs, refusedAtGate, showOutcome, showWait } from "../door/door-call.ts";
import { type BodyLimits, isMembers, type Members } from "../neutral/json-input.ts";
import { a2aProfile, createRpcDispatcher, noGate, type RpcAnswer, type RpcDispatcher } from "../jsonrpc/dispatcher.ts";
import { parseError, unreadError } from "../jsonrpc/unread.ts";
import type { Call, Outcome } from "../seam/operation.ts";
import type { Clock } from "../seam/ports.ts";
import { isRefusal, type Refusal, refusalTable, Refused } from "../neutral/refusals.ts";
import type { Runner } from "../seam/run.ts";
import { agentCard, type CardFacts, cardHandler } from "./card.ts";
import { cardDescription, rpcDescription } from "./described.ts";
import { setSpeaker, taskAnswerer } from "./executor.ts";
import { withContext } from "./flat.ts";
import {
  type A2aTransports,
  failure,
  isCurrent,
  isMessage,
  isStreaming,
  refusedCall,
  registerMethods,
  thrownAnswer,
  transportsOf,
  withoutInnerText,
  withoutReferences,
} from "./methods.ts";
import { DirectRequestHandler } from "./request-handler.ts";
import { subscription } from "./subscription.ts";
import { createTaskStore, type FollowedTaskStore, setTaskHolder } from "./task-store.ts";

export interface A2aOptions {
  readonly runner: Runner;
  readonly card: CardFacts;
  readonly agentType: "seller" | "buyer";
  readonly limits: BodyLimits;
  readonly clock: Clock;
  /** How many finished tasks are kept for `tasks/get`. */
  readonly mostTasks: number;
}

/** Characters of all kept tasks together; a task holds its message, and a message may be as long as a body. */
const mostTaskCharacters = 33_554_432;
/** Characters of the messages of one task: each turn that asks back would else make it, and its next turn, longer. */
const mostSaidInTask = 1_048_576;

/** The SDK's handler over our task store. */
const requestHandler = (options: A2aOptions, card: AgentCard, tasks: FollowedTaskStore): DirectRequestHandler =>
  new DirectRequestHandler(card, tasks, taskAnswerer(options.runner, options.clock));

const openTasks = ({ runner, mostTasks }: A2aOptions): FollowedTaskStore => {
  const secretMembers = [...new Set(runner.contracts.flatMap((contract) => contract.secretOutput ?? []))];
  return createTaskStore({
    mostTasks,
    mostCharacters: mostTaskCharacters,
    mostSaid: mostSaidInTask,
    secretMembers,
  });
};

/** What one A2A address works with. */
interface A2aWire {
  readonly runner: Runner;
  readonly tasks: FollowedTaskStore;
  readonly transports: A2aTransports;
  readonly dispatcher: RpcDispatcher<ServerCallContext>;
}

/** One request in the door. */
interface Visit {
  readonly request: DoorRequest;
  /** The id of its message; null where none was read. */
  id: unknown;
  /** Who sends it: as it says, until it has been asked for, because every look-up counts as a use of the key. */
  caller: Call["caller"];
  /** Whether the gates of credential and rate have judged it: those of the door, or those of an operation. */
  isJudged: boolean;
}

type Stream = AsyncGenerator<unknown, void, undefined>;

const sseHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };

const answer = (status: number, body: unknown): DoorResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

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

/** The first event is awaited before any header is sent, so that an early failure is a plain JSON error. */
const serveStream = async (wire: A2aWire, body: Members, context: ServerCallContext): Promise<DoorResponse> => {
  const refused = wire.dispatcher.refusedForm(body) ?? refusedCall(wire.transports, body, context);
  if (refused !== null) return answer(200, refused);
  if (body["method"] === "SubscribeToTask") return serveSubscription(wire, body, context);
  const handler = isCurrent(body["method"]) ? wire.transports.current : wire.transports.legacy;
  try {
    const reply = await handler.handle(body as Record<string, unknown>, context);
    if (!isStream(reply)) return answer(200, withoutInnerText(reply as RpcAnswer));
    return { status: 200, headers: sseHeaders, body: sse(await reply.next(), reply, body) };
  } catch (error) {
    const failed = thrownAnswer(body, error);
    if (body["method"] !== "tasks/resubscribe") return answer(200, failed);
    return { status: 200, headers: sseHeaders, body: formatSSEErrorEvent(failed) };
  }
};

/** The task is followed from before it is read, so that no state of it is missed. */
const serveSubscription = async (wire: A2aWire, body: Members, context: ServerCallContext): Promise<DoorResponse> => {
  const taskId = (body["params"] as Members | undefined)?.["id"];
  const states = wire.tasks.follow(String(taskId), context);
  try {
    const reply = await wire.transports.current.handle(body as Record<string, unknown>, context);
    const first = isStream(reply) ? await reply.next() : null;
    if (first?.done === false) {
      return { status: 200, headers: sseHeaders, body: subscription(body["id"], first.value as object, states) };
    }
    await states.return?.();
    return answer(200, withoutInnerText(reply as RpcAnswer));
  } catch (error) {
    await states.return?.();
    return answer(200, thrownAnswer(body, error));
  }
};

const gateFailure = (id: unknown, { code, message }: Refusal): RpcAnswer =>
  failure(id, refusalTable[code].rpc, message);

/** Tasks belong to the owner of the records that the same caller makes (decision 50). */
const openContext = async (wire: A2aWire, visit: Visit, body: Members): Promise<ServerCallContext | RpcAnswer> => {
  const { request } = visit;
  const method = body["method"];
  const { headers } = request;
  const { requestId, traceparent, ifMatch, dryRun, agents } = callOfDoor(request);
  visit.isJudged = !isMessage(method);
  const { who, rate } = await wire.runner.identify(visit.caller, { counted: visit.isJudged });
  request.tellRate(rate);
  if (!isRefusal(who)) visit.caller = identifiedAs(who, request);
  if (isRefusal(who) && visit.isJudged) {
    showWait(request, who);
    return gateFailure(body["id"], who);
  }
  const context = new ServerCallContext({
    requestedExtensions: Extensions.parseServiceParameter(headers["a2a-extensions"] ?? headers["x-a2a-extensions"]),
    user: {
      isAuthenticated: !isRefusal(who) && who.kind !== "anonymous",
      userName: isRefusal(who) ? "refused" : who.owner,
    },
    requestedVersion: headers[A2A_VERSION_HEADER.toLowerCase()] ?? (isCurrent(method) ? "1.0" : "0.3"),
  });
  setTaskHolder(context, isRefusal(who) || !who.verified ? addressLimitKey(request.address) : who.owner);
  const from = { caller: visit.caller, requestId, traceparent, ifMatch, dryRun, agents };
  const seen = (outcome: Outcome): void => {
    visit.isJudged = true;
    showOutcome(request, outcome);
  };
  setSpeaker(context, { from, seen });
  return context;
};

const unreadBody = (error: unknown): DoorResponse => {
  if (!(error instanceof Refused)) throw error;
  const { code, message } = error.refusal;
  if (code === "unsupported_media_type") return answer(400, failure(null, -32005, message));
  const said = unreadError(error.refusal);
  return answer(said.code === parseError ? 200 : refusalTable[code].status, failure(null, said.code, said.message));
};

const serve = async (wire: A2aWire, visit: Visit): Promise<DoorResponse> => {
  const { request } = visit;
  const parsed = wire.dispatcher.parse(await request.readBody());
  if ("refused" in parsed) return answer(200, parsed.refused);
  const given = withoutReferences(parsed.message);
  if (Array.isArray(given)) return answer(200, failure(null, -32600, "Batches are not accepted here."));
  const isObject = isMembers(given);
  visit.id = isObject ? given["id"] : null;
  const context = await openContext(wire, visit, isObject ? given : {});
  if (!(context instanceof ServerCallContext)) return answer(200, context);
  const address = context.user?.isAuthenticated === true ? "" : request.address;
  const message = isObject ? withContext(given, address) : given;
  const body = isObject ? (message as Members) : {};
  if (isStreaming(body["method"])) return serveStream(wire, body, context);
  return answer(200, await wire.dispatcher.receiveMessage(message, context));
};

/**
 * The answer to a request, which is judged exactly once: a message by the operation that it calls, another method
 * before it is begun, and what came to neither (no JSON, no form, no such task) here. A stream has begun with a call.
 */
const answerTo = async (wire: A2aWire, request: DoorRequest): Promise<DoorResponse> => {
  const visit: Visit = { request, id: null, caller: claimOf(request.headers, request.address), isJudged: false };
  const reply = await serve(wire, visit).catch(unreadBody);
  if (visit.isJudged || typeof reply.body !== "string") return reply;
  const refused = await refusedAtGate(wire.runner, request, visit.caller);
  return refused === null ? reply : answer(200, gateFailure(visit.id, refused));
};

/**
 * The A2A door: one address for A2A 0.3, A2A 1.0 and the spec's flat reply, told apart by the request (decision 15).
 * Method names in Pascal case are 1.0; a `message/send` whose message has no `kind` is answered flat.
 */
export const a2aRoutes = (options: A2aOptions): readonly DoorRoute[] => {
  const card = agentCard(options.card);
  const tasks = openTasks(options);
  const transports = transportsOf(requestHandler(options, card, tasks), card);
  const dispatcher = createRpcDispatcher<ServerCallContext>(a2aProfile, options.limits, noGate);
  registerMethods(dispatcher, transports);
  const wire: A2aWire = { runner: options.runner, tasks, transports, dispatcher };

  const handle: DoorRoute["handle"] = (request) => answerTo(wire, request);
  const cardRoute = cardHandler(options.card, options.clock.nowMs());
  return [
    {
      method: "POST",
      path: `/a2a/${options.agentType}/jsonrpc`,
      counted: "by-door",
      description: rpcDescription,
      handle,
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
