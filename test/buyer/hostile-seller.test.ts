import { describe, expect, onTestFinished, test } from "vitest";
import { buildConnector } from "undici";
import type { ConnectorOf } from "../../protocol/client/outbound.ts";
import type { SellerEndpoint } from "../../agents/buyer/config.ts";
import { answerJson } from "../client/loopback.ts";
import { covers } from "../requirements.ts";
import { type Bends, type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const brief = { ...sampleBrief, channels: ["branding"], budget: 1000, flights: null };

const fake = async (bends: Bends = {}): Promise<FakeSeller> => {
  const seller = await startFakeSeller(bends);
  onTestFinished(() => seller.close());
  return seller;
};

const endpoint = (url: string): SellerEndpoint => ({ url, key: "ask_live_topsecret", headerType: "api_key" });

const bookAt = async (
  urls: readonly string[],
  more: Parameters<typeof openBuyer>[1] & { brief?: unknown; timeout?: number; allow?: string[] } = {},
): Promise<{ job: Job; world: BuyerWorld }> => {
  const settings = {
    sellers: urls.map(endpoint),
    sellerTimeoutSeconds: more.timeout ?? 2,
    outboundAllow: more.allow ?? ["127.0.0.1"],
  };
  const { brief: _brief, timeout: _timeout, allow: _allow, ...parts } = more;
  const world = await openBuyer(settings, parts);
  onTestFinished(() => world.close());
  const input = { brief: more.brief ?? brief, auto_approve: true };
  const { output } = await callAgent(world.buyer, "create_booking", input);
  const job = await settledJob(world.buyer, String(output["job_id"]));
  expect(JSON.stringify([job, world.lines, await world.events()])).not.toContain("topsecret");
  return { job, world };
};

describe("booking at a hostile seller: the catalog", () => {
  const answers: readonly [string, NonNullable<Bends["products"]>, RegExp][] = [
    ["garbage", (response) => (answerJson(response, 200, "{]"), true), /invalid_response/],
    ["another form", (response) => (answerJson(response, 200, { products: "none" }), true), /invalid_response/],
    [
      "a huge body",
      (response) => (answerJson(response, 200, { products: ["x".repeat(2_000_000)] }), true),
      /response_too_large/,
    ],
    [
      "a page of HTML",
      (response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>");
        return true;
      },
      /invalid_response/,
    ],
    ["nothing, for ever", () => true, /timeout/],
    ["a refusal", (response) => (answerJson(response, 403, { detail: "no" }), true), /403 .*http_403 - no/],
  ];

  test.each(answers)("booking: a seller that answers %s fails the job with it", async (name, products, cause) => {
    const seller = await fake({ products });
    const { job } = await bookAt([seller.url], name === "nothing, for ever" ? { timeout: 0.1 } : {});
    expect(job.status).toBe("failed");
    expect(job.errors).toHaveLength(1);
    expect(job.errors[0]).toMatch(cause);
    expect(seller.deals.size).toBe(0);
  });

  test("booking: of half a gigabyte only the first megabyte is read", async () => {
    const chunk = Buffer.alloc(65_536, 0x20);
    let written = 0;
    const seller = await fake({
      products: (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const send = (): void => {
          while (!response.destroyed && written < 500_000_000) {
            written += chunk.length;
            if (!response.write(chunk)) return void response.once("drain", send);
          }
          response.end();
        };
        send();
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job.errors[0]).toContain("response_too_large");
    expect(written).toBeLessThan(100_000_000);
  });

  test("booking: one seller's failure leaves the others to be booked", async () => {
    const bad = await fake({ products: (response) => (answerJson(response, 200, "{]"), true) });
    const gone = await startFakeSeller();
    await gone.close();
    const good = await fake();
    const { job } = await bookAt([bad.url, gone.url, good.url]);
    expect(job.status).toBe("completed");
    expect(job.booked_lines).toMatchObject([{ seller_url: good.url, cost: 1000 }]);
    expect(job.errors).toEqual([]);
    const leftOut = job.warnings.filter(({ field }) => field === "sellers").map(({ message }) => message);
    expect(leftOut.toSorted()).toEqual(
      [
        `${bad.url} is left out: Seller API error 200 at ${bad.url}: invalid_response - The answer is not JSON.`,
        `${gone.url} is left out: Seller agent unreachable at ${gone.url}`,
      ].toSorted(),
    );
  });

  test("booking: an odd product does not hide the others", async () => {
    const seller = await fake({
      products: (response) => {
        const good = {
          product_id: "p-display",
          name: "Good",
          inventory_type: "display",
          base_cpm: 10,
          deal_types: ["preferreddeal"],
          ext: { minimum_impressions: 1000, deal_types: ["PD"] },
        };
        const odd = [null, 7, { product_id: 5 }, { ...good, product_id: "x".repeat(500) }, { ...good, base_cpm: "1" }];
        const foreign = { ...good, product_id: "p-euro", currency: "EUR" };
        answerJson(response, 200, { products: [...odd, foreign, good], total: 7 });
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "completed", errors: [], booked_lines: [{ product_id: "p-display" }] });
  });

  test("booking: a catalog without end is left after 2,000 items", async () => {
    const seller = await fake({
      products: (response) => {
        const item = { product_id: "p", name: "p", inventory_type: "audio", deal_types: [] };
        answerJson(response, 200, { products: Array.from({ length: 100 }, () => item), total: 1e15 });
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "failed", errors: ["no bookable inventory for channel branding"] });
    expect(seller.server.seen.filter(({ path }) => path.startsWith("/products"))).toHaveLength(20);
  });

  test("booking: a redirect to a metadata address is not followed", async () => {
    const wanted: string[] = [];
    const seller = await fake({
      products: (response) => {
        response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
        return true;
      },
    });
    const connector: ConnectorOf = ({ timeout }) => {
      const dial = buildConnector({ timeout });
      return (options, done) => {
        wanted.push(options.hostname);
        dial({ ...options, hostname: "127.0.0.1", port: String(seller.server.port), protocol: "http:" }, done);
      };
    };
    const { job } = await bookAt([seller.url], { outbound: { connector } });
    expect(job.status).toBe("failed");
    expect(job.errors[0]).toContain("target_not_allowed");
    expect(wanted).toEqual(["127.0.0.1"]);
  });

  test("booking: a configured seller is reached, its redirect to another private port is not", async () => {
    const inside = await fake();
    const seller = await fake();
    const { job } = await bookAt([seller.url], { allow: [] });
    expect(job.status).toBe("completed");
    const turned = await fake({
      products: (response) => {
        response.writeHead(302, { location: `${inside.url}/products` }).end();
        return true;
      },
    });
    const { job: refused } = await bookAt([turned.url], { allow: [] });
    expect(refused.errors[0]).toContain("target_not_allowed");
    expect(inside.server.seen).toHaveLength(0);
  });
});

describe("booking at a hostile seller: the quote", () => {
  const asked = { impressions: 100_000, flight_start: "2027-03-01", flight_end: "2027-05-31", guaranteed: false };
  const lies: readonly [string, Record<string, unknown>, string][] = [
    ["other impressions", { terms: { ...asked, impressions: 5 } }, "impressions 5 instead of 100000"],
    [
      "other dates",
      { terms: { ...asked, flight_start: "2027-03-02" } },
      "flight start 2027-03-02 instead of 2027-03-01",
    ],
    ["another product", { product: { product_id: "other", name: "x" } }, "product other instead of p-display"],
    ["another deal type", { deal_type: "PG" }, "deal type PG instead of PD"],
    ["no usable status", { status: "expired" }, "status expired"],
    ["an endless id", { quote_id: "q".repeat(100_000) }, "no usable quote id"],
  ];

  test.each(lies)("booking: a quote with %s is no offer", async (_name, change, defect) => {
    const seller = await fake({
      quote: (response, quote) => (answerJson(response, 201, { ...quote, ...change }), true),
    });
    const { job } = await bookAt([seller.url]);
    expect(job.status).toBe("failed");
    expect(job.errors.join("\n")).toContain(defect);
    expect(seller.deals.size).toBe(0);
  });

  test.each([
    ["negative", -1],
    ["zero", 0],
    ["finer than a micro", 1.000_000_1],
    ["astronomic", 1e300],
  ])("booking: a %s price is no price", async (_name, final_cpm) => {
    const seller = await fake({
      quote: (response, quote) => {
        answerJson(response, 201, { ...quote, pricing: { ...(quote["pricing"] as object), final_cpm } });
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job.status).toBe("failed");
    expect(job.errors.join("\n")).toContain("no usable price");
  });

  test.each([
    ["a text", '"10.00"'],
    ["not a number", "NaN"],
    ["nothing", "null"],
    ["a list", "[10]"],
  ])("booking: a price that is %s is no price", async (_name, price) => {
    const seller = await fake({
      quote: (response, quote) => {
        const text = JSON.stringify({ ...quote, pricing: { ...(quote["pricing"] as object), final_cpm: "PRICE" } });
        answerJson(response, 201, text.replace('"PRICE"', price));
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job.status).toBe("failed");
    expect(job.errors.join("\n")).toContain("invalid_response");
    expect(seller.deals.size).toBe(0);
  });

  test("booking: a quote in another currency is no offer", async () => {
    const seller = await fake({
      quote: (response, quote) => {
        answerJson(response, 201, { ...quote, pricing: { ...(quote["pricing"] as object), currency: "JPY" } });
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job.errors.join("\n")).toContain("currency JPY instead of USD");
  });

  test("booking: a quote ten times dearer than the list is asked for in the volume that the budget buys", async () => {
    const seller = await fake({
      quote: (response, quote) => {
        Object.assign(quote, { pricing: { ...(quote["pricing"] as object), final_cpm: 100 } });
        answerJson(response, 201, quote);
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job.status).toBe("completed");
    expect(job.booked_lines).toMatchObject([{ impressions: 10_000, cpm: 100, cost: 1000 }]);
  });

  test("booking: a budget below the smallest buy is named with what it would cost", async () => {
    const seller = await fake();
    const { job } = await bookAt([seller.url], { brief: { ...brief, budget: 5 } });
    expect(job).toMatchObject({ status: "failed", errors: ["no bookable inventory for channel branding"] });
    const message = "branding has 5.00 USD; the smallest buy, Product p-display, costs 10.00 USD";
    expect(job.warnings).toContainEqual({ field: "budget", message });
    expect(seller.quotes.size).toBe(0);
  });

  test("booking: what costs more than kpis.max_cpm is never booked", async () => {
    const seller = await fake();
    const { job } = await bookAt([seller.url], { brief: { ...brief, kpis: { max_cpm: 9.99 } } });
    expect(job).toMatchObject({ status: "failed", errors: ["no bookable inventory for channel branding"] });
    expect([seller.quotes.size, seller.deals.size]).toEqual([1, 0]);
    expect(job.warnings).toContainEqual({
      field: "kpis.max_cpm",
      message: "nothing for branding costs 9.99 USD or less; Product p-display would cost 10.00 USD",
    });
  });
});

describe("booking at a hostile seller: the deal", () => {
  const changed = (change: (deal: Record<string, unknown>) => Record<string, unknown>): Bends => ({
    deal: (response, deal) => (answerJson(response, 201, { ...deal, ...change(deal) }), true),
  });
  const pricing = (deal: Record<string, unknown>, final_cpm: number): Record<string, unknown> => ({
    pricing: { ...(deal["pricing"] as object), final_cpm },
  });
  const terms = (deal: Record<string, unknown>, change: object): Record<string, unknown> => ({
    terms: { ...(deal["terms"] as object), ...change },
  });
  const lies: readonly [string, Bends, string][] = [
    ["a higher price", changed((deal) => pricing(deal, 10.01)), "its price is $10.01 CPM instead of the quoted $10.00"],
    ["a lower price", changed((deal) => pricing(deal, 9)), "its price is $9.00 CPM instead of the quoted $10.00"],
    [
      "fewer impressions",
      changed((deal) => terms(deal, { impressions: 99_999 })),
      "impressions 99999 instead of 100000",
    ],
    ["no impressions", changed((deal) => terms(deal, { impressions: null })), "impressions null instead of 100000"],
    [
      "other dates",
      changed((deal) => terms(deal, { flight_end: "2027-06-01" })),
      "flight end 2027-06-01 instead of 2027-05-31",
    ],
    ["another quote", changed(() => ({ quote_id: "qt-99" })), "it belongs to another quote"],
    ["a rejection", changed(() => ({ status: "rejected" })), "its status is rejected"],
    ["no id", changed(() => ({ deal_id: "" })), "it has no usable deal id"],
    ["an id that is none", changed(() => ({ deal_id: "D-1\n\u001b[2J" })), "it has no usable deal id"],
  ];

  test.each(lies)("booking: a deal with %s is not accepted, and the error says so", async (_name, bends, defect) => {
    const seller = await fake(bends);
    const { job, world } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "failed", booked_lines: [], progress: 0.95 });
    expect(job.errors).toHaveLength(1);
    expect(job.errors[0]).toContain(defect);
    expect((await world.events()).map((event) => event["event_type"])).not.toContain("deal.booked");
  });

  test("booking: one deal answered for two lines is the deal of the first alone", async () => {
    const seller = await fake(changed(() => ({ deal_id: "D-1" })));
    const two = { ...brief, channels: ["branding", "ctv"] };
    const { job } = await bookAt([seller.url], { brief: two });
    expect(seller.deals.size).toBe(2);
    expect(job.booked_lines.map((line) => line.deal_id)).toEqual(["D-1"]);
    expect(job.errors).toEqual([
      `Booking of Product p-ctv not accepted: ${seller.url} answered deal D-1, but that is the deal of another line`,
    ]);
  });

  test("booking: an answer that is lost is found again by the repeated call", async () => {
    let cuts = 0;
    const seller = await fake({ deal: () => (cuts += 1) === 1 });
    const { job } = await bookAt([seller.url], { timeout: 0.15 });
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ deal_id: "D-1" }], errors: [] });
    expect([...seller.bookings.values()]).toEqual([1]);
  });

  test("booking: at a seller without idempotency the lost deal is found by its quote, never booked twice", async () => {
    covers("buyer.client.get-quote", "buyer.client.get-deal");
    const seller = await fake({ forgetful: true, deal: () => true });
    const { job } = await bookAt([seller.url], { timeout: 0.15 });
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ deal_id: "D-1" }], errors: [] });
    expect([...seller.bookings.values()]).toEqual([1]);
  });

  test("booking: garbage after the booking is answered from the quote", async () => {
    const seller = await fake({ deal: (response) => (answerJson(response, 200, "{]"), true) });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ deal_id: "D-1", cost: 1000 }] });
    expect([...seller.bookings.values()]).toEqual([1]);
  });

  test.each([408, 500, 503])("booking: a %i after the booking is answered from the quote", async (status) => {
    const seller = await fake({ forgetful: true, deal: (response) => (answerJson(response, status, {}), true) });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ deal_id: "D-1", cost: 1000 }], errors: [] });
    expect([...seller.bookings.values()]).toEqual([1]);
  });

  test("booking: a seller that dies with the answer leaves a line that is not confirmed", async () => {
    const seller: FakeSeller = await fake({
      deal: (response) => {
        void seller.close();
        response.socket?.destroy();
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "failed", booked_lines: [] });
    expect(job.errors[0]).toContain("Booking not confirmed for Product p-display, ask the seller: ");
  });

  test("booking: a plain refusal is a failed line", async () => {
    const seller = await fake({
      deal: (response) => (answerJson(response, 403, { error: "not_yours", detail: "Ask first." }), true),
    });
    const { job } = await bookAt([seller.url]);
    expect(job.errors).toEqual([
      `Booking failed for Product p-display: Seller API error 403 at ${seller.url}: not_yours - Ask first.`,
    ]);
  });

  test("booking: a conflict in the seller's own words is settled by the quote", async () => {
    const seller = await fake({
      forgetful: true,
      deal: (response) => (answerJson(response, 409, { error: "bad_quote_state", detail: "It is taken." }), true),
    });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ deal_id: "D-1" }], errors: [] });
  });

  test("booking: a call that the seller still works on may end as a deal, and is not confirmed", async () => {
    const busy = { error: "idempotency_in_flight", detail: "Try again." };
    const seller = await fake({ booking: (response) => (answerJson(response, 409, busy), true) });
    const { job } = await bookAt([seller.url]);
    expect(job).toMatchObject({ status: "failed", booked_lines: [] });
    expect(job.errors).toEqual([
      "Booking not confirmed for Product p-display, ask the seller: " +
        `Seller API error 409 at ${seller.url}: idempotency_in_flight - Try again.`,
    ]);
  });

  test("booking: a conflict over a quote that is not booked is a failed line", async () => {
    const seller: FakeSeller = await fake({
      deal: (response, deal) => {
        Object.assign(seller.quotes.get(String(deal["quote_id"])) ?? {}, { status: "declined" });
        answerJson(response, 409, { error: "inventory_unavailable", detail: "Sold." });
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(job.errors).toEqual([
      `Booking failed for Product p-display: Seller API error 409 at ${seller.url}: inventory_unavailable - Sold.`,
    ]);
  });

  test("booking: names of the seller reach the job without control characters and of bounded length", async () => {
    const seller = await fake({
      products: (response) => {
        const name = `\u001b[2J${"n".repeat(5000)}`;
        const sold = { base_cpm: 10, deal_types: ["preferreddeal"] };
        const item = { product_id: "p-display", name, inventory_type: "display", ...sold };
        answerJson(response, 200, { products: [item], total: 1 });
        return true;
      },
    });
    const { job } = await bookAt([seller.url]);
    expect(String(job.booked_lines[0]?.["product_name"])).toMatch(/^\[2Jn{10,197}$/);
  });
});
