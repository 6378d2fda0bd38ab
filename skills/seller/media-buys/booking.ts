import { confirmedBuy, submittedBuy } from "../../../machines/media-buy/machine.ts";
import { fromMicros } from "../../../machines/money.ts";
import { valueNeedsApproval } from "../../../machines/approval/gate.ts";
import { quoteMachine } from "../../../machines/quote/machine.ts";
import { step } from "../../../machines/step.ts";
import { create } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import type { AccountRow } from "../accounts/record.ts";
import { raiseApproval } from "../approvals/gate.ts";
import type { SellerContext } from "../context.ts";
import { bookAgreed, holdFor } from "../deals/booking.ts";
import { agreedByQuote, seatsOf } from "../deals/rules.ts";
import { newDealId, newMediaBuyId, newOrderId } from "../ids.ts";
import { standingCounts } from "../orders/counters.ts";
import { draftOrder } from "../orders/draft.ts";
import { orderCreated } from "../orders/events.ts";
import { newestOrderKind, orderKind, type OrderRow } from "../orders/record.ts";
import { movedOrder } from "../orders/rules.ts";
import { quoteKind, type QuoteRow } from "../pricing/record.ts";
import { mediaBuyEvent } from "./events.ts";
import type { Line } from "./lines.ts";
import { type BoughtPackage, mediaBuyKind, type MediaBuyRow, totalMicros } from "./record.ts";
import { daysUntil, type Times } from "./times.ts";

