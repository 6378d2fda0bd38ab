import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../spec/launched.ts";
import { type Members, post, type Said } from "./wire.ts";

/* Every door but REST owes each request one count, its credential before its body, and its query. */

let seller: Started;
let limited: Started;
beforeAll(async () => {
  const limits = { RATE_LIMIT_PER_MINUTE: "900", RATE_LIMIT_ANONYMOUS_PER_MINUTE: "900" };
  seller = await startSeller(limits);
  limited = await startSeller({ ...limits, RATE_LIMIT_ANONYMOUS_PER_MINUTE: "1" });
  await post(`${limited.url}/rpc`, call("list_products"));
});
afterAll(() => Promise.all([seller.close(), limited.close()]));

const call = (method: string, params: unknown = {}, id: unknown = 7): Members => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const quote = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 };
const part = { kind: "data", data: { operation: "request_quote", input: quote } };
const message = (more: Members = {}): Members => ({
  messageId: crypto.randomUUID(),
  role: "user",
  parts: [part],
  ...more,
});
const rpcPath = "/rpc";
const a2aPath = "/a2a/seller/jsonrpc";

/** Requests that reach no operation, with the id and the error number of the answer. */
const astray: readonly (readonly [name: string, path: string, body: unknown, id: unknown, code: number])[] = [
  ["/rpc: no JSON", rpcPath, "{", null, -32700],
  ["/rpc: no request", rpcPath, { jsonrpc: "2.0", method: 1, id: 7 }, 7, -32600],
  ["/rpc: an unknown method", rpcPath, call("none_such"), 7, -32601],
  ["/rpc: an empty batch", rpcPath, [], null, -32600],
  ["/rpc: a body that is too large", rpcPath, `"${"x".repeat(1_100_000)}"`, null, -32600],
  ["A2A: no JSON", a2aPath, "{", null, -32700],
  ["A2A: a batch", a2aPath, [], null, -32600],
  ["A2A: an unknown method", a2aPath, call("none/such"), 7, -32601],
  ["A2A: a task that is not there", a2aPath, call("tasks/get", { id: "x" }), 7, -32001],
  ["A2A: an empty message", a2aPath, call("message/send", { message: {} }), 7, -32602],
  ["A2A: an empty message of 1.0", a2aPath, call("SendMessage", { message: {} }), 7, -32602],
  ["A2A: an empty message, streamed", a2aPath, call("message/stream", { message: {} }), 7, -32602],
  ["A2A: a message without its id", a2aPath, call("message/send", { message: message({ messageId: "" }) }), 7, -32602],
  [
    "A2A: a message to a task that is not there",
    a2aPath,
    call("message/send", { message: message({ taskId: "x" }) }),
    7,
    -32001,
  ],
  ["A2A: a body that is too large", a2aPath, `"${"x".repeat(1_100_000)}"`, null, -32600],
];

/** Remaining quota. */
const left = ({ headers }: Said): number => Number(/;r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1]);
const standing = async (): Promise<number> => {
  const { headers } = await fetch(`${seller.url}/health`);
  return left({ headers } as Said);
};
const refusal = (id: unknown, code: number): unknown => ({
  jsonrpc: "2.0",
  id,
  error: expect.objectContaining({ code }),
});

