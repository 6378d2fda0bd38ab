import { update } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { proposalEvent } from "./events.ts";
import { proposalKind, settledProposal } from "./record.ts";

/** An offer that nobody answered in time; its quote, where there is one, expires at the same moment. */
export const proposalDeadlines = deadlinesOf(proposalKind, (loaded, { nowMs }) => {
  const row = settledProposal(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(proposalKind, loaded, row)], events: [proposalEvent("proposal.rejected", row)] };
});
