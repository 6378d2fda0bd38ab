import { randomUUID } from "node:crypto";
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { PushNotificationStore, ServerCallContext } from "@a2a-js/sdk/server";
import { type Change, isCommitted, type Store, type StoredRow } from "../../../storage/store.ts";
import { create, remove, update } from "../../seam/changes.ts";
import type { Clock } from "../../seam/ports.ts";
import { callContext } from "../call-context.ts";
import { digestUuid } from "../digest-uuid.ts";
import { taskRowOf } from "../tasks/task-row.ts";
import { userOf } from "../tasks/task-store.ts";
import { configsOfOwnerTerm, configsOfTaskTerm, pushConfigKind, type PushConfigRow } from "./record.ts";

export interface PushStoreParts {
  readonly store: Store;
  readonly clock: Clock;
  /** False for a private address. It is checked again at each connection. */
  readonly isPermitted: (url: string) => Promise<boolean>;
}

const mostPerTask = 10;
const mostPerOwner = 1000;
const mostIdCharacters = 128;
const mostTextCharacters = 4096;
/** Longer than any task waits. */
const retentionMs = 30 * 86_400_000;

type LoadedConfig = StoredRow<PushConfigRow>;

const isHeaderText = (text: string): boolean => text.length <= mostTextCharacters && !/[^\t\x20-\x7e]/.test(text);

/** Texts that stand in a header must not end it. */
const formDefect = ({ id, token, authentication }: TaskPushNotificationConfig): string | null => {
  if (id.length > mostIdCharacters) return `The id of a push configuration has at most ${mostIdCharacters} characters.`;
  if (!isHeaderText(token)) return "The token must be printable ASCII.";
  const { scheme = "", credentials = "" } = authentication ?? {};
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/.test(scheme)) return "The scheme of the authentication must be a token.";
  return isHeaderText(credentials) ? null : "The credentials must be printable ASCII.";
};

const rowId = (taskRow: string, configId: string): string => digestUuid([taskRow, configId]);

const configOf = ({ body }: LoadedConfig): TaskPushNotificationConfig => ({
  tenant: "",
  id: body.config_id,
  taskId: body.task_id,
  url: body.url,
  token: body.token,
  authentication: body.authentication === null ? undefined : { ...body.authentication },
});

/** The configurations of a task, rows of the owner of the task. */
export const configRowsOf = async (store: Store, taskRow: string): Promise<readonly LoadedConfig[]> => {
  const query = { kind: pushConfigKind.name, terms: [configsOfTaskTerm(taskRow)], order: "oldest" } as const;
  return (await store.list({ ...query, limit: mostPerTask })) as readonly LoadedConfig[];
};

const asRow = (
  config: TaskPushNotificationConfig,
  context: ServerCallContext,
  taskId: string,
  nowMs: number,
): PushConfigRow => {
  const { scheme = "", credentials = "" } = config.authentication ?? {};
  return {
    owner: userOf(context),
    task_row: taskRowOf(taskId, context),
    task_id: taskId,
    config_id: config.id,
    key_id: callContext(context).caller.keyId,
    url: config.url,
    token: config.token,
    authentication: scheme === "" && credentials === "" ? null : { scheme, credentials },
    version: context.requestedVersion,
    expires_at_ms: nowMs + retentionMs,
  };
};

/** The store that the SDK asks for: configurations are rows of their owner, in the version that set them. */
export const createPushStore = ({ store, clock, isPermitted }: PushStoreParts): PushNotificationStore => {
  const commit = async (change: Change): Promise<boolean> =>
    (await store.commit({ changes: [change], audit: null })).ok;

  const put = async (row: PushConfigRow): Promise<boolean> => {
    const id = rowId(row.task_row, row.config_id);
    const loaded = (await store.get(pushConfigKind.name, id)) as LoadedConfig | null;
    if (loaded !== null) return commit(update(pushConfigKind, loaded, row));
    if ((await store.count(pushConfigKind.name, configsOfTaskTerm(row.task_row))) >= mostPerTask) {
      throw new RequestMalformedError(`A task has at most ${mostPerTask} push configurations. Delete one.`);
    }
    if ((await store.count(pushConfigKind.name, configsOfOwnerTerm(row.owner))) >= mostPerOwner) {
      throw new RequestMalformedError(`You have ${mostPerOwner} push configurations. Delete some.`);
    }
    return commit(create(pushConfigKind, id, row));
  };

  return {
    save: async (taskId, context, config) => {
      const defect = formDefect(config);
      if (defect !== null) throw new RequestMalformedError(defect);
      if (!(await isPermitted(config.url))) {
        throw new RequestMalformedError("The url of a push configuration must be a public http or https address.");
      }
      // The caller's object: the SDK returns it with its id.
      if (config.id === "") config.id = randomUUID();
      const row = asRow(config, context, taskId, clock.nowMs());
      if (!(await isCommitted(() => put(row)))) {
        throw new Error("a push configuration was saved by others each time");
      }
    },
    load: async (taskId, context) => (await configRowsOf(store, taskRowOf(taskId, context))).map(configOf),
    delete: async (taskId, context, configId) => {
      for (const loaded of await configRowsOf(store, taskRowOf(taskId, context))) {
        if (configId === undefined || loaded.body.config_id === configId) await commit(remove(pushConfigKind, loaded));
      }
    },
  };
};
