import type { Task } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";

type ListParams = Parameters<TaskStore["list"]>[0];
type ListResult = Awaited<ReturnType<TaskStore["list"]>>;

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

/**
 * Tasks of the running process, newest kept, bounded in number. They are the conversation's view of work whose truth
 * is in the store: what a task did is durable, the task itself is not. Each user sees its own only.
 */
export const createTaskStore = (most: number): TaskStore => {
  const tasks = new Map<string, Task>();
  const keyOf = (taskId: string, context: ServerCallContext): string =>
    JSON.stringify([context.user?.userName ?? "", taskId]);
  const ownedBy = (context: ServerCallContext): Task[] => {
    const prefix = JSON.stringify([context.user?.userName ?? "", ""]).slice(0, -3);
    const own: Task[] = [];
    for (const [key, task] of tasks) if (key.startsWith(prefix)) own.push(task);
    return own.reverse();
  };
  return {
    save: (task, context) => {
      const key = keyOf(task.id, context);
      tasks.delete(key);
      tasks.set(key, task);
      if (tasks.size > most) tasks.delete(tasks.keys().next().value as string);
      return Promise.resolve();
    },
    load: (taskId, context) => Promise.resolve(tasks.get(keyOf(taskId, context))),
    list: (params, context): Promise<ListResult> => {
      const found = ownedBy(context).filter((task) => matches(task, params));
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
