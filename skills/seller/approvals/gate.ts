import { randomUUID } from "node:crypto";
import { type GatedFlow, needsApproval } from "../../../machines/approval/gate.ts";
import { newApproval } from "../../../machines/approval/machine.ts";
import { create } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { PutChange } from "../../../storage/store.ts";
import { newApprovalId } from "../ids.ts";
import { approvalEvent } from "./events.ts";
import { approvalKind, type ApprovalRow } from "./record.ts";
import type { SellerContext } from "../context.ts";

const hourMs = 3_600_000;

const gateNames: Readonly<Record<GatedFlow, string>> = {
  proposal: "proposal_decision",
  negotiation: "negotiation_decision",
  deal: "deal_registration",
  api_key: "api_key_registration",
  media_buy: "media_buy_booking",
};

/** `facts` are in the event, which the owner reads; `confidential` and `snapshot` are for operators alone. */
export interface WaitingFlow {
  readonly flow: GatedFlow;
  readonly subjectId: string;
  readonly owner: string;
  readonly proposalId?: string;
  readonly dealId?: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly confidential?: Readonly<Record<string, unknown>>;
  readonly snapshot?: Readonly<Record<string, unknown>>;
}

/** Commit `change` and `event` with the record that waits for `approvalId`. */
export interface RaisedApproval {
  readonly approvalId: string;
  readonly expiresAtMs: number;
  readonly change: PutChange;
  readonly event: EventDraft;
}

export const raiseApproval = (context: SellerContext, waiting: WaitingFlow): RaisedApproval => {
  const { nowMs, ports } = context;
  const expiresAtMs = nowMs + Math.round(ports.settings.approvalTimeoutHours * hourMs);
  const row: ApprovalRow = {
    approval_id: context.mint(newApprovalId),
    event_id: context.mint(randomUUID),
    flow_type: waiting.flow,
    gate_name: gateNames[waiting.flow],
    subject_id: waiting.subjectId,
    owner: waiting.owner,
    proposal_id: waiting.proposalId ?? "",
    deal_id: waiting.dealId ?? "",
    created_at_ms: nowMs,
    context: { ...waiting.facts, ...waiting.confidential },
    snapshot: waiting.snapshot ?? {},
    preferred: context.caller.preference !== undefined,
    life: newApproval(expiresAtMs),
  };
  const facts = { expires_at: new Date(expiresAtMs).toISOString(), ...waiting.facts };
  return {
    approvalId: row.approval_id,
    expiresAtMs,
    change: create(approvalKind, row.approval_id, row),
    event: { ...approvalEvent("approval.requested", row, facts), event_id: row.event_id },
  };
};

/** Null: it may go on at once. `waiting` is computed only when needed. */
export const gateFor = (
  context: SellerContext,
  flow: GatedFlow,
  terms: { readonly priceMicros: number; readonly impressions: number | null; readonly currency: string },
  waiting: () => WaitingFlow,
): RaisedApproval | null =>
  needsApproval(context.ports.settings.approvalGate, flow, terms) ? raiseApproval(context, waiting()) : null;
