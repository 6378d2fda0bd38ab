import type { ServerResponse } from "node:http";
import { dealEnvelope } from "../../protocol/rest/dialects/deal.ts";
import type { OperationDialect } from "../../protocol/rest/dialects/dialect.ts";
import { quoteEnvelope } from "../../protocol/rest/dialects/quote.ts";
import { answerJson, type Loopback, type Seen, startLoopback } from "../client/loopback.ts";

type Body = Record<string, unknown>;

/** True: the hook has answered; false: the seller does. */
export interface Bends {
  readonly products?: (response: ServerResponse, request: Seen) => boolean;
  /** Without it the seller has no media kit. */
  readonly kit?: (response: ServerResponse, request: Seen) => boolean;
  readonly quote?: (response: ServerResponse, quote: Body, request: Seen) => boolean;
  /** Before the quote is read. */
  readonly booking?: (response: ServerResponse, request: Seen) => boolean;
  /** Without it the seller does not negotiate. */
  readonly counter?: (response: ServerResponse, quote: Body, message: Body) => boolean;
  /** After the booking, before the answer. */
  readonly deal?: (response: ServerResponse, deal: Body, request: Seen) => boolean;
  /** Display; ctv costs twice as much. */
  readonly price?: () => number;
  readonly expiresAt?: string;
  /** As IAB's reference seller 2.4.2: Money in micros, wrapped quotes and deals, the idempotency key in the body. */
  readonly enveloped?: boolean;
  /** As a seller without idempotency keys. */
  readonly forgetful?: boolean;
}

export interface FakeSeller {
  readonly url: string;
  readonly server: Loopback;
  readonly quotes: Map<string, Body>;
  readonly deals: Map<string, Body>;
  /** New bookings by quote. */
  readonly bookings: Map<string, number>;
  close(): Promise<void>;
}

const product = (id: string, type: string, price: number): Body => ({
  product_id: id,
  name: `Product ${id}`,
  description: null,
  inventory_type: type,
  base_cpm: price,
  floor_cpm: null,
  currency: "USD",
  deal_types: ["preferreddeal"],
  ext: { inventory_type: type, minimum_impressions: 1000, deal_types: ["PD"], audience_capabilities: [] },
});

const products = (price: number): Body[] => [
  product("p-display", "display", price),
  product("p-ctv", "ctv", 2 * price),
];

const micros = (price: unknown) => ({ amount_micros: Math.round(Number(price) * 1_000_000), currency: "USD" });

const listed = ({ base_cpm: price, currency: _currency, deal_types: _types, inventory_type: type, ...rest }: Body) => ({
  ...rest,
  base_price: micros(price),
  pricing_type: "fixed",
  ad_formats: [type],
});

const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, member: unknown) => (member === null ? undefined : member))) as unknown;

const missingKey = {
  detail: [{ type: "missing", loc: ["body", "idempotency_key"], msg: "Field required", input: {} }],
};

const routeOf = (request: Seen): string => {
  const path = request.path.split("?")[0] ?? "";
  return `${request.method} ${path.replace(/(quotes|deals)\/.+/, "$1/:id").replace(/proposals\/[^/]+/, "proposals/:id")}`;
};

const lastOf = (request: Seen): string => decodeURIComponent(request.path.split("/").at(-1) ?? "");

