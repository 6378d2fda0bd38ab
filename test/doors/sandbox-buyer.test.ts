import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";
import { contentOf, type Headers, inSandbox, type Members, overRest, type Sent, settled } from "./sandbox-calls.ts";

const wish = {
  product_id: "prod-15ba2543",
  deal_type: "PD",
  impressions: 1_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

let sellers: Readonly<Record<"sandboxed" | "plain", Started>>;
let buyer: Started;
let key: Headers;

const call = (name: string, input: Members, headers: Headers): Promise<Sent> => {
  const contract = buyer.contracts.find((one) => one.name === name);
  if (contract === undefined) throw new Error(`no operation ${name}`);
  return overRest(buyer.url, contract, input, { ...key, ...headers });
};

beforeAll(async () => {
  const [sandboxed, plain] = await Promise.all([startSeller({ SANDBOX: "calls" }), startSeller()]);
  sellers = { sandboxed, plain };
  const environment = { SANDBOX: "calls", SELLER_ENDPOINTS: `${sandboxed.url},${plain.url}`, BUYER_SEAT_ID: "s-1" };
  buyer = await startBuyer(environment);
  const made = await buyer.host("create_operator_key", { label: "op" });
  key = { "x-api-key": String(made["api_key"]) };
});
afterAll(() => Promise.all([buyer, ...Object.values(sellers)].map((one) => one.close())));

describe("sandbox of a buyer: calls with the header", () => {
  test("buy in the seller's sandbox, and no row of either business changes", async () => {
    const stores = [buyer.store, sellers.sandboxed.store];
    const before = await Promise.all(stores.map(settled));
    const { body: quoted } = await call("request_quote", { ...wish, seller_url: sellers.sandboxed.url }, inSandbox);
    expect(quoted).toMatchObject({ sandbox: true });
    const input = { quote_id: quoted["quote_id"], seller_url: sellers.sandboxed.url };
    const { body: deal } = await call("book_deal", input, inSandbox);
    expect(deal).toMatchObject({ sandbox: true, deal_id: expect.stringContaining("DEMO-") });
    expect(await Promise.all(stores.map(contentOf))).toEqual(before);
    const { body: listed } = await call("list_deals", {}, {});
    expect(listed).toMatchObject({ total: 0 });
    expect((await call("list_deals", {}, inSandbox)).body).toMatchObject({ total: 1, sandbox: true });
  });

  test("buy nothing at a seller without one", async () => {
    const before = await settled(sellers.plain.store);
    const refused = await call("request_quote", { ...wish, seller_url: sellers.plain.url }, inSandbox);
    expect(refused.body).toMatchObject({ seller_code: "sandbox_refused", sandbox: true });
    expect(await contentOf(sellers.plain.store)).toBe(before);
  });

  test("need the header: without it the buyer buys for real", async () => {
    const { body } = await call("request_quote", { ...wish, seller_url: sellers.plain.url }, {});
    expect(body).toMatchObject({ status: "quoted" });
    expect(body["sandbox"]).toBeUndefined();
  });
});
