import type { Task } from "@a2a-js/sdk";
import type { Change, Store } from "../../../storage/store.ts";
import { create, update } from "../../seam/changes.ts";
import type { Clock } from "../../seam/ports.ts";
import { configRowsOf } from "../push/config-store.ts";
import type { PushSubject } from "../push/record.ts";
import { type LoadedTask, newsOf, rowOf, taskKind, taskOf } from "./task-row.ts";
import { keptForm, type TaskStoreOptions } from "./task-store.ts";

export interface TaskRowParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly options: TaskStoreOptions;
  /** Queues one push notification; the change is part of the commit that changed the task. */
  readonly queuePush: (subject: PushSubject) => Change;
}

export interface TaskRows {
  /** Null: unknown or expired. */
  read(id: string): Promise<LoadedTask | null>;
  /** With the notifications of its news. False after a lost race. */
  commit(id: string, owner: string, before: LoadedTask | null, task: Task): Promise<boolean>;
}

export const createTaskRows = ({ store, clock, options, queuePush }: TaskRowParts): TaskRows => {
  const pushesOf = async (id: string, owner: string, before: LoadedTask | null, task: Task): Promise<Change[]> => {
    if (before !== null && newsOf(taskOf(before)) === newsOf(task)) return [];
    const configs = await configRowsOf(store, id);
    return configs.map((config) => queuePush({ owner, configRow: config.id, taskRow: id }));
  };
  return {
    read: async (id) => {
      const row = (await store.get(taskKind.name, id)) as LoadedTask | null;
      return row === null || row.body.expires_at_ms <= clock.nowMs() ? null : row;
    },
    commit: async (id, owner, before, task) => {
      const row = rowOf(keptForm(task, options), owner, clock.nowMs());
      const change = before === null ? create(taskKind, id, row) : update(taskKind, before, row);
      const changes = [change, ...(await pushesOf(id, owner, before, task))];
      return (await store.commit({ changes, audit: null })).ok;
    },
  };
};
