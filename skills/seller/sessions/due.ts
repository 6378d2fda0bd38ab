import { update } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { sessionEvent, sessionKind, settledSession } from "./record.ts";

export const sessionDeadlines = deadlinesOf(sessionKind, (loaded, { nowMs }) => {
  const row = settledSession(loaded.body, nowMs);
  if (row === loaded.body) return null;
  const facts = { total_messages: row.life.context.messageCount, status: row.life.value };
  return { changes: [update(sessionKind, loaded, row)], events: [sessionEvent("session.closed", row, facts)] };
});
