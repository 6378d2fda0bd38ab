import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Arithmetic, serveArithmetic } from "./arithmetic.ts";
import { type Members, post, type Said } from "./wire.ts";

let server: Arithmetic;
beforeAll(async () => {
  server = await serveArithmetic();
});
afterAll(() => server.close());
beforeEach(() => {
  server.called.length = 0;
});

const rpc = (body: unknown): Promise<Said> => post(`${server.url}/rpc`, body);
const call = (method: string, params?: unknown, id: unknown = 1): Members => ({
  jsonrpc: "2.0",
  method,
  ...(params === undefined ? {} : { params }),
  id,
});
const error = (code: number, id: unknown = null): unknown => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.stringMatching(/./) as string },
});

describe("json-rpc: the examples of the specification's section 7", () => {
  test.each([
    ["params by position", '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}', 19, 1],
    [
      "params by position the other way round",
      '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
      -19,
      2,
    ],
    [
      "params by name",
      '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
      19,
      3,
    ],
    [
      "params by name in another order",
      '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
      19,
      4,
    ],
  ])("a call with %s", async (_name, sent, result, id) => {
    const { status, body } = await rpc(sent);
    expect([status, body]).toEqual([200, { jsonrpc: "2.0", result, id }]);
  });

  test("a notification of a known method is done and not answered", async () => {
    const { status, text } = await rpc('{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}');
    expect([status, text]).toEqual([204, ""]);
    expect(server.called).toEqual([{ name: "update", input: { a: 1, b: 2, c: 3, d: 4, e: 5 } }]);
  });

  test("a notification of an unknown method is not answered", async () => {
    const { status, text } = await rpc('{"jsonrpc": "2.0", "method": "foobar"}');
    expect([status, text, server.called]).toEqual([204, "", []]);
  });

  test("a call of a method that does not exist", async () => {
    const { status, body } = await rpc('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}');
    expect([status, body]).toEqual([200, error(-32601, "1")]);
  });

  test("a call with invalid JSON", async () => {
    const { body } = await rpc('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]');
    expect(body).toEqual(error(-32700));
  });

  test("a call with an invalid request object", async () => {
    const { body } = await rpc('{"jsonrpc": "2.0", "method": 1, "params": "bar"}');
    expect(body).toEqual(error(-32600));
  });

  test("a batch with invalid JSON", async () => {
    const { body } = await rpc(
      '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
    );
    expect([body, server.called]).toEqual([error(-32700), []]);
  });

  test("an empty array", async () => {
    expect((await rpc("[]")).body).toEqual(error(-32600));
  });

  test.each([
    ["[1]", 1],
    ["[1,2,3]", 3],
  ])("an invalid batch that is not empty: %s", async (sent, answers) => {
    expect((await rpc(sent)).body).toEqual(Array.from({ length: answers }, () => error(-32600)));
  });

  test("a mixed batch", async () => {
    const { status, body } = await rpc(`[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`);
    expect(status).toBe(200);
    expect(body).toEqual([
      { jsonrpc: "2.0", result: 7, id: "1" },
      { jsonrpc: "2.0", result: 19, id: "2" },
      error(-32600),
      error(-32601, "5"),
      { jsonrpc: "2.0", result: ["hello", 5], id: "9" },
    ]);
    expect(server.called).toContainEqual({ name: "notify_hello", input: { greeting: 7 } });
  });

  test("a batch of notifications only is done and not answered", async () => {
    const { status, text } = await rpc(
      `[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]`,
    );
    expect([status, text]).toEqual([204, ""]);
    expect(server.called.map((one) => one.name).sort()).toEqual(["notify_hello", "notify_sum"]);
  });
});

