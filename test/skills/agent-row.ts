import type { TrustStatus } from "../../machines/trust/statuses.ts";
import type { AgentRow } from "../../skills/seller/registry/record.ts";
import { startMs } from "./world.ts";

export const agentRow = (agentId: string, url: string, status: TrustStatus): AgentRow => ({
  agent_id: agentId,
  url,
  trust_status: status,
  card: {
    name: "An agent",
    description: "",
    url,
    version: "1.0.0",
    provider: null,
    capabilities: { protocols: ["a2a"], streaming: false, push_notifications: false },
    skills: [],
    authentication: { schemes: ["api_key"] },
    inventory_types: [],
    supported_deal_types: [],
  },
  agent_type: "buyer",
  sources: [],
  registered_at_ms: startMs,
  last_seen_ms: startMs,
  asked_at_ms: startMs,
  interaction_count: 1,
  notes: null,
});
