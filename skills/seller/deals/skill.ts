import { isOperator } from "../../../protocol/seam/caller.ts";
import { overFlight } from "../../../machines/inventory/flight.ts";
import { moveDeal, operatorTargets } from "../../../machines/deal/operator-moves.ts";
import { proposalMachine } from "../../../machines/proposal/machine.ts";
import { step } from "../../../machines/step.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type Loaded, recordMeta } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { freezePlan, type FrozenPlan, unsupportedParts } from "../audience/rules.ts";
import { waitingChanges } from "../change-requests/waiting.ts";
import { dealChanges } from "./changes.ts";
import { dealKind, type DealRow, settledDeal } from "./record.ts";
import { quoteKind, type QuoteRow, settledQuote } from "../pricing/record.ts";
import { dealEvent, registeredEvent } from "./events.ts";
import { newDealId } from "../ids.ts";
import { spanOf } from "../inventory.ts";
import { overRefusal } from "../pricing/rules.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import { proposalKind, type ProposalRow, settledProposal } from "../proposals/record.ts";
import { bookAgreed, bookQuote, declineForInventory, holdFor } from "./booking.ts";
import * as contract from "./contract.ts";
import { agreedByProposal, agreedByQuote, bookingRefusal, seatsOf } from "./rules.ts";
import { dealView, generatedDealView } from "./view.ts";
import type { SellerContext } from "../context.ts";

const planFor = (context: SellerContext, plan: AudiencePlan | null | undefined): FrozenPlan | Refusal | null => {
  if (plan == null) return null;
  const unsupported = unsupportedParts(plan, context.ports.settings.audience);
  return unsupported.length === 0 ? freezePlan(plan) : refuse("audience_plan_unsupported", { extras: { unsupported } });
};

export const bookDeal = defineOperation(contract.bookDeal, async (context: SellerContext, input) => {
  const { nowMs } = context;
  const loaded = await context.own(quoteKind, input.quote_id, "not_found");
  const quote = settledQuote(loaded.body, nowMs);
  context.matchRevision(quote.revision);
  const refusal = bookingRefusal(quote, nowMs);
  if (refusal !== null) return refusal;
  const frozen = planFor(context, input.audience_plan);
  if (isRefusal(frozen)) return frozen;
  const agreed = agreedByQuote(quote);
  context.progress?.("The quote can be booked. Holding its inventory.");
  const held = holdFor(context, agreed);
  const hold = held instanceof Promise ? await held : held;
  if (hold === "sold out") return declineForInventory(loaded, quote, nowMs);
  const dealId = context.mint(newDealId);
  const wseat = seatsOf(context.caller, input.buyer_identity?.seat_id);
  const booked = bookAgreed(context, agreed, { dealId, wseat, notes: input.notes ?? undefined, frozen, hold });
  const ofQuote = bookQuote(loaded, quote, dealId, nowMs);
  context.progress?.("Storing the deal at the quoted price.");
  return {
    output: dealView(booked.deal, context.caller),
    meta: recordMeta(booked.deal),
    changes: [ofQuote.change, ...booked.changes],
    events: [ofQuote.event, ...booked.events],
    log: booked.log,
  };
});

const proposalRefusal = (proposal: ProposalRow, nowMs: number): Refusal | null => {
  const { value, context } = proposal.life;
  if (value !== "accepted") return refuse("proposal_not_accepted", { extras: { current_status: value } });
  if (context.dealId !== null) return refuse("proposal_already_booked", { extras: { deal_id: context.dealId } });
  const isOver = context.bookableUntilMs !== null && nowMs >= context.bookableUntilMs;
  if (isOver) return refuse("proposal_expired");
  const over = overFlight(spanOf(proposal.flight_start, proposal.flight_end), nowMs);
  return over === null ? null : overRefusal(over);
};

const quoteOf = async (
  context: SellerContext,
  proposal: ProposalRow,
): Promise<{ readonly loaded: Loaded<QuoteRow>; readonly quote: QuoteRow } | Refusal | null> => {
  if (proposal.quote_id === null) return null;
  const loaded = await context.load(quoteKind, proposal.quote_id);
  if (loaded === null) return refuse("proposal_expired");
  const quote = settledQuote(loaded.body, context.nowMs);
  if (quote.life.value === "expired") return refuse("proposal_expired");
  return bookingRefusal(quote, context.nowMs) ?? { loaded, quote };
};