describe("doors: a request that comes to no operation", () => {
  test.each(astray)("%s: is counted once", async (_name, path, body, id, code) => {
    const before = await standing();
    const said = await post(seller.url + path, body);
    expect([said.body, left(said)]).toEqual([refusal(id, code), before - 1]);
    expect(await standing()).toBe(before - 1);
  });

  test.each(astray)("%s: a wrong key is told first, and counts against its address", async (_name, path, body, id) => {
    const before = await standing();
    const said = await post(seller.url + path, body, { "x-api-key": "wrong" });
    expect([said.status, said.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(said.body).toEqual(refusal(id, -32010));
    expect(await standing()).toBe(before - 1);
  });

  test.each(astray)("%s: is refused where the caller has nothing left", async (_name, path, body, id) => {
    const said = await post(limited.url + path, body);
    expect([said.status, said.body]).toEqual([429, refusal(id, -32012)]);
    expect(Number(said.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("of a batch each message counts, what is no request and what is not answered too", async () => {
    const before = await standing();
    const { id: _id, ...notification } = call("none_such");
    const sent = [call("list_products"), call("none_such"), 1, notification];
    expect((await post(seller.url + rpcPath, sent)).body).toHaveLength(3);
    expect(await standing()).toBe(before - 4);
    expect((await post(limited.url + rpcPath, sent)).body).toEqual(refusal(null, -32012));
  });

  test("the messages of a batch that are beyond the limit are refused, the others are answered", async () => {
    const few = await startSeller({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: "2" });
    const { id: _id, ...notification } = call("list_products");
    const sent = [call("list_products"), call("none_such", {}, 8), notification, 1, call("list_products", {}, 9)];
    const { status, body } = await post(few.url + rpcPath, sent);
    expect([status, body]).toMatchObject([
      200,
      [{ id: 7, result: {} }, refusal(8, -32601), refusal(null, -32012), refusal(9, -32012)],
    ]);
    await few.close();
  });

  test("an operation that is not for the caller is refused on /rpc with the status of REST", async () => {
    const anonymous = await post(seller.url + rpcPath, call("list_api_keys"));
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(anonymous.body).toEqual(refusal(7, -32010));
    expect((await post(seller.url + rpcPath, call("get_quote", { quote_id: "qt-000000000000" }))).status).toBe(200);
  });

  test("a batch under one Idempotency-Key is judged before it is refused", async () => {
    const headers = { "idempotency-key": "one", "x-api-key": "wrong" };
    expect((await post(seller.url + rpcPath, [call("list_products")], headers)).body).toEqual(refusal(null, -32010));
  });

  test("what calls an operation is counted once as well, and each further call of a message for itself", async () => {
    const before = await standing();
    await post(seller.url + rpcPath, call("list_products"));
    await post(seller.url + a2aPath, call("message/send", { message: message() }));
    await post(seller.url + a2aPath, call("message/stream", { message: message({ kind: "message" }) }));
    expect(await standing()).toBe(before - 3);
    await post(seller.url + a2aPath, call("message/send", { message: message({ parts: [part, part] }) }));
    expect(await standing()).toBe(before - 5);
  });
});

const dataOf = ({ body }: Said): Members =>
  (body as { result: { parts: readonly { data?: Members }[] } }).result.parts.find(({ data }) => data)?.data ?? {};

describe("doors: ?dry_run= in the query", () => {
  const dry = { quote_id: null, dry_run: true };
  const quoteId = expect.stringMatching(/^qt-/) as unknown;
  const unclear = { error: "validation_error", detail: [{ loc: ["query", "dry_run"] }] };
  const rpcSaid = (answer: unknown): Members => {
    const { result, error } = answer as { result?: unknown; error?: { data: unknown } };
    return { result, error: error?.data };
  };
  const asked = call("request_quote", quote);
  const doors: readonly (readonly [name: string, path: string, body: unknown, read: (said: Said) => Members])[] = [
    ["/rpc", rpcPath, asked, ({ body }) => rpcSaid(body)],
    ["/rpc in a batch", rpcPath, [call("list_products"), asked], ({ body }) => rpcSaid((body as unknown[])[1])],
    ["/mcp/call", "/mcp/call", { name: "request_quote", arguments: quote }, ({ body }) => body as Members],
  ];

  test.each(doors)(
    "%s: a dry run is one, a word that is neither yes nor no is 422",
    async (_name, path, body, read) => {
      const ask = async (query: string): Promise<Members> => read(await post(`${seller.url}${path}${query}`, body));
      for (const yes of ["?dry_run=true", "?more=1&dry_run=1"]) expect(await ask(yes)).toMatchObject({ result: dry });
      for (const no of ["?dry_run=false", "?", ""])
        expect(await ask(no)).toMatchObject({ result: { quote_id: quoteId } });
      for (const word of ["?dry_run=yes", "?dry_run=", "?dry_run=true&dry_run=false"]) {
        expect(await ask(word)).toMatchObject({ error: unclear });
      }
    },
  );

  test("A2A: of data parts and of texts", async () => {
    const send = (query: string, parts: unknown): Promise<Said> =>
      post(`${seller.url}${a2aPath}${query}`, call("message/send", { message: message({ parts }) }));
    expect(dataOf(await send("?dry_run=true", [part]))["result"]).toMatchObject(dry);
    const real = { kind: "data", data: { ...part.data, dry_run: false } };
    expect(dataOf(await send("?dry_run=true", [real]))["result"]).toMatchObject(dry);
    expect(dataOf(await send("?dry_run=0", [part]))["result"]).toMatchObject({ quote_id: quoteId });
    expect(dataOf(await send("?dry_run=yes", [part]))["error"]).toMatchObject(unclear);
    const text = [{ kind: "text", text: "I want a quote for prod-53e78a97, PG, 5M impressions" }];
    expect((await send("?dry_run=true", text)).text).not.toMatch(/qt-[0-9a-f]{12}/);
    expect((await send("", text)).text).toMatch(/qt-[0-9a-f]{12}/);
  });

  test("a read takes no notice of it", async () => {
    const said = await post(`${seller.url}${rpcPath}?dry_run=perhaps`, call("list_products"));
    expect(said.body).toHaveProperty("result.products");
  });

  test("an MCP session: each request by its own query", async () => {
    const accept = { accept: "application/json, text/event-stream" };
    const clientInfo = { name: "test", version: "1" };
    const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const opened = await post(`${seller.url}/mcp`, call("initialize", initialize), accept);
    const session = {
      ...accept,
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-06-18",
    };
    const tool = call("tools/call", { name: "request_quote", arguments: quote });
    const said = await post(`${seller.url}/mcp?dry_run=true`, tool, session);
    expect(said.body).toHaveProperty("result.structuredContent", expect.objectContaining(dry));
    const real = await post(`${seller.url}/mcp`, { ...tool, id: 8 }, session);
    expect(real.body).toHaveProperty("result.structuredContent.quote_id", expect.stringMatching(/^qt-/));
  });
});
