import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sellerSettingTable } from "../../agents/seller/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { requestQuote } from "../../skills/seller/pricing/contract.ts";
import { covers } from "../requirements.ts";
import { type Answer, type Started, startSeller } from "./launched.ts";

let seller: Started;
let key = "";
beforeAll(async () => {
  seller = await startSeller();
  const identity = { seat_id: "seat-1", agency_id: "agency-1", advertiser_id: "advertiser-1" };
  key = String((await seller.host("create_api_key", identity))["api_key"]);
});
afterAll(() => seller.close());

const withKey = (body?: unknown): { headers: Record<string, string>; body?: unknown } => ({
  headers: { "x-api-key": key },
  ...(body === undefined ? {} : { body }),
});

const wanted = { product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000 };

const quoted = async (): Promise<string> => {
  const { body } = await seller.ask("POST", "/api/v1/quotes", withKey(wanted));
  return String(body["quote_id"]);
};

const readsAvailability = (quote: Answer["body"], fillRate: unknown, demand: unknown): boolean => {
  const availability = { inventory_available: true, estimated_fill_rate: fillRate, competing_demand: demand };
  return requestQuote.output.safeParse({ ...quote, availability }).success;
};

const isJson = (answer: Answer): boolean => /^application\/json\b/.test(answer.headers.get("content-type") ?? "");

describe("seller over HTTP: core", () => {
  test("root and health answer without a credential", async () => {
    covers("seller.core.root", "seller.core.health");
    expect((await seller.ask("GET", "/")).status).toBe(200);
    expect(await seller.ask("GET", "/health")).toMatchObject({ status: 200, body: { status: "healthy" } });
  });

  test("the interactive documentation is a page that reads the API's own description", async () => {
    covers("seller.service.docs-page");
    const page = await seller.ask("GET", "/docs");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.text).toContain("swagger-ui-bundle.js");
    expect((await seller.ask("GET", "/docs/swagger-ui-bundle.js")).status).toBe(200);
    expect((await seller.ask("GET", "/openapi.json")).body).toMatchObject({ openapi: "3.1.0" });
  });

  test("without a setting it listens on 8000", () => {
    covers("seller.service.port-8000");
    expect(readSettings(sellerSettingTable, {}).port).toBe(8000);
  });
});

describe("seller over HTTP: catalog and prices", () => {
  test("products are listed and read one by one", async () => {
    covers("seller.products.list", "seller.products.get", "seller.service.json-bodies");
    const list = await seller.ask("GET", "/products");
    expect(list).toMatchObject({ status: 200, body: { total: 13 } });
    expect(isJson(list)).toBe(true);
    const one = await seller.ask("GET", "/products/prod-53e78a97", withKey());
    expect(one).toMatchObject({ status: 200, body: { product_id: "prod-53e78a97", base_cpm: 35 } });
  });

  test("a product is priced, and a question about inventory answered", async () => {
    covers("seller.pricing.post", "seller.discovery.post");
    const priced = await seller.ask("POST", "/pricing", withKey({ product_id: "prod-53e78a97", volume: 5_000_000 }));
    expect(priced).toMatchObject({ status: 200, body: { base_price: 35, final_price: 28.26 } });
    const found = await seller.ask("POST", "/discovery", { body: { query: "linear TV?" } });
    expect(found).toMatchObject({ status: 200, body: { total: 6 } });
  });
});

