import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { metricNamesOf } from "../../agents/watch/metrics.ts";
import { startReminders } from "../../agents/watch/reminders.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";

const quote = {
  product_id: "prod-15ba2543",
  deal_type: "PD",
  impressions: 1_000_000,
  flight_start: "2027-01-01",
  flight_end: "2027-01-30",
};

const portIn = (started: Started): number => {
  const line = started.logged.find(({ message }) => message === "metrics are served without a key");
  return (line?.fields as { port: number } | undefined)?.port ?? 0;
};

const pageOf = async (started: Started): Promise<string> =>
  (await fetch(`http://127.0.0.1:${portIn(started)}/metrics`)).text();

const valueOf = (page: string, series: string): number | null => {
  const line = page.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1).split(" ")[0]);
};

describe("metrics", () => {
  let seller: Started;
  let buyer: Started;
  beforeAll(async () => {
    seller = await startSeller({ METRICS_PORT: "0" });
    buyer = await startBuyer({
      METRICS_PORT: "0",
      SELLER_ENDPOINTS: seller.url,
      OUTBOUND_ALLOW: "127.0.0.1",
    });
  });
  afterAll(async () => {
    await buyer.close();
    await seller.close();
  });

  test("are for operators on the agent's port, and for the private network on METRICS_PORT", async () => {
    expect((await seller.ask("GET", "/metrics")).status).toBe(401);
    const { api_key: buyersKey } = await seller.host("create_api_key", { seat_id: "seat-metrics", label: "buyer" });
    expect((await seller.ask("GET", "/metrics", { headers: { "x-api-key": String(buyersKey) } })).status).toBe(403);
    const { api_key: key } = await seller.host("create_operator_key", { label: "metrics", role: "viewer" });
    const { status, text, headers } = await seller.ask("GET", "/metrics", { headers: { "x-api-key": String(key) } });
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toContain('parley_build_info{agent="seller"');
    const other = await fetch(`http://127.0.0.1:${portIn(seller)}/products`);
    expect([other.status, await other.text()]).toEqual([404, "GET /metrics\n"]);
  });

  test("tell every name that is promised, and of the event loop", async () => {
    for (const [agent, started] of [
      ["seller", seller],
      ["buyer", buyer],
    ] as const) {
      const page = await pageOf(started);
      const missing = metricNamesOf(agent).filter((name) => !page.includes(`# TYPE ${name} `));
      expect(missing).toEqual([]);
      expect(valueOf(page, "nodejs_eventloop_lag_p99_seconds")).not.toBeNull();
    }
  });

  test("count calls, refusals, requests and commits, and look at the store", async () => {
    const { api_key: key } = await seller.host("create_operator_key", { label: "counting" });
    const headers = { "x-api-key": String(key) };
    expect((await seller.ask("POST", "/api/v1/quotes", { headers, body: quote })).status).toBe(200);
    expect((await seller.ask("POST", "/api/v1/quotes", { headers, body: { ...quote, product_id: "no" } })).status).toBe(
      404,
    );
    expect((await seller.ask("GET", "/no-such-path")).status).toBe(404);
    await expect
      .poll(async () => {
        const page = await pageOf(seller);
        return [
          valueOf(page, 'parley_calls_total{operation="request_quote",door="rest",outcome="done"}'),
          valueOf(page, 'parley_calls_total{operation="request_quote",door="rest",outcome="refused"}'),
          valueOf(page, 'parley_refusals_total{operation="request_quote",code="product_not_found"}'),
          valueOf(page, 'parley_http_requests_total{door="rest",method="POST",status="200"}'),
          valueOf(page, 'parley_store_rows{kind="quote"}'),
          valueOf(page, "parley_store_up"),
        ];
      })
      .toEqual([1, 1, 1, 1, 1, 1]);
    const page = await pageOf(seller);
    expect(valueOf(page, 'parley_http_requests_total{door="page",method="GET",status="404"}')).toBe(1);
    expect(valueOf(page, 'parley_commit_seconds_count{result="done"}')).toBeGreaterThan(0);
    expect(valueOf(page, "parley_store_bytes")).toBeGreaterThan(0);
    expect(valueOf(page, "parley_http_requests_running")).toBe(0);
    const { heads } = await seller.host("verify_audit", {});
    const [{ chain, hash } = { chain: "", hash: "" }] = heads as readonly { chain: string; hash: string }[];
    expect(page).toContain(`parley_audit_records{chain="${chain}"} `);
    expect(page).not.toContain(hash);
  });

  test("count a buyer's requests by the seller that was configured", async () => {
    const host = new URL(seller.url).host;
    await buyer.host("list_seller_products", { seller_url: seller.url, limit: 1 }).catch(() => undefined);
    await buyer.host("get_seller_media_kit", { seller_url: seller.url }).catch(() => undefined);
    await expect
      .poll(async () => {
        const page = await pageOf(buyer);
        return page
          .split("\n")
          .filter((line) => line.startsWith("parley_outbound_requests_total"))
          .join("\n");
      })
      .toContain(`peer="${host}",result="`);
  });

  test("no label is made of what a caller sent", async () => {
    const odd = "zz-odd-name";
    await seller.ask("GET", `/${odd}`, { headers: { "x-api-key": odd, "user-agent": odd, origin: `http://${odd}` } });
    await seller.ask("POST", "/rpc", { body: { jsonrpc: "2.0", id: 1, method: odd, params: {} } });
    await seller.ask("POST", "/mcp/call", { body: { name: odd, arguments: { [odd]: odd } } });
    await seller.ask("POST", "/api/v1/quotes", {
      body: { ...quote, product_id: odd, agent_url: `https://${odd}.test` },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const page = await pageOf(seller);
    expect(page).toContain('operation="unknown"');
    expect(page).not.toContain(odd);
    expect(page).not.toContain("prod-15ba2543");
  });

  test("a port that is taken stops the start, and names the variable", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(startSeller({ METRICS_PORT: String(port) })).rejects.toThrow(
      `METRICS_PORT: port ${port} on 127.0.0.1 is taken by another program.`,
    );
    await new Promise((resolve) => void taken.close(resolve));
  });
});

describe("reminders", () => {
  const nowMs = Date.parse("2026-11-27T12:00:00Z");
  const days = (count: number): number => count * 86_400_000;

  test("name keys that expire soon and operators' keys that are old, and the end of the audit chain", async () => {
    const store = openMemoryStore();
    const put = (id: string, role: string, ageDays: number, expiresInDays: number | null) => ({
      op: "put" as const,
      kind: "api_key",
      id,
      expect: 0,
      terms: [],
      dueAtMs: null,
      body: {
        role,
        created_at_ms: nowMs - days(ageDays),
        life: {
          value: "active",
          context: { expiresAtMs: expiresInDays === null ? null : nowMs + days(expiresInDays) },
        },
      },
    });
    const changes = [
      put("key-soon", "buyer", 1, 13),
      put("key-later", "buyer", 1, 15),
      put("key-gone", "buyer", 20, -1),
      put("key-old", "senior", 400, null),
      put("key-of-old-buyer", "buyer", 400, null),
    ];
    const audit = { at: "", request_id: "r", operation: "o", door: "host", principal: "p" };
    await store.commit({ changes, audit });
    const lines: { fields: Readonly<Record<string, unknown>>; message: string }[] = [];
    const write = (fields: Readonly<Record<string, unknown>>, message: string) => void lines.push({ fields, message });
    const reminders = startReminders({
      store,
      clock: { nowMs: () => nowMs },
      log: { info: write, warn: write, error: write },
      kind: "api_key",
      rotationDays: 365,
    });
    const read = await reminders.read();
    await reminders.stop();
    expect(read).toEqual({
      parley_keys_expiring: [{ labels: { role: "buyer" }, value: 1 }],
      parley_keys_old: [{ labels: {}, value: 1 }],
    });
    const [head] = await store.auditHeads();
    expect(lines.map(({ fields }) => fields)).toEqual([
      { count: 1, keys: [{ key_id: "key-soon", role: "buyer", expires_at: "2026-12-10T12:00:00.000Z" }] },
      { count: 1, keys: [{ key_id: "key-old", role: "senior", created_at: "2025-10-23T12:00:00.000Z" }] },
      { chain: head?.chain, records: 1, hash: head?.hash },
    ]);
  });
});
