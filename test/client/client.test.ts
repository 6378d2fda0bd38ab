import { gzipSync } from "node:zlib";
import { buildConnector } from "undici";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { callContract, type Client, createClient } from "../../protocol/client/client.ts";
import { type ConnectorOf, createOutbound, type OutboundParts } from "../../protocol/client/outbound.ts";
import { defineContract } from "../../protocol/seam/operation.ts";
import { covers } from "../requirements.ts";
import { answerJson, type Loopback, type Respond, startLoopback } from "./loopback.ts";

const getThing = defineContract({
  name: "get_thing",
  group: "things",
  summary: "Reads a thing.",
  effect: "read",
  access: "public",
  input: z.object({ thing_id: z.string(), wide: z.boolean().optional(), tags: z.array(z.string()).optional() }),
  output: z.looseObject({ thing_id: z.string(), price: z.number() }),
  refusals: {},
  rest: { method: "GET", path: "/things/:thing_id" },
});

const makeThing = defineContract({
  name: "make_thing",
  group: "things",
  summary: "Makes a thing.",
  effect: "write",
  access: "public",
  input: z.object({ name: z.string(), note: z.string().optional() }),
  output: z.looseObject({ thing_id: z.string() }),
  refusals: {},
  rest: { method: "POST", path: "/things" },
});

const lines: unknown[] = [];
const record = (fields: unknown, message: string): void => void lines.push([fields, message]);
const log = { info: record, warn: record, error: record };
afterEach(() => {
  lines.length = 0;
});

const serve = async (respond: Respond): Promise<Loopback> => {
  const server = await startLoopback(respond);
  onTestFinished(() => server.close());
  return server;
};

const clientOf = (baseUrl: string, more: Partial<Client> = {}, out: Partial<OutboundParts> = {}): Client => {
  const outbound = createOutbound({ allow: readAllowList("127.0.0.1"), timeoutMs: 5_000, ...out });
  onTestFinished(() => outbound.close());
  return createClient({ target: { baseUrl }, outbound, log, pause: async () => undefined, ...more });
};

const ok = { thing_id: "a", price: 1.5 };

describe("outbound client: requests", () => {
  test("client: path members go to the path, the rest of a read to the query", async () => {
    const seller = await serve((_request, response) => answerJson(response, 200, { ...ok, more: [1] }));
    const result = await callContract(clientOf(`${seller.url}/base//`), getThing, {
      thing_id: "a/b ?#ü",
      wide: true,
      tags: ["x", "y&z"],
    });
    expect(result).toEqual({ ok: true, status: 200, output: { ...ok, more: [1] }, replayed: false });
    expect(seller.seen[0]?.path).toBe("/base/things/a%2Fb%20%3F%23%C3%BC?wide=true&tags=x&tags=y%26z");
  });

  test.each(["", ".", ".."])("client: %j never becomes a path segment", async (thing_id) => {
    const seller = await serve((_request, response) => answerJson(response, 200, ok));
    const result = await callContract(clientOf(seller.url), getThing, { thing_id });
    expect(result).toMatchObject({ ok: false, status: 0, code: "invalid_request" });
    expect(seller.seen).toHaveLength(0);
  });

  test("client: a write sends JSON, its key, request id and trace, and the API key wins over the token", async () => {
    covers("buyer.client.api-key-header", "buyer.client.api-key-wins");
    const seller = await serve((_request, response) => {
      answerJson(response, 201, { thing_id: "t1" }, { "idempotency-replayed": "true" });
    });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const target = { baseUrl: seller.url, apiKey: "ask_live_secret", bearer: "token" };
    const options = { idempotencyKey: "key-1", requestId: "req-1", traceparent };
    const result = await callContract(clientOf("", { target }), makeThing, { name: "n" }, options);
    expect(result).toEqual({ ok: true, status: 201, output: { thing_id: "t1" }, replayed: true });
    const [request] = seller.seen;
    expect(JSON.parse(request?.body ?? "")).toEqual({ name: "n" });
    expect(request?.headers).toMatchObject({
      "x-api-key": "ask_live_secret",
      "idempotency-key": "key-1",
      "request-id": "req-1",
      traceparent,
      "content-type": "application/json",
    });
    expect(request?.headers["authorization"]).toBeUndefined();
  });

  test("client: a bearer token alone is sent as Authorization", async () => {
    covers("buyer.client.bearer-header", "buyer.seller-keys.header-bearer");
    const seller = await serve((_request, response) => answerJson(response, 200, ok));
    await callContract(clientOf("", { target: { baseUrl: seller.url, bearer: "tok" } }), getThing, { thing_id: "a" });
    expect(seller.seen[0]?.headers["authorization"]).toBe("Bearer tok");
  });

  test.each(["http://user:pw@127.0.0.1:1", "http://127.0.0.1:1/?k=v", "ftp://127.0.0.1", "nonsense"])(
    "client: the base URL %s is refused",
    async (baseUrl) => {
      const result = await callContract(clientOf(baseUrl), getThing, { thing_id: "a" });
      expect(result).toMatchObject({ ok: false, status: 0, code: "invalid_request" });
    },
  );

  test("client: a credential with a line break is refused and shown nowhere", async () => {
    const target = { baseUrl: "http://127.0.0.1:1", apiKey: "sec\r\nret: 1" };
    const result = await callContract(clientOf("", { target }), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, code: "invalid_request" });
    expect(JSON.stringify([result, lines])).not.toContain("sec");
  });
});