describe("seller over HTTP: quotes and deals", () => {
  test("a quote is made and read", async () => {
    covers("seller.quotes.create", "seller.quotes.get", "seller.quotes.create.credential", "seller.quotes.buyer-tier");
    const made = await seller.ask("POST", "/api/v1/quotes", withKey(wanted));
    expect(made).toMatchObject({ status: 200, body: { status: "available", buyer_tier: "advertiser" } });
    const read = await seller.ask("GET", `/api/v1/quotes/${String(made.body["quote_id"])}`, withKey());
    const { quote_id, pricing } = made.body;
    expect(read).toMatchObject({ status: 200, body: { quote_id, pricing } });
  });

  test("a quote's fill rate is a number and its demand a text, where they are shown at all", async () => {
    covers("seller.quotes.availability.estimated-fill-rate", "seller.quotes.availability.competing-demand");
    const { body } = await seller.ask("POST", "/api/v1/quotes", withKey(wanted));
    expect(body["availability"]).toMatchObject({ estimated_fill_rate: null, competing_demand: null });
    expect(readsAvailability(body, null, null)).toBe(true);
    expect(readsAvailability(body, 0.7, "high")).toBe(true);
    expect(readsAvailability(body, "0.7", null)).toBe(false);
    expect(readsAvailability(body, null, 3)).toBe(false);
  });

  test("two quotes have two ids, and an unknown one is 404", async () => {
    covers("seller.quotes.quote-id", "seller.quotes.get-404");
    expect(await quoted()).not.toBe(await quoted());
    expect((await seller.ask("GET", "/api/v1/quotes/qt-000000000000")).status).toBe(404);
  });

  test("a quote is booked, and the deal read", async () => {
    covers("seller.deals.book", "seller.deals.get", "seller.plan.media-type.plain");
    const made = await seller.ask("POST", "/api/v1/deals", withKey({ quote_id: await quoted() }));
    expect(made).toMatchObject({ status: 200, body: { status: "proposed", deal_type: "PD" } });
    const read = await seller.ask("GET", `/api/v1/deals/${String(made.body["deal_id"])}`, withKey());
    expect(read).toMatchObject({ status: 200, body: { deal_id: made.body["deal_id"], status: "proposed" } });
  });

  test("an unknown quote is 404 not_found", async () => {
    covers("seller.deals.book-unknown-quote");
    const answer = await seller.ask("POST", "/api/v1/deals", withKey({ quote_id: "qt-000000000000" }));
    expect(answer).toMatchObject({ status: 404, body: { error: "not_found" } });
  });

  test("an expired quote says so to its reader and to who would book it", async () => {
    covers("seller.quotes.expired-retrieval-410", "seller.quotes.expired-message", "seller.deals.book-expired");
    const brief = await startSeller({ QUOTE_TTL_SECONDS: "1" });
    try {
      const { body } = await brief.ask("POST", "/api/v1/quotes", { body: wanted });
      const path = `/api/v1/quotes/${String(body["quote_id"])}`;
      await expect.poll(async () => (await brief.ask("GET", path)).status, { timeout: 20_000 }).toBe(410);
      const said = await brief.ask("GET", path);
      expect(String(said.body["message"])).toMatch(/request a new (quote|one)/i);
      const booking = await brief.ask("POST", "/api/v1/deals", { body: { quote_id: body["quote_id"] } });
      expect(booking).toMatchObject({ status: 409, body: { error: "quote_expired" } });
    } finally {
      await brief.close();
    }
  });
});

const plan = {
  primary: { type: "standard", identifier: "3-7", taxonomy: "iab-audience", version: "1.1", source: "explicit" },
};

describe("seller over HTTP: audience plans", () => {
  test("an unsupported plan is 400 with error and list under detail", async () => {
    covers("seller.plan.rejection.body", "seller.deals.book-plan-unsupported");
    const old = { ...plan, primary: { ...plan.primary, version: "0.1" } };
    const booking = withKey({ quote_id: await quoted(), audience_plan: old });
    const answer = await seller.ask("POST", "/api/v1/deals", booking);
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: { error: "audience_plan_unsupported", unsupported: [{ path: "primary.taxonomy" }] } },
    });
  });

  test.each([["application/vnd.ucp.embedding+json; v=1"], ["application/vnd.iab.agentic-audiences+json; v=1"]])(
    "a booking is read in %s",
    async (type) => {
      covers("seller.plan.media-type.legacy", "seller.plan.media-type.agentic", "seller.versioning.plan-v1");
      const { headers, body } = withKey({ quote_id: await quoted(), audience_plan: { schema_version: "1", ...plan } });
      const answer = await seller.ask("POST", "/api/v1/deals", { headers: { ...headers, "content-type": type }, body });
      expect(answer).toMatchObject({ status: 200, body: { audience_plan_snapshot: plan } });
    },
  );
});

