import { describe, expect, test } from "vitest";
import { signedHeaders } from "../../agents/seller/webhooks/signature.ts";
import { ParleyError, sellerClient, verifyWebhook, WebhookRejected } from "../../protocol/client-package/index.ts";
import { answerJson, type Loopback, type Respond, startLoopback } from "../client/loopback.ts";

const with_ = async <T>(respond: Respond, work: (server: Loopback) => Promise<T>): Promise<T> => {
  const server = await startLoopback(respond);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
};

const refusalOf = async (work: Promise<unknown>): Promise<ParleyError> => {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof ParleyError)) throw new Error(`no refusal: ${String(error)}`);
  return error;
};

const clientAt = ({ url }: Loopback, retries = 3) =>
  sellerClient({ url: `${url}/`, key: "k", retries, retryAfterMs: 1 });

describe("a call of the client", () => {
  test("writes path, query, body and headers as the OpenAPI document has them", async () => {
    const respond: Respond = (_request, response) => answerJson(response, 200, {});
    await with_(respond, async (server) => {
      const client = clientAt(server);
      await client.call("get_deal", { deal_id: "a/../b" });
      await client.call("list_deals", { status: ["active", "expired"], buyer: null, limit: 2 });
      await client.call(
        "change_deal",
        { deal_id: "D-1", impressions: 5 },
        { ifMatch: 3, dryRun: true, idempotencyKey: "one" },
      );
      const [get, list, change] = server.seen;
      expect(get).toMatchObject({ method: "GET", path: "/api/v1/deals/a%2F..%2Fb", headers: { "x-api-key": "k" } });
      expect(get?.headers["idempotency-key"]).toBeUndefined();
      expect(list?.path).toBe("/api/v1/deals?status=active&status=expired&limit=2");
      expect(change).toMatchObject({
        body: '{"impressions":5}',
        headers: { "if-match": '"3"', "idempotency-key": "one" },
      });
      expect(change?.path).toMatch(/\/D-1\/\w+\?dry_run=true$/);
    });
  });

  test("a write is tried again under the same key until the agent answers", async () => {
    const answers = [503, 502, 200];
    const respond: Respond = (_request, response, count) => {
      if (count === 1) return void response.destroy();
      return answerJson(response, answers[count - 2] ?? 500, { quote_id: "qt-1" });
    };
    await with_(respond, async (server) => {
      const wanted = { product_id: "p", deal_type: "PD" } as const;
      expect(await clientAt(server).call("request_quote", wanted)).toMatchObject({ quote_id: "qt-1" });
      const keys = new Set(server.seen.map(({ headers }) => headers["idempotency-key"]));
      expect([server.seen.length, keys.size]).toEqual([4, 1]);
    });
  });

  test.each([400, 401, 403, 404, 409, 422, 500])(
    "what the agent refuses with %i is not asked again",
    async (status) => {
      const body = { error: "some_code", message: "Do this." };
      const respond: Respond = (_request, response) => answerJson(response, status, body, { "request-id": "r-1" });
      await with_(respond, async (server) => {
        const error = await refusalOf(clientAt(server).call("get_deal", { deal_id: "D" }));
        expect(error).toMatchObject({ code: "some_code", message: "Do this.", status, requestId: "r-1", body });
        expect(server.seen).toHaveLength(1);
      });
    },
  );

  test("a schema error names its members", async () => {
    const detail = [{ type: "int", loc: ["query", "limit"], msg: "At most 500." }];
    await with_(
      (_request, response) => answerJson(response, 422, { detail }),
      async (server) => {
        const error = await refusalOf(clientAt(server).call("list_deals", { limit: 9999 }));
        expect(error).toMatchObject({ code: "validation_error", message: "limit: At most 500." });
      },
    );
  });

  test("a limit of rate is waited for as long as the agent says", async () => {
    const respond: Respond = (_request, response, count) =>
      answerJson(response, count === 1 ? 429 : 200, { error: "rate_limited" }, { "retry-after": "1" });
    await with_(respond, async (server) => {
      const startMs = Date.now();
      await clientAt(server).call("list_deals");
      expect(Date.now() - startMs).toBeGreaterThanOrEqual(990);
    });
  });

  test("an agent that is down, silent, or no agent is told apart", async () => {
    const gone = await startLoopback(() => undefined);
    await gone.close();
    expect(await refusalOf(clientAt(gone, 1).call("list_deals"))).toMatchObject({ code: "connect_error", status: 0 });
    await with_(
      () => undefined,
      async ({ url }) => {
        const silent = sellerClient({ url, timeoutMs: 50, retries: 0 }).call("list_deals");
        expect(await refusalOf(silent)).toMatchObject({ code: "timeout", status: 0 });
      },
    );
    await with_(
      (_request, response) => answerJson(response, 200, "<html>"),
      async (server) => {
        expect(await refusalOf(clientAt(server).call("list_deals"))).toMatchObject({
          code: "invalid_response",
          status: 200,
        });
        expect(server.seen).toHaveLength(1);
      },
    );
  });

  test("a key is not sent to where an answer leads", async () => {
    const other = await startLoopback((_request, response) => answerJson(response, 200, {}));
    const respond: Respond = (_request, response) => answerJson(response, 302, {}, { location: other.url });
    await with_(respond, async (server) => {
      expect((await refusalOf(clientAt(server, 0).call("list_deals"))).code).toBe("connect_error");
    });
    expect(other.seen).toEqual([]);
    await other.close();
  });

  test("a missing path member and an aborted call end at once", async () => {
    await with_(
      () => undefined,
      async (server) => {
        await expect(clientAt(server).call("get_deal", { deal_id: "" })).rejects.toThrow(/deal_id is missing/);
        const call = clientAt(server).call("list_deals", {}, { signal: AbortSignal.timeout(20) });
        await expect(call).rejects.toThrow(/aborted|timeout/i);
        expect(server.seen.length).toBeLessThanOrEqual(1);
      },
    );
  });
});

