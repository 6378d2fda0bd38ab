import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compileProgram, startChild, type Child } from "../storage/children.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

await describeOnPostgres("two seller processes on one PostgreSQL", (url) => {
  let sellers: Child[] = [];
  let urls: string[] = [];
  let buyer = "";

  beforeAll(async () => {
    const program = await compileProgram(join(import.meta.dirname, "seller-child.ts"));
    const place = { driver: "postgres", url, schema: "parley_seller" };
    const environment = { RATE_LIMIT_PER_MINUTE: "0", RATE_LIMIT_ANONYMOUS_PER_MINUTE: "0" };
    sellers = [startChild(program, { place, environment }), startChild(program, { place, environment })];
    urls = await Promise.all(sellers.map((seller) => seller.run<string>("url")));
    buyer = (await hostCall("create_api_key", { seat_id: "s", agency_id: "a" }))["api_key"] as string;
  });

  afterAll(async () => {
    for (const seller of sellers) await seller.end();
  });

  const hostCall = (operation: string, input: unknown): Promise<Record<string, unknown>> =>
    (sellers[0] as Child).run("call", { operation, input });

  const post = async (at: number, path: string, body: unknown, key?: string, secret = buyer): Promise<Answer> => {
    const headers = {
      "content-type": "application/json",
      "x-api-key": secret,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const response = await fetch(new URL(path, urls[at]), { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };

  const quoteAt = async (at: number, more: Record<string, unknown> = {}): Promise<string> => {
    const wanted = { product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000, ...more };
    return (await post(at, "/api/v1/quotes", wanted)).body["quote_id"] as string;
  };

  it("of two bookings of one quote at both processes one wins, the other is 409", async () => {
    const rounds = await Promise.all(
      Array.from({ length: 150 }, async (_, round) => {
        const quote_id = await quoteAt(round % 2);
        const both = await Promise.all([0, 1].map((at) => post(at, "/api/v1/deals", { quote_id })));
        return both.map(({ status }) => status).sort((left, right) => Number(left) - Number(right));
      }),
    );
    expect(rounds).toEqual(Array.from({ length: 150 }, () => [200, 409]));
  });

  it("one key sent 64 times to both processes through two doors books once and answers alike", async () => {
    const quote_id = await quoteAt(0);
    const rest = (at: number): Promise<Answer> => post(at, "/api/v1/deals", { quote_id }, "one-key");
    const a2a = async (at: number): Promise<Answer> => {
      const data = { operation: "book_deal", input: { quote_id }, idempotency_key: "one-key" };
      const message = { messageId: `m-${Math.random()}`, role: "user", parts: [{ kind: "data", data }] };
      const sent = { jsonrpc: "2.0", id: "1", method: "message/send", params: { message } };
      const { body } = await post(at, "/a2a/seller/jsonrpc", sent);
      const part = (body["result"] as { parts: { kind: string; data: Answer["body"] }[] }).parts.find(
        ({ kind }) => kind === "data",
      )?.data as { result?: Answer["body"]; error?: Answer["body"] };
      return part.error === undefined
        ? { status: 200, body: part.result as Answer["body"] }
        : { status: part.error["status"] as number, body: part.error };
    };
    const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => (i % 4 < 2 ? rest : a2a)(i % 2)));
    const deals = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body["error"]);
    expect(deals.length).toBeGreaterThan(0);
    expect(new Set(deals.map((deal) => JSON.stringify(deal))).size).toBe(1);
    expect(refused.filter((code) => code !== "idempotency_in_flight")).toEqual([]);
    const replay = await rest(1);
    expect(replay).toEqual({ status: 200, body: deals[0] });
    expect((await post(0, "/api/v1/deals", { quote_id, notes: "other" }, "one-key")).body["error"]).toBe(
      "idempotency_conflict",
    );
  });

  it("both together never sell more than a day has", async () => {
    const flight = { flight_start: "2031-03-01", flight_end: "2031-03-03" };
    const wanted = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 1_000_000, ...flight };
    const quotes = await Promise.all(Array.from({ length: 40 }, (_, i) => quoteAt(i % 2, wanted)));
    const answers = await Promise.all(quotes.map((quote_id, i) => post(i % 2, "/api/v1/deals", { quote_id })));
    expect(answers.filter(({ status }) => status === 200).length).toBe(20);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body["error"]))).toEqual(
      new Set(["inventory_unavailable"]),
    );
  });

  it("a key revoked at one process is refused by the very next request at the other", async () => {
    const made = await hostCall("create_api_key", { seat_id: "gone" });
    const secret = made["api_key"] as string;
    const wanted = { product_id: "prod-15ba2543", deal_type: "PD" };
    expect((await post(1, "/api/v1/quotes", wanted, undefined, secret)).status).toBe(200);
    await hostCall("revoke_api_key", { key_id: made["key_id"] });
    expect((await post(1, "/api/v1/quotes", wanted, undefined, secret)).body["error"]).toBe("api_key_revoked");
  });

  const operatorKey = async (label: string): Promise<string> =>
    (await hostCall("create_operator_key", { label }))["api_key"] as string;

  it("of two moves of one order at both processes one wins, and the report counts it once", async () => {
    const secret = await operatorKey("order mover");
    const rounds = await Promise.all(
      Array.from({ length: 40 }, async (_, round) => {
        const { body } = await post(round % 2, "/api/v1/orders", {});
        const path = `/api/v1/orders/${String(body["order_id"])}/transition`;
        const moves = [0, 1].map((at) => post(at, path, { to_status: "cancelled" }, undefined, secret));
        return (await Promise.all(moves))
          .map(({ status }) => status)
          .sort((left, right) => Number(left) - Number(right));
      }),
    );
    expect(rounds).toEqual(Array.from({ length: 40 }, () => [200, 409]));
    const report = await hostCall("get_order_report", {});
    expect(report).toMatchObject({ total_orders: 40, status_counts: { cancelled: 40 }, total_transitions: 40 });
  });

  it("of two decisions about one key at both processes one has its effect", async () => {
    const secret = await operatorKey("decider");
    for (let round = 0; round < 20; round += 1) {
      const made = await post(round % 2, "/auth/api-keys", { seat_id: "asked" });
      const path = `/approvals/${String(made.body["approval_id"])}/decide`;
      const ends = await Promise.all(
        ["approve", "reject"].map((decision, at) => post(at, path, { decision }, undefined, secret)),
      );
      expect(ends.map(({ status }) => status).sort((left, right) => left - right)).toEqual([200, 409]);
      const won = ends.find(({ status }) => status === 200)?.body["decision"];
      const key = await hostCall("get_api_key", { key_id: made.body["key_id"] });
      expect([key["verified"], key["is_active"]]).toEqual(won === "approve" ? [true, true] : [false, false]);
    }
  });

  it("the audit chains of both processes are whole", async () => {
    expect(await (sellers[1] as Child).run("audit")).toMatchObject({ ok: true });
  });
});
