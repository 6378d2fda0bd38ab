import type { Decision } from "../../../machines/approval/machine.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import type { Change, Kind } from "../../../storage/store.ts";
import type { Words } from "../words.ts";
import type { SellerSettings } from "../ports.ts";
import type { ApprovalRow } from "./record.ts";

/** What a flow may look at when it is carried on: also the sweeper, which has no caller, carries flows on. */
export interface FlowContext {
  readonly nowMs: number;
  readonly settings: SellerSettings;
  load<T>(kind: Kind<T>, id: string): Promise<Loaded<T> | null>;
}

/** How the question ended. A timeout has no reason and no modifications. */
export interface Verdict {
  readonly decision: Decision | "timeout";
  readonly reason: string;
  readonly modifications: Readonly<Record<string, unknown>>;
}

/** What carrying on does; `result` is the flow as it stands afterwards, in wire names, with its `status`. */
export interface CarriedOn {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  readonly result: Readonly<Record<string, unknown>> & Words & { readonly status: string };
}

/**
 * Carries the waiting flow on after its verdict, in the commit of the decision (decision 25). It is asked again by
 * `resume_approval`: a flow that does not wait for this approval any more answers its state with nothing to change.
 * Refuse `invalid_decision` for a `counter` that the flow does not know or whose modifications cannot be offered.
 */
export type CarryOn = (context: FlowContext, approval: ApprovalRow, verdict: Verdict) => Promise<CarriedOn | Refusal>;
