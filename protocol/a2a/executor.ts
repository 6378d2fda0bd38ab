import type { Message, Task } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type RequestContext } from "@a2a-js/sdk/server";
import type { Clock } from "../seam/ports.ts";
import type { Runner } from "../seam/run/run.ts";
import { answerMessage, hear } from "./messages/answer.ts";
import type { Approvals } from "./approvals.ts";
import { callContext } from "./call-context.ts";
import { digestUuid } from "./digest-uuid.ts";
import { saidMark } from "./tasks/said.ts";
import { approvalMember, awaitedBy } from "./tasks/task-row.ts";
import { artifactOf, statusOf, type Turn } from "./turn.ts";

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

export interface ExecutorParts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly approvals: Approvals | null;
}

/** One task per turn is published, because an answer is ready when it begins: nobody sees a state between. */
export const createExecutor = ({ runner, clock, approvals }: ExecutorParts): AgentExecutor => ({
  execute: async (request, bus) => {
    const { taskId, contextId, userMessage, task } = request;
    const context = callContext(request.context);
    const { messageId, parts } = userMessage;
    const turn = await answerMessage(runner, context.speaker, hear(messageId, contextId, parts));
    const awaited = turn.state === "failed" ? null : await awaitedApproval(approvals, turn, task);
    context.answer = artifactOf(answerId(contextId, userMessage), turn);
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: statusOf(awaited === null ? turn.state : "input-required", clock.nowMs()),
        artifacts: [context.answer],
        history: historyOf(request),
        metadata: metadataOf(awaited, task),
      }),
    );
    bus.finished();
  },
  cancelTask: async (_taskId, bus) => {
    bus.finished();
  },
});
