import { formatMoney } from "../../../machines/money.ts";
import { isLastOffer, roundsRemaining } from "../../../machines/negotiation/machine.ts";
import { lastSellerMicros } from "../../../machines/negotiation/rounds.ts";
import { timeText, type Words } from "../words.ts";
import type { NegotiationRow } from "./record.ts";

const bookWith = ({ proposal_id: proposalId, quote_id: quoteId }: NegotiationRow): string =>
  proposalId === null
    ? `The buyer books the quote with book_deal (quote_id ${quoteId}).`
    : `The buyer books the proposal with generate_deal (proposal_id ${proposalId}).`;

/** A quote outlives its negotiation, at the price it had before. */
const afterRejection = ({ quote_id: quoteId }: NegotiationRow): string => {
  const again = "sk for a new price with request_quote.";
  return quoteId === null
    ? `A${again}`
    : `Book the quote as it stands with book_deal (quote_id ${quoteId}), or a${again}`;
};

const activeWords = (row: NegotiationRow): Words => {
  const { context } = row.life;
  const until = timeText(context.expiresAtMs);
  if (context.held !== null) {
    return {
      status_text: "The seller's answer waits for one of its operators.",
      next_step: `The seller decides, until ${until} at the latest; see list_approvals. The buyer may only reject.`,
    };
  }
  const price = `${formatMoney(lastSellerMicros(context), row.currency)} CPM`;
  if (isLastOffer(row.life)) {
    return {
      status_text: `The seller's last offer is ${price}; it will not go lower.`,
      next_step: `The buyer accepts or rejects with negotiate before ${until}.`,
    };
  }
  const left = roundsRemaining(row.life);
  return {
    status_text: `The seller asks for ${price}; ${left} ${left === 1 ? "round is" : "rounds are"} left.`,
    next_step: `The buyer counters, accepts or rejects with negotiate before ${until}.`,
  };
};

export const negotiationWords = (row: NegotiationRow): Words => {
  const { agreedMicros, expiresAtMs } = row.life.context;
  switch (row.life.value) {
    case "active":
      return activeWords(row);
    case "accepted": {
      const price = agreedMicros === null ? "" : ` at ${formatMoney(agreedMicros, row.currency)} CPM`;
      return { status_text: `Agreed${price}.`, next_step: bookWith(row) };
    }
    case "rejected":
      return { status_text: "Ended without an agreement.", next_step: afterRejection(row) };
    case "expired":
      return {
        status_text: `Ended at ${timeText(expiresAtMs)}, because nobody answered.`,
        next_step: "Ask for a new price with request_quote.",
      };
  }
};
