import type { z } from "zod";
import type { getSession, listSessions } from "./contract.ts";
import type { SessionMessageRow, SessionRow } from "./record.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";

export const aboutSession = (row: SessionRow) => ({
  session_id: row.session_id,
  status: row.life.value,
  buyer_pricing_key: row.buyer_key,
  created_at: isoTime(row.created_at_ms),
  updated_at: isoTime(row.updated_at_ms),
  expires_at: isoTime(row.life.context.expiresAtMs),
});

export const sessionSummary = (row: SessionRow): z.input<typeof listSessions.output>["sessions"][number] => ({
  ...aboutSession(row),
  message_count: row.life.context.messageCount,
  negotiation_stage: row.life.context.stage,
});

const messageView = (message: SessionMessageRow) => ({
  role: message.role,
  content: message.content,
  timestamp: isoTime(message.at_ms),
  metadata: {},
  flow_id: null,
  message_type: message.message_type,
});

export const sessionView = (
  row: SessionRow,
  messages: readonly SessionMessageRow[],
): z.input<typeof getSession.output> => {
  const { linked_flow_ids: flows, ...talk } = row.talk;
  return {
    ...aboutSession(row),
    buyer_identity: { ...row.claimed },
    message_count: row.life.context.messageCount,
    negotiation: {
      stage: row.life.context.stage,
      ...talk,
      product_ids_discussed: [...talk.product_ids_discussed],
      active_deal_ids: [...talk.active_deal_ids],
    },
    messages: messages.map(messageView),
    linked_flow_ids: [...flows],
    revision: row.revision,
  };
};
