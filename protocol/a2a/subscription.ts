import { formatSSEEvent, StreamResponse, type Task } from "@a2a-js/sdk";
import type { TaskStates } from "./task-store.ts";

interface TaskAnswer {
  readonly result?: {
    readonly task?: {
      readonly status?: { readonly state?: string };
      readonly artifacts?: readonly { readonly artifactId?: string }[];
    };
  };
}

const overStates: ReadonlySet<string | undefined> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

const answerOf = (id: unknown, task: Task): TaskAnswer & object => {
  const result = StreamResponse.toJSON({ payload: { $case: "task", value: task } });
  return { jsonrpc: "2.0", id, result: result as NonNullable<TaskAnswer["result"]> } as TaskAnswer;
};

const stateOf = (answer: TaskAnswer): string | undefined => answer.result?.task?.status?.state;

/** A task is also saved when a message arrives: news is what the agent says, or a new state. */
const newsOf = (answer: TaskAnswer): string =>
  `${stateOf(answer)} ${answer.result?.task?.artifacts?.at(-1)?.artifactId}`;

async function* pieces(id: unknown, first: TaskAnswer & object, states: TaskStates): AsyncGenerator<string> {
  let told = newsOf(first);
  try {
    yield formatSSEEvent(first);
    for await (const task of states) {
      if (task === undefined) return;
      const answer = answerOf(id, task);
      if (newsOf(answer) === told) continue;
      told = newsOf(answer);
      yield formatSSEEvent(answer);
      if (overStates.has(stateOf(answer))) return;
    }
  } finally {
    await states.return?.();
  }
}

/** A2A 1.0, 3.1.6. The SDK's own stream would end after `first`, because nothing runs between two turns. */
export const subscription = (id: unknown, first: object, states: TaskStates): AsyncIterable<string> => {
  const source = pieces(id, first, states);
  // A return alone would wait for the next state.
  const finish = async (): Promise<IteratorResult<string>> => {
    await states.return?.();
    await source.return(undefined);
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => source.next(), return: finish }) };
};
