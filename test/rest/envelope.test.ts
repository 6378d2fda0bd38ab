import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../agents/server/serve.ts";
import { declaredResponse, type OpenApiDocument } from "../../protocol/openapi/document.ts";
import type { JsonSchema } from "../../protocol/seam/json-schema.ts";
import { dealEnvelope } from "../../protocol/rest/dialects/deal.ts";
import { sellerDialects } from "../../protocol/rest/dialects/seller.ts";
import { openWorld, type World } from "../skills/world.ts";

type Members = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body: Members;
  readonly headers: Headers;
}

let world: World;
let served: Served;
beforeAll(async () => {
  world = await openWorld();
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  served = await serve(
    {
      name: "seller",
      title: "Seller",
      version: "0.0.0",
      description: "d",
      runner: world.runner,
      errorShape: "wrapped",
      dialects: sellerDialects,
      pages: [],
      stop: () => Promise.resolve(),
    },
    { host: "127.0.0.1", port: 0, log: silent },
  );
});
afterAll(async () => {
  await served.close();
  await world.close();
});

const send = async (method: string, path: string, body?: unknown, caller = "agency"): Promise<Answer> => {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-api-key": world.secretOf(caller) ?? "" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Members, headers: response.headers };
};

const usd = (amountMicros: number) => ({ amount_micros: amountMicros, currency: "USD" });

const wish = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 1_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

