import { setTimeout as wait } from "node:timers/promises";
import type { Message, Task } from "@a2a-js/sdk";
import { TaskNotCancelableError } from "@a2a-js/sdk/errors";
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from "@a2a-js/sdk/server";
import type { Clock } from "../seam/ports.ts";
import type { Runner } from "../seam/run/run.ts";
import { type Heard, hear, type Speaker } from "./messages/answer.ts";
import type { Approvals } from "./approvals.ts";
import { callContext } from "./call-context.ts";
import { digestUuid } from "./digest-uuid.ts";
import { aliveEveryMs } from "./tasks/interrupted.ts";
import { saidMark } from "./tasks/said.ts";
import { approvalMember, awaitedBy } from "./tasks/task-row.ts";
import { artifactOf, questionOf, statusOf, type Turn } from "./turn.ts";

/** Derived from the message, so that a repeated one finds its answer. */
export const answerId = (contextId: string, message: Message): string =>
  digestUuid(["answer", saidMark(contextId, message)]);

/** Each message once: the SDK already puts a continuing message into the loaded task. */
const historyOf = ({ task, userMessage }: RequestContext): Task["history"] => [
  ...(task?.history ?? []).filter((said) => said.messageId !== userMessage.messageId),
  userMessage,
];

/** An approval of this turn or an earlier one, for which a human is still awaited. */
const awaitedApproval = async (
  approvals: Approvals | null,
  turn: Turn,
  before: Task | undefined,
): Promise<string | null> => {
  const earlier = before === undefined ? null : awaitedBy(before);
  for (const approvalId of [...(turn.approvals ?? []), ...(earlier === null ? [] : [earlier])]) {
    if (approvals !== null && (await approvals.isPending(approvalId))) return approvalId;
  }
  return null;
};

/** The SDK merges metadata, so a member is removed by null. */
const metadataOf = (awaited: string | null, before: Task | undefined): Task["metadata"] => {
  const isKnown = before?.metadata?.[approvalMember] !== undefined;
  return awaited === null && !isKnown ? undefined : { [approvalMember]: awaited };
};

/** What a message is answered with. `extensions`: those that its sender asked for. */
export type AnswerMessage = (speaker: Speaker, heard: Heard, extensions: readonly string[]) => Promise<Turn>;

export interface ExecutorParts {
  readonly runner: Runner;
  readonly answer: AnswerMessage;
  readonly clock: Clock;
  readonly approvals: Approvals | null;
  /** How long a caller who does not wait still gets the answer itself. */
  readonly readyWithinMs: number;
}

export interface Executor extends AgentExecutor {
  /** Resolves when no turn is running. */
  settled(): Promise<void>;
}

/** A secret is shown once, in the answer: whoever makes one waits for it. */
const makesSecret = ({ contracts }: Runner, { parts }: Heard): boolean =>
  parts.some((part) =>
    contracts.some(({ name, secretOutput }) => name === part["operation"] && secretOutput !== undefined),
  );

/** The working task, then proof of life: a task without it is taken for interrupted. */
const publishWorking = (request: RequestContext, bus: ExecutionEventBus, clock: Clock): NodeJS.Timeout => {
  const { taskId, contextId } = request;
  const working = () => statusOf("working", clock.nowMs());
  const task = { id: taskId, contextId, artifacts: [], history: historyOf(request), metadata: undefined };
  bus.publish(AgentEvent.task({ ...task, status: working() }));
  const again = (): void =>
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: working(), metadata: undefined }));
  return setInterval(again, aliveEveryMs).unref();
};

const isReadyWithin = async (answering: Promise<Turn>, ms: number): Promise<boolean> => {
  const ended = new AbortController();
  const late = wait(ms, false, { signal: ended.signal }).catch(() => false);
  const isReady = await Promise.race([answering.then(() => true), late]);
  ended.abort();
  return isReady;
};

/**
 * A caller who waits gets one finished task; a stream gets the working task, the artifact and the last state, and so
 * does whoever reads a task that was answered with before it was done.
 */
export const createExecutor = ({ runner, answer, clock, approvals, readyWithinMs }: ExecutorParts): Executor => {
  const running = new Set<Promise<void>>();

  const execute = async (request: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId, userMessage, task } = request;
    const context = callContext(request.context);
    const { messageId, parts } = userMessage;
    const heard = hear(messageId, contextId, parts);
    let alive: NodeJS.Timeout | null = context.shows === "working" ? publishWorking(request, bus, clock) : null;
    try {
      const answering = answer(context.speaker, heard, context.requestedExtensions ?? []);
      const mayBeLate = context.shows === "late" && !makesSecret(runner, heard);
      if (mayBeLate && !(await isReadyWithin(answering, readyWithinMs))) alive = publishWorking(request, bus, clock);
      const turn = await answering;
      const awaited = turn.state === "failed" ? null : await awaitedApproval(approvals, turn, task);
      const artifact = artifactOf(answerId(contextId, userMessage), turn);
      const question = questionOf(turn, artifact.artifactId, { taskId, contextId });
      const status = statusOf(awaited === null ? turn.state : "input-required", clock.nowMs(), question);
      const metadata = metadataOf(awaited, task);
      if (alive === null) {
        const history = historyOf(request);
        bus.publish(AgentEvent.task({ id: taskId, contextId, status, artifacts: [artifact], history, metadata }));
      } else {
        const of = { taskId, contextId };
        bus.publish(
          AgentEvent.artifactUpdate({ ...of, artifact, append: false, lastChunk: true, metadata: undefined }),
        );
        bus.publish(AgentEvent.statusUpdate({ ...of, status, metadata }));
      }
    } finally {
      if (alive !== null) clearInterval(alive);
    }
    bus.finished();
  };

  return {
    execute: (request, bus) => {
      const turn = execute(request, bus);
      running.add(turn);
      return turn.finally(() => running.delete(turn));
    },
    cancelTask: (taskId) =>
      Promise.reject(new TaskNotCancelableError(`Task ${taskId} is being worked on. Try again when it has an answer.`)),
    settled: async () => {
      await Promise.allSettled(running);
    },
  };
};
