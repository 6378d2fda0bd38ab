import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { ApprovalRow } from "./record.ts";

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