export interface Effects {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const bookedQuote = (quote: QuoteRow, dealId: string, nowMs: number): QuoteRow => {
  const life = step(quoteMachine, quote.life, { type: "BOOK", nowMs, dealId });
  if (life === null) throw new Error(`The terms of ${dealId} could not be booked.`);
  return { ...quote, life };
};

const note = { actor: "system", metadata: {}, reason: "" } as const;

/** Nothing holds it back: the buy was let pass as a whole. */
const approvedOrder = (context: SellerContext, draft: OrderRow): OrderRow => {
  const submitted = movedOrder(context, draft, "submitted", note);
  const approved = submitted === null ? null : movedOrder(context, submitted.order, "approved", note);
  if (approved === null) throw new Error(`The new order ${draft.order_id} could not be approved.`);
  return approved.order;
};

/** Quote, deal and order of one package, with the impressions that it holds. */
const bookedPackage = async (
  context: SellerContext,
  row: MediaBuyRow,
  bought: BoughtPackage,
  terms: QuoteRow,
): Promise<Effects | Refusal> => {
  const { nowMs } = context;
  const agreed = agreedByQuote(terms);
  const hold = await holdFor(context, agreed);
  if (hold === "sold out") return refuse("inventory_unavailable");
  const quote = bookedQuote(terms, bought.deal_id, nowMs);
  const { deal, changes, events } = bookAgreed(context, agreed, {
    dealId: bought.deal_id,
    wseat: row.wseat,
    notes: undefined,
    frozen: null,
    hold,
    ofMediaBuy: { ttlDays: daysUntil(bought.end_ms, nowMs) },
  });
  const metadata = { media_buy_id: row.media_buy_id, ...(row.po_number === null ? {} : { po_number: row.po_number }) };
  const of = { deal, dealId: deal.deal_id, quoteId: quote.quote_id, metadata, orderId: bought.package_id };
  const order = approvedOrder(context, draftOrder(context, of));
  return {
    changes: [
      create(quoteKind, quote.quote_id, quote),
      ...changes,
      create(orderKind, order.order_id, order),
      create(newestOrderKind, deal.deal_id, { order_id: order.order_id }),
      ...standingCounts(order),
    ],
    events: [...events, orderCreated(order)],
  };
};

/** All of its packages, for one commit with the row. */
export const bookedPackages = async (
  context: SellerContext,
  row: MediaBuyRow,
  terms: readonly QuoteRow[],
): Promise<Effects | Refusal> => {
  const changes: Change[] = [];
  const events: EventDraft[] = [];
  for (const [place, bought] of row.packages.entries()) {
    const quote = terms[place];
    if (quote === undefined) throw new Error(`The package ${bought.package_id} has no terms.`);
    const booked = await bookedPackage(context, row, bought, quote);
    if ("refused" in booked) return booked;
    changes.push(...booked.changes);
    events.push(...booked.events);
  }
  return { changes, events };
};

const packageOf = (context: SellerContext, line: Line): BoughtPackage => {
  const { wanted, offer, times, quote } = line;
  return {
    package_id: context.mint(newOrderId),
    deal_id: context.mint(newDealId),
    offer_id: offer.offerId,
    product_id: offer.item.product_id,
    option_id: line.optionId,
    deal_type: offer.dealType,
    budget_micros: line.budgetMicros,
    price_micros: quote.life.context.priceMicros,
    impressions: quote.impressions ?? 0,
    bid_micros: line.bidMicros,
    start_ms: times.startMs,
    end_ms: times.endMs,
    paused: wanted.paused === true,
    canceled_at_ms: null,
    creative_ids: [...new Set(wanted.creative_ids ?? [])],
    details: wanted.details ?? {},
  };
};

interface NewBuy {
  readonly account: AccountRow;
  readonly brandDomain: string;
  readonly poNumber: string | null;
  readonly planId: string | null;
  readonly times: Times;
  readonly lines: readonly Line[];
}

/** The seller sells, and the buyer tries: no person is asked, nothing is held, nothing counts. */
const isTrial = (context: SellerContext, { account }: NewBuy): boolean =>
  account.sandbox && !context.ports.settings.sandbox;

const waitsForPerson = (context: SellerContext, buy: NewBuy, currency: string): boolean => {
  if (isTrial(context, buy)) return false;
  const { ports } = context;
  const { lines } = buy;
  const { approvalGate: gate } = ports.settings;
  const total = lines.reduce((sum, { budgetMicros }) => sum + budgetMicros, 0);
  return (
    valueNeedsApproval(gate, "media_buy", total, currency) ||
    lines.some(({ budgetMicros }) => valueNeedsApproval(gate, "deal", budgetMicros, currency))
  );
};

const rowOf = (context: SellerContext, buy: NewBuy): MediaBuyRow => {
  const { caller, nowMs } = context;
  const { account, times } = buy;
  return {
    media_buy_id: context.mint(newMediaBuyId),
    owner: caller.owner,
    account_id: account.account_id,
    brand_domain: buy.brandDomain,
    po_number: buy.poNumber,
    plan_id: buy.planId,
    currency: buy.lines[0]?.offer.item.currency ?? "USD",
    start_ms: times.startMs,
    end_ms: times.endMs,
    packages: buy.lines.map((line) => packageOf(context, line)),
    paused: false,
    task_id: null,
    approval_id: null,
    quotes: null,
    wseat: seatsOf(caller, null),
    history: [{ revision: 1, at_ms: nowMs, action: "created", actor: "buyer", summary: "Bought" }],
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    revision: 1,
    sandbox: account.sandbox || context.ports.settings.sandbox,
    forced: null,
    life: confirmedBuy(nowMs),
  };
};

/** What an operator is shown beside the buyer's name. */
const factsOf = (row: MediaBuyRow) => ({
  media_buy_id: row.media_buy_id,
  brand_domain: row.brand_domain,
  currency: row.currency,
  total_budget: fromMicros(totalMicros(row)),
  flight_start: new Date(row.start_ms).toISOString(),
  flight_end: new Date(row.end_ms).toISOString(),
  packages: row.packages.map((bought) => ({
    product_id: bought.product_id,
    deal_type: bought.deal_type,
    budget: fromMicros(bought.budget_micros),
    price: fromMicros(bought.price_micros),
    impressions: bought.impressions,
  })),
});

export interface BoughtMedia extends Effects {
  readonly row: MediaBuyRow;
}

/** Booked, or waiting for a person with nothing booked but its terms. */
export const newMediaBuy = async (context: SellerContext, buy: NewBuy): Promise<BoughtMedia | Refusal> => {
  const row = rowOf(context, buy);
  const quotes = buy.lines.map(({ quote }) =>
    isTrial(context, buy) ? { ...quote, sandbox: true, trial: true as const } : quote,
  );
  const forced = context.ports.fixtures?.nextTask() ?? null;
  if (forced !== null || waitsForPerson(context, buy, row.currency)) {
    const approval = raiseApproval(context, {
      flow: "media_buy",
      subjectId: row.media_buy_id,
      owner: row.owner,
      facts: factsOf(row),
      confidential: { buyer: row.owner },
    });
    const waiting: MediaBuyRow = {
      ...row,
      quotes,
      approval_id: approval.approvalId,
      task_id: forced ?? approval.approvalId,
      life: submittedBuy(approval.expiresAtMs),
    };
    const changes = [create(mediaBuyKind, row.media_buy_id, waiting), approval.change];
    return { row: waiting, changes, events: [mediaBuyEvent("media_buy.submitted", waiting), approval.event] };
  }
  const booked = await bookedPackages(context, row, quotes);
  if ("refused" in booked) return booked;
  return {
    row,
    changes: [create(mediaBuyKind, row.media_buy_id, row), ...booked.changes],
    events: [mediaBuyEvent("media_buy.created", row), ...booked.events],
  };
};