describe("json-rpc: ids", () => {
  test.each([["text"], [""], [0], [-7], [1.5], [9_007_199_254_740_991]])("%j is given back as it came", async (id) => {
    expect((await rpc(call("get_data", undefined, id))).body).toMatchObject({ id, result: ["hello", 5] });
  });

  test("null is an id, so the call is answered", async () => {
    expect((await rpc(call("get_data", undefined, null))).body).toEqual({
      jsonrpc: "2.0",
      id: null,
      result: ["hello", 5],
    });
  });

  test.each([[{}], [[1]], [true]])("%j is no id: refused, answered with null", async (id) => {
    expect((await rpc(call("get_data", undefined, id))).body).toEqual(error(-32600));
    expect(server.called).toEqual([]);
  });

  test("two calls of a batch may have one id, and each is answered", async () => {
    const { body } = await rpc([call("sum", [1, 1, 1], "same"), call("sum", [2, 2, 2], "same")]);
    expect(body).toEqual([
      { jsonrpc: "2.0", result: 3, id: "same" },
      { jsonrpc: "2.0", result: 6, id: "same" },
    ]);
  });
});

describe("json-rpc: envelopes", () => {
  test.each([["null"], ["1"], ['"text"'], ["true"]])("the body %s is an invalid request", async (sent) => {
    expect((await rpc(sent)).body).toEqual(error(-32600));
  });

  test("an empty body is no JSON", async () => {
    expect((await rpc("")).body).toEqual(error(-32700));
  });

  test.each([
    ["no version", { jsonrpc: undefined }],
    ["a number as version", { jsonrpc: 2 }],
    ["another version", { jsonrpc: "1.0" }],
    ["no method", { method: undefined }],
    ["null as method", { method: null }],
    ["text as params", { params: "bar" }],
    ["null as params", { params: null }],
    ["a number as params", { params: 7 }],
  ])("%s is an invalid request, answered with its id", async (_name, change) => {
    expect((await rpc({ ...call("get_data", undefined, "mine"), ...change })).body).toEqual(error(-32600, "mine"));
    expect(server.called).toEqual([]);
  });

  test("a defect is answered also where there is no id: what is no request is no notification", async () => {
    expect((await rpc({ jsonrpc: "1.0", method: "get_data" })).body).toEqual(error(-32600));
  });

  test("an answer has a result or an error, never both", async () => {
    for (const sent of [call("get_data"), call("nothing"), call("fail"), call("subtract", {})]) {
      const names = Object.keys((await rpc(sent)).body as Members).sort();
      expect([
        ["id", "jsonrpc", "result"],
        ["error", "id", "jsonrpc"],
      ]).toContainEqual(names);
    }
  });

  test("a batch of one is answered as a batch", async () => {
    expect((await rpc([call("get_data")])).body).toEqual([{ jsonrpc: "2.0", id: 1, result: ["hello", 5] }]);
  });

  test("a batch of 50 is answered, one of 51 is refused and none of it is done", async () => {
    const batch = (size: number): readonly Members[] =>
      Array.from({ length: size }, (_, id) => call("get_data", [], id));
    expect((await rpc(batch(50))).body).toHaveLength(50);
    server.called.length = 0;
    expect([(await rpc(batch(51))).body, server.called]).toEqual([error(-32600), []]);
  });

  test("nesting beyond the limit is refused before it is parsed", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    expect((await rpc(deep)).body).toEqual(error(-32600));
  });
});

describe("json-rpc: params and errors", () => {
  test.each([
    ["too few by position", [42]],
    ["a wrong type by position", [42, "23"]],
    ["too many by position", [42, 23, 1]],
    ["too few by name", { minuend: 42 }],
    ["an unknown name", { minuend: 42, subtrahend: 23, more: 1 }],
  ])("%s: -32602 with what is wrong", async (_name, params) => {
    const { body } = await rpc(call("subtract", params));
    expect(body).toMatchObject({ id: 1, error: { code: -32602, data: { error: "validation_error", status: 422 } } });
    const { issues, detail } = (body as { error: { data: Members } }).error.data;
    expect(JSON.stringify(issues ?? detail)).toMatch(/"msg":".+"/);
    expect(server.called).toEqual([]);
  });

  test("no params, params by no name and params at no position are the same", async () => {
    for (const params of [undefined, {}, []]) {
      expect((await rpc(call("get_data", params))).body).toMatchObject({ result: ["hello", 5] });
    }
  });

  test("what nobody expected is -32603 without its text", async () => {
    const { status, text, body } = await rpc(call("fail"));
    expect([status, body]).toMatchObject([200, { id: 1, error: { code: -32603, message: "Internal error" } }]);
    expect(text).not.toContain("secret");
  });

  test.each([["__proto__"], ["constructor"], ["toString"], ["hasOwnProperty"], ["rpc.discover"], [""]])(
    "%j is no method",
    async (name) => {
      expect((await rpc(call(name))).body).toEqual(error(-32601, 1));
    },
  );

  test("a member __proto__ in params changes no prototype", async () => {
    const sent = '{"jsonrpc":"2.0","method":"subtract","params":{"__proto__":{"minuend":1},"subtrahend":2},"id":1}';
    expect((await rpc(sent)).body).toMatchObject({ error: { code: -32602 } });
    expect(({} as Members)["minuend"]).toBeUndefined();
  });

  test("an idempotency key in the header of a batch is refused: it cannot be that of several calls", async () => {
    const { body } = await post(`${server.url}/rpc`, [call("get_data")], { "idempotency-key": "one" });
    expect([body, server.called]).toEqual([error(-32600), []]);
  });

  test("another content type is refused", async () => {
    const { status, body } = await post(`${server.url}/rpc`, JSON.stringify(call("get_data")), {
      "content-type": "text/plain",
    });
    expect([status, body]).toEqual([415, error(-32600)]);
  });
});

