import { EventEmitter, on } from "node:events";
import type { Artifact, Task } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";

type ListParams = Parameters<TaskStore["list"]>[0];
type ListResult = Awaited<ReturnType<TaskStore["list"]>>;

/** Bounds of the store, and the output members that are shown once only (decision 78). */
export interface TaskStoreOptions {
  readonly mostTasks: number;
  /** Characters that all kept tasks may have together: a task holds its whole message. */
  readonly mostCharacters: number;
  readonly secretMembers: readonly string[];
}

/** The states of one task from now on, each as it is kept; undefined when it is forgotten. */
export type TaskStates = AsyncIterableIterator<readonly [Task | undefined]>;

/** The store of the SDK, and a way to wait for what it is given. */
export interface FollowedTaskStore extends TaskStore {
  /** Ended by `return`, which the reader must call in the end. */
  follow(taskId: string, context: ServerCallContext): TaskStates;
}

interface KeptTask {
  readonly task: Task;
  readonly user: string;
  readonly characters: number;
}

const defaultPage = 50;
const largestPage = 100;

/** What one user sees of a task in a list: history cut to what was asked, artifacts only on demand (A2A 1.0). */
const listed = (task: Task, params: ListParams): Task => ({
  ...task,
  history: params.historyLength === undefined ? [] : task.history.slice(-params.historyLength || task.history.length),
  artifacts: params.includeArtifacts === true ? task.artifacts : [],
});

const matches = (task: Task, params: ListParams): boolean => {
  if (params.contextId !== "" && task.contextId !== params.contextId) return false;
  if (params.status !== 0 && task.status?.state !== params.status) return false;
  const after = params.statusTimestampAfter;
  return after === undefined || (task.status?.timestamp ?? "") >= after;
};

const resultOf = (part: Artifact["parts"][number]): Record<string, unknown> | null => {
  const said = part.content?.$case === "data" ? (part.content.value as { result?: unknown } | null) : null;
  const result = said?.result;
  return typeof result === "object" && result !== null ? (result as Record<string, unknown>) : null;
};

/** A copy down to the parts: what they hold is never written to, what holds them is (the SDK cuts histories). */
const copyOf = (task: Task): Task => ({
  ...task,
  history: [...task.history],
  artifacts: task.artifacts.map((artifact) => ({ ...artifact, parts: [...artifact.parts] })),
});

const withoutSecrets = (part: Artifact["parts"][number], secretMembers: readonly string[]): typeof part => {
  const result = resultOf(part);
  const shown = result === null ? [] : secretMembers.filter((member) => Object.hasOwn(result, member));
  if (result === null || shown.length === 0 || part.content?.$case !== "data") return part;
  const nulled = Object.fromEntries(shown.map((member) => [member, null]));
  const value: unknown = { ...(part.content.value as object), result: { ...result, ...nulled } };
  return { ...part, content: { $case: "data", value } };
};

/** The task as it is kept: a copy in which every secret is null, as in the stored answer of the operation. */
const keptForm = (task: Task, secretMembers: readonly string[]): Task => {
  const copy = copyOf(task);
  for (const artifact of copy.artifacts) {
    artifact.parts = artifact.parts.map((part) => withoutSecrets(part, secretMembers));
  }
  return copy;
};

/** About as many characters as the value's JSON has, without writing it: that took as long as all else of a save. */
const charactersOf = (value: unknown): number => {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let characters = 2;
  for (const [name, member] of Object.entries(value)) characters += name.length + 4 + charactersOf(member);
  return characters;
};

const userOf = (context: ServerCallContext): string => context.user?.userName ?? "";

/**
 * Tasks of the running process, newest kept, bounded in number and size. They are the conversation's view of work
 * whose truth is in the store: what a task did is durable, the task itself is not. Each user sees its own only;
 * callers without a credential are one user, so they get a list of those in a context only, whose id they must hold
 * (decisions 10 and 50).
 */
export const createTaskStore = (options: TaskStoreOptions): FollowedTaskStore => {
  const { mostTasks, mostCharacters, secretMembers } = options;
  const tasks = new Map<string, KeptTask>();
  const saved = new EventEmitter().setMaxListeners(0);
  let characters = 0;
  const keyOf = (taskId: string, context: ServerCallContext): string => JSON.stringify([userOf(context), taskId]);
  const forget = (key: string): void => {
    characters -= tasks.get(key)?.characters ?? 0;
    tasks.delete(key);
  };
  const ownedBy = (context: ServerCallContext, contextId: string): Task[] => {
    if (context.user?.isAuthenticated !== true && contextId === "") return [];
    const user = userOf(context);
    const own = [...tasks.values()].filter((kept) => kept.user === user);
    return own.map((kept) => kept.task).reverse();
  };
  return {
    save: (task, context) => {
      const key = keyOf(task.id, context);
      const kept = keptForm(task, secretMembers);
      forget(key);
      const size = charactersOf(kept);
      tasks.set(key, { task: kept, user: userOf(context), characters: size });
      characters += size;
      if (saved.listenerCount(key) > 0) saved.emit(key, copyOf(kept));
      while (tasks.size > mostTasks || (characters > mostCharacters && tasks.size > 1)) {
        const oldest = tasks.keys().next().value as string;
        forget(oldest);
        saved.emit(oldest, undefined);
      }
      return Promise.resolve();
    },
    follow: (taskId, context) => on(saved, keyOf(taskId, context)) as unknown as TaskStates,
    // A copy: the SDK cuts the history of what it loaded to the length that was asked for.
    load: (taskId, context) => {
      const kept = tasks.get(keyOf(taskId, context));
      return Promise.resolve(kept === undefined ? undefined : copyOf(kept.task));
    },
    list: (params, context): Promise<ListResult> => {
      const found = ownedBy(context, params.contextId).filter((task) => matches(task, params));
      const pageSize = Math.min(Math.max(params.pageSize ?? defaultPage, 1), largestPage);
      const from = params.pageToken === "" ? 0 : found.findIndex((task) => task.id === params.pageToken) + 1;
      const page = found.slice(from, from + pageSize);
      const isLast = from + pageSize >= found.length;
      return Promise.resolve({
        tasks: page.map((task) => listed(task, params)),
        nextPageToken: isLast ? "" : (page.at(-1)?.id ?? ""),
        pageSize,
        totalSize: found.length,
      });
    },
  };
};