describe("outbound client: attempts", () => {
  test.each([502, 503, 504])("client: %i is tried three times in all with the same key", async (status) => {
    covers("buyer.client.retry-502", "buyer.client.three-attempts");
    const busy = { error: "busy", detail: "later" };
    const seller = await serve((_request, response) => answerJson(response, status, busy));
    const result = await callContract(clientOf(seller.url), makeThing, { name: "n" });
    expect(result).toMatchObject({ ok: false, status, code: "busy", detail: "later" });
    const keys = seller.seen.map((request) => request.headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("client: a second attempt that succeeds is the answer", async () => {
    const seller = await serve((_request, response, count) => answerJson(response, count === 1 ? 503 : 200, ok));
    expect(await callContract(clientOf(seller.url), getThing, { thing_id: "a" })).toMatchObject({ ok: true });
    expect(seller.seen).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 410, 422, 429, 500, 501])("client: %i is not tried again", async (status) => {
    covers("buyer.client.no-retry-4xx", "buyer.client.no-retry-other-5xx", "buyer.seller-keys.forbidden");
    const seller = await serve((_request, response) => answerJson(response, status, {}));
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status, code: `http_${status}`, needsReauth: status === 401 });
    expect(seller.seen).toHaveLength(1);
  });

  test("client: the back-off doubles under full jitter and believes Retry-After on 503 up to ten seconds", async () => {
    const pauses: number[] = [];
    const pause = async (delayMs: number): Promise<void> => void pauses.push(delayMs);
    const headers = ["3", "3600", undefined];
    const seller = await serve((_request, response, count) => {
      const retryAfter = headers[count - 1];
      answerJson(response, 503, {}, retryAfter === undefined ? {} : { "retry-after": retryAfter });
    });
    await callContract(clientOf(seller.url, { pause, random: () => 0.5 }), getThing, { thing_id: "a" });
    const plain = await serve((_request, response) => answerJson(response, 502, {}, { "retry-after": "9" }));
    await callContract(clientOf(plain.url, { pause, random: () => 0.5 }), getThing, { thing_id: "a" });
    expect(pauses).toEqual([3000, 10_000, 100, 200]);
  });

  test("client: a seller that never answers is a timeout after three attempts", async () => {
    covers("buyer.client.retry-timeout", "buyer.client.timeout-code");
    const seller = await serve(() => undefined);
    const result = await callContract(clientOf(seller.url, { timeoutMs: 60 }), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 0, code: "timeout" });
    expect(seller.seen).toHaveLength(3);
  });

  test("client: a body that trickles for ever is a timeout", async () => {
    const seller = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });
    const result = await callContract(clientOf(seller.url, { timeoutMs: 80 }), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 0, code: "timeout" });
  });

  test("client: a refused connection is given back at once", async () => {
    covers("buyer.client.connect-error");
    const seller = await startLoopback(() => undefined);
    await seller.close();
    const pauses: number[] = [];
    const pause = async (delayMs: number): Promise<void> => void pauses.push(delayMs);
    const result = await callContract(clientOf(seller.url, { pause }), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 0, code: "connect_error", sellerUrl: seller.url });
    expect(pauses).toEqual([]);
  });

  test("client: a call that is stopped ends as aborted, and no warning speaks of the seller", async () => {
    const stopping = new AbortController();
    const seller = await serve(() => stopping.abort());
    const { signal } = stopping;
    const warned: unknown[] = [];
    const client = clientOf(seller.url, { log: { ...log, warn: (fields) => void warned.push(fields) } });
    const result = await callContract(client, getThing, { thing_id: "a" }, { signal });
    expect(result).toMatchObject({ ok: false, code: "aborted" });
    expect(warned).toEqual([]);
    expect(seller.seen).toHaveLength(1);
  });
});