describe("json-rpc: where the doors agree and where they do not", () => {
  const a2a = (body: unknown): Promise<Said> => post(`${server.url}/a2a/seller/jsonrpc`, body);
  const accept = { accept: "application/json, text/event-stream" };
  const mcp = (body: unknown, more: Record<string, string> = {}): Promise<Said> =>
    post(`${server.url}/mcp`, body, { ...accept, ...more });
  const initialize = call("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  const session = async (): Promise<Record<string, string>> => {
    const { headers } = await mcp(initialize);
    return { "mcp-session-id": headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-06-18" };
  };

  test("a batch: done by /rpc, refused by A2A and MCP", async () => {
    expect((await rpc([call("get_data")])).body).toHaveLength(1);
    const refused = await a2a([call("tasks/get", { id: "x" })]);
    expect([refused.status, refused.body]).toEqual([200, error(-32600)]);
    const mcpBatch = await mcp([call("ping"), call("ping", undefined, 2)], await session());
    expect([mcpBatch.status, mcpBatch.body]).toEqual([400, error(-32600)]);
  });

  test("a request without an id: no reply from /rpc, an answer with id null from A2A, 202 from MCP", async () => {
    expect((await rpc({ jsonrpc: "2.0", method: "get_data" })).status).toBe(204);
    const answered = await a2a({ jsonrpc: "2.0", method: "tasks/get", params: { id: "none" } });
    expect([answered.status, answered.body]).toMatchObject([200, { id: null, error: { code: -32001 } }]);
    const noted = await mcp({ jsonrpc: "2.0", method: "notifications/initialized" }, await session());
    expect([noted.status, noted.text]).toEqual([202, ""]);
  });

  test("params by position: taken by /rpc, -32602 from A2A", async () => {
    expect((await rpc(call("subtract", [42, 23]))).body).toMatchObject({ result: 19 });
    expect((await a2a(call("tasks/get", ["x"]))).body).toMatchObject({ id: 1, error: { code: -32602 } });
    expect((await a2a(call("message/send", ["x"]))).body).toMatchObject({ id: 1, error: { code: -32602 } });
    expect((await mcp(call("tools/call", ["subtract"]), await session())).body).toHaveProperty("error");
  });

  test("a fractional id: given back by /rpc, -32600 from A2A", async () => {
    expect((await rpc(call("get_data", [], 1.5))).body).toMatchObject({ id: 1.5 });
    expect((await a2a(call("tasks/get", { id: "x" }, 1.5))).body).toEqual(error(-32600));
  });

  test("id null: a request to /rpc and A2A, invalid to MCP", async () => {
    expect((await rpc(call("get_data", [], null))).body).toMatchObject({ id: null, result: ["hello", 5] });
    expect((await a2a(call("tasks/get", { id: "x" }, null))).body).toMatchObject({ id: null, error: { code: -32001 } });
    const refused = await mcp(call("ping", undefined, null), await session());
    expect([refused.status, refused.body]).toEqual([400, error(-32600)]);
  });
});
