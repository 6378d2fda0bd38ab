import type { Kind } from "../../../storage/store.ts";

/** `task_row` is the id of the stored task. `key_id` null: no key to check. `version` is the form of the body. */
export interface PushConfigRow {
  readonly owner: string;
  readonly task_row: string;
  readonly task_id: string;
  readonly config_id: string;
  readonly key_id: string | null;
  readonly url: string;
  readonly token: string;
  readonly authentication: { readonly scheme: string; readonly credentials: string } | null;
  readonly version: string;
  readonly expires_at_ms: number;
}

export const configsOfTaskTerm = (taskRow: string): string => `task=${taskRow}`;
export const configsOfOwnerTerm = (owner: string): string => `owner=${owner}`;

export const pushConfigKind: Kind<PushConfigRow> = {
  name: "a2a_push_config",
  terms: (row) => [configsOfTaskTerm(row.task_row), configsOfOwnerTerm(row.owner)],
  dueAtMs: (row) => row.expires_at_ms,
  owner: (row) => row.owner,
};

/** What one delivery is about. */
export interface PushSubject {
  readonly owner: string;
  readonly configRow: string;
  readonly taskRow: string;
}
