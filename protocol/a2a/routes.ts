import type { AgentCard } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { createStreamPlaces } from "../door/stream-places.ts";
import { messageOfRefused, refusedResponse, rpcResponse, unreadResponse } from "../jsonrpc/answers.ts";
import { failure, formDefect, invalidRequest, isId, parseMessage } from "../jsonrpc/message.ts";
import { type BodyLimits, isMembers } from "../neutral/json-input.ts";
import { Refused } from "../neutral/refusals.ts";
import type { Change, Store } from "../../storage/store.ts";
import type { Clock, Log } from "../seam/ports.ts";
import type { Members } from "../neutral/members.ts";
import type { Runner } from "../seam/run/run.ts";
import {
  agentCard,
  type CardDefault,
  type CardFacts,
  cardHandler,
  extendedCard,
  jwksHandler,
  jwksPath,
} from "./card/card.ts";
import type { CardSigner } from "./card/card-signature.ts";
import { cardDescription, rpcDescription } from "./messages/described.ts";
import { callContext, type Envelope } from "./call-context.ts";
import { type Approvals, followApprovals } from "./approvals.ts";
import { type AnswerMessage, createExecutor, type Executor } from "./executor.ts";
import type { Adcp } from "../adcp/door.ts";
import { answerTask, checkTask } from "./messages/tasks.ts";
import { answerMessage } from "./messages/answer.ts";
import { type A2aWire, answerRpc, checkOperations } from "./exchange.ts";
import { withExtensions } from "./extensions.ts";
import { httpRoutes } from "./http/binding.ts";
import { currentHttp } from "./http/current.ts";
import { legacyHttp } from "./http/legacy.ts";
import { createPushStore } from "./push/config-store.ts";
import type { PushSubject } from "./push/record.ts";
import { ReplayingRequestHandler } from "./request-handler.ts";
import { createStoredTasks } from "./tasks/stored-tasks.ts";
import { createTaskStore, type FollowedTaskStore } from "./tasks/task-store.ts";
import { createTransport, thrownAnswer } from "./transport.ts";

export interface PushPorts {
  /** False for a private address. */
  isPermitted(url: string): Promise<boolean>;
  /** A change that queues one notification, for the commit that changes the task. */
  queue(subject: PushSubject): Change;
}

/** Rows of tasks, and what hangs on them. */
export interface StoredParts {
  readonly store: Store;
  readonly log: Log;
  readonly push: PushPorts;
  /** Null: no human decides here. */
  readonly approvals: Approvals | null;
}

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
  /** 0: no limit. */
  readonly streamsPerCaller?: number;
  /** Left out: cards are not signed. */
  readonly signer?: CardSigner | null;
  /** Left out: tasks are kept in memory, and nobody is notified. */
  readonly stored?: StoredParts;
}

/** Bounds memory: a message may be as long as a body. */
const mostTaskCharacters = 33_554_432;
/** Each turn would else make the next ones longer. */
const mostSaidInTask = 1_048_576;
const mostStreams = 5000;
/** Of a request that does not wait: most answers are ready by then. */
const readyWithinMs = 250;

interface Opened {
  readonly tasks: FollowedTaskStore;
  readonly close: () => Promise<void>;
}

const openTasks = (options: A2aOptions): Opened => {
  const { runner, mostTasks, stored, clock } = options;
  const secretMembers = [...new Set(runner.contracts.flatMap((contract) => contract.secretOutput ?? []))];
  const limits = { mostTasks, mostCharacters: mostTaskCharacters, mostSaid: mostSaidInTask, secretMembers };
  const anonymous = createTaskStore(limits);
  if (stored === undefined) return { tasks: anonymous, close: () => Promise.resolve() };
  const { store, push, log, approvals } = stored;
  const tasks = createStoredTasks({ store, clock, log, options: limits, queuePush: push.queue, anonymous });
  const follower = approvals === null ? null : followApprovals({ approvals, tasks: tasks.awaiting, clock, log });
  const close = async (): Promise<void> => {
    await follower?.stop();
    await tasks.close();
  };
  return { tasks, close };
};

const requestHandler = (options: A2aOptions, card: AgentCard, tasks: FollowedTaskStore, executor: Executor) => {
  const { runner, clock, stored, signer = null } = options;
  const pushes =
    stored === undefined
      ? undefined
      : createPushStore({ store: stored.store, clock, isPermitted: stored.push.isPermitted });
  const shownTo = async (context: ServerCallContext): Promise<AgentCard> => {
    const extended = extendedCard(agentCard(options.card), runner.contracts, callContext(context).caller);
    return signer === null ? extended : signer.sign(extended);
  };
  return new ReplayingRequestHandler({ card, tasks, executor, pushes, extendedCard: shownTo });
};

const jsonRpc: Envelope = { binding: "JSONRPC", event: (answer) => answer, failure: thrownAnswer };

/** The SDK answers these in 1.0 as wrong params, and repeats what is no id. */
const requestDefect = (given: Members): string | null =>
  given["jsonrpc"] === "2.0" ? formDefect(given, true) : 'The member jsonrpc must be "2.0".';

