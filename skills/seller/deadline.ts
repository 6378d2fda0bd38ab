import type { EventDraft, Loaded } from "../../protocol/seam/operation.ts";
import type { Change, Kind, StoredRow } from "../../storage/store.ts";
import type { FlowContext } from "./approvals/flow.ts";

/** The changes and events that a passed deadline asks for, to be committed together. */
export interface DueWork {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

/** The deadlines of one kind of record. */
export interface Deadlines {
  readonly kind: string;
  work(row: StoredRow, context: FlowContext): DueWork | null | Promise<DueWork | null>;
}

/**
 * Declares what a record needs once its deadline (`dueAtMs` of its kind) has passed; null: nothing yet. The work uses
 * the steps that reads use, so that an answer never depends on when the sweeper last ran.
 */
export const deadlinesOf = <T>(
  kind: Kind<T>,
  work: (loaded: Loaded<T>, context: FlowContext) => DueWork | null | Promise<DueWork | null>,
): Deadlines => ({ kind: kind.name, work: (row, context) => work(row as Loaded<T>, context) });
