import type { EventDraft, Loaded } from "../../protocol/seam/operation.ts";
import type { Change, Kind, StoredRow } from "../../storage/store.ts";
import type { FlowContext } from "./approvals/flow.ts";

export interface DueWork {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

export interface Deadlines {
  readonly kind: string;
  work(row: StoredRow, context: FlowContext): DueWork | null | Promise<DueWork | null>;
}

/** Uses the steps of reads, so that an answer never depends on when the sweeper last ran. Null: nothing due yet. */
export const deadlinesOf = <T>(
  kind: Kind<T>,
  work: (loaded: Loaded<T>, context: FlowContext) => DueWork | null | Promise<DueWork | null>,
): Deadlines => ({ kind: kind.name, work: (row, context) => work(row as Loaded<T>, context) });
