import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { AgentRow } from "./record.ts";

/** Belongs to the operator who caused it. */
export const agentEvent = (eventType: string, row: AgentRow, more: Readonly<Record<string, unknown>>): EventDraft => ({
  event_type: eventType,
  flow_id: row.agent_id,
  flow_type: "agent_registry",
  payload: { agent_id: row.agent_id, agent_url: row.url, trust_status: row.trust_status, ...more },
});