export const generateDeal = defineOperation(contract.generateDeal, async (context: SellerContext, input) => {
  const { nowMs } = context;
  const loaded = await context.own(proposalKind, input.proposal_id, "proposal_not_found");
  const proposal = settledProposal(loaded.body, nowMs);
  context.matchRevision(proposal.revision);
  const refusal = proposalRefusal(proposal, nowMs);
  if (refusal !== null) return refusal;
  const named = await quoteOf(context, proposal);
  if (isRefusal(named)) return named;
  const agreed = agreedByProposal(proposal);
  const hold = await holdFor(context, agreed);
  if (hold === "sold out") {
    return named === null ? refuse("inventory_unavailable") : declineForInventory(named.loaded, named.quote, nowMs);
  }
  const dealId = context.mint(newDealId);
  const frozen = proposal.audience_plan === null ? null : freezePlan(proposal.audience_plan);
  const wish = { dealId, wseat: seatsOf(context.caller, null), notes: undefined, frozen, hold };
  const booked = bookAgreed(context, agreed, wish);
  const ofQuote = named === null ? null : bookQuote(named.loaded, named.quote, dealId, nowMs);
  const life = step(proposalMachine, proposal.life, { type: "BOOK", nowMs, dealId });
  if (life === null)
    throw new Error(`The proposal ${proposal.proposal_id} passed every check and could not be booked.`);
  const used = { ...proposal, life, revision: proposal.revision + 1 };
  return {
    output: generatedDealView(booked.deal, context.caller, input.dsp_platform ?? null),
    meta: { revision: booked.deal.revision },
    changes: [update(proposalKind, loaded, used), ...(ofQuote === null ? [] : [ofQuote.change]), ...booked.changes],
    events: [...(ofQuote === null ? [] : [ofQuote.event]), ...booked.events, registeredEvent(booked.deal)],
    log: booked.log,
  };
});

export const getDeal = defineOperation(contract.getDeal, async (context: SellerContext, input) => {
  const loaded = await context.own(dealKind, input.deal_id, "deal_not_found");
  const row = settledDeal(loaded.body, context.nowMs);
  const view = dealView(row, context.caller, await waitingChanges(context, row.deal_id));
  if (!isOperator(context.caller)) return { output: view, meta: recordMeta(row) };
  const names = await buyerNames(context, [row.owner]);
  const whose = { buyer: row.owner, buyer_name: names.get(row.owner) ?? null };
  return { output: { ...view, ...whose }, meta: recordMeta(row) };
});

const reasonFor = (toStatus: string, given: string): string =>
  given !== "" ? given : toStatus === "active" ? "Activated by the seller" : "Rejected by the seller";

export const transitionDeal = defineOperation(contract.transitionDeal, async (context: SellerContext, input) => {
  const loaded = await context.own(dealKind, input.deal_id, "deal_not_found");
  const row = settledDeal(loaded.body, context.nowMs);
  context.matchRevision(row.revision);
  const life = moveDeal(row.life, input.to_status, context.nowMs, reasonFor(input.to_status, input.reason));
  if (life === null) {
    const allowed = operatorTargets(row.life, context.nowMs);
    const waits = row.life.context.awaitingApproval ? (row.approval?.approval_id ?? null) : null;
    const message =
      waits === null
        ? `A deal in ${row.life.value} cannot be moved to ${input.to_status} by an operator.`
        : `The deal waits for the approval ${waits}: decide it with approve_or_reject first.`;
    const extras = { current_status: row.life.value, allowed_transitions: allowed, approval_id: waits };
    return refuse("invalid_transition", { message, extras });
  }
  const moved: DealRow = { ...row, life, revision: row.revision + 1 };
  const eventType = input.to_status === "active" ? "deal.activated" : "deal.rejected";
  return {
    output: dealView(moved, context.caller, await waitingChanges(context, row.deal_id)),
    meta: recordMeta(moved),
    changes: dealChanges(loaded, moved),
    events: [dealEvent(eventType, moved)],
  };
});