const serve = async (wire: A2aWire, request: DoorRequest): Promise<DoorResponse> => {
  const given = parseMessage(await request.readBody(), wire.limits);
  if (!isMembers(given)) return rpcResponse(200, failure(null, invalidRequest, "Send one request, as an object."));
  const defect = requestDefect(given);
  const { id } = given;
  if (defect !== null) return rpcResponse(200, failure(isId(id, true) ? id : null, invalidRequest, defect));
  try {
    const answered = await answerRpc(wire, request, given, jsonRpc);
    return "stream" in answered ? answered.stream : rpcResponse(200, answered.answer);
  } catch (error) {
    if (error instanceof Refused) return refusedResponse(given, error.refusal);
    throw error;
  }
};

const unread = (error: unknown): DoorResponse => {
  if (error instanceof Refused && error.refusal.code === "unsupported_media_type") {
    return rpcResponse(400, failure(null, -32005, error.refusal.message));
  }
  return unreadResponse(error);
};

export interface A2aDoor {
  readonly routes: readonly DoorRoute[];
  close(): Promise<void>;
}

interface Spoken {
  readonly answer: AnswerMessage;
  readonly check: A2aWire["check"];
}

const openWire = (options: A2aOptions, { answer, check }: Spoken) => {
  const card = agentCard(options.card);
  const { runner, clock, stored, limits } = options;
  const { tasks, close } = openTasks(options);
  const executor = createExecutor({ runner, answer, clock, approvals: stored?.approvals ?? null, readyWithinMs });
  const transport = createTransport(requestHandler(options, card, tasks, executor), card);
  const { take: takePlace } = createStreamPlaces(options.streamsPerCaller ?? 0, mostStreams);
  const wire: A2aWire = { transport, limits, pushes: options.card.pushNotifications, takePlace, check };
  return { wire, close: () => executor.settled().then(close) };
};

const rpcRoute = (wire: A2aWire, path: string): DoorRoute => ({
  method: "POST",
  path,
  refused: async (request, refusal) => refusedResponse(await messageOfRefused(request, wire.limits), refusal),
  handle: async (request) => withExtensions(request, await serve(wire, request).catch(unread)),
});

const cardHandlerOf = (options: A2aOptions) =>
  cardHandler(options.card, options.clock, options.cardDefaultVersion ?? "both", options.signer ?? null);

/**
 * One address for A2A 0.3, A2A 1.0 and the spec's flat reply: methods in Pascal case are 1.0; a `message/send` without
 * `kind` is answered flat.
 */
export const a2aRoutes = (options: A2aOptions): A2aDoor => {
  const { runner, agentType, signer = null } = options;
  const { wire, close } = openWire(options, {
    answer: (speaker, heard) => answerMessage(runner, speaker, heard),
    check: checkOperations(runner),
  });
  const cardRoute = cardHandlerOf(options);
  const access = agentType === "buyer" ? { access: "key" as const } : {};
  const routes: readonly DoorRoute[] = [
    { ...rpcRoute(wire, `/a2a/${agentType}/jsonrpc`), ...access, description: rpcDescription },
    // `url` of agent.json is the base address (seller spec, Agent card), and to clients of A2A 0.3 `url` of a card is
    // where its preferred transport answers (A2A 0.3, AgentCard.preferredTransport).
    { ...rpcRoute(wire, "/"), ...access },
    {
      method: "GET",
      path: `/a2a/${agentType}/.well-known/agent-card.json`,
      description: cardDescription("get_a2a_card"),
      handle: cardRoute,
    },
    {
      method: "GET",
      path: "/.well-known/agent-card.json",
      description: cardDescription("get_agent_card"),
      handle: cardRoute,
    },
    { method: "GET", path: jwksPath, handle: jwksHandler(signer) },
    ...httpRoutes(wire, currentHttp, `/a2a/${agentType}/v1`, access),
    ...httpRoutes(wire, legacyHttp, `/a2a/${agentType}/v0.3`, access),
  ];
  return { routes, close };
};

/** The tasks of AdCP as skills, with a card of their own below `/adcp`: Parley's own card lists no tasks. */
export const adcpA2aRoutes = (adcp: Adcp, options: A2aOptions): A2aDoor => {
  const { wire, close } = openWire(options, { answer: answerTask(adcp), check: checkTask(adcp) });
  const each: A2aWire = { ...wire, isTaskEach: true };
  const handle = cardHandlerOf(options);
  const cards = ["agent-card.json", "agent.json"].map((name): DoorRoute => ({
    method: "GET",
    path: `/adcp/.well-known/${name}`,
    handle,
  }));
  const routes = [
    rpcRoute(each, "/adcp"),
    ...cards,
    ...httpRoutes(each, currentHttp, "/adcp/v1", {}),
    ...httpRoutes(each, legacyHttp, "/adcp/v0.3", {}),
  ];
  return { routes, close };
};
