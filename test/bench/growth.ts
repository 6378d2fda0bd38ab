import { create } from "../../protocol/seam/changes.ts";
import { dealKind, type DealRow } from "../../skills/seller/deals/record.ts";
import type { BenchCase, Info } from "./cases.ts";
import { reportCases } from "./report.ts";
import { type SellerSide, startSeller } from "./seller-side.ts";
import { quoteBody } from "./seller-rest.ts";

const fewest = 1000;
const batch = 500;

const keepDeals = async (seller: SellerSide, count: number): Promise<Info> => {
  const quote = await seller.call("request_quote", quoteBody);
  const deal = await seller.call("book_deal", { quote_id: quote["quote_id"] });
  const row = await seller.store.get(dealKind.name, String(deal["deal_id"]));
  if (row === null) throw new Error("the booked deal is not in the store");
  for (let start = 0; start < count; start += batch) {
    const changes = Array.from({ length: Math.min(batch, count - start) }, (_, place) => {
      const digits = (start + place).toString(16).toUpperCase().padStart(12, "0");
      const body = { ...(row.body as DealRow), deal_id: `DEMO-${digits}`, quote_id: `qt-${digits.toLowerCase()}` };
      return create(dealKind, body.deal_id, body);
    });
    await seller.store.commit({ changes, audit: null });
  }
  return { rssBytes: process.memoryUsage().rss };
};

/** 1 / 1.25 is what growth may cost. */
const caseOf = (stored: number): BenchCase => ({
  name: `stored-${stored}`,
  perJob: 3,
  target: 0.8,
  options: { stored },
  sut: (options) => startSeller(options, (seller) => keepDeals(seller, options.stored)),
  bound: (options) => startSeller(options, (seller) => keepDeals(seller, fewest)),
  load: (info) => {
    const headers = { "content-type": "application/json", "x-api-key": String(info["key"]) };
    const booked = (body: string): string => (JSON.parse(body) as { deal_id: string }).deal_id;
    return [
      {
        method: "POST",
        path: "/api/v1/quotes",
        headers,
        body: JSON.stringify(quoteBody),
        onResponse: (_status, body, context) => {
          context["quoteId"] = (JSON.parse(body) as { quote_id: string }).quote_id;
        },
      },
      {
        method: "POST",
        path: "/api/v1/deals",
        headers,
        setupRequest: (request, context) => ({ ...request, body: JSON.stringify({ quote_id: context["quoteId"] }) }),
        onResponse: (_status, body, context) => {
          context["dealId"] = booked(body);
        },
      },
      {
        method: "GET",
        path: "/api/v1/deals/none",
        headers,
        setupRequest: (request, context) => ({ ...request, path: `/api/v1/deals/${String(context["dealId"])}` }),
      },
    ];
  },
});

export const cases: readonly BenchCase[] = [caseOf(fewest), caseOf(100_000), caseOf(1_000_000)];

export const run = (): Promise<void> => reportCases("growth", cases);
