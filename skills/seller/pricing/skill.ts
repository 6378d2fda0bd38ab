import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { formatMoney, fromMicros } from "../../../machines/money.ts";
import { type Price, priceFor } from "../../../machines/pricing/price.ts";
import { quoteMachine } from "../../../machines/quote/machine.ts";
import { step } from "../../../machines/step.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation, recordMeta } from "../../../protocol/seam/operation.ts";
import { isRefusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { quoteKind, type QuoteRow, settledQuote, endedQuote } from "./record.ts";
import { quoteEvent } from "./events.ts";
import { soldById } from "../packages/sold.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import {
  type CheckedWish,
  checkWish,
  isPreview,
  ownPriceRefusal,
  priceOf,
  priceQuestion,
  stockFor,
  withBoughtVolume,
} from "./rules.ts";
import { newQuoteRow } from "./quote-row.ts";
import { quoteView } from "./view.ts";

export const getPricing = defineOperation(contract.getPricing, async (context: SellerContext, input) => {
  const { settings } = context.ports;
  const item = await soldById(context, input.product_id);
  if (item === null) return missing("product_not_found", input.product_id);
  const tier = isOperator(context.caller) ? (input.buyer_tier ?? context.tier) : context.tier;
  const price = priceFor({ ...priceQuestion(context, item, tier), impressions: input.volume }, settings.pricing);
  if (price === null) return refuse("unpriceable_product");
  return {
    output: {
      product_id: item.product_id,
      base_price: fromMicros(price.baseMicros),
      final_price: fromMicros(price.finalMicros),
      currency: item.currency,
      tier_discount: price.tierDiscountPct / 100,
      volume_discount: price.volumeDiscountPct / 100,
      rationale: price.rationale,
      buyer_tier: tier,
    },
  };
});

/** A wish that is too low gets a note; how far too low stays the seller's secret. */
const targetNote = ({ targetMicros, item }: CheckedWish, price: Price, isShown: boolean): string => {
  if (targetMicros === null || targetMicros > price.finalMicros) return "";
  const target = `Target of ${formatMoney(targetMicros, item.currency)} CPM`;
  if (!isShown) return ` | ${target} is answered without dry_run`;
  return targetMicros === price.finalMicros ? ` | ${target} is given` : ` | ${target} is lower than can be given`;
};

export const requestQuote = defineOperation(contract.requestQuote, async (context: SellerContext, input) => {
  const firstSlot = input.flight_start == null ? null : slotOfDate(input.flight_start);
  const sold = soldById(context, input.product_id, firstSlot);
  const checked = checkWish(input, sold instanceof Promise ? await sold : sold, context.nowMs);
  if (isRefusal(checked)) return checked;
  const isShown = !isPreview(context);
  const isTry = checked.targetMicros !== null && isShown;
  const limited = isTry ? await ownPriceRefusal(context, checked.item.product_id) : null;
  if (limited !== null) return limited;
  const wish = withBoughtVolume(context, isShown ? checked : { ...checked, targetMicros: null });
  if (isRefusal(wish)) return wish;
  const price = priceOf(context, wish);
  if (isRefusal(price)) return price;
  const wanted = wish.impressions ?? wish.item.minimum_impressions;
  const stock = stockFor(context, wish.item, wish.flight, wanted);
  const note = targetNote(checked, price, isShown);
  const row = newQuoteRow(context, wish, price, stock instanceof Promise ? await stock : stock, note);
  return {
    output: quoteView(row),
    meta: recordMeta(row),
    changes: [create(quoteKind, row.quote_id, row)],
    events: [quoteEvent("quote.created", row)],
  };
});

export const getQuote = defineOperation(contract.getQuote, async (context: SellerContext, input) => {
  const loaded = await context.own(quoteKind, input.quote_id, "not_found");
  const row = settledQuote(loaded.body, context.nowMs);
  if (row.life.value === "expired") return endedQuote(row, context.nowMs);
  return { output: quoteView(row), meta: recordMeta(row) };
});

export const declineQuote = defineOperation(contract.declineQuote, async (context: SellerContext, input) => {
  const loaded = await context.own(quoteKind, input.quote_id, "not_found");
  const row = settledQuote(loaded.body, context.nowMs);
  if (row.life.value === "expired") return endedQuote(row, context.nowMs);
  context.matchRevision(row.revision);
  if (row.life.value === "booked") return refuse("quote_already_booked");
  const life = step(quoteMachine, row.life, { type: "DECLINE", nowMs: context.nowMs, cause: "operator" });
  if (life === null) return refuse("quote_declined");
  const reason = input.reason === "" ? "Declined by the seller" : input.reason;
  const declined: QuoteRow = { ...row, life, status_reason: reason, revision: row.revision + 1 };
  return {
    output: quoteView(declined),
    meta: recordMeta(declined),
    changes: [update(quoteKind, loaded, declined)],
    events: [quoteEvent("quote.declined", declined)],
  };
});
