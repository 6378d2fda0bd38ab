import { moveDeal, operatorTargets } from "../../../machines/deal/operator-moves.ts";
import { quoteMachine } from "../../../machines/quote/machine.ts";
import { step } from "../../../machines/step.ts";
import { create, reserve, update } from "../../../protocol/changes.ts";
import {
  type AnswerMeta,
  type Context,
  defineOperation,
  type Loaded,
  type RefusalWithChanges,
  type LogLine,
} from "../../../protocol/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/refusals.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import type { Change } from "../../../storage/store.ts";
import { freezePlan, type FrozenPlan, unsupportedParts } from "../audience/rules.ts";
import { gateFor } from "../approval-gate.ts";
import { releaseChanges, settledDeal, settledQuote } from "../deadlines.ts";
import { dealEvent, quoteEvent } from "../events.ts";
import { spanOf } from "../flight-span.ts";
import { newDealId } from "../ids.ts";
import type { SellerPorts } from "../ports.ts";
import { stockFor } from "../pricing/rules.ts";
import { dealKind, type DealRow, inventoryLedger, quoteKind, type QuoteRow } from "../records.ts";
import * as contract from "./contract.ts";
import { waitingDeal } from "./approval.ts";
import { agreedTerms, bookingRefusal, dealFrom, dealOwner, seatsOf } from "./rules.ts";
import { dealView } from "./view.ts";

type SellerContext = Context<SellerPorts>;

const metaOf = (row: DealRow): AnswerMeta => ({
  revision: row.revision,
  ...(row.dialect === null ? {} : { dialect: row.dialect }),
});

/** The hold of a guaranteed deal, or `sold out`. Other deal types hold nothing (decision 59). */
const holdFor = async (context: SellerContext, quote: QuoteRow): Promise<readonly Change[] | "sold out"> => {
  if (quote.deal_type !== "PG" || quote.impressions === null) return [];
  const item = context.ports.catalog.get(quote.product.product_id);
  if (item === null) return "sold out";
  const span = spanOf(quote.flight_start, quote.flight_end);
  const stock = await stockFor(context, item, span, quote.impressions, quote.created_at_ms);
  if (!stock.available) return "sold out";
  return [reserve(inventoryLedger(item.product_id), span, quote.impressions, item.maximum_impressions)];
};

/** A booking that finds no inventory left declines its quote in the same commit (decision 58). */
const declineForInventory = (loaded: Loaded<QuoteRow>, quote: QuoteRow, nowMs: number): RefusalWithChanges => {
  const life = step(quoteMachine, quote.life, { type: "DECLINE", nowMs, cause: "inventory_unavailable" });
  if (life === null) throw new Error(`The quote ${quote.quote_id} could not be declined.`);
  const statusReason = "Not enough inventory was left when the quote was to be booked";
  const declined: QuoteRow = { ...quote, life, status_reason: statusReason, revision: quote.revision + 1 };
  return {
    ...refuse("inventory_unavailable"),
    changes: [update(quoteKind, loaded, declined)],
    events: [quoteEvent("quote.declined", declined)],
  };
};

/** The plan as the deal will hold it, null without one, or the refusal that lists what cannot be honoured. */
const planFor = (context: SellerContext, plan: AudiencePlan | null | undefined): FrozenPlan | Refusal | null => {
  if (plan == null) return null;
  const unsupported = unsupportedParts(plan, context.ports.settings.audience);
  return unsupported.length === 0 ? freezePlan(plan) : refuse("audience_plan_unsupported", { extras: { unsupported } });
};

/** Buyer and seller log the same id, so that their logs settle a dispute; it is the computed one (decision 73). */
const planLog = (frozen: FrozenPlan, deal: DealRow): readonly LogLine[] => {
  const ids = { deal_id: deal.deal_id, audience_plan_id: frozen.computedId, quote_id: deal.quote_id };
  const booked = { level: "info", fields: ids, message: "deal_booking" } as const;
  if (frozen.wrongId === null) return [booked];
  const fields = { ...ids, given_plan_id: frozen.wrongId };
  return [{ level: "warn", fields, message: "audience_plan_id_mismatch" }, booked];
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
  const hold = await holdFor(context, quote);
  if (hold === "sold out") return declineForInventory(loaded, quote, nowMs);
  const dealId = context.mint(newDealId);
  const life = step(quoteMachine, quote.life, { type: "BOOK", nowMs, dealId });
  if (life === null) throw new Error(`The quote ${quote.quote_id} passed every check and could not be booked.`);
  const booked: QuoteRow = { ...quote, life, revision: quote.revision + 1 };
  const owner = dealOwner(context.caller, quote);
  const gate = gateFor(context, waitingDeal({ ...quote, deal_id: dealId, owner }, agreedTerms(quote)));
  const deal = dealFrom(quote, {
    dealId,
    owner,
    nowMs,
    wseat: seatsOf(context.caller, input.buyer_identity?.seat_id),
    notes: input.notes ?? null,
    audiencePlan: frozen?.plan ?? null,
    ttlDays: context.ports.settings.dealProposalTtlDays,
    approval: gate === null ? null : { approval_id: gate.approvalId, expires_at_ms: gate.expiresAtMs },
  });
  return {
    output: dealView(deal),
    meta: metaOf(deal),
    changes: [
      update(quoteKind, loaded, booked),
      create(dealKind, dealId, deal),
      ...hold,
      ...(gate === null ? [] : [gate.change]),
    ],
    events: [
      quoteEvent("quote.booked", booked),
      dealEvent("deal.created", deal),
      ...(gate === null ? [] : [gate.event]),
    ],
    log: frozen === null ? [] : planLog(frozen, deal),
  };
});

export const getDeal = defineOperation(contract.getDeal, async (context: SellerContext, input) => {
  const loaded = await context.own(dealKind, input.deal_id, "deal_not_found");
  const row = settledDeal(loaded.body, context.nowMs);
  return { output: dealView(row), meta: metaOf(row) };
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
    const message = `A deal in ${row.life.value} cannot be moved to ${input.to_status} by an operator.`;
    const extras = { current_status: row.life.value, allowed_transitions: allowed };
    return refuse("invalid_transition", { message, extras });
  }
  const moved: DealRow = { ...row, life, revision: row.revision + 1 };
  const eventType = input.to_status === "active" ? "deal.activated" : "deal.rejected";
  return {
    output: dealView(moved),
    meta: metaOf(moved),
    changes: [update(dealKind, loaded, moved), ...releaseChanges(row, moved)],
    events: [dealEvent(eventType, moved)],
  };
});