export const startFakeSeller = async (bends: Bends = {}): Promise<FakeSeller> => {
  const quotes = new Map<string, Body>();
  const deals = new Map<string, Body>();
  const bookings = new Map<string, number>();
  const answered = new Map<string, Body>();
  const price = bends.price ?? (() => 10);
  const shown = (dialect: OperationDialect, body: Body): unknown =>
    bends.enveloped === true ? withoutNulls(dialect.writeAnswer(body)) : body;

  const quoteFor = (input: Body): Body => {
    const found = products(price()).find((entry) => entry["product_id"] === input["product_id"]);
    const cpm = Number(found?.["base_cpm"] ?? 0);
    const id = `qt-${quotes.size + 1}`;
    const quote = {
      quote_id: id,
      status: "available",
      product: { product_id: input["product_id"], name: found?.["name"] ?? "", inventory_type: "display" },
      pricing: {
        base_cpm: cpm,
        tier_discount_pct: 0,
        volume_discount_pct: 0,
        final_cpm: cpm,
        currency: "USD",
        pricing_model: "cpm",
        rationale: "",
      },
      terms: {
        impressions: input["impressions"],
        flight_start: input["flight_start"],
        flight_end: input["flight_end"],
        guaranteed: false,
      },
      availability: { inventory_available: true },
      deal_type: input["deal_type"],
      buyer_tier: "agency",
      seller_id: "fake",
      expires_at: bends.expiresAt ?? "2099-01-01T00:00:00Z",
      created_at: "2027-01-15T12:00:00Z",
      deal_id: null,
    };
    quotes.set(id, quote);
    return quote;
  };

  const dealFor = (quote: Body): Body => {
    const id = `D-${deals.size + 1}`;
    const deal = {
      ...structuredClone(quote),
      deal_id: id,
      status: "proposed",
      activation_instructions: { ttd: id },
      openrtb_params: { id, bidfloor: 1, bidfloorcur: "USD", at: 1, wseat: [], wadomain: [] },
    };
    deals.set(id, deal);
    bookings.set(String(quote["quote_id"]), (bookings.get(String(quote["quote_id"])) ?? 0) + 1);
    Object.assign(quote, { status: "booked", deal_id: id });
    return deal;
  };

  const book = (request: Seen, response: ServerResponse): void => {
    if (!isKeyed(request, response) || bends.booking?.(response, request) === true) return;
    const input = JSON.parse(request.body) as Body;
    const key = String(request.headers["idempotency-key"]);
    const known = bends.forgetful === true ? undefined : answered.get(key);
    if (known !== undefined)
      return answerJson(response, 201, shown(dealEnvelope, known), { "idempotency-replayed": "true" });
    const quote = quotes.get(String(input["quote_id"]));
    if (quote === undefined) return answerJson(response, 404, { error: "not_found", detail: "Quote not found" });
    if (quote["status"] !== "available") {
      return answerJson(response, 409, { error: "quote_already_booked", detail: "The quote has already been booked." });
    }
    const deal = dealFor(quote);
    answered.set(key, deal);
    if (bends.deal?.(response, deal, request) !== true) answerJson(response, 201, shown(dealEnvelope, deal));
  };

  const ask = (request: Seen, response: ServerResponse): void => {
    if (!isKeyed(request, response)) return;
    const key = String(request.headers["idempotency-key"]);
    const quote = answered.get(key) ?? quoteFor(JSON.parse(request.body) as Body);
    answered.set(key, quote);
    if (bends.quote?.(response, quote, request) !== true) answerJson(response, 201, shown(quoteEnvelope, quote));
  };

  /** False: the answer says what is missing. */
  const isKeyed = (request: Seen, response: ServerResponse): boolean => {
    if (bends.enveloped !== true || (JSON.parse(request.body) as Body)["idempotency_key"] !== undefined) return true;
    answerJson(response, 422, missingKey);
    return false;
  };

  const read = (from: Map<string, Body>, request: Seen, response: ServerResponse): void => {
    const found = from.get(lastOf(request));
    if (found === undefined) return answerJson(response, 404, { error: "not_found", detail: "Not found" });
    return answerJson(response, 200, shown(from === quotes ? quoteEnvelope : dealEnvelope, found));
  };

  const server = await startLoopback((request, response) => {
    switch (routeOf(request)) {
      case "GET /products":
        if (bends.products?.(response, request) === true) return;
        if (bends.enveloped === true) {
          const page = { total_count: 2, limit: 50, offset: 0 };
          return answerJson(response, 200, { products: products(price()).map(listed), ...page });
        }
        return answerJson(response, 200, { products: products(price()), total: 2, total_count: 2, count: 2 });
      case "POST /media-kit/search":
        if (bends.kit?.(response, request) === true) return;
        return answerJson(response, 404, { error: "not_found", detail: "Not found" });
      case "POST /api/v1/quotes":
        return ask(request, response);
      case "GET /api/v1/quotes/:id":
        return read(quotes, request, response);
      case "POST /proposals/:id/counter": {
        const quote = quotes.get(decodeURIComponent(request.path.split("/")[2] ?? ""));
        const message = JSON.parse(request.body) as Body;
        if (quote !== undefined && bends.counter?.(response, quote, message) === true) return;
        return answerJson(response, 404, { error: "not_found", detail: "Not found" });
      }
      case "POST /api/v1/deals":
        return book(request, response);
      case "GET /api/v1/deals/:id":
        return read(deals, request, response);
      default:
        return answerJson(response, 404, { error: "not_found", detail: "Not found" });
    }
  });
  return { url: server.url, server, quotes, deals, bookings, close: () => server.close() };
};
