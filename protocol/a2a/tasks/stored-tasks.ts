import { EventEmitter, on } from "node:events";
import type { Message, Task } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { Log } from "../../seam/ports.ts";
import { type AwaitingTasks, createAwaitingTasks } from "./awaiting-tasks.ts";
import { watchInterrupted } from "./interrupted.ts";
import { saidMark } from "./said.ts";
import { type LoadedTask, listTerm, saidTerm, taskKind, taskOf, taskRowOf } from "./task-row.ts";
import { createTaskRows, type TaskRowParts } from "./task-rows.ts";
import { type FollowedTaskStore, listed, pageSizeOf, statesOf, userOf } from "./task-store.ts";
import { isCommitted } from "../../../storage/store.ts";

export interface StoredTaskParts extends TaskRowParts {
  /** Tasks of anonymous callers, who own no records. */
  readonly anonymous: FollowedTaskStore;
  readonly log: Log;
}

export interface StoredTasks extends FollowedTaskStore {
  readonly awaiting: AwaitingTasks;
  close(): Promise<void>;
}

const ownTasks = (parts: TaskRowParts & { readonly log: Log }): StoredTasks => {
  const { store, clock } = parts;
  const rows = createTaskRows(parts);
  const saved = new EventEmitter().setMaxListeners(0);
  store.watch(taskKind.name, (id) => saved.emit(id));

  const current = async (id: string): Promise<Task | undefined> => {
    const row = await rows.read(id);
    return row === null ? undefined : taskOf(row);
  };

  const answered = async (contextId: string, message: Message, context: ServerCallContext): Promise<Task[]> => {
    const terms = [listTerm(userOf(context), "", 0), saidTerm(saidMark(contextId, message))];
    const found = (await store.list({ kind: taskKind.name, terms, order: "newest", limit: 2 })) as LoadedTask[];
    return found.filter(({ body }) => body.expires_at_ms > clock.nowMs()).map(taskOf);
  };

  const list: FollowedTaskStore["list"] = async (params, context) => {
    const term = listTerm(userOf(context), params.contextId, params.status);
    const pageSize = pageSizeOf(params);
    const from = params.pageToken === "" ? {} : { after: placeOf(params.pageToken) };
    const query = { kind: taskKind.name, terms: [term], order: "newest" as const, limit: pageSize + 1, ...from };
    const found = (await store.list(query)) as readonly LoadedTask[];
    const page = found.slice(0, pageSize);
    const since = params.statusTimestampAfter;
    const tasks = page.map(taskOf).filter((task) => since === undefined || (task.status?.timestamp ?? "") >= since);
    return {
      tasks: tasks.map((task) => listed(task, params)),
      nextPageToken: found.length > pageSize ? String(page.at(-1)?.n ?? "") : "",
      pageSize,
      totalSize: await store.count(taskKind.name, term),
    };
  };

  return {
    save: async (task, context) => {
      const id = taskRowOf(task.id, context);
      const saved = await isCommitted(async () => {
        const loaded = (await store.get(taskKind.name, id)) as LoadedTask | null;
        return rows.commit(id, userOf(context), loaded, task);
      });
      if (!saved) throw new Error("a task was saved by others each time");
    },
    load: (taskId, context) => current(taskRowOf(taskId, context)),
    list,
    follow: (taskId, context) => {
      const id = taskRowOf(taskId, context);
      return statesOf(on(saved, id), () => current(id));
    },
    answered,
    awaiting: createAwaitingTasks(store, rows),
    close: watchInterrupted({ store, rows, clock, log: parts.log }),
  };
};

/** A token that is not read must not begin the list anew: its reader would never come to an end. */
const placeOf = (pageToken: string): number => {
  if (/^\d{1,15}$/.test(pageToken)) return Number(pageToken);
  throw new RequestMalformedError("pageToken must be the nextPageToken of the page before.");
};

/** Stored, so that a conversation survives a restart. Followers see the saves of every process. */
export const createStoredTasks = ({ anonymous, ...parts }: StoredTaskParts): StoredTasks => {
  const own = ownTasks(parts);
  const of = (context: ServerCallContext): FollowedTaskStore =>
    context.user?.isAuthenticated === true ? own : anonymous;
  return {
    save: (task, context) => of(context).save(task, context),
    load: (taskId, context) => of(context).load(taskId, context),
    list: (params, context) => of(context).list(params, context),
    follow: (taskId, context) => of(context).follow(taskId, context),
    answered: (contextId, message, context) => of(context).answered(contextId, message, context),
    awaiting: own.awaiting,
    close: own.close,
  };
};
