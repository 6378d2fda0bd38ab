import Router from "@koa/router";
import { getQuote, requestQuote } from "../../skills/seller/pricing/contract.ts";
import { bookDeal } from "../../skills/seller/deals/contract.ts";
import { type Append, openAppend, startBare } from "./bare-side.ts";
import type { BenchCase, Info, LoadRequest } from "./cases.ts";
import { reportCases } from "./report.ts";
import { type SellerSide, startSeller } from "./seller-side.ts";

export const quoteBody = {
  product_id: "prod-15ba2543",
  deal_type: "PG",
  impressions: 1_000_000,
  flight_start: "2027-01-01",
  flight_end: "2027-01-30",
  buyer_identity: { seat_id: "seat-bench", agency_id: "agency-bench" },
};

const headersOf = (info: Info): Record<string, string> => ({
  "content-type": "application/json",
  "x-api-key": String(info["key"]),
});

const quoteRequest = (info: Info): LoadRequest => ({
  method: "POST",
  path: "/api/v1/quotes",
  headers: headersOf(info),
  body: JSON.stringify(quoteBody),
});

/** A bound then does as much work and answers as much. */
const measureJobs = async (seller: SellerSide): Promise<Info> => {
  const start = seller.written();
  const quote = await seller.call("request_quote", quoteBody);
  const quoted = seller.written();
  const deal = await seller.call("book_deal", { quote_id: quote["quote_id"] });
  return { quote, deal, quoteBytes: quoted - start, dealBytes: seller.written() - quoted };
};

const readCount = 1000;

const keepQuotes = async (seller: SellerSide): Promise<Info> => {
  const made = await Promise.all(Array.from({ length: readCount }, () => seller.call("request_quote", quoteBody)));
  return { quote: made[0], ids: made.map((quote) => quote["quote_id"]) };
};

const peerOf = (peer: Info | null): Info => peer ?? {};

/** The input read, as many bytes made durable, the same answer. */
const bareQuotes = (router: Router, info: Info, append: Append): void => {
  router.post("/api/v1/quotes", async (ctx) => {
    requestQuote.input.parse(ctx.request.body);
    await append(Number(info["quoteBytes"]));
    ctx.body = info["quote"];
  });
};

const quoteCase: BenchCase = {
  name: "quote",
  perJob: 1,
  target: 0.38,
  sut: (options) => startSeller(options, measureJobs),
  bound: async ({ peer, flushDelayMs }) => {
    const append = await openAppend(flushDelayMs);
    const info = peerOf(peer);
    return startBare(info, (router) => bareQuotes(router, info, append));
  },
  load: (info) => [quoteRequest(info)],
};

const pairCase: BenchCase = {
  name: "quote-and-booking",
  perJob: 2,
  target: 0.27,
  sut: (options) => startSeller(options, measureJobs),
  bound: async ({ peer, flushDelayMs }) => {
    const append = await openAppend(flushDelayMs);
    const info = peerOf(peer);
    return startBare(info, (router) => {
      bareQuotes(router, info, append);
      router.post("/api/v1/deals", async (ctx) => {
        bookDeal.input.parse(ctx.request.body);
        await append(Number(info["dealBytes"]));
        ctx.status = 201;
        ctx.body = info["deal"];
      });
    });
  },
  load: (info) => [
    {
      ...quoteRequest(info),
      onResponse: (_status, body, context) => {
        context["quoteId"] = (JSON.parse(body) as { quote_id: string }).quote_id;
      },
    },
    {
      method: "POST",
      path: "/api/v1/deals",
      headers: headersOf(info),
      setupRequest: (request, context) => ({ ...request, body: JSON.stringify({ quote_id: context["quoteId"] }) }),
    },
  ],
};

const readCase: BenchCase = {
  name: "read-by-id",
  perJob: 1,
  target: 0.6,
  sut: (options) => startSeller(options, keepQuotes),
  bound: async ({ peer }) => {
    const info = peerOf(peer);
    const rows = new Map((info["ids"] as readonly string[]).map((id) => [id, info["quote"]]));
    return startBare(info, (router) => {
      router.get("/api/v1/quotes/:quote_id", (ctx) => {
        const { quote_id } = getQuote.input.parse(ctx["params"]);
        ctx.body = rows.get(quote_id);
      });
    });
  },
  load: (info) =>
    (info["ids"] as readonly string[]).map((id) => ({
      method: "GET" as const,
      path: `/api/v1/quotes/${id}`,
      headers: { "x-api-key": String(info["key"]) },
    })),
};

/** A whole list costs at most 1.6 times one of its products: it depends on catalog, tier and page alone. */
const listCase: BenchCase = {
  name: "product-list",
  perJob: 1,
  target: 0.625,
  sut: (options) => startSeller(options, async () => ({})),
  bound: (options) => startSeller(options, async () => ({})),
  load: (info, side) => [
    {
      method: "GET",
      path: side === "sut" ? "/products" : `/products/${quoteBody.product_id}`,
      headers: { "x-api-key": String(info["key"]) },
    },
  ],
};

export const cases: readonly BenchCase[] = [quoteCase, pairCase, readCase, listCase];

export const run = (): Promise<void> =>
  reportCases("seller-rest", cases, [
    ["", {}],
    [" + 2 ms a flush", { flushDelayMs: 2 }],
  ]);
