import { randomUUID } from "node:crypto";
import type { AgentCard, Message, SendMessageRequest, Task } from "@a2a-js/sdk";
import {
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  type ServerCallContext,
  type TaskStore,
} from "@a2a-js/sdk/server";
import { type AnswerTask, createExecutor } from "./executor.ts";

/** Whether nothing but the message itself has to be known to answer it: no task is continued, none is referred to. */
const opensTask = ({ messageId, taskId, referenceTaskIds }: Message): boolean =>
  messageId !== "" && taskId === "" && referenceTaskIds.length === 0;

/** The newest messages that were asked for; all where nothing was said (A2A 1.0, 3.2.4). */
const cutHistory = (task: Task, length: number | undefined): Task => {
  if (length !== undefined) task.history = length <= 0 ? [] : task.history.slice(-length);
  return task;
};

/**
 * The SDK's request handler, which answers a message that opens a task without the SDK's event bus: our one event is
 * the finished task, and to carry it through a bus, a queue and four deep copies costs as much as a durable quote.
 * All else (streams, tasks that go on, reading, canceling) is the SDK's own.
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
    if (message === undefined || !opensTask(message)) return super.sendMessage(params, context);
    const taskId = randomUUID();
    const contextId = message.contextId === "" ? randomUUID() : message.contextId;
    const userMessage = { ...message, contextId, taskId };
    const task = await this.#answer({ taskId, contextId, userMessage, context });
    await this.#tasks.save(task, context);
    return cutHistory(task, configuration?.historyLength);
  }
}