describe("outbound client: what sellers answer", () => {
  const bodies: readonly [string, unknown, string, string][] = [
    [
      "nested",
      { detail: { error: "quote_expired", message: "The quote has expired." } },
      "quote_expired",
      "The quote has expired.",
    ],
    ["flat", { error: "not_found", detail: "Quote not found" }, "not_found", "Quote not found"],
    ["text in detail", { detail: "Not Found" }, "http_409", "Not Found"],
    [
      "schema list",
      { detail: [{ type: "missing", loc: ["body", "name"], msg: "Field required" }] },
      "validation_error",
      "body.name: Field required",
    ],
    ["plain text", "<html>bad</html>", "http_409", "<html>bad</html>"],
    ["garbage types", { error: 7, detail: null, message: {} }, "http_409", ""],
  ];

  test.each(bodies)("client: a %s error body is read", async (_name, body, code, detail) => {
    covers("buyer.client.seller-error");
    const seller = await serve((_request, response) => answerJson(response, 409, body));
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 409, code, detail });
  });

  test("client: the unsupported parts of a plan are given back", async () => {
    covers("buyer.client.unsupported-list");
    const unsupported = [{ path: "extensions[0]", reason: "not supported" }, { path: 4 }, "x"];
    const seller = await serve((_request, response) => {
      answerJson(response, 400, { detail: { error: "audience_plan_unsupported", unsupported } });
    });
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({
      code: "audience_plan_unsupported",
      unsupported: [{ path: "extensions[0]", reason: "not supported" }],
    });
  });

  test("client: text of the seller is bounded and holds no control characters", async () => {
    const seller = await serve((_request, response) => {
      answerJson(response, 400, { error: "a\r\nb", detail: `x\u0000\u001b[31m${"y".repeat(100_000)}` });
    });
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, code: "a b" });
    expect(result.ok ? "" : result.detail).toMatch(/^x \[31my{1,494}$/);
  });

  test.each([
    ["garbage", "{]"],
    ["no JSON", "<p>hello</p>"],
    ["another form", { thing_id: 5 }],
    ["null", "null"],
    ["deep nesting", `{"thing_id":"a","price":1,"more":${"[".repeat(5000)}${"]".repeat(5000)}}`],
  ])("client: %s in a 200 is an invalid response and is not tried again", async (_name, body) => {
    const seller = await serve((_request, response) => answerJson(response, 200, body));
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 200, code: "invalid_response" });
    expect(seller.seen).toHaveLength(1);
  });

  test("client: a huge answer is cut off at the bound", async () => {
    const seller = await serve((_request, response) => answerJson(response, 200, `"${"x".repeat(3_000_000)}"`));
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 200, code: "response_too_large" });
  });

  test("client: the bound counts what a compressed answer unfolds to", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 32));
    const seller = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(bomb);
    });
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(bomb.byteLength).toBeLessThan(100_000);
    expect(result).toMatchObject({ ok: false, code: "response_too_large" });
  });

  test("client: a connection that is cut is an http error and is not tried again", async () => {
    const seller = await serve((_request, response) => {
      response.socket?.destroy();
    });
    const result = await callContract(clientOf(seller.url), makeThing, { name: "n" });
    expect(result).toMatchObject({ ok: false, status: 0, code: "http_error" });
    expect(seller.seen).toHaveLength(1);
  });

  test("client: no failure and no log line shows the credential or the request", async () => {
    const seller = await serve((_request, response) => answerJson(response, 500, { detail: "no" }));
    const target = { baseUrl: seller.url, apiKey: "ask_live_topsecret" };
    const result = await callContract(clientOf("", { target }), makeThing, { name: "hidden-name" });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify([result, lines])).not.toMatch(/topsecret|hidden-name/);
  });
});

/** Any public address leads to one loopback port. */
const bend =
  (port: number, wanted: string[]): ConnectorOf =>
  ({ lookup, timeout }) => {
    const dial = buildConnector({ timeout });
    return (options, done) => {
      const connect = (address: string): void => {
        wanted.push(address);
        dial({ ...options, protocol: "http:", hostname: "127.0.0.1", port: String(port) }, done);
      };
      if (lookup === undefined || /^[\d.]+$|:/.test(options.hostname)) return connect(options.hostname);
      lookup(options.hostname, { all: true }, (error, addresses) => {
        if (error !== null) return done(error, null);
        connect(Array.isArray(addresses) ? (addresses[0]?.address ?? "") : String(addresses));
      });
    };
  };

