import { dayMs } from "../../../machines/inventory/dates.ts";
import { altering, create, remove, update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, Facts, Kind, StoredRow } from "../../../storage/store.ts";

/** What may be done, complete: nothing of it is read from the message that takes it. */
export interface Draft {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A draft that a reply offers. */
export interface Option extends Draft {
  /** Also the idempotency key of the write. */
  readonly option: string;
  /** Its number in the reply that shows it. */
  readonly n: number;
  /** What a button says. */
  readonly label: string;
  /** What the caller reads before it takes it, rendered from the records. */
  readonly terms: string;
  readonly digest: string;
  readonly expires_at: string;
}

/** By a data part, a number, the yes to a question, an order in words, or an order that names the record's id. */
export type Consent = "option" | "number" | "yes" | "order" | "id";

/** The proof of what was agreed. */
export interface Taken extends Option {
  readonly by: Consent;
  readonly at_ms: number;
}

/**
 * What one conversation was offered and took; `listed` by the numbers of the last list, `isListNew` where the last
 * reply showed it, `armed` what a yes means.
 */
export interface DeskRow {
  readonly owner: string;
  readonly context_id: string;
  readonly open: readonly Option[];
  readonly listed: readonly string[];
  readonly isListNew: boolean;
  /** The talk is still about what is open: an order that names nothing means it. */
  readonly takesOrders: boolean;
  readonly armed: string | null;
  readonly taken: readonly Taken[];
  readonly updated_at_ms: number;
}

const keptForMs = 7 * dayMs;

const lastTaken = ({ taken }: DeskRow): Facts => {
  const last = taken.at(-1);
  return last === undefined
    ? {}
    : { option: last.option, operation: last.operation, terms: last.terms, digest: last.digest, by: last.by };
};

export const deskKind: Kind<DeskRow> = {
  name: "talk_desk",
  terms: () => [],
  dueAtMs: (row) => row.updated_at_ms + keptForMs,
  owner: (row) => row.owner,
  facts: lastTaken,
};

/** Per caller: another caller's context of the same name is another desk. */
export const deskId = (owner: string, contextId: string): string => JSON.stringify([owner, contextId]);

export const deskChange = (loaded: Loaded<DeskRow> | null, row: DeskRow): Change =>
  loaded === null
    ? altering(create(deskKind, deskId(row.owner, row.context_id), row), {}, lastTaken(row))
    : update(deskKind, loaded, row);

/** Null for rows of other kinds. */
export const forgottenDesk = (row: StoredRow) =>
  row.kind === deskKind.name ? { changes: [remove(deskKind, row as StoredRow<DeskRow>)], events: [] } : null;
