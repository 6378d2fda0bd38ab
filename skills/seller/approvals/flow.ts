import type { Caller } from "../../../protocol/seam/caller.ts";
import type { Decision } from "../../../machines/approval/machine.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import type { Change, Kind } from "../../../storage/store.ts";
import type { Words } from "../words.ts";
import type { SellerContext } from "../context.ts";
import type { SellerSettings } from "../settings.ts";
import type { ApprovalRow } from "./record.ts";

/** The sweeper, which has no caller, carries flows on as well. */
export interface FlowContext {
  readonly nowMs: number;
  /** Null: a deadline. */
  readonly caller: Caller | null;
  readonly settings: SellerSettings;
  /** Of the call that decided; null: a deadline. What books after a decision needs it. */
  readonly seller: SellerContext | null;
  load<T>(kind: Kind<T>, id: string): Promise<Loaded<T> | null>;
}

export interface Verdict {
  readonly decision: Decision | "timeout";
  readonly reason: string;
  readonly modifications: Readonly<Record<string, unknown>>;
}

export interface ContinuedFlow {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  readonly result: Readonly<Record<string, unknown>> & Words & { readonly status: string };
}

/**
 * Runs in the commit of the decision. `resume_approval` repeats it: a flow that no longer waits for this approval
 * returns its state unchanged. Reject a `counter` that cannot be offered with `invalid_decision`.
 */
export type Continuation = (
  context: FlowContext,
  approval: ApprovalRow,
  verdict: Verdict,
) => Promise<ContinuedFlow | Refusal>;