const quoted = async (more: Members = {}): Promise<Members> => {
  const answer = await send("POST", "/api/v1/quotes", { ...wish, idempotency_key: randomUUID(), ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body["quote"] as Members;
};

describe("the envelope form of quotes", () => {
  test("a body with an idempotency key is answered in the envelope, its money in whole micros", async () => {
    const answer = await send("POST", "/api/v1/quotes", {
      ...wish,
      idempotency_key: "q-1",
      media_type: "ctv",
      buyer_identity: { seat_id: "s", seat_name: "n", campaign_id: "c" },
      rate_card_id: null,
      consent_context: null,
    });
    expect(Object.keys(answer.body)).toEqual(["quote"]);
    const quote = answer.body["quote"] as Members;
    expect(quote).toMatchObject({
      status: "available",
      deal_type: "PG",
      product: { product_id: "prod-53e78a97", name: "CTV Premium Streaming", inventory_type: "ctv" },
      pricing: {
        pricing_type: "fixed",
        base_cpm: { amount_micros: 35_000_000, currency: "USD" },
        tier_discount_pct: 10,
        volume_discount_pct: 0,
        final_cpm: { amount_micros: 31_500_000, currency: "USD" },
        pricing_model: "cpm",
        base_cpp: null,
        final_cpp: null,
      },
      terms: {
        impressions: 1_000_000,
        flight_start: "2027-03-01",
        flight_end: "2027-03-31",
        guaranteed: true,
        grps: null,
        guaranteed_grps: null,
        target_demo: null,
      },
      availability: { inventory_available: true },
      buyer_tier: "agency",
      rate_card_id: null,
      seller_id: "seller-premium-pub-001",
      deal_id: null,
      media_type: "ctv",
      linear_tv: null,
      consent_context: null,
    });
    expect(quote["pricing"]).not.toHaveProperty("currency");
    expect(quote["quote_id"]).toMatch(/^qt-[0-9a-f]{12}$/);
  });

  test("a body without a key is answered flat, a null key is none", async () => {
    for (const body of [wish, { ...wish, idempotency_key: null }]) {
      const answer = await send("POST", "/api/v1/quotes", body);
      expect(answer.body).toMatchObject({ status: "available", pricing: { final_cpm: 31.5, currency: "USD" } });
    }
  });

  test("GET answers in the form in which the record was made", async () => {
    const quote = await quoted();
    const read = await send("GET", `/api/v1/quotes/${String(quote["quote_id"])}`);
    expect(read.body).toEqual({ quote });
    expect(read.headers.get("etag")).toBe('"1"');
    const flat = await send("POST", "/api/v1/quotes", wish);
    expect((await send("GET", `/api/v1/quotes/${String(flat.body["quote_id"])}`)).body).toEqual(flat.body);
  });

  test("a target is taken to the micro, and only as whole micros", async () => {
    const quote = await quoted({ target_cpm: usd(30_000_001) });
    expect(quote["pricing"]).toMatchObject({ final_cpm: { amount_micros: 30_000_001, currency: "USD" } });
    const bad = [30, 30.5, "30", { amount_micros: 30.5, currency: "USD" }, { amount_micros: "30", currency: "USD" }];
    const worse = [
      { amount_micros: 30_000_000 },
      usd(0),
      usd(-1),
      usd(2 ** 53),
      { ...usd(30_000_000), currency: "usd" },
    ];
    for (const target of [...bad, ...worse]) {
      const answer = await send("POST", "/api/v1/quotes", {
        ...wish,
        idempotency_key: randomUUID(),
        target_cpm: target,
      });
      expect([answer.status, answer.body["error"]], JSON.stringify(target)).toEqual([422, "validation_error"]);
    }
  });

  test("another currency than the product's is 422 currency_mismatch", async () => {
    const target = { amount_micros: 30_000_000, currency: "EUR" };
    const answer = await send("POST", "/api/v1/quotes", { ...wish, idempotency_key: "q-eur", target_cpm: target });
    expect(answer).toMatchObject({ status: 422, body: { error: "currency_mismatch", currency: "USD" } });
  });

  test("linear TV is refused before anything else, with what is unsupported", async () => {
    const body = {
      idempotency_key: "q-tv",
      product_id: "none",
      deal_type: "XX",
      media_type: "linear_tv",
      linear_tv: {},
    };
    const answer = await send("POST", "/api/v1/quotes", body);
    expect(answer.status).toBe(400);
    const unsupported = [{ capability: "linear_tv", path: "media_type", reason: "" }];
    expect(answer.body).toMatchObject({ detail: { error: "unsupported_capability", unsupported } });
  });

  test.each([
    { idempotency_key: "" },
    { idempotency_key: 7 },
    { deal_type: "pg" },
    { deal_type: null },
    { impressions: -1 },
    { impressions: 1.5 },
    { media_type: "radio" },
    { linear_tv: {} },
    { product_id: "" },
    { buyer_identity: [] },
    { flight_end: "2027-02-01" },
  ])("a body that breaks the form is 422 and makes nothing: %j", async (wrong) => {
    const before = await world.store.count("quote", null);
    const answer = await send("POST", "/api/v1/quotes", { ...wish, idempotency_key: randomUUID(), ...wrong });
    expect([answer.status, answer.body["error"]]).toEqual([422, "validation_error"]);
    expect(await world.store.count("quote", null)).toBe(before);
  });

  test("the same key gives the same quote, another body under it is 409", async () => {
    const first = await send("POST", "/api/v1/quotes", { ...wish, idempotency_key: "q-same" });
    const again = await send("POST", "/api/v1/quotes", { ...wish, idempotency_key: "q-same" });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await send("POST", "/api/v1/quotes", { ...wish, impressions: 2_000_000, idempotency_key: "q-same" });
    expect([other.status, other.body["error"]]).toEqual([409, "idempotency_conflict"]);
  });

  test("a dry run stands beside the envelope and has no id", async () => {
    const answer = await send("POST", "/api/v1/quotes?dry_run=true", { ...wish, idempotency_key: "q-dry" });
    expect(answer.body).toMatchObject({ dry_run: true, quote: { quote_id: null, status: "available" } });
    expect(answer.body["quote"]).not.toHaveProperty("dry_run");
  });
});

describe("the envelope form of deals", () => {
  test("a booking with a key is answered in the envelope, and read back in it", async () => {
    const quote = await quoted();
    const body = { quote_id: quote["quote_id"], idempotency_key: randomUUID(), notes: "n", consent_context: null };
    const booked = await send("POST", "/api/v1/deals", body);
    expect(Object.keys(booked.body).sort()).toEqual(["audience_match_summary", "audience_plan_snapshot", "deal"]);
    expect(booked.body).toMatchObject({ audience_plan_snapshot: null, audience_match_summary: null });
    const deal = booked.body["deal"] as Members;
    expect(deal).toMatchObject({
      deal_type: "PG",
      status: "proposed",
      quote_id: quote["quote_id"],
      rate_card_id: null,
      pricing: { final_cpm: { amount_micros: 31_500_000, currency: "USD" } },
      buyer_tier: "agency",
      openrtb_params: {
        bidfloor: { amount_micros: 31_500_000, currency: "USD" },
        at: 1,
        wseat: ["seat-2"],
        wadomain: [],
      },
      media_type: "digital",
      linear_tv: null,
      consent_context: null,
      supply_chain: null,
    });
    expect(deal["openrtb_params"]).not.toHaveProperty("bidfloorcur");
    expect((await send("GET", `/api/v1/deals/${String(deal["deal_id"])}`)).body).toEqual(booked.body);
    const read = await send("GET", `/api/v1/quotes/${String(quote["quote_id"])}`);
    expect(read.body["quote"]).toMatchObject({ status: "booked", deal_id: deal["deal_id"] });
  });

  test("a cancelled deal is cancelled here, and in the flat form rejected with a mark", async () => {
    const quote = await quoted();
    const body = { quote_id: quote["quote_id"], idempotency_key: randomUUID() };
    const { deal } = (await send("POST", "/api/v1/deals", body)).body as { deal: { deal_id: string } };
    const path = `/api/v1/deals/${deal.deal_id}`;
    const { body: order } = await send("POST", "/api/v1/orders", { deal_id: deal.deal_id });
    const input = { order_id: order["order_id"], change_type: "cancellation" };
    const asked = await world.send({ caller: "agency", operation: "create_change_request", input });
    const cr_id = asked.body["change_request_id"];
    const review = { cr_id, decision: "approve" };
    await world.send({ caller: "senior", operation: "review_change_request", input: review });
    await world.send({ caller: "senior", operation: "apply_change_request", input: { cr_id } });
    expect((await send("GET", path)).body["deal"]).toMatchObject({ status: "cancelled", cancelled: true });
    const flat = await world.send({ caller: "agency", operation: "get_deal", input: { deal_id: deal.deal_id } });
    expect(flat.body).toMatchObject({ status: "rejected", cancelled: true });
    expect(dealEnvelope.readAnswer((await send("GET", path)).body)).toMatchObject({
      status: "rejected",
      cancelled: true,
    });
  });

  test("the plan's snapshot and summary stand beside the deal", async () => {
    const primary = {
      type: "standard",
      identifier: "IAB19-29",
      taxonomy: "iab-audience",
      version: "1.1",
      source: "explicit",
    };
    const quote = await quoted();
    const booking = { quote_id: quote["quote_id"], idempotency_key: randomUUID(), audience_plan: { primary } };
    const { body } = await send("POST", "/api/v1/deals", booking);
    expect(body).toMatchObject({
      audience_plan_snapshot: { primary },
      audience_match_summary: { primary: { match: "STRONG", score: 0.945 } },
    });
    expect(body["deal"]).not.toHaveProperty("audience_plan_snapshot");
  });

  test("the form is the deal's own, whatever form its quote was made in", async () => {
    const quote = await quoted();
    const flat = await send("POST", "/api/v1/deals", { quote_id: quote["quote_id"] });
    expect(flat.body).toMatchObject({
      status: "proposed",
      pricing: { final_cpm: 31.5 },
      openrtb_params: { bidfloorcur: "USD" },
    });
    expect((await send("GET", `/api/v1/deals/${String(flat.body["deal_id"])}`)).body).toEqual(flat.body);
  });

  test("refusals and their statuses are those of the flat form", async () => {
    const unknown = await send("POST", "/api/v1/deals", { quote_id: "qt-000000000000", idempotency_key: "d-none" });
    expect(unknown).toMatchObject({ status: 404, body: { error: "not_found" } });
    const wrong = await send("POST", "/api/v1/deals", { quote_id: 7, idempotency_key: "d-wrong" });
    expect(wrong).toMatchObject({ status: 422, body: { error: "validation_error" } });
  });
});

describe("the envelope form of negotiation messages", () => {
  const say = (body: Members, caller = "agency") =>
    send("POST", "/api/v1/negotiations/messages", { idempotency_key: randomUUID(), ...body }, caller);

  test("rounds carry money in whole micros; what is agreed is booked", async () => {
    const quote = await quoted();
    const first = await say({ action: "counter", quote_id: quote["quote_id"], buyer_price: usd(29_000_000) });
    expect(first.body).toMatchObject({
      status: "active",
      rounds_remaining: 4,
      round: {
        round_number: 1,
        buyer_price: { amount_micros: 29_000_000, currency: "USD" },
        seller_price: { amount_micros: 30_250_000, currency: "USD" },
        action: "counter",
      },
      agreed_price: null,
    });
    const id = String(first.body["negotiation_id"]);
    const accepted = await say({ action: "accept", negotiation_id: id, buyer_price: usd(30_250_000) });
    expect(accepted.body).toMatchObject({
      status: "accepted",
      rounds_remaining: 0,
      agreed_price: { amount_micros: 30_250_000, currency: "USD" },
    });
    const read = await send("GET", `/api/v1/negotiations/${id}`);
    expect(read.body["rounds"]).toMatchObject([{ seller_price: usd(30_250_000) }, { action: "accept" }]);
    const booked = await send("POST", "/api/v1/deals", { quote_id: quote["quote_id"], idempotency_key: randomUUID() });
    expect(booked.body["deal"]).toMatchObject({ pricing: { final_cpm: usd(30_250_000) } });
  });

  test("messages about a flat proposal are answered with money too", async () => {
    const { deal_type, impressions } = wish;
    const product_id = "prod-15ba2543";
    const terms = { start_date: "2027-03-01", end_date: "2027-03-31" };
    const proposal = await send("POST", "/proposals", { product_id, deal_type, impressions, price: 12, ...terms });
    expect(proposal.body).toMatchObject({ status: "counter_pending", counter_terms: { proposed_price: 21.38 } });
    const message = { action: "counter", proposal_id: proposal.body["proposal_id"], buyer_price: usd(12_000_000) };
    const answer = await say(message);
    expect(answer.body).toMatchObject({ round: { round_number: 2, seller_price: usd(21_380_000) } });
  });

  test.each([
    { action: "counter" },
    { action: "counter", quote_id: "q", buyer_price: 29 },
    { action: "counter", quote_id: "q", buyer_price: { amount_micros: 29.5, currency: "USD" } },
    { action: "reject", quote_id: "q", buyer_price: { amount_micros: 29_000_000, currency: "USD" } },
    { action: "accept" },
    { action: "haggle", quote_id: "q" },
    { action: "accept", quote_id: "q", round_number: 0 },
    { action: "accept", quote_id: "q", idempotency_key: "" },
  ])("a message that breaks the form is 422: %j", async (wrong) => {
    expect([(await say(wrong)).status, (await say(wrong)).body["error"]]).toEqual([422, "validation_error"]);
  });

  test("another currency is 422 currency_mismatch", async () => {
    const quote = await quoted();
    const price = { amount_micros: 29_000_000, currency: "EUR" };
    const answer = await say({ action: "counter", quote_id: quote["quote_id"], buyer_price: price });
    expect([answer.status, answer.body["error"]]).toEqual([422, "currency_mismatch"]);
  });
});

describe("the envelope form as a client reads and writes it", () => {
  const flatQuote = {
    pricing: { base_cpm: 35, final_cpm: 31.5, currency: "USD" },
    terms: { impressions: 5 },
    quote_id: "q",
  };

  test("what is written is read back the same", () => {
    const dialect = sellerDialects.get("request_quote");
    expect(dialect?.readAnswer(dialect.writeAnswer(flatQuote))).toMatchObject(flatQuote);
    const request = { idempotency_key: "k", ...wish, target_cpm: 30.000001, currency: "USD" };
    expect(dialect?.writeRequest(request)).toMatchObject({
      target_cpm: { amount_micros: 30_000_001, currency: "USD" },
    });
    expect(dialect?.readRequest(dialect.writeRequest(request))).toEqual(request);
  });

  test("deals and rounds are read in the flat form", () => {
    const rtb = { id: "d", bidfloor: 31.5, bidfloorcur: "USD", at: 1 };
    const flatDeal = {
      ...flatQuote,
      openrtb_params: rtb,
      audience_plan_snapshot: { a: 1 },
      audience_match_summary: {},
    };
    const deals = sellerDialects.get("book_deal");
    expect(deals?.readAnswer(deals.writeAnswer(flatDeal))).toMatchObject(flatDeal);
    expect(deals?.readRequest(deals.writeRequest({ quote_id: "q", idempotency_key: "k" }))).toEqual({
      quote_id: "q",
      idempotency_key: "k",
    });
    const standing = {
      currency: "USD",
      round: { round_number: 1, buyer_price: 1.5, seller_price: 2 },
      rounds: [],
      agreed_price: null,
    };
    const talks = sellerDialects.get("negotiate");
    expect(talks?.readAnswer(talks.writeAnswer(standing))).toMatchObject(standing);
    const offer = { idempotency_key: "k", action: "counter", quote_id: "q", buyer_price: 29.5, currency: "USD" };
    expect(talks?.readRequest(talks.writeRequest(offer))).toEqual(offer);
  });
});

test("the document shows both forms of a request and of an answer", async () => {
  const { body } = await send("GET", "/openapi.json");
  const paths = body["paths"] as Record<
    string,
    Record<string, { requestBody?: unknown; responses: Record<string, unknown> }>
  >;
  const quotes = JSON.stringify(paths["/api/v1/quotes"]?.["post"]);
  expect(quotes).toContain("#/components/schemas/RequestQuoteInput");
  expect(quotes).toContain("#/components/schemas/RequestQuoteEnvelopeInput");
  expect(quotes).toContain("#/components/schemas/RequestQuoteEnvelopeOutput");
  const refused = paths["/api/v1/quotes"]?.["post"]?.responses["400"] ?? {};
  const refusals = declaredResponse(body as unknown as OpenApiDocument, refused as JsonSchema);
  expect(JSON.stringify(refusals)).toContain("unsupported_capability");
  expect(JSON.stringify(paths["/api/v1/quotes/{quote_id}"]?.["get"])).toContain("GetQuoteEnvelopeOutput");
});
