import type { Task } from "@a2a-js/sdk";
import { isCommitted, type Store } from "../../../storage/store.ts";
import { awaitingTerm, awaitsTerm, type LoadedTask, taskKind, taskOf } from "./task-row.ts";
import type { TaskRows } from "./task-rows.ts";

/** Tasks that wait for a human, of every owner. */
export interface AwaitingTasks {
  approvals(): Promise<readonly string[]>;
  isAwaited(approvalId: string): Promise<boolean>;
  /** `next` is called again after a lost race. */
  settle(approvalId: string, next: (task: Task) => Task): Promise<void>;
}

const rowsPerPage = 500;

/** Page by page, each approval once. */
const awaitedApprovals = async (store: Store): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (let after = 0; ;) {
    const query = { kind: taskKind.name, terms: [awaitingTerm], order: "oldest", limit: rowsPerPage, after } as const;
    const rows = (await store.list(query)) as readonly LoadedTask[];
    for (const { body } of rows) if (body.awaits != null) found.add(body.awaits);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return [...found];
    after = last.n;
  }
};

export const createAwaitingTasks = (store: Store, rows: TaskRows): AwaitingTasks => {
  const settleOne = (id: string, approvalId: string, next: (task: Task) => Task): Promise<boolean> =>
    isCommitted(async () => {
      const loaded = await rows.read(id);
      if (loaded === null || loaded.body.awaits !== approvalId) return true;
      return rows.commit(id, loaded.body.owner, loaded, next(taskOf(loaded)));
    });
  return {
    approvals: () => awaitedApprovals(store),
    isAwaited: async (approvalId) => (await store.count(taskKind.name, awaitsTerm(approvalId))) > 0,
    settle: async (approvalId, next) => {
      const query = { kind: taskKind.name, terms: [awaitsTerm(approvalId)], order: "oldest" } as const;
      for (const { id } of await store.list({ ...query, limit: rowsPerPage })) await settleOne(id, approvalId, next);
    },
  };
};
