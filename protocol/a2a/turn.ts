import { type Artifact, type Part, type Task, TaskState } from "@a2a-js/sdk";

export type TurnState = "completed" | "failed" | "input-required" | "rejected";

export interface Turn {
  readonly state: TurnState;
  readonly text: string | null;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  /** Approvals that it may wait for. */
  readonly approvals?: readonly string[];
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

export const statusOf = (state: TurnState | "working", nowMs: number): Task["status"] => ({
  state: stateOf[state],
  message: undefined,
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
