import { because, timeText, type Words } from "../words.ts";
import type { DealRow } from "./record.ts";

const proposedWords = (row: DealRow): Words => {
  const { awaitingApproval, expiresAtMs } = row.life.context;
  if (awaitingApproval && row.approval != null) {
    const until = timeText(row.approval.expires_at_ms);
    return {
      status_text: "Booked, and waits for an operator of the seller to approve it.",
      next_step: `The seller decides with approve_or_reject before ${until}; without a decision the deal is rejected.`,
    };
  }
  const until = timeText(expiresAtMs);
  return {
    status_text: `Booked, and not active yet: it expires at ${until} unless the seller activates it (expires_at).`,
    next_step: `The seller activates it before ${until}: transition_deal to active, or its order to booked.`,
  };
};

/** `expires_at` of a proposed deal is the last moment of its activation. */
export const dealWords = (row: DealRow): Words => {
  const { statusReason, terms } = row.life.context;
  switch (row.life.value) {
    case "proposed":
      return proposedWords(row);
    case "active":
      return {
        status_text: `Active: it runs from ${terms.flightStart} to ${terms.flightEnd} (UTC).`,
        next_step: "The buyer targets the deal id in its DSP, see activation_instructions.",
      };
    case "completed":
      return { status_text: `Completed: its flight ended on ${terms.flightEnd}.`, next_step: "Nothing is left to do." };
    case "rejected":
      return { status_text: `Rejected${because(statusReason)}`, next_step: "Ask for a new price with request_quote." };
    case "expired":
      return { status_text: `Expired${because(statusReason)}`, next_step: "Ask for a new price with request_quote." };
  }
};
