import { createHash } from "node:crypto";
import { failureOf } from "../../../protocol/client/client-result.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import type {
  AnsweredQuote,
  BookingCallFailure,
  BookingCallResult,
  BookingRequest,
  CallFor,
  QuoteRequest,
  OneSellerCalls,
} from "../../../skills/buyer/bookings/flow/ports.ts";
import { buy, cancelBuy, findBuy, type BuyPlace, readBuy, readTask } from "./buys.ts";
import { type AdcpCatalog, type Catalogs, createCatalogs } from "./catalog.ts";
import type { Ask } from "../jobs/asking.ts";
import { type AdcpBuyer, createLinks, type Links } from "./link.ts";
import { offeredOf, optionFor, type PricedOption } from "./products.ts";
import { cancellationOf, buyNews, readCancellation } from "./standing.ts";

/** A price that was seen so long ago is asked for again before the line is sent. */
const quoteLastsMs = 3_600_000;

const quotePrefix = "adcp-";
const hashLength = 22;

/** One for each question, so that no two lines share it; the option is read from it when the line is bought. */
const quoteIdOf = (of: CallFor, { option_id }: PricedOption): string => {
  const asked = createHash("sha256")
    .update(of.key ?? "")
    .digest("base64url")
    .slice(0, hashLength);
  return `${quotePrefix}${asked}-${option_id}`;
};

const optionIn = (quoteId: string): string => quoteId.slice(quotePrefix.length + hashLength + 1);

/** AdCP has no quotes: the price that the product showed is one, as long as it was seen lately. */
const shownQuote = (request: QuoteRequest, option: PricedOption, of: CallFor, seenAtMs: number): AnsweredQuote => ({
  product_id: request.product_id,
  deal_type: request.deal_type,
  cpm_micros: option.price_micros,
  list_cpm_micros: null,
  currency: "USD",
  impressions: request.impressions,
  flight_start: request.flight_start,
  flight_end: request.flight_end,
  buyer_tier: "",
  seller_id: null,
  quote_id: quoteIdOf(of, option),
  status: "available",
  is_available: true,
  available_impressions: null,
  fill_rate: null,
  expires_at_ms: seenAtMs + quoteLastsMs,
  deal_id: null,
});

/** Before anything was sent. What an earlier attempt may have bought stays open. */
const unsent = <F extends BookingCallFailure>(failure: F, { isRepeat }: BookingRequest): F => ({
  ...failure,
  status: isRepeat ? 0 : 409,
});

const termsChanged = ({ url, booking, optionId }: BuyPlace, { products }: AdcpCatalog): BookingCallFailure | null => {
  const { product_id, cpmMicros } = booking.terms;
  const product = products.find((one) => one.product_id === product_id);
  const option = product?.options.find(({ option_id }) => option_id === optionId);
  if (option?.price_micros === cpmMicros) return null;
  const text = option === undefined ? "It is no longer sold at this pricing option" : "Its price has changed";
  return failureOf(url, 409, "terms_changed", `${text} since it was shown; it was not bought.`);
};

const createBuying = (ask: Ask, links: Links, catalogs: Catalogs, clock: Clock) => {
  const placeOf = async (url: string, booking: BookingRequest, of: CallFor): Promise<BookingCallResult<BuyPlace>> => {
    const link = await links.open(url, of);
    if (!link.ok) return unsent(link, booking);
    return { ok: true, value: { url, link: link.value, booking, of, optionId: optionIn(booking.quote_id) } };
  };
  const calls: Pick<OneSellerCalls, "book" | "readHeld" | "findBooking"> = {
    book: async (url, booking, of) => {
      const place = await placeOf(url, booking, of);
      if (!place.ok) return place;
      const catalog = await catalogs.read(url, place.value.link, of);
      const refused = catalog.ok ? termsChanged(place.value, catalog.value) : catalog;
      return refused === null ? buy(ask, place.value, clock.nowMs()) : unsent(refused, booking);
    },
    readHeld: async (url, { taskId, booking }, of) => {
      const place = await placeOf(url, booking, of);
      return place.ok ? readTask(ask, place.value, taskId) : place;
    },
    findBooking: async (url, booking, of) => {
      const place = await placeOf(url, booking, of);
      return place.ok ? findBuy(ask, place.value) : null;
    },
  };
  return calls;
};

const createWatching = (ask: Ask, links: Links) => {
  const at = async (url: string, of: CallFor): Promise<BookingCallResult<Pick<BuyPlace, "url" | "link" | "of">>> => {
    const link = await links.open(url, of);
    return link.ok ? { ok: true, value: { url, link: link.value, of } } : link;
  };
  const calls: Pick<OneSellerCalls, "readDeal" | "cancelOrder" | "readCancellation"> = {
    readDeal: async (url, { dealId }, of) => {
      const place = await at(url, of);
      const answer = place.ok ? await readBuy(ask, place.value, dealId) : place;
      return answer.ok ? { ok: true, value: buyNews(answer.value) } : answer;
    },
    cancelOrder: async (url, { dealId, reason }, of) => {
      const place = await at(url, of);
      const answer = place.ok ? await cancelBuy(ask, place.value, dealId, reason) : place;
      return answer.ok ? { ok: true, value: cancellationOf(dealId, answer.value) } : answer;
    },
    readCancellation: async (url, changeRequestId, of) => {
      const place = await at(url, of);
      return place.ok ? readCancellation(ask, place.value, changeRequestId) : place;
    },
  };
  return calls;
};

export interface AdcpCallParts {
  readonly ask: Ask;
  readonly buyer: AdcpBuyer;
  readonly clock: Clock;
}

/**
 * Sellers of AdCP 3: a price is a quote, a line is a media buy of one package, and what a seller holds back is a task
 * that is asked for until it is done.
 */
export const createAdcpCalls = ({ ask, buyer, clock }: AdcpCallParts): OneSellerCalls => {
  const links = createLinks(ask, buyer, clock);
  const catalogs = createCatalogs(ask, clock);
  const notOffered = async (url: string) => failureOf(url, 501, "not_offered", "AdCP has no such call.");
  const catalogOf = async (url: string, of: CallFor, isAnew: boolean): Promise<BookingCallResult<AdcpCatalog>> => {
    const known = isAnew ? null : catalogs.recent(url);
    if (known !== null) return { ok: true, value: known };
    const link = await links.open(url, of);
    return link.ok ? catalogs.read(url, link.value, of) : link;
  };
  return {
    products: async (url, { offset }, of) => {
      const catalog = await catalogOf(url, of, offset === 0);
      if (!catalog.ok) return catalog;
      const { products } = catalog.value;
      const page = products.slice(offset).map(offeredOf);
      return { ok: true, value: { products: page, received: page.length, total: products.length } };
    },
    packages: async () => ({ ok: true, value: [] }),
    quote: async (url, request, of) => {
      const catalog = await catalogOf(url, of, false);
      if (!catalog.ok) return catalog;
      const product = catalog.value.products.find(({ product_id }) => product_id === request.product_id);
      if (product === undefined) return failureOf(url, 404, "product_not_found", "The seller no longer lists it.");
      const option = optionFor(product, request.deal_type);
      if (option === undefined) return failureOf(url, 400, "invalid_deal_type", "It is no longer sold so.");
      return { ok: true, value: shownQuote(request, option, of, catalog.value.seenAtMs) };
    },
    readQuote: notOffered,
    bargain: notOffered,
    propose: notOffered,
    order: notOffered,
    ...createBuying(ask, links, catalogs, clock),
    ...createWatching(ask, links),
  };
};