describe("outbound client: where it goes", () => {
  const publicOnly = async (): Promise<{ seller: Loopback; wanted: string[]; client: (base: string) => Client }> => {
    const wanted: string[] = [];
    const names: Record<string, string[]> = {
      "seller.example": ["93.184.216.34"],
      "other.example": ["93.184.216.35"],
      "inside.example": ["10.0.0.5"],
      "mixed.example": ["93.184.216.34", "127.0.0.1"],
    };
    const seller = await serve((request, response) => {
      const to = /^\/things\/to-(.+)$/.exec(request.path)?.[1];
      if (to === undefined) return answerJson(response, 200, ok);
      const [status, location] = decodeURIComponent(to).split(" ");
      response.writeHead(Number(status), { location: location ?? "" }).end();
    });
    const resolve = async (host: string): Promise<{ address: string; family: number }[]> =>
      (names[host] ?? []).map((address) => ({ address, family: 4 }));
    const out = { allow: [], resolve, connector: bend(seller.port, wanted) };
    return { seller, wanted, client: (base) => clientOf("", { target: { baseUrl: base, apiKey: "k1" } }, out) };
  };

  test("client: a public name is reached at the address that was judged", async () => {
    const { wanted, client } = await publicOnly();
    const result = await callContract(client("http://seller.example"), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: true });
    expect(wanted).toEqual(["93.184.216.34"]);
  });

  test.each([
    "http://inside.example",
    "http://mixed.example",
    "http://127.0.0.1",
    "http://2130706433",
    "http://[::ffff:7f00:1]",
    "http://169.254.169.254",
    "http://[fd00::1]",
  ])("client: %s is never connected", async (base) => {
    const { seller, wanted, client } = await publicOnly();
    const result = await callContract(client(base), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, status: 0, code: "target_not_allowed" });
    expect(wanted).toEqual([]);
    expect(seller.seen).toHaveLength(0);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://inside.example/",
    "http://127.0.0.1:8080/",
    "http://[::1]/",
  ])("client: a redirect to %s is refused at that hop", async (location) => {
    const { wanted, client } = await publicOnly();
    const thing_id = `to-302 ${location}`;
    const result = await callContract(client("http://seller.example"), getThing, { thing_id });
    expect(result).toMatchObject({ ok: false, status: 0, code: "target_not_allowed" });
    expect(wanted).toEqual(["93.184.216.34"]);
  });

  test.each(["file:///etc/passwd", "data:application/json,{}", "gopher://seller.example/"])(
    "client: a redirect to %s is refused",
    async (location) => {
      const { client } = await publicOnly();
      const result = await callContract(client("http://seller.example"), getThing, { thing_id: `to-302 ${location}` });
      expect(result).toMatchObject({ ok: false, code: "redirect_refused" });
    },
  );

  test("client: a redirect within the seller keeps the credential, one to another origin loses it", async () => {
    const { seller, client } = await publicOnly();
    const same = { thing_id: "to-302 /things/b" };
    const other = { thing_id: "to-307 http://other.example/things/c" };
    expect(await callContract(client("http://seller.example"), getThing, same)).toMatchObject({ ok: true });
    expect(await callContract(client("http://seller.example"), getThing, other)).toMatchObject({ ok: true });
    expect(seller.seen.map((request) => request.headers["x-api-key"])).toEqual(["k1", "k1", "k1", undefined]);
  });

  test("client: a redirect that never ends is refused", async () => {
    const seller = await serve((request, response) => {
      response.writeHead(302, { location: request.path }).end();
    });
    const result = await callContract(clientOf(seller.url), getThing, { thing_id: "a" });
    expect(result).toMatchObject({ ok: false, code: "redirect_refused" });
    expect(seller.seen).toHaveLength(4);
  });

  test.each([301, 302, 303])("client: a write is not turned into a read by %i", async (status) => {
    const seller = await serve((_request, response) => {
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    const result = await callContract(clientOf(seller.url), makeThing, { name: "n" });
    expect(result).toMatchObject({ ok: false, status, code: "redirect_refused" });
    expect(seller.seen).toHaveLength(1);
  });
});