describe("pages", () => {
  test("are read by cursor as far as somebody reads", async () => {
    const respond: Respond = ({ path }, response) => {
      const at = Number(new URLSearchParams(path.split("?")[1]).get("cursor") ?? 0);
      answerJson(response, 200, { deals: [{ deal_id: `D-${at}` }], next_cursor: at === 2 ? null : String(at + 1) });
    };
    await with_(respond, async (server) => {
      const ids: string[] = [];
      for await (const { deal_id: id } of clientAt(server).each("list_deals", { limit: 1 })) ids.push(id);
      expect(ids).toEqual(["D-0", "D-1", "D-2"]);
      for await (const { deal_id: id } of clientAt(server).each("list_deals", { limit: 1 })) if (id === "D-0") break;
      expect(server.seen.map(({ path }) => path)).toHaveLength(4);
    });
  });
});

describe("a webhook's delivery", () => {
  const secret = `whsec_${Buffer.from("0123456789abcdef").toString("base64")}`;
  const body = '{"event_id":"e-1","event_type":"deal.created"}';
  const nowMs = Date.parse("2027-01-15T12:00:00Z");
  const headers = signedHeaders({ secret, webhookId: "wh-1", nowMs, body });

  test("gives its event where the signature holds, also beside an older one", async () => {
    expect(await verifyWebhook({ headers, body, secret, nowMs })).toMatchObject({ event_id: "e-1" });
    const both = new Headers({ ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` });
    expect(await verifyWebhook({ headers: both, body, secret, nowMs })).toMatchObject({ event_type: "deal.created" });
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyWebhook({ headers: upper, body, secret, nowMs })).toMatchObject({ event_id: "e-1" });
  });

  const other = `whsec_${Buffer.from("another").toString("base64")}`;

  test.each([
    ["a changed body", { body: `${body} ` }],
    ["another secret", { secret: other }],
    ["no secret", { secret: "" }],
    ["an old delivery", { nowMs: nowMs + 301_000 }],
    ["one of the future", { nowMs: nowMs - 301_000 }],
    ["a changed time", { headers: { ...headers, "webhook-timestamp": String(nowMs / 1000 + 1) } }],
    ["a changed id", { headers: { ...headers, "webhook-id": "wh-2" } }],
    ["no signature", { headers: { ...headers, "webhook-signature": "" } }],
    ["another scheme", { headers: { ...headers, "webhook-signature": "v2,AAAA" } }],
    ["no base64", { headers: { ...headers, "webhook-signature": "v1,%%%" } }],
  ])("is rejected with %s", async (_name, changed) => {
    await expect(verifyWebhook({ headers, body, secret, nowMs, ...changed })).rejects.toThrow(WebhookRejected);
  });
});
