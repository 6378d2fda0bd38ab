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

const opensTask = ({ messageId, taskId, referenceTaskIds }: Message): boolean =>
  messageId !== "" && taskId === "" && referenceTaskIds.length === 0;

/** From caller, id and content, so that a retry finds the first answer; with the address for anonymous callers. */
const openedTaskId = ({ messageId, contextId, parts }: Message, { user, holder }: CallContext): string =>
  digestUuid(["task", user?.userName, holder, messageId, contextId, parts]);

const isAnswered = ({ history }: Task, { messageId, parts }: Message): boolean => {
  const last = history.at(-1);
  return last?.messageId === messageId && JSON.stringify(last.parts) === JSON.stringify(parts);
};

/** Not kept: a retry may succeed, and the message's key keeps it from acting twice. */
const isFailed = ({ status }: Task): boolean => status?.state === TaskState.TASK_STATE_FAILED;

/** All without a length (A2A 1.0, 3.2.4). */
const cutHistory = (task: Task, length: number | undefined): Task => {
  if (length !== undefined) task.history = length <= 0 ? [] : task.history.slice(-length);
  return task;
};

/** Answers an opening message without the event bus: bus, queue and copies cost as much as a durable quote. */
export class DirectRequestHandler extends DefaultRequestHandler {
  readonly #answer: AnswerTask;
  readonly #tasks: TaskStore;

  /** No bus outlives its request: a turn ends with its answer, a question too. */
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
