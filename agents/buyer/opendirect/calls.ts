import { createHash } from "node:crypto";
import { toMicros } from "../../../machines/money.ts";
import { failureOf } from "../../../protocol/client/client-result.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type {
  AnsweredQuote,
  CallFor,
  QuoteRequest,
  BookingCallResult,
  OneSellerCalls,
} from "../../../skills/buyer/bookings/flow/ports.ts";
import type { Ask } from "../jobs/asking.ts";
import { askAvails } from "./contract.ts";
import { createLineCalls, days } from "./lines.ts";

export interface OpenDirectAccount {
  readonly accountId: string;
  /** With it availability is asked for in the form of OpenDirect 2.1. */
  readonly brandId: string | null;
}

const dealTypes = ["PG", "PD", "PA"];

/** A product of OpenDirect 2.1 as of a seller's catalog. It names no deal type: its lines are all direct. */
export const catalogItem = (item: unknown): unknown => {
  if (!isMembers(item)) return item;
  const { id, productid, baseprice, availableImpressions, ratetype, ...rest } = item;
  const formats: unknown = rest["ad_formats"] ?? (isMembers(rest["ext"]) ? rest["ext"]["ad_formats"] : null);
  const format: unknown = Array.isArray(formats) ? formats[0] : null;
  const isByThousand = ratetype === undefined || (typeof ratetype === "string" && ratetype.toUpperCase() === "CPM");
  return {
    product_id: productid ?? id,
    base_price: isByThousand ? baseprice : null,
    available_impressions: availableImpressions,
    inventory_type: format,
    ...rest,
    ext: { ...(isMembers(rest["ext"]) ? rest["ext"] : {}), deal_types: dealTypes },
  };
};

interface Avails {
  readonly available: number | null;
  readonly cpmMicros: number | null;
  readonly currency: string;
}

/** The same question has the same id: OpenDirect keeps no quotes. */
const idOf = (url: string, request: QuoteRequest): string =>
  `avails-${createHash("sha256")
    .update(JSON.stringify([url, request]))
    .digest("hex")
    .slice(0, 32)}`;

const askFor = async (
  ask: Ask,
  url: string,
  request: QuoteRequest,
  { accountId, brandId }: OpenDirectAccount,
  of: CallFor,
): Promise<BookingCallResult<Avails>> => {
  const { product_id: productid, impressions } = request;
  const dates = days(request);
  const wanted = { name: "Inventory", type: "Audience", datasource: "buyer", target: "requestedimpressions" };
  const whole = {
    productids: [productid],
    accountid: accountId,
    advertiserbrandid: brandId,
    ...dates,
    producttargeting: [{ ...wanted, targetvalues: [String(impressions)], selectable: false }],
  };
  const short = { productid, ...dates, requestedImpressions: impressions };
  const first = brandId === null ? null : await ask(url, askAvails, whole, of);
  const answer = first === null || (!first.ok && first.status === 422) ? await ask(url, askAvails, short, of) : first;
  if (!answer.ok) return answer;
  const { avails, availableImpressions, estimatedCpm, currency } = answer.value;
  const one = (avails ?? []).find((found) => found.productid === productid);
  const price = one?.price ?? estimatedCpm ?? null;
  const value = {
    available: one?.availability ?? availableImpressions ?? null,
    cpmMicros: price === null ? null : toMicros(price),
    currency: one?.currency ?? currency ?? "USD",
  };
  return { ok: true, value };
};

const quoteOf = (url: string, request: QuoteRequest, { available, cpmMicros, currency }: Avails): AnsweredQuote => ({
  ...request,
  quote_id: idOf(url, request),
  status: "available",
  cpm_micros: cpmMicros,
  list_cpm_micros: null,
  currency,
  buyer_tier: "",
  seller_id: null,
  is_available: available === null || available >= request.impressions,
  available_impressions: available,
  fill_rate: null,
  expires_at_ms: null,
  deal_id: null,
});

/** OpenDirect knows neither quotes nor negotiation: availability gives the price that its lines are booked at. */
export const createOpenDirectCalls = (ask: Ask, account: OpenDirectAccount): Omit<OneSellerCalls, "products"> => {
  const notOffered = async (url: string) => failureOf(url, 501, "not_offered", "OpenDirect has no such call.");
  return {
    packages: notOffered,
    quote: async (url, request, of) => {
      const asked = await askFor(ask, url, request, account, of);
      return asked.ok ? { ok: true, value: quoteOf(url, request, asked.value) } : asked;
    },
    readQuote: notOffered,
    readHeld: notOffered,
    bargain: notOffered,
    propose: notOffered,
    ...createLineCalls(ask, account.accountId),
  };
};
