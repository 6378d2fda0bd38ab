import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeSeller, startFakeSeller } from "../buyer/fake-seller.ts";
import { sampleBrief, until } from "../buyer/world.ts";
import { covers } from "../requirements.ts";
import { type Started, startBuyer } from "./launched.ts";

let keyed: FakeSeller;
let open: FakeSeller;
let buyer: Started;

beforeAll(async () => {
  keyed = await startFakeSeller();
  open = await startFakeSeller();
  buyer = await startBuyer({
    SELLER_ENDPOINTS: `${keyed.url}/,${open.url}`,
    SELLER_API_KEYS: `${keyed.url}/some/path=key-of-the-first`,
    BUYER_SEAT_ID: "seat-1",
  });
  const brief = { ...sampleBrief, budget: 1000, channels: ["branding", "ctv"], flights: null };
  const { job_id } = await buyer.host("create_booking", { brief, auto_approve: true });
  await until(async () => ((await buyer.host("get_booking", { job_id }))["status"] === "completed" ? true : null));
});
afterAll(async () => {
  await buyer.close();
  await keyed.close();
  await open.close();
});

describe("buyer: what its sellers see", () => {
  test("a seller gets its own key, found by scheme, host and port, as X-Api-Key, and no other seller's", () => {
    covers("buyer.seller-keys.per-seller", "buyer.seller-keys.lookup", "buyer.seller-keys.trailing-slash");
    covers("buyer.seller-keys.header-api-key", "buyer.client.api-key-header");
    expect(keyed.server.seen.length).toBeGreaterThan(0);
    for (const { headers, path } of keyed.server.seen) {
      expect(headers).toMatchObject({ "x-api-key": "key-of-the-first" });
      expect(path).toMatch(/^\/(products|media-kit|proposals|api\/v1)/);
    }
    expect(JSON.stringify(open.server.seen)).not.toContain("key-of-the-first");
  });

  test("a seller without a key is asked without a credential", () => {
    covers("buyer.seller-keys.none-unchanged");
    expect(open.server.seen.length).toBeGreaterThan(0);
    for (const { headers } of open.server.seen) {
      expect([headers["x-api-key"], headers["authorization"]]).toEqual([undefined, undefined]);
    }
  });

  test("quotes and bookings go to the paths of the document, with the buyer's identity", () => {
    covers("buyer.client.request-quote", "buyer.client.book-deal");
    const seen = [...keyed.server.seen, ...open.server.seen];
    const sent = (path: string): readonly unknown[] =>
      seen.filter((one) => one.method === "POST" && one.path === path).map(({ body }) => JSON.parse(body) as unknown);
    const buyer_identity = { seat_id: "seat-1" };
    for (const path of ["/api/v1/quotes", "/api/v1/deals"]) expect(sent(path).length).toBeGreaterThan(0);
    for (const quote of sent("/api/v1/quotes")) expect(quote).toMatchObject({ deal_type: "PD", buyer_identity });
    for (const deal of sent("/api/v1/deals")) {
      expect(deal).toMatchObject({ quote_id: expect.stringMatching(/^qt-/) as string, buyer_identity });
    }
  });
});
