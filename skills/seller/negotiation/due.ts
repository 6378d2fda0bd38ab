import { update } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { concludedEvent } from "./events.ts";
import { negotiationKind, settledNegotiation } from "./record.ts";

export const negotiationDeadlines = deadlinesOf(negotiationKind, (loaded, { nowMs }) => {
  const row = settledNegotiation(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(negotiationKind, loaded, row)], events: [concludedEvent(row)] };
});
