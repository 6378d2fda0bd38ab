import { Task, TaskState } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { Kind, StoredRow } from "../../../storage/store.ts";
import { digestUuid } from "../digest-uuid.ts";
import { saidMarks } from "./said.ts";
import { userOf } from "./task-store.ts";

/**
 * `task` is JSON of A2A 1.0. `said` marks its first and its last message; `awaits` is the approval that it waits for.
 */
export interface TaskRow {
  readonly owner: string;
  readonly context_id: string;
  readonly state: number;
  readonly said?: readonly string[];
  readonly awaits?: string | null;
  readonly task: unknown;
  readonly expires_at_ms: number;
}

export type LoadedTask = StoredRow<TaskRow>;

/** As long as the idempotency keys of its messages. */
const retentionMs = 86_400_000;
/** A human may take longer than that. */
const awaitingRetentionMs = 30 * retentionMs;

export const stateTerm = (state: number): string => `state=${state}`;
/** What a list filters by as one term, which has its own count. A context and a state of "" and 0: all. */
export const listTerm = (owner: string, contextId: string, state: number): string =>
  [
    `owner=${owner}`,
    ...(contextId === "" ? [] : [`context=${digestUuid(contextId)}`]),
    ...(state === 0 ? [] : [stateTerm(state)]),
  ].join(" ");
export const saidTerm = (said: string): string => `said=${said}`;
export const awaitsTerm = (approvalId: string): string => `awaits=${approvalId}`;
export const awaitingTerm = "awaiting=approval";

const awaitsTerms = (approvalId: string | null): readonly string[] =>
  approvalId === null ? [] : [awaitsTerm(approvalId), awaitingTerm];

export const taskKind: Kind<TaskRow> = {
  name: "a2a_task",
  terms: ({ owner, context_id: contextId, state, said = [], awaits = null }) => [
    listTerm(owner, "", 0),
    listTerm(owner, contextId, 0),
    listTerm(owner, "", state),
    listTerm(owner, contextId, state),
    stateTerm(state),
    ...said.map(saidTerm),
    ...awaitsTerms(awaits),
  ],
  dueAtMs: (row) => row.expires_at_ms,
  owner: (row) => row.owner,
};

export const taskRowOf = (taskId: string, context: ServerCallContext): string => digestUuid([userOf(context), taskId]);

export const taskOf = ({ body }: LoadedTask): Task => Task.fromJSON(body.task);

/** The member of a task's metadata that names the approval it waits for. */
export const approvalMember = "approval_id";

export const awaitedBy = ({ status, metadata }: Task): string | null => {
  const approvalId: unknown = metadata?.[approvalMember];
  return status?.state === TaskState.TASK_STATE_INPUT_REQUIRED && typeof approvalId === "string" ? approvalId : null;
};

export const rowOf = (task: Task, owner: string, nowMs: number): TaskRow => {
  const awaits = awaitedBy(task);
  return {
    owner,
    context_id: task.contextId,
    state: task.status?.state ?? 0,
    said: saidMarks(task),
    awaits,
    task: Task.toJSON(task),
    expires_at_ms: nowMs + (awaits === null ? retentionMs : awaitingRetentionMs),
  };
};

/** A task is also saved when a message arrives: news is a new state, or what the agent says at the end of its turn. */
export const newsOf = ({ status, artifacts }: Task): string =>
  status?.state === TaskState.TASK_STATE_WORKING ? "working" : `${status?.state} ${artifacts.at(-1)?.artifactId}`;