describe("seller over HTTP: keys", () => {
  test("a key is made, read, listed and revoked at the paths of the document", async () => {
    covers("seller.api-keys.create", "seller.api-keys.get", "seller.api-keys.list", "seller.api-keys.revoke");
    covers("seller.api-keys.record.fields", "seller.api-keys.record.is-active");
    const operator = { "x-api-key": String((await seller.host("create_operator_key", {}))["api_key"]) };
    const identity = { seat_id: "seat-9", agency_id: "agency-9", advertiser_id: "advertiser-9", label: "Nine" };
    const made = await seller.ask("POST", "/auth/api-keys", { headers: operator, body: identity });
    expect(made).toMatchObject({ status: 200, body: identity });
    const path = `/auth/api-keys/${String(made.body["key_id"])}`;
    const { key_id, created_at } = made.body;
    const record = { key_id, ...identity, created_at, expires_at: null, is_active: true };
    expect(await seller.ask("GET", path, { headers: operator })).toMatchObject({ status: 200, body: record });
    const { body } = await seller.ask("GET", "/auth/api-keys", { headers: operator });
    const keys = body["keys"] as readonly unknown[];
    expect(keys).toContainEqual(expect.objectContaining(record));
    expect(body["total"]).toBe(keys.length);
    const gone = await seller.ask("DELETE", path, { headers: operator });
    expect(gone).toMatchObject({ status: 200, body: { key_id, status: "revoked" } });
    const used = await seller.ask("GET", "/products", { headers: { "x-api-key": String(made.body["api_key"]) } });
    expect(used.status).toBe(401);
  });

  test("both forms of the credential are accepted, in any letter case", async () => {
    covers("seller.auth.bearer", "seller.auth.x-api-key", "seller.auth.header-case");
    const forms = [
      { Authorization: `Bearer ${key}` },
      { authorization: `Bearer ${key}` },
      { "X-Api-Key": key },
      { "X-API-Key": key },
      { "x-api-key": key },
    ];
    for (const headers of forms) {
      const answer = await seller.ask("POST", "/pricing", { headers, body: { product_id: "prod-53e78a97" } });
      expect(answer.body["final_price"]).toBe(29.75);
    }
    expect((await seller.ask("GET", "/products", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  });

  test("a lost key is revoked and replaced, and the new one has the same records", async () => {
    covers("seller.auth.replace-lost-key");
    const identity = { seat_id: "seat-5", agency_id: "agency-5" };
    const lost = await seller.host("create_api_key", identity);
    const headers = { "x-api-key": String(lost["api_key"]) };
    const { body } = await seller.ask("POST", "/api/v1/quotes", { headers, body: wanted });
    await seller.host("revoke_api_key", { key_id: lost["key_id"] });
    const next = String((await seller.host("create_api_key", identity))["api_key"]);
    const path = `/api/v1/quotes/${String(body["quote_id"])}`;
    expect((await seller.ask("GET", path, { headers: { "x-api-key": next } })).status).toBe(200);
    expect((await seller.ask("GET", "/products", { headers })).status).toBe(401);
  });
});

describe("seller over HTTP: agent card", () => {
  test("the card is public and has every member of the document", async () => {
    covers("seller.card.served", "seller.card.name", "seller.card.description", "seller.card.url");
    covers("seller.card.version", "seller.card.provider", "seller.card.capabilities.protocols");
    covers("seller.card.capabilities.streaming", "seller.card.capabilities.push-notifications");
    covers("seller.card.authentication-schemes", "seller.card.deal-types");
    const { status, body } = await seller.ask("GET", "/.well-known/agent.json");
    const text = expect.stringMatching(/\S/) as string;
    const flag = expect.any(Boolean) as boolean;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: text,
      description: text,
      url: seller.url,
      version: text,
      provider: { name: text, url: text },
      capabilities: { protocols: ["opendirect21", "a2a"], streaming: flag, push_notifications: flag },
      authentication: { schemes: ["api_key", "bearer"] },
      supported_deal_types: ["pg", "pmp", "preferred_deal", "private_auction"],
    });
  });

  test("its skills have the five ids, each described and tagged", async () => {
    covers("seller.card.skills", "seller.card.skill-ids");
    const { body } = await seller.ask("GET", "/.well-known/agent.json");
    const skills = body["skills"] as readonly Readonly<Record<string, unknown>>[];
    expect(skills.map((skill) => skill["id"])).toEqual(["discovery", "pricing", "proposals", "negotiation", "deals"]);
    for (const { name, description, tags } of skills) {
      expect([typeof name, typeof description, Array.isArray(tags)]).toEqual(["string", "string", true]);
    }
  });

  test("a seller that is renamed is on every card under its new name at once", async () => {
    const before = await seller.ask("GET", "/.well-known/agent-card.json");
    const { provider: was } = before.body as { provider: { organization: string } };
    await seller.host("update_selling_rules", { seller_name: "Lighthouse Media" });
    await expect
      .poll(async () => (await seller.ask("GET", "/.well-known/agent-card.json")).body)
      .toMatchObject({ provider: { organization: "Lighthouse Media" } });
    const [spec, current] = await Promise.all([
      seller.ask("GET", "/.well-known/agent.json"),
      fetch(new URL("/.well-known/agent-card.json", seller.url), { headers: { "A2A-Version": "1.0" } }),
    ]);
    expect(spec.body).toMatchObject({ provider: { name: "Lighthouse Media" } });
    expect(await current.json()).toMatchObject({ provider: { organization: "Lighthouse Media" } });
    expect(current.headers.get("etag")).not.toBe(before.headers.get("etag"));
    await seller.host("update_selling_rules", { seller_name: was.organization });
  });

  test("its inventory types are those of the catalog", async () => {
    covers("seller.card.inventory-types");
    const { body } = await seller.ask("GET", "/.well-known/agent.json");
    const list = await seller.ask("GET", "/products?limit=500");
    const sold = (list.body["products"] as readonly { inventory_type: string }[]).map((one) => one.inventory_type);
    expect(body["inventory_types"]).toEqual([...new Set(sold)].toSorted());
  });
});
