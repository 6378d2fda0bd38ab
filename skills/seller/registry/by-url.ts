import { create, update } from "../../../protocol/seam/changes.ts";
import type { Change } from "../../../storage/store.ts";
import { newAgentId, sha256Hex } from "../ids.ts";
import type { SellerContext } from "../context.ts";
import { unseenCard } from "./card.ts";
import { agentAddressKind, agentKind, type AgentRow } from "./record.ts";

const unseenAgent = (context: SellerContext, url: string): AgentRow => ({
  agent_id: context.mint(newAgentId),
  url,
  trust_status: "unknown",
  card: unseenCard(url),
  agent_type: "other",
  sources: [],
  registered_at_ms: context.nowMs,
  last_seen_ms: context.nowMs,
  asked_at_ms: context.nowMs,
  interaction_count: 0,
  notes: null,
});

export interface AgentAtUrl {
  readonly before: AgentRow;
  readonly isKnown: boolean;
  readonly write: (row: AgentRow) => readonly Change[];
}

/** As it is stored, or new by its address alone: nothing is fetched. */
export const agentAtUrl = async (context: SellerContext, url: string): Promise<AgentAtUrl> => {
  const addressId = sha256Hex(url);
  const address = await context.load(agentAddressKind, addressId);
  const known = address === null ? null : await context.load(agentKind, address.body.agent_id);
  if (known !== null) {
    return { before: known.body, isKnown: true, write: (row) => [update(agentKind, known, row)] };
  }
  return {
    before: unseenAgent(context, url),
    isKnown: false,
    write: (row) => {
      const kept = { agent_id: row.agent_id };
      return [
        create(agentKind, row.agent_id, row),
        address === null ? create(agentAddressKind, addressId, kept) : update(agentAddressKind, address, kept),
      ];
    },
  };
};
