import {
  type AgentCard,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import {
  type AgentExecutor,
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  type PushNotificationStore,
  type ServerCallContext,
} from "@a2a-js/sdk/server";
import { doneOutcome } from "../seam/run/gates.ts";
import { callContext } from "./call-context.ts";
import { answerId } from "./executor.ts";
import { awaitedBy, newsOf } from "./tasks/task-row.ts";
import type { FollowedTaskStore, TaskStates } from "./tasks/task-store.ts";

/** Not repeated: a retry may succeed, and the message's key keeps it from acting twice. */
const isFailed = ({ status }: Task): boolean => status?.state === TaskState.TASK_STATE_FAILED;

const isWorking = ({ status }: Task): boolean => status?.state === TaskState.TASK_STATE_WORKING;

/** A message that was only stored, because the process died under it, is answered now. */
const isAnswered = (task: Task, message: Message): boolean => {
  if (isWorking(task)) return false;
  const id = answerId(task.contextId, message);
  return task.artifacts.some(({ artifactId }) => artifactId === id);
};

/** All without a length (A2A 1.0, 3.2.4). */
const cutHistory = (task: Task, length: number | undefined): Task => {
  if (length !== undefined) task.history = length <= 0 ? [] : task.history.slice(-length);
  return task;
};

const overStates: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** In 0.3 a question ends a stream, because its caller must speak next; the decision of a human comes by itself. */
const staysOpen = (task: Task, { requestedVersion }: ServerCallContext): boolean =>
  !overStates.has(task.status?.state) && (requestedVersion !== "0.3" || awaitedBy(task) !== null || isWorking(task));

/** The task as its reader knows it after the event. */
const taskAfter = (shown: Task | null, { payload }: StreamResponse): Task | null => {
  if (payload?.$case === "task") return payload.value;
  if (shown === null) return null;
  if (payload?.$case === "artifactUpdate" && payload.value.artifact !== undefined)
    return { ...shown, artifacts: [...shown.artifacts, payload.value.artifact] };
  if (payload?.$case !== "statusUpdate") return shown;
  return { ...shown, status: payload.value.status, metadata: { ...shown.metadata, ...payload.value.metadata } };
};

/** To its end, also without its reader: the last state would else never be stored. */
async function* toTheEnd<T>(events: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  let next = await events.next();
  try {
    for (; next.done !== true; next = await events.next()) yield next.value;
  } finally {
    while (next.done !== true) next = await events.next();
  }
}

async function* newsAfter(shown: Task, states: TaskStates): AsyncGenerator<StreamResponse, void, undefined> {
  let told = newsOf(shown);
  for await (const value of states) {
    if (value === undefined) return;
    if (newsOf(value) === told) continue;
    told = newsOf(value);
    yield { payload: { $case: "task", value } };
    if (overStates.has(value.status?.state)) return;
  }
}

export interface HandlerParts {
  readonly card: AgentCard;
  readonly tasks: FollowedTaskStore;
  readonly executor: AgentExecutor;
  readonly pushes: PushNotificationStore | undefined;
  readonly extendedCard: (context: ServerCallContext) => Promise<AgentCard>;
}

/** The commit of the task queues its notifications, so the SDK sends none itself: it neither retries nor guards. */
const queuedByTheStore = { send: () => Promise.resolve() };

/** The SDK's handler. A repeated message is answered with its first answer. */
export class ReplayingRequestHandler extends DefaultRequestHandler {
  readonly #tasks: FollowedTaskStore;
  readonly #pushes: PushNotificationStore | undefined;

  /** No bus outlives its request: a turn ends with its answer, a question too. */
  constructor({ card, tasks, executor, pushes, extendedCard }: HandlerParts) {
    const buses = new DefaultExecutionEventBusManager();
    const unsigned = undefined;
    const options = { keepBusAliveStates: [] };
    super(card, tasks, executor, buses, pushes, queuedByTheStore, extendedCard, unsigned, options);
    this.#tasks = tasks;
    this.#pushes = pushes;
  }

  override async sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const value = await this.#firstAnswer(params, context);
    if (value !== null) return value;
    if (params.configuration?.returnImmediately === true) callContext(context).shows = "late";
    return super.sendMessage(params, context);
  }

  override async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const value = await this.#firstAnswer(params, context);
    if (value !== null) return yield { payload: { $case: "task", value } };
    callContext(context).shows = "working";
    yield* toTheEnd(super.sendMessageStream(params, context));
  }

  /** A2A 1.0, 3.1.6. The SDK's stream ends after the first event, because nothing runs between two turns. */
  override async *resubscribe(
    params: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    // Followed before it is read, so that no state is missed.
    const states = this.#tasks.follow(params.id, context);
    const { ended } = callContext(context);
    const stop = (): void => void states.return?.();
    ended.addEventListener("abort", stop, { once: true });
    try {
      let shown: Task | null = null;
      for await (const event of super.resubscribe(params, context)) {
        shown = taskAfter(shown, event);
        yield event;
      }
      if (shown !== null && staysOpen(shown, context)) yield* newsAfter(shown, states);
    } finally {
      ended.removeEventListener("abort", stop);
      await states.return?.();
    }
  }

  async #firstAnswer({ message, configuration }: SendMessageRequest, context: ServerCallContext): Promise<Task | null> {
    if (message === undefined || message.messageId === "") return null;
    const known =
      message.taskId === ""
        ? (await this.#tasks.answered(message.contextId, message, context)).find((task) => !isFailed(task))
        : await this.#tasks.load(message.taskId, context);
    if (known === undefined || !isAnswered(known, message)) return null;
    const config = configuration?.taskPushNotificationConfig;
    if (config !== undefined) await this.#pushes?.save(known.id, context, { ...config, taskId: known.id });
    callContext(context).speaker.seen(doneOutcome(null, { replayed: true }));
    return cutHistory(known, configuration?.historyLength);
  }
}
