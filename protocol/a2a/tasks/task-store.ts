import { EventEmitter, on } from "node:events";
import type { Artifact, Message, Task } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { callContext } from "../call-context.ts";
import { saidMark, saidMarks } from "./said.ts";

export type ListParams = Parameters<TaskStore["list"]>[0];
export type ListResult = Awaited<ReturnType<TaskStore["list"]>>;

export interface TaskStoreOptions {
  readonly mostTasks: number;
  readonly mostCharacters: number;
  /** The oldest messages are dropped, the newest never. */
  readonly mostSaid: number;
  readonly secretMembers: readonly string[];
}

/** Read when asked, so that nothing piles up for a slow reader. Undefined: evicted. */
export type TaskStates = AsyncIterableIterator<Task | undefined>;

export interface FollowedTaskStore extends TaskStore {
  /** The reader must call `return`. */
  follow(taskId: string, context: ServerCallContext): TaskStates;
  /** Whose first or last message is this one, newest first. */
  answered(contextId: string, message: Message, context: ServerCallContext): Promise<readonly Task[]>;
}

interface KeptTask {
  readonly task: Task;
  readonly user: string;
  readonly holder: string;
  readonly characters: number;
  readonly said: readonly string[];
}

interface Holding {
  readonly keys: Set<string>;
  characters: number;
}

/** 1 to 100, default 50. */
export const pageSizeOf = ({ pageSize }: ListParams): number => Math.min(Math.max(pageSize ?? 50, 1), 100);

