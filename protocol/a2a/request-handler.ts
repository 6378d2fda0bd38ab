import { randomUUID } from "node:crypto";
import { type AgentCard, type Message, type SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk";
import {
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  type ServerCallContext,
  type TaskStore,
} from "@a2a-js/sdk/server";
import { doneOutcome } from "../seam/gates.ts";
import { type CallContext, callContext } from "./call-context.ts";
import { digestUuid } from "./digest-uuid.ts";
import { type AnswerTask, createExecutor } from "./executor.ts";

/** Whether nothing but the message itself has to be known to answer it: no task is continued, none is referred to. */
const opensTask = ({ messageId, taskId, referenceTaskIds }: Message): boolean =>
  messageId !== "" && taskId === "" && referenceTaskIds.length === 0;

/**
 * The task that a message opens: of its caller, id and content, so that a retry finds the task of the first answer.
 * Callers without a proof are told apart by their address.
 */
const openedTaskId = ({ messageId, contextId, parts }: Message, { user, holder }: CallContext): string =>
  digestUuid(["task", user?.userName, holder, messageId, contextId, parts]);

const isAnswered = ({ history }: Task, { messageId, parts }: Message): boolean => {
  const last = history.at(-1);
  return last?.messageId === messageId && JSON.stringify(last.parts) === JSON.stringify(parts);
};

/** No answer to keep: what failed may work now, and the message's key keeps a retry from doing it twice. */
const isFailed = ({ status }: Task): boolean => status?.state === TaskState.TASK_STATE_FAILED;

/** The newest messages that were asked for; all where nothing was said (A2A 1.0, 3.2.4). */
const cutHistory = (task: Task, length: number | undefined): Task => {
  if (length !== undefined) task.history = length <= 0 ? [] : task.history.slice(-length);
  return task;
};

/**
 * The SDK's request handler. A message that opens a task is answered without the event bus: its one event is the
 * finished task, and bus, queue and copies cost as much as a durable quote.
 */
export class DirectRequestHandler extends DefaultRequestHandler {
  readonly #answer: AnswerTask;
  readonly #tasks: TaskStore;

  /** A turn is over when it is answered, also one that asks back, so no bus outlives its request. */
  constructor(card: AgentCard, tasks: TaskStore, answer: AnswerTask) {
    const buses = new DefaultExecutionEventBusManager();
    const none = undefined;
    super(card, tasks, createExecutor(answer), buses, none, none, none, none, { keepBusAliveStates: [] });
    this.#answer = answer;
    this.#tasks = tasks;
  }

  override async sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const { message, configuration } = params;
    if (message === undefined) return super.sendMessage(params, context);
    const isOpening = opensTask(message);
    const taskId = isOpening ? openedTaskId(message, callContext(context)) : message.taskId;
    const known = taskId === "" ? undefined : await this.#tasks.load(taskId, context);
    if (known !== undefined && (isOpening ? !isFailed(known) : isAnswered(known, message))) {
      callContext(context).speaker.seen(doneOutcome(null, { replayed: true }));
      return cutHistory(known, configuration?.historyLength);
    }
    if (!isOpening) return super.sendMessage(params, context);
    const contextId = message.contextId === "" ? randomUUID() : message.contextId;
    const userMessage = { ...message, contextId, taskId };
    const task = await this.#answer({ taskId, contextId, userMessage, context });
    await this.#tasks.save(task, context);
    return cutHistory(task, configuration?.historyLength);
  }
}
