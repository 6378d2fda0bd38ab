import { quoteMachine } from "../../../machines/quote/machine.ts";
import { step } from "../../../machines/step.ts";
import { create, reserve, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded, LogLine, RefusalWithChanges } from "../../../protocol/seam/operation.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { gateFor } from "../approvals/gate.ts";
import type { FrozenPlan } from "../audience/rules.ts";
import { dealEvent } from "./events.ts";
import { quoteEvent } from "../pricing/events.ts";
import { holdsOf, inventoryLedger, spanOf } from "../inventory.ts";
import { type Stock, stockFor } from "../pricing/rules.ts";
import { bookedCounts } from "./counters.ts";
import { dealKind, type DealRow } from "./record.ts";
import { quoteKind, type QuoteRow } from "../pricing/record.ts";
import { waitingDeal } from "./approval.ts";
import { type Agreed, dealFrom, dealOwner } from "./rules.ts";
import type { SellerContext } from "../context.ts";

type Hold = readonly Change[] | "sold out";

/** Other deal types hold nothing. */
export const holdFor = (
  context: SellerContext,
  { record, terms: { impressions, flightStart, flightEnd } }: Agreed,
): Hold | Promise<Hold> => {
  if (record.deal_type !== "PG" || impressions === null) return [];
  const { catalog } = context.ports;
  const { parts } = record;
  const span = spanOf(flightStart, flightEnd);
  const item =
    parts == null
      ? catalog.get(record.product.product_id, span.fromSlot)
      : { product_id: record.product.product_id, maximum_impressions: null, parts };
  if (item === null) return "sold out";
  const holds = (): Hold =>
    holdsOf(record, impressions).map((hold) => {
      const cap = catalog.get(hold.productId, span.fromSlot)?.maximum_impressions ?? null;
      return reserve(inventoryLedger(hold.productId), span, hold.impressions, cap);
    });
  const holdOf = ({ available }: Stock): Hold => (available ? holds() : "sold out");
  const stock = stockFor(context, item, span, impressions);
  return stock instanceof Promise ? stock.then(holdOf) : holdOf(stock);
};

/** In the same commit, so that no retry finds it bookable. */
export const declineForInventory = (loaded: Loaded<QuoteRow>, quote: QuoteRow, nowMs: number): RefusalWithChanges => {
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

interface QuoteBooked {
  readonly change: Change;
  readonly event: EventDraft;
}

export const bookQuote = (loaded: Loaded<QuoteRow>, quote: QuoteRow, dealId: string, nowMs: number): QuoteBooked => {
  const life = step(quoteMachine, quote.life, { type: "BOOK", nowMs, dealId });
  if (life === null) throw new Error(`The quote ${quote.quote_id} passed every check and could not be booked.`);
  const booked: QuoteRow = { ...quote, life, revision: quote.revision + 1 };
  return { change: update(quoteKind, loaded, booked), event: quoteEvent("quote.booked", booked) };
};

/** Buyer and seller log the same computed id, so that their logs settle a dispute. */
const planLog = (frozen: FrozenPlan, deal: DealRow): readonly LogLine[] => {
  const ids = { deal_id: deal.deal_id, audience_plan_id: frozen.computedId, quote_id: deal.quote_id };
  const booked = { level: "info", fields: ids, message: "deal_booking" } as const;
  if (frozen.wrongId === null) return [booked];
  const fields = { ...ids, given_plan_id: frozen.wrongId };
  return [{ level: "warn", fields, message: "audience_plan_id_mismatch" }, booked];
};

interface Wish {
  readonly dealId: string;
  readonly wseat: readonly string[];
  readonly notes: string | undefined;
  readonly frozen: FrozenPlan | null;
  readonly hold: readonly Change[];
  /** Of a media buy, whose own gate has let it pass, and which waits for its activation as long as it runs. */
  readonly ofMediaBuy?: { readonly ttlDays: number };
}

interface DealBooked {
  readonly deal: DealRow;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  readonly log: readonly LogLine[];
}

/** With its hold and its gate. */
export const bookAgreed = (context: SellerContext, agreed: Agreed, wish: Wish): DealBooked => {
  const { dealId } = wish;
  const owner = dealOwner(context.caller, agreed);
  const valued = { ...agreed.terms, currency: agreed.record.pricing.currency };
  const gate =
    wish.ofMediaBuy === undefined ? gateFor(context, "deal", valued, () => waitingDeal(agreed, dealId, owner)) : null;
  const deal = dealFrom(agreed, {
    dealId,
    owner,
    nowMs: context.nowMs,
    wseat: wish.wseat,
    notes: wish.notes,
    audiencePlan: wish.frozen?.plan,
    ttlDays: Math.max(context.ports.settings.dealProposalTtlDays, wish.ofMediaBuy?.ttlDays ?? 0),
    dialect: context.dialect ?? undefined,
    approval: gate === null ? undefined : { approval_id: gate.approvalId, expires_at_ms: gate.expiresAtMs },
  });
  return {
    deal,
    changes: [
      create(dealKind, dealId, deal),
      ...bookedCounts(deal),
      ...wish.hold,
      ...(gate === null ? [] : [gate.change]),
    ],
    events: [dealEvent("deal.created", deal), ...(gate === null ? [] : [gate.event])],
    log: wish.frozen === null ? [] : planLog(wish.frozen, deal),
  };
};
