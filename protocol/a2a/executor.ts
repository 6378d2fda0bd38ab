import { randomUUID } from "node:crypto";
import { type Part, type Task, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type RequestContext } from "@a2a-js/sdk/server";
import type { Clock } from "../seam/ports.ts";
import type { Runner } from "../seam/run.ts";
import { answerMessage, hear, type Turn, type TurnState } from "./answer.ts";
import { callContext } from "./call-context.ts";

const stateOf: Readonly<Record<TurnState, TaskState>> = {
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
};

const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "text/plain",
});

const dataPart = (value: unknown): Part => ({
  content: { $case: "data", value },
  metadata: undefined,
  filename: "",
  mediaType: "application/json",
});

/** `task` is undefined where the message opens `taskId`. */
export type Asked = Pick<RequestContext, "taskId" | "contextId" | "task" | "userMessage" | "context">;

export type AnswerTask = (asked: Asked) => Promise<Task>;

/** Each message once: the SDK already puts a continuing message into the loaded task. */
const historyOf = ({ task, userMessage }: Asked): Task["history"] => [
  ...(task?.history ?? []).filter((said) => said.messageId !== userMessage.messageId),
  userMessage,
];

/** One finished task per turn: a synchronous answer needs no events. */
const taskOf = (asked: Asked, turn: Turn, nowMs: number): Task => ({
  id: asked.taskId,
  contextId: asked.contextId,
  status: { state: stateOf[turn.state], message: undefined, timestamp: new Date(nowMs).toISOString() },
  artifacts: [
    {
      artifactId: randomUUID(),
      name: "answer",
      description: "",
      parts: [...(turn.text === null ? [] : [textPart(turn.text)]), ...turn.parts.map(dataPart)],
      metadata: undefined,
      extensions: [],
    },
  ],
  history: historyOf(asked),
  metadata: undefined,
});

export const taskAnswerer =
  (runner: Runner, clock: Clock): AnswerTask =>
  async (asked) => {
    const { speaker } = callContext(asked.context);
    const { messageId, parts } = asked.userMessage;
    const turn = await answerMessage(runner, speaker, hear(messageId, asked.contextId, parts));
    return taskOf(asked, turn, clock.nowMs());
  };

/** For streams and continued tasks: one terminal task is published. */
export const createExecutor = (answer: AnswerTask): AgentExecutor => ({
  execute: async (request, bus) => {
    bus.publish(AgentEvent.task(await answer(request)));
    bus.finished();
  },
  cancelTask: async (_taskId, bus) => {
    bus.finished();
  },
});
