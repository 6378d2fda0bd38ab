import { randomUUID } from "node:crypto";
import { type GatedFlow, needsApproval } from "../../machines/approval/gate.ts";
import { newApproval } from "../../machines/approval/machine.ts";
import { create } from "../../protocol/seam/changes.ts";
import type { Context, EventDraft } from "../../protocol/seam/operation.ts";
import type { PutChange } from "../../storage/store.ts";
import { newApprovalId } from "./ids.ts";
import type { SellerPorts } from "./ports.ts";
import { approvalKind, type ApprovalRow } from "./records.ts";

const hourMs = 3_600_000;

/** The gates under the names that the wire shows (wire contract, sections 3.13 and 6). */
const gateNames: Readonly<Record<GatedFlow, string>> = {
  proposal: "proposal_decision",
  negotiation: "negotiation_decision",
  deal: "deal_registration",
  api_key: "api_key_registration",
};

/**
 * What waits, as a human is to judge it. `facts` go into the event too, which the owner reads: nothing that the owner
 * may not know. `confidential` (a floor, an evaluation) and `snapshot` are shown to operators alone.
 */
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

/** A question that was raised: commit `change` and `event` with the record that now waits for `approvalId`. */
export interface RaisedApproval {
  readonly approvalId: string;
  readonly expiresAtMs: number;
  readonly change: PutChange;
  readonly event: EventDraft;
}

/** Raises the question to an operator whether a flow may go on, whatever the gates say. */
export const raiseApproval = (context: Context<SellerPorts>, waiting: WaitingFlow): RaisedApproval => {
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

/**
 * The gate of a flow (decisions 26 and 56): null when it may go on at once, else the question that holds it back. The
 * value that counts is what the impressions cost at the price. What waits is told only when it is asked about.
 */
export const gateFor = (
  context: Context<SellerPorts>,
  flow: GatedFlow,
  terms: { readonly priceMicros: number; readonly impressions: number | null },
  waiting: () => WaitingFlow,
): RaisedApproval | null =>
  needsApproval(context.ports.settings.approvalGate, flow, terms) ? raiseApproval(context, waiting()) : null;

/** An event of an approval's life; it belongs to whoever owns what waits (decision 70). */
export const approvalEvent = (
  eventType: string,
  row: ApprovalRow,
  more: Readonly<Record<string, unknown>>,
): EventDraft => ({
  event_type: eventType,
  flow_id: row.subject_id,
  flow_type: row.flow_type,
  proposal_id: row.proposal_id,
  deal_id: row.deal_id,
  owner: row.owner,
  payload: { approval_id: row.approval_id, gate_name: row.gate_name, subject_id: row.subject_id, ...more },
});
