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

/** One message to answer: its task is the one that it continues, undefined where it opens `taskId`. */
export type Asked = Pick<RequestContext, "taskId" | "contextId" | "task" | "userMessage" | "context">;

/** Answers a message with the finished task of its turn; throws where the SDK lost the context. */
export type AnswerTask = (asked: Asked) => Promise<Task>;

/** What was said in the task, each message once: the SDK has already put a continuing message into what it loaded. */
const historyOf = ({ task, userMessage }: Asked): Task["history"] => [
  ...(task?.history ?? []).filter((said) => said.messageId !== userMessage.messageId),
  userMessage,
];

/** One finished task per turn: a synchronous answer needs no further events. */
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

/** The agent behind A2A: it hears a message and answers it through `run`. */
export const taskAnswerer =
  (runner: Runner, clock: Clock): AnswerTask =>
  async (asked) => {
    const { speaker } = callContext(asked.context);
    const { messageId, parts } = asked.userMessage;
    const turn = await answerMessage(runner, speaker, hear(messageId, asked.contextId, parts));
    return taskOf(asked, turn, clock.nowMs());
  };

/** The agent as the SDK runs it for streams and for tasks that go on: one terminal task is published. */
export const createExecutor = (answer: AnswerTask): AgentExecutor => ({
  execute: async (request, bus) => {
    bus.publish(AgentEvent.task(await answer(request)));
    bus.finished();
  },
  cancelTask: async (_taskId, bus) => {
    bus.finished();
  },
});
