import { defineOperation } from "../../../protocol/seam/operation.ts";
import { isRefusal } from "../../../protocol/neutral/refusals.ts";
import { newProposalId } from "../ids.ts";
import { negotiationKind, settledNegotiation } from "../negotiation/record.ts";
import { isPreview, ownPriceRefusal } from "../pricing/rules.ts";
import * as contract from "./contract.ts";
import { freshRow, outcomeOf } from "./outcome.ts";
import { proposalKind, settledProposal } from "./record.ts";
import { checkProposal, dependsOnPrice, evaluate } from "./rules.ts";
import { previewView, proposalView } from "./view.ts";
import type { SellerContext } from "../context.ts";

export const submitProposal = defineOperation(contract.submitProposal, async (context: SellerContext, input) => {
  const asked = await checkProposal(context, input);
  if (isRefusal(asked)) return asked;
  const isDry = isPreview(context);
  const limited = isDry ? null : await ownPriceRefusal(context, asked.item.product_id);
  if (limited !== null) return limited;
  const found = await evaluate(context, asked);
  if (isDry && dependsOnPrice(asked, found)) {
    return { output: previewView(context, freshRow(context, context.mint(newProposalId), asked, found)) };
  }
  const { row, negotiation, changes, events } = outcomeOf(context, context.mint(newProposalId), asked, found);
  return { output: proposalView(context, row, negotiation), meta: { revision: row.revision }, changes, events };
});

export const getProposal = defineOperation(contract.getProposal, async (context: SellerContext, input) => {
  const loaded = await context.own(proposalKind, input.proposal_id, "proposal_not_found");
  const row = settledProposal(loaded.body, context.nowMs);
  const negotiation = row.negotiation_id === null ? null : await context.load(negotiationKind, row.negotiation_id);
  const talk = negotiation === null ? null : settledNegotiation(negotiation.body, context.nowMs);
  return { output: proposalView(context, row, talk), meta: { revision: row.revision } };
});
