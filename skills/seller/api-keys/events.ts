import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { ApiKeyRow } from "./record.ts";

export const apiKeyEvent = (eventType: string, row: ApiKeyRow): EventDraft => ({
  event_type: eventType,
  flow_id: row.key_id,
  flow_type: "api_key",
  owner: `key:${row.key_id}`,
  payload: { key_id: row.key_id, role: row.role, label: row.label, verified: row.life.context.verified },
});
