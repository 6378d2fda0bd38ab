import { because, timeText, type Words } from "../words.ts";
import type { ProposalRow } from "./record.ts";

const acceptedWords = (row: ProposalRow): Words => {
  const { dealId, bookableUntilMs } = row.life.context;
  if (dealId !== null)
    return { status_text: `Accepted and booked as deal ${dealId}.`, next_step: "Follow it with get_deal." };
  const until = bookableUntilMs === null ? "" : ` before ${timeText(bookableUntilMs)}`;
  return {
    status_text: "Accepted at the agreed price; nothing is booked yet.",
    next_step: `The buyer books it with generate_deal (proposal_id ${row.proposal_id})${until}.`,
  };
};

export const proposalWords = (row: ProposalRow): Words => {
  const { closedReason, expiresAtMs } = row.life.context;
  switch (row.life.value) {
    case "initialized":
      return { status_text: "Not evaluated yet.", next_step: "Ask again with get_proposal." };
    case "pending_approval": {
      const until = row.approval === null ? "" : ` until ${timeText(row.approval.expires_at_ms)}`;
      return {
        status_text: "Waits for an operator of the seller to decide.",
        next_step: `The seller decides${until}, list_approvals shows it; without a decision the proposal is rejected.`,
      };
    }
    case "counter_pending":
      return {
        status_text: "The seller offers other terms, see counter_terms.",
        next_step: `The buyer answers with counter_proposal or negotiate before ${timeText(expiresAtMs)}.`,
      };
    case "accepted":
      return acceptedWords(row);
    case "rejected":
      return {
        status_text: `Rejected${because(closedReason)}`,
        next_step: "Propose other terms with submit_proposal.",
      };
    case "failed":
      return {
        status_text: `Could not be evaluated${because(row.errors.map(({ detail }) => detail).join(" "))}`,
        next_step: "Correct what errors names and send it again with submit_proposal.",
      };
  }
};
