import { update } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { proposalEvent } from "./events.ts";
import { proposalKind, settledProposal } from "./record.ts";

/** Its quote, if any, expires at the same moment. */
export const proposalDeadlines = deadlinesOf(proposalKind, (loaded, { nowMs }) => {
  const row = settledProposal(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(proposalKind, loaded, row)], events: [proposalEvent("proposal.rejected", row)] };
});
