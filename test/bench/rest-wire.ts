import { z } from "zod";
import { defineContract, defineOperation } from "../../protocol/seam/operation.ts";
import { serveSample } from "../rest/sample.ts";
import { startBare } from "./bare-side.ts";
import type { BenchCase } from "./cases.ts";
import { reportCases } from "./report.ts";
import { quoteBody } from "./seller-rest.ts";
import { quote, requestQuote } from "../../skills/seller/pricing/contract.ts";

const answer = {
  quote_id: "qt-0123456789ab",
  status: "available",
  product: { product_id: "prod-15ba2543", name: "Pre-Roll Video", inventory_type: "video" },
  pricing: {
    base_cpm: 25,
    tier_discount_pct: 10,
    volume_discount_pct: 0,
    final_cpm: 22.5,
    currency: "USD",
    pricing_model: "cpm",
    rationale: "Base price 25.00 USD, 10 percent off for agencies.",
  },
  terms: { impressions: 1_000_000, flight_start: "2027-01-01", flight_end: "2027-01-30", guaranteed: true },
  availability: { inventory_available: true, estimated_fill_rate: 0.9, competing_demand: "low" },
  deal_type: "PG",
  buyer_tier: "agency",
  seller_id: "seller-premium-pub-001",
  expires_at: "2026-11-22T10:00:00.000000Z",
  created_at: "2026-11-21T10:00:00.000000Z",
} as const;

const base = { group: "bench", access: "public", output: quote, refusals: {}, summary: "Answers at once." } as const;
const id = z.object({ quote_id: z.string().min(1).max(128) });

/** Handlers do nothing, so that the wire and the gates remain. */
const operations = [
  defineOperation(
    defineContract({
      ...base,
      name: "answer_quote",
      effect: "write",
      input: requestQuote.input,
      rest: { method: "POST", path: "/api/v1/quotes" },
    }),
    async () => ({ output: answer }),
  ),
  defineOperation(
    defineContract({
      ...base,
      name: "answer_read",
      effect: "read",
      input: id,
      rest: { method: "GET", path: "/api/v1/quotes/:quote_id" },
    }),
    async () => ({ output: answer, meta: { revision: 1 } }),
  ),
  ...Array.from({ length: 60 }, (_, place) =>
    defineOperation(
      defineContract({
        ...base,
        name: `other_${place}`,
        effect: "read",
        input: id,
        rest: { method: "GET", path: `/other-${place}/:quote_id` },
      }),
      async () => ({ output: answer }),
    ),
  ),
];

const sut: BenchCase["sut"] = async () => {
  const served = await serveSample({ operations, perMinute: 1_000_000_000 });
  return { url: served.url, info: {} };
};

const writeCase: BenchCase = {
  name: "write",
  perJob: 1,
  target: 0.75,
  sut,
  bound: () =>
    startBare({}, (router) => {
      router.post("/api/v1/quotes", (ctx) => {
        requestQuote.input.parse(ctx.request.body);
        ctx.body = answer;
      });
    }),
  load: () => [
    {
      method: "POST",
      path: "/api/v1/quotes",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(quoteBody),
    },
  ],
};

const readCase: BenchCase = {
  name: "read",
  perJob: 1,
  target: 0.75,
  sut,
  bound: () =>
    startBare({}, (router) => {
      router.get("/api/v1/quotes/:quote_id", (ctx) => {
        id.parse(ctx["params"]);
        ctx.body = answer;
      });
    }),
  load: () => [{ method: "GET", path: "/api/v1/quotes/qt-0123456789ab" }],
};

export const cases: readonly BenchCase[] = [writeCase, readCase];

export const run = (): Promise<void> => reportCases("rest-wire", cases);
