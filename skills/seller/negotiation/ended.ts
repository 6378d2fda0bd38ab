import { quoteKind, settledQuote } from "../pricing/record.ts";
import { quoteWords } from "../pricing/words.ts";
import type { SellerContext } from "../context.ts";
import { proposalKind, settledProposal } from "../proposals/record.ts";
import { proposalWords } from "../proposals/words.ts";
import type { Words } from "../words.ts";
import type { NegotiationRow } from "./record.ts";

/** Only the proposal or quote knows whether it is booked by now, or can no longer be. */
export const endedStep = async (
  context: SellerContext,
  { life, proposal_id: proposalId, quote_id: quoteId }: NegotiationRow,
): Promise<Partial<Words>> => {
  if (life.value !== "accepted" && life.value !== "rejected") return {};
  const isAgreed = life.value === "accepted";
  const proposal = proposalId === null || !isAgreed ? null : await context.load(proposalKind, proposalId);
  if (proposal !== null) {
    return { next_step: proposalWords(settledProposal(proposal.body, context.nowMs)).next_step };
  }
  const quote = quoteId === null ? null : await context.load(quoteKind, quoteId);
  return quote === null ? {} : { next_step: quoteWords(settledQuote(quote.body, context.nowMs)).next_step };
};
