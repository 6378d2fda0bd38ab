import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { fromMicros, impressionsFor, toMicros } from "../../../machines/money.ts";
import { type Price, priceFor } from "../../../machines/pricing/price.ts";
import { missing, isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { SellerContext } from "../context.ts";
import { isAuction, type Offer, offerById, optionsOf, showsExactPrices } from "../plans/offer.ts";
import { newQuoteRow } from "../pricing/quote-row.ts";
import type { QuoteRow } from "../pricing/record.ts";
import { priceQuestion, stockFor } from "../pricing/rules.ts";
import { slotOfTime } from "../../../machines/inventory/dates.ts";
import { flightOf, pastRefusal, readTimes, type Times } from "./times.ts";

/** What a package may say of itself, when it is bought and when it is changed. */
export interface PackageTerms {
  readonly bid_price?: number | null | undefined;
  readonly start_time?: string | null | undefined;
  readonly end_time?: string | null | undefined;
  readonly paused?: boolean | null | undefined;
  readonly creative_ids?: readonly string[] | null | undefined;
  readonly measurement_variance_pct?: number | null | undefined;
  readonly details?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What one package of a request asks for. */
export interface WantedPackage extends PackageTerms {
  readonly offer_id: string;
  readonly option_id?: string | null | undefined;
  readonly budget: number;
  /** Of a plan, which holds its price. */
  readonly heldMicros?: number;
}

/** Ready to be booked: the quote holds price, volume and flight. */
export interface Line {
  readonly wanted: WantedPackage;
  readonly offer: Offer;
  readonly optionId: string;
  readonly times: Times;
  readonly budgetMicros: number;
  readonly bidMicros: number | null;
  readonly quote: QuoteRow;
}

interface Named {
  readonly wanted: WantedPackage;
  readonly offer: Offer;
  readonly optionId: string;
  readonly times: Times;
  readonly at: string;
}

export const refusedAt = (refusal: Refusal, field: string): Refusal => ({
  ...refusal,
  extras: { ...refusal.extras, field },
});

/** Shape, product, option and terms, before the calendar: the order tells a client what is wrong first. */
const named = (context: SellerContext, wanted: WantedPackage, buy: Times, place: number): Named | Refusal => {
  const at = `packages[${place}].`;
  const times = readTimes(wanted, buy, at);
  if (isRefusal(times)) return times;
  const offer = offerById(context.ports.catalog, wanted.offer_id, slotOfTime(times.startMs));
  if (offer === null) return refusedAt(missing("product_not_found", wanted.offer_id), `${at}offer_id`);
  const options = optionsOf(context, offer);
  const option = wanted.option_id == null ? options[0] : options.find((one) => one.option_id === wanted.option_id);
  if (option === undefined) {
    return refusedAt(missing("pricing_option_not_found", wanted.option_id ?? ""), `${at}option_id`);
  }
  const variance = wanted.measurement_variance_pct ?? null;
  const { measurementVariancePct: least } = context.ports.settings;
  if (variance !== null && variance < least) {
    const message = `Two measurements may differ by ${least} percent or more here. Ask for that, or leave it out.`;
    return refusedAt(refuse("terms_rejected", { message }), `${at}measurement_variance_pct`);
  }
  return { wanted, offer, optionId: option.option_id, times, at };
};

/** The shown price, or the one that a plan holds: never one of a volume. */
const priceOfOffer = (context: SellerContext, { offer, wanted }: Named): Price | Refusal => {
  const question = priceQuestion(context, offer.item, context.tier);
  const price = priceFor(question, context.ports.settings.pricing);
  if (price === null) return missing("product_not_found", wanted.offer_id);
  if (wanted.heldMicros === undefined) return price;
  const rationale = `${price.rationale} | Held by a plan at ${fromMicros(wanted.heldMicros)}`;
  return { ...price, computedMicros: wanted.heldMicros, finalMicros: wanted.heldMicros, rationale };
};

const budgetRefusal = (at: string, message: string): Refusal =>
  refusedAt(refuse("budget_too_low", { message }), `${at}budget`);

/** In micros; null where nothing is bid. On a fixed price there is nothing to bid: AdCP's public tests send one. */
export const bidOn = (
  option: { readonly isAuction: boolean; readonly priceMicros: number },
  bid: number | null | undefined,
  at: string,
): number | null | Refusal => {
  if (bid == null || !option.isAuction) return null;
  const bidMicros = toMicros(bid);
  if (bidMicros === null) return fieldRefusal(`${at}bid_price`, "A price has at most six decimals.");
  if (bidMicros >= option.priceMicros) return bidMicros;
  const message = "The bid is below the price of the option. Bid that or more.";
  return refusedAt(refuse("terms_rejected", { message }), `${at}bid_price`);
};

const lineOf = (context: SellerContext, one: Named): Line | Refusal => {
  const { wanted, offer, optionId, times, at } = one;
  const price = priceOfOffer(context, one);
  if (isRefusal(price)) return price;
  const budgetMicros = toMicros(wanted.budget);
  if (budgetMicros === null) return fieldRefusal(`${at}budget`, "An amount has at most six decimals.");
  const impressions = impressionsFor(budgetMicros, price.finalMicros);
  const least = Math.max(1, offer.item.minimum_impressions);
  if (impressions < least) {
    return budgetRefusal(at, `The budget buys ${impressions} impressions, and the offer's least volume is ${least}.`);
  }
  const bidMicros = bidOn({ isAuction: isAuction(offer), priceMicros: price.finalMicros }, wanted.bid_price, at);
  if (isRefusal(bidMicros)) return bidMicros;
  const flight = flightOf(times, context.nowMs, at);
  if (isRefusal(flight)) return flight;
  const wish = {
    item: offer.item,
    dealType: offer.dealType,
    impressions,
    budgetMicros,
    flight,
    targetMicros: null,
    mediaType: "digital",
  };
  const quote = newQuoteRow(context, wish, price, { available: true, left: null }, "");
  return { wanted, offer, optionId, times, budgetMicros, bidMicros, quote };
};

const overlaps = (one: SlotSpan, other: SlotSpan): boolean =>
  one.fromSlot <= other.toSlot && other.fromSlot <= one.toSlot;

/** Packages of one buy take from the same stock. */
const soldOut = async (context: SellerContext, lines: readonly Line[]): Promise<number | null> => {
  const taken: { readonly id: string; readonly span: SlotSpan; readonly impressions: number }[] = [];
  for (const [place, { offer, times, quote }] of lines.entries()) {
    if (offer.dealType !== "PG") continue;
    const flight = flightOf(times, context.nowMs);
    if (isRefusal(flight)) continue;
    const span = { fromSlot: flight.fromSlot, toSlot: flight.toSlot };
    const id = offer.item.product_id;
    const stock = await stockFor(context, offer.item, span, quote.impressions ?? 0);
    const others = taken.filter((one) => one.id === id && overlaps(one.span, span));
    const before = others.reduce((sum, one) => sum + one.impressions, 0);
    if (!stock.available || (stock.left !== null && stock.left - before < (quote.impressions ?? 0))) return place;
    taken.push({ id, span, impressions: quote.impressions ?? 0 });
  }
  return null;
};

const soldOutRefusal = (place: number): Refusal =>
  refusedAt(refuse("inventory_unavailable"), `packages[${place}].budget`);

/** Waiting for a person, or just before it is booked: what was there may be gone. */
const stockRefusal = async (context: SellerContext, lines: readonly Line[]): Promise<Refusal | null> => {
  const place = await soldOut(context, lines);
  return place === null ? null : soldOutRefusal(place);
};

const currencyRefusal = (lines: readonly Named[], currency: string | null | undefined): Refusal | null => {
  const wanted = currency ?? lines[0]?.offer.item.currency;
  const place = lines.findIndex(({ offer }) => offer.item.currency !== wanted);
  if (place < 0) return null;
  const own = lines[place]?.offer.item.currency ?? "";
  const message = `The offer is priced in ${own}. Buy it with offers of that currency.`;
  return refusedAt(refuse("currency_mismatch", { message }), `packages[${place}].offer_id`);
};

/** All of the packages, or why the buy cannot be made. */
export const pricedLines = async (
  context: SellerContext,
  packages: readonly WantedPackage[],
  buy: Times,
  currency: string | null | undefined,
): Promise<readonly Line[] | Refusal> => {
  const all: Named[] = [];
  for (const [place, wanted] of packages.entries()) {
    const one = named(context, wanted, buy, place);
    if (isRefusal(one)) return one;
    all.push(one);
  }
  const otherCurrency = currencyRefusal(all, currency);
  if (otherCurrency !== null) return otherCurrency;
  if (!showsExactPrices(context)) return refuse("exact_price_required");
  const past = pastRefusal(buy, context.nowMs) ?? firstPast(context, all);
  if (past !== null) return past;
  const lines: Line[] = [];
  for (const one of all) {
    const line = lineOf(context, one);
    if (isRefusal(line)) return line;
    lines.push(line);
  }
  return (await stockRefusal(context, lines)) ?? lines;
};

const firstPast = ({ nowMs }: SellerContext, all: readonly Named[]): Refusal | null =>
  all.map(({ times, at }) => pastRefusal(times, nowMs, at)).find((refusal) => refusal !== null) ?? null;