/** History cut, artifacts only on demand (A2A 1.0). */
export const listed = (task: Task, params: ListParams): Task => ({
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

const partResult = (part: Artifact["parts"][number]): Record<string, unknown> | null => {
  const said = part.content?.$case === "data" ? (part.content.value as { result?: unknown } | null) : null;
  const result = said?.result;
  return typeof result === "object" && result !== null ? (result as Record<string, unknown>) : null;
};

/** Shared parts are never written to, their containers are (the SDK cuts histories). */
const copyOf = (task: Task): Task => ({
  ...task,
  history: [...task.history],
  artifacts: task.artifacts.map((artifact) => ({ ...artifact, parts: [...artifact.parts] })),
});

const withoutSecrets = (part: Artifact["parts"][number], secretMembers: readonly string[]): typeof part => {
  const result = partResult(part);
  const shown = result === null ? [] : secretMembers.filter((member) => Object.hasOwn(result, member));
  if (result === null || shown.length === 0 || part.content?.$case !== "data") return part;
  const nulled = Object.fromEntries(shown.map((member) => [member, null]));
  const value: unknown = { ...(part.content.value as object), result: { ...result, ...nulled } };
  return { ...part, content: { $case: "data", value } };
};

/** About the length of the value's JSON; writing it took as long as the rest of a save. */
const charactersOf = (value: unknown): number => {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let characters = 2;
  for (const [name, member] of Object.entries(value)) characters += name.length + 4 + charactersOf(member);
  return characters;
};

/** The last one in any case. */
const newestOf = (history: Task["history"], mostSaid: number): Task["history"] => {
  let said = 0;
  let from = history.length;
  while (from > 0) {
    said += charactersOf(history[from - 1]);
    if (said > mostSaid && from < history.length) break;
    from -= 1;
  }
  return history.slice(from);
};

/** A bounded copy of what the caller said, in which every secret is null. */
export const keptForm = (task: Task, { secretMembers, mostSaid }: TaskStoreOptions): Task => {
  const copy = copyOf(task);
  // The SDK puts the question of a stream there too; its place is the status.
  const question = copy.status?.message?.messageId;
  copy.history = newestOf(
    copy.history.filter(({ messageId }) => messageId !== question),
    mostSaid,
  );
  for (const artifact of copy.artifacts) {
    artifact.parts = artifact.parts.map((part) => withoutSecrets(part, secretMembers));
  }
  return copy;
};

export const userOf = (context: ServerCallContext): string => context.user?.userName ?? "";

/** Whoever makes many or long tasks evicts its own. */
const largestOf = (holdings: Iterable<Holding>, sizeOf: (holding: Holding) => number): Holding | null => {
  let largest: Holding | null = null;
  for (const holding of holdings) if (largest === null || sizeOf(holding) > sizeOf(largest)) largest = holding;
  return largest;
};

export const statesOf = (
  changes: AsyncIterableIterator<unknown>,
  read: () => Task | undefined | Promise<Task | undefined>,
): TaskStates => {
  const states: TaskStates = {
    next: async () => {
      const { done } = await changes.next();
      return done === true ? { done, value: undefined } : { done: false, value: await read() };
    },
    return: async () => {
      await changes.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => states,
  };
  return states;
};

const createShelf = ({ mostTasks, mostCharacters }: TaskStoreOptions) => {
  const tasks = new Map<string, KeptTask>();
  /** The newest task of each message. */
  const bySaid = new Map<string, string>();
  const holdings = new Map<string, Holding>();
  let characters = 0;
  const keep = (key: string, kept: KeptTask): void => {
    const holding = holdings.get(kept.holder) ?? { keys: new Set(), characters: 0 };
    holdings.set(kept.holder, holding);
    holding.keys.add(key);
    holding.characters += kept.characters;
    characters += kept.characters;
    tasks.set(key, kept);
    for (const said of kept.said) bySaid.set(said, key);
  };
  const forget = (key: string): void => {
    const kept = tasks.get(key);
    const holding = kept === undefined ? undefined : holdings.get(kept.holder);
    if (kept === undefined || holding === undefined) return;
    holding.keys.delete(key);
    holding.characters -= kept.characters;
    if (holding.keys.size === 0) holdings.delete(kept.holder);
    characters -= kept.characters;
    tasks.delete(key);
    for (const said of kept.said) if (bySaid.get(said) === key) bySaid.delete(said);
  };
  const surplus = (): string | null => {
    const isCrowded = tasks.size > mostTasks;
    if (!isCrowded && (characters <= mostCharacters || tasks.size === 1)) return null;
    const largest = largestOf(holdings.values(), isCrowded ? ({ keys }) => keys.size : (holding) => holding.characters);
    return largest?.keys.values().next().value ?? null;
  };
  return { tasks, bySaid, keep, forget, surplus };
};

/**
 * The largest holder's oldest task is evicted first. Anonymous callers are one user, so they list only a context whose
 * id they know.
 */
export const createTaskStore = (options: TaskStoreOptions): FollowedTaskStore => {
  const { tasks, bySaid, keep, forget, surplus } = createShelf(options);
  const saved = new EventEmitter().setMaxListeners(0);
  const keyOf = (taskId: string, context: ServerCallContext): string => JSON.stringify([userOf(context), taskId]);
  /** A copy: the SDK cuts the history of what it loaded. */
  const read = (key: string): Task | undefined => {
    const kept = tasks.get(key);
    return kept === undefined ? undefined : copyOf(kept.task);
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
      const kept = keptForm(task, options);
      const { holder } = callContext(context);
      forget(key);
      keep(key, {
        task: kept,
        user: userOf(context),
        holder,
        characters: charactersOf(kept),
        said: saidMarks(kept).map((said) => JSON.stringify([userOf(context), holder, said])),
      });
      saved.emit(key);
      for (let old = surplus(); old !== null; old = surplus()) {
        forget(old);
        saved.emit(old);
      }
      return Promise.resolve();
    },
    follow: (taskId, context) => {
      const key = keyOf(taskId, context);
      return statesOf(on(saved, key), () => read(key));
    },
    load: (taskId, context) => Promise.resolve(read(keyOf(taskId, context))),
    answered: (contextId, message, context) => {
      const { holder } = callContext(context);
      const key = bySaid.get(JSON.stringify([userOf(context), holder, saidMark(contextId, message)]));
      const task = key === undefined ? undefined : read(key);
      return Promise.resolve(task === undefined ? [] : [task]);
    },
    list: (params, context): Promise<ListResult> => {
      const found = ownedBy(context, params.contextId).filter((task) => matches(task, params));
      const pageSize = pageSizeOf(params);
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
