import { type Artifact, type Message, type Part, Role, type Task, TaskState } from "@a2a-js/sdk";
import { digestUuid } from "./digest-uuid.ts";

export type TurnState = "completed" | "failed" | "input-required" | "rejected";

export interface Turn {
  readonly state: TurnState;
  readonly text: string | null;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  /** Approvals that it may wait for. */
  readonly approvals?: readonly string[];
  /** What the caller may take next, in the order of its numbers. */
  readonly options?: readonly unknown[];
  /** The option that the text asks about. */
  readonly armed?: string | null;
}

const stateOf: Readonly<Record<TurnState | "working", TaskState>> = {
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
  rejected: TaskState.TASK_STATE_REJECTED,
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

export const statusOf = (state: TurnState | "working", nowMs: number, message?: Message): Task["status"] => ({
  state: stateOf[state],
  message,
  timestamp: new Date(nowMs).toISOString(),
});

export const artifactOf = (artifactId: string, turn: Turn): Artifact => ({
  artifactId,
  name: "answer",
  description: "",
  parts: [...(turn.text === null ? [] : [textPart(turn.text)]), ...turn.parts.map(dataPart)],
  metadata: undefined,
  extensions: [],
});

/** Clients show the status of a task that waits: its question, and what may be taken. */
export const questionOf = (turn: Turn, artifactId: string, of: Pick<Message, "taskId" | "contextId">) => {
  const { state, text, options = [], armed = null } = turn;
  if (state !== "input-required" || text === null) return undefined;
  return {
    ...of,
    messageId: digestUuid(["question", artifactId]),
    role: Role.ROLE_AGENT,
    parts: [textPart(text), ...(options.length === 0 ? [] : [dataPart({ options, armed })])],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  } satisfies Message;
};
