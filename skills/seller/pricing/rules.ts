import { acceptFromMicros } from "../../../machines/pricing/accept-from.ts";
import { type Price, priceFor, type PriceQuestion } from "../../../machines/pricing/price.ts";
import { impressionsFor, toMicros } from "../../../machines/money.ts";
import {
  daysAhead,
  isFlightProblem,
  isOverFlight,
  type OverFlight,
  resolveFlight,
  type SlotSpan,
  type SoldFlight,
} from "../../../machines/inventory/flight.ts";
import { impressionsLeft } from "../../../machines/inventory/holds.ts";
import { isOperator, noIdentity, type Tier } from "../../../protocol/seam/caller.ts";
import { isRefusal, type Refusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { type DealType, dealTypes, type Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { inventoryLedger, type PackagePart, wholeLeft } from "../inventory.ts";
import type { Sold } from "../packages/sold.ts";
import { mostImpressions } from "./contract.ts";

type Priced = Pick<
  Product,
  "product_id" | "inventory_type" | "base_cpm_micros" | "floor_cpm_micros" | "accept_from" | "currency"
>;

/** Only a verified identity matches custom rules, only a preferred agent has custom prices. */
export const priceQuestion = (context: SellerContext, item: Priced, tier: Tier): PriceQuestion => {
  const identity = context.caller.verified ? context.caller.identity : noIdentity;
  return {
    baseMicros: item.base_cpm_micros,
    floorMicros: item.floor_cpm_micros,
    impressions: 0,
    targetMicros: null,
    targetFromMicros: acceptFromMicros(item.accept_from, item.base_cpm_micros),
    currency: item.currency,
    tier,
    agencyId: identity.agency_id,
    advertiserId: identity.advertiser_id,
    holdingCompanyId: null,
    productId: item.product_id,
    inventoryType: item.inventory_type,
    customPrices: context.caller.preference?.customPrices ?? [],
    nowMs: context.nowMs,
  };
};

export interface QuoteWish {
  readonly product_id: string;
  readonly deal_type: string;
  readonly impressions?: number | null | undefined;
  readonly budget?: number | null | undefined;
  readonly flight_start?: string | null | undefined;
  readonly flight_end?: string | null | undefined;
  readonly target_cpm?: number | null | undefined;
  readonly currency?: string | null | undefined;
  readonly media_type?: string | null | undefined;
}

export interface CheckedWish {
  readonly item: Sold;
  readonly dealType: DealType;
  readonly impressions: number | null;
  /** Null where the volume was named. */
  readonly budgetMicros: number | null;
  readonly flight: SoldFlight;
  readonly targetMicros: number | null;
  readonly mediaType: string;
}

/** As product lists and people write them, without blanks, dashes and underscores. */
const dealTypeNames: ReadonlyMap<string, DealType> = new Map([
  ["PG", "PG"],
  ["PD", "PD"],
  ["PA", "PA"],
  ["PROGRAMMATICGUARANTEED", "PG"],
  ["PREFERREDDEAL", "PD"],
  ["PRIVATEAUCTION", "PA"],
]);

export const dealTypeNamed = (word: string): DealType | null =>
  dealTypeNames.get(word.toUpperCase().replace(/[\s_-]/g, "")) ?? null;

export const dealTypeRefusal = (supported: readonly DealType[]): Refusal =>
  refuse("invalid_deal_type", {
    message: `This deal type is not sold. Use one of: ${supported.join(", ")}.`,
    extras: { supported_deal_types: supported },
  });

const budgetRefusal = (impressions: number | null): Refusal =>
  impressions === null
    ? fieldRefusal("budget", "An amount has at most six decimals and is at most 4,000,000,000.")
    : fieldRefusal("budget", "Send impressions or budget, not both.");

const minimumRefusal = (item: Product, before: string): Refusal =>
  refuse("below_minimum_impressions", {
    message: `${before}Ask for at least ${item.minimum_impressions} impressions.`,
    extras: { minimum_impressions: item.minimum_impressions },
  });

export const overRefusal = ({ text, cure, today }: OverFlight): Refusal =>
  refuse("flight_over", { message: `${text} ${cure}`, extras: { today } });

/** Priced by rating points and dayparts: at a price per thousand impressions it would be sold as display. */
const linearTv = /^\s*linear[\s_-]*(tv|television)?\s*$/i;

const linearRefusal = (): Refusal =>
  refuse("unsupported_capability", {
    message: "Linear TV is not sold by this seller yet. Send media_type digital or ctv, or leave it out.",
    extras: { unsupported: [{ capability: "linear_tv", path: "media_type", reason: "" }] },
  });

/** The order decides which error a client sees. */
export const checkWish = (wish: QuoteWish, item: Sold | null, nowMs: number): CheckedWish | Refusal => {
  if (linearTv.test(wish.media_type ?? "")) return linearRefusal();
  const dealType = dealTypeNamed(wish.deal_type);
  if (dealType === null) return dealTypeRefusal(dealTypes);
  const impressions = wish.impressions == null || wish.impressions === 0 ? null : wish.impressions;
  const budgetMicros = wish.budget == null ? null : toMicros(wish.budget);
  if (wish.budget != null && (budgetMicros === null || impressions !== null)) return budgetRefusal(impressions);
  if (dealType === "PG" && impressions === null && budgetMicros === null) return refuse("pg_requires_impressions");
  if (item === null) return missing("product_not_found", wish.product_id);
  if (!item.deal_types.includes(dealType)) return dealTypeRefusal(item.deal_types);
  if (impressions !== null && impressions < item.minimum_impressions) return minimumRefusal(item, "");
  if (wish.currency != null && wish.currency !== item.currency) {
    return refuse("currency_mismatch", {
      message: `This product is priced in ${item.currency} only.`,
      extras: { currency: item.currency },
    });
  }
  const targetMicros = wish.target_cpm == null ? null : toMicros(wish.target_cpm);
  if (wish.target_cpm != null && targetMicros === null) {
    return fieldRefusal("target_cpm", "A price has at most six decimals and is at most 4,000,000,000.");
  }
  const flight = resolveFlight({ flightStart: wish.flight_start ?? null, flightEnd: wish.flight_end ?? null }, nowMs);
  if (isOverFlight(flight)) return overRefusal(flight);
  if (isFlightProblem(flight)) return fieldRefusal(flight.field, flight.message, flight.problem);
  return { item, dealType, impressions, budgetMicros, flight, targetMicros, mediaType: wish.media_type ?? "digital" };
};

export const priceOf = (context: SellerContext, wish: CheckedWish): Price | Refusal => {
  const question = {
    ...priceQuestion(context, wish.item, context.tier),
    impressions: wish.impressions ?? 0,
    targetMicros: wish.targetMicros,
  };
  return priceFor(question, context.ports.settings.pricing) ?? refuse("unpriceable_product");
};

/**
 * A larger volume is never dearer per thousand, so going down from the cheapest price finds the most that the budget
 * buys.
 */
export const withBoughtVolume = (context: SellerContext, wish: CheckedWish): CheckedWish | Refusal => {
  const { budgetMicros, item } = wish;
  if (budgetMicros === null) return wish;
  let impressions = mostImpressions;
  for (;;) {
    const price = priceOf(context, { ...wish, impressions });
    if (isRefusal(price)) return price;
    const bought = impressionsFor(budgetMicros, price.finalMicros);
    if (bought >= impressions) break;
    impressions = bought;
  }
  if (impressions >= item.minimum_impressions && impressions > 0) return { ...wish, impressions };
  return minimumRefusal(item, `The budget buys ${impressions} impressions. `);
};

/**
 * A buyer's dry run takes no round and no try at a price, so it must not show whether the seller would take one below
 * its own.
 */
export const isPreview = ({ caller, dryRun }: SellerContext): boolean => dryRun && !isOperator(caller);

/** Per verified buyer, all others per address. */
export const ownPriceRefusal = async (context: SellerContext, productId: string): Promise<Refusal | null> => {
  const { caller } = context;
  const buyer = caller.verified ? caller.owner : caller.limitKey;
  const probe = await context.ports.probes.take(buyer, productId);
  return probe.allowed ? null : refuse("price_probe_limited", { retryAfterSeconds: probe.retryAfterSeconds });
};

/** `left` null: no limit. */
export interface Stock {
  readonly available: boolean;
  readonly left: number | null;
}

const isEnough = (left: number | null, wanted: number): boolean => left === null || (left > 0 && left >= wanted);

const stockOfParts = async (
  context: SellerContext,
  parts: readonly PackagePart[],
  span: SlotSpan,
  wanted: number,
): Promise<Stock> => {
  const stocks = await Promise.all(
    parts.map(async ({ product_id: id }) => {
      const part = context.ports.catalog.get(id, span.fromSlot);
      return part === null ? { available: false, left: 0 } : stockFor(context, part, span, 0);
    }),
  );
  const left = wholeLeft(
    parts,
    stocks.map((stock) => stock.left),
  );
  return { available: isEnough(left, wanted), left };
};

/** Of the days from today on; a flight wholly past has nothing left. */
export const stockFor = (
  context: SellerContext,
  item: Pick<Sold, "product_id" | "maximum_impressions" | "parts">,
  flight: SlotSpan,
  wanted: number,
): Stock | Promise<Stock> => {
  const span = daysAhead(flight, context.nowMs);
  if (span === null) return { available: false, left: 0 };
  if (item.parts !== undefined) return stockOfParts(context, item.parts, span, wanted);
  const capImpressions = item.maximum_impressions;
  const stockOf = (heldImpressions: number): Stock => {
    const left = impressionsLeft({ capImpressions, heldImpressions });
    return { available: isEnough(left, wanted), left };
  };
  if (capImpressions === null) return stockOf(0);
  return context.reserved(inventoryLedger(item.product_id), span.fromSlot, span.toSlot).then(stockOf);
};
