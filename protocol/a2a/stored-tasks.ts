import { EventEmitter, on } from "node:events";
import { Task } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { Kind, Store, StoredRow } from "../../storage/store.ts";
import { create, update } from "../seam/changes.ts";
import type { Clock } from "../seam/ports.ts";
import { digestUuid } from "./digest-uuid.ts";
import {
  type FollowedTaskStore,
  keptForm,
  listed,
  type ListParams,
  pageSizeOf,
  statesOf,
  type TaskStoreOptions,
  userOf,
} from "./task-store.ts";

/** `task` is JSON of A2A 1.0. */
interface TaskRow {
  readonly owner: string;
  readonly context_id: string;
  readonly state: number;
  readonly task: unknown;
  readonly expires_at_ms: number;
}

/** As long as the idempotency keys of its messages. */
const retentionMs = 86_400_000;

const contextTerm = (contextId: string): string => `context=${digestUuid(contextId)}`;
const stateTerm = (state: number): string => `state=${state}`;
const ownerTerm = (owner: string): string => `owner=${owner}`;

export const taskKind: Kind<TaskRow> = {
  name: "a2a_task",
  terms: ({ owner, context_id: contextId, state }) => [ownerTerm(owner), contextTerm(contextId), stateTerm(state)],
  dueAtMs: (row) => row.expires_at_ms,
  owner: (row) => row.owner,
};

const termsOf = (params: ListParams, owner: string): readonly string[] => [
  ownerTerm(owner),
  ...(params.contextId === "" ? [] : [contextTerm(params.contextId)]),
  ...(params.status === 0 ? [] : [stateTerm(params.status)]),
];

type LoadedTask = StoredRow<TaskRow>;

const taskOf = ({ body }: LoadedTask): Task => Task.fromJSON(body.task);

const mostAttempts = 5;

export interface StoredTaskParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly options: TaskStoreOptions;
  /** Tasks of anonymous callers, who own no records. */
  readonly anonymous: FollowedTaskStore;
}

/** Stored, so that a conversation survives a restart. Followers see only this process's saves. */
export const createStoredTasks = ({ store, clock, options, anonymous }: StoredTaskParts): FollowedTaskStore => {
  const saved = new EventEmitter().setMaxListeners(0);
  const isStored = (context: ServerCallContext): boolean => context.user?.isAuthenticated === true;
  const idOf = (taskId: string, context: ServerCallContext): string => digestUuid([userOf(context), taskId]);

  const find = async (taskId: string, context: ServerCallContext): Promise<LoadedTask | null> => {
    const row = (await store.get(taskKind.name, idOf(taskId, context))) as LoadedTask | null;
    return row === null || row.body.expires_at_ms <= clock.nowMs() ? null : row;
  };

  const rowOf = (task: Task, owner: string): TaskRow => ({
    owner,
    context_id: task.contextId,
    state: task.status?.state ?? 0,
    task: Task.toJSON(keptForm(task, options)),
    expires_at_ms: clock.nowMs() + retentionMs,
  });

  const save = async (task: Task, context: ServerCallContext): Promise<void> => {
    const id = idOf(task.id, context);
    const row = rowOf(task, userOf(context));
    for (let made = 0; made < mostAttempts; made += 1) {
      const loaded = (await store.get(taskKind.name, id)) as LoadedTask | null;
      const change = loaded === null ? create(taskKind, id, row) : update(taskKind, loaded, row);
      const { ok } = await store.commit({ changes: [change], audit: null });
      if (!ok) continue;
      saved.emit(id);
      return;
    }
    throw new Error("a task was saved by others each time");
  };

  const list: FollowedTaskStore["list"] = async (params, context) => {
    const terms = termsOf(params, userOf(context));
    const pageSize = pageSizeOf(params);
    const after = Number(params.pageToken);
    const from = params.pageToken !== "" && Number.isSafeInteger(after) ? { after } : {};
    const query = { kind: taskKind.name, terms, order: "newest" as const, limit: pageSize + 1, ...from };
    const rows = (await store.list(query)) as readonly LoadedTask[];
    const page = rows.slice(0, pageSize);
    const since = params.statusTimestampAfter;
    const tasks = page.map(taskOf).filter((task) => since === undefined || (task.status?.timestamp ?? "") >= since);
    return {
      tasks: tasks.map((task) => listed(task, params)),
      nextPageToken: rows.length > pageSize ? String(page.at(-1)?.n ?? "") : "",
      pageSize,
      totalSize: terms.length === 1 ? await store.count(taskKind.name, terms[0] ?? null) : tasks.length,
    };
  };

  return {
    save: (task, context) => (isStored(context) ? save(task, context) : anonymous.save(task, context)),
    load: async (taskId, context) => {
      if (!isStored(context)) return anonymous.load(taskId, context);
      const row = await find(taskId, context);
      return row === null ? undefined : taskOf(row);
    },
    list: (params, context) => (isStored(context) ? list(params, context) : anonymous.list(params, context)),
    follow: (taskId, context) => {
      if (!isStored(context)) return anonymous.follow(taskId, context);
      const read = async (): Promise<Task | undefined> => {
        const row = await find(taskId, context);
        return row === null ? undefined : taskOf(row);
      };
      return statesOf(on(saved, idOf(taskId, context)), read);
    },
  };
};
