import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";
import { eventsOf, type Members, post, type Said } from "../wire.ts";

/*
 * The checks of the A2A technology compatibility kits (0.3 and 1.0), as raw HTTP: no client library would send most of
 * them.
 */

let seller: Started;
let key: string;
beforeAll(async () => {
  seller = await startSeller();
  key = String((await seller.host("create_api_key", { label: "known" }))["api_key"]);
});
afterAll(() => seller.close());

const a2a = (body: unknown, headers: Record<string, string> = {}): Promise<Said> =>
  post(`${seller.url}/a2a/seller/jsonrpc`, body, headers);
const call = (method: string, params?: unknown, id: unknown = "req-1"): Members => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const error = (code: number, id: unknown = "req-1"): unknown => ({
  jsonrpc: "2.0",
  id,
  error: expect.objectContaining({ code, message: expect.stringMatching(/./) as string }) as unknown,
});

const price = "price of prod-53e78a97 for 5M impressions";
const textPart = (text: string): Members => ({ kind: "text", text });
const flat = (text: string, more: Members = {}): Members => ({
  messageId: randomUUID(),
  role: "user",
  parts: [textPart(text)],
  ...more,
});
const standard = (text: string, more: Members = {}): Members => ({ kind: "message", ...flat(text), ...more });
const modern = (text: string, more: Members = {}): Members => ({
  messageId: randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});
const isModern = (method: string): boolean => !method.includes("/");
const send = (message: unknown, more: Members = {}): Promise<Said> => a2a(call("message/send", { message, ...more }));
const resultOf = (said: Said): Members => (said.body as { result: Members }).result;

const id = expect.stringMatching(/^[\w-]{36}$/) as string;

describe("a2a wire: envelopes", () => {
  test("bytes that are no UTF-8 are no JSON: -32700 with HTTP 200", async () => {
    const sent = Buffer.from([0x7b, 0xff, 0x7d]);
    const answer = await fetch(`${seller.url}/a2a/seller/jsonrpc`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: sent,
    });
    expect([answer.status, await answer.json()]).toEqual([200, error(-32700, null)]);
  });

  test.each([["{"], [""], ['{"jsonrpc": "2.0", "method": "message/send", "params": "bar", "baz]']])(
    "%j is no JSON: -32700 with HTTP 200",
    async (sent) => {
      const { status, body } = await a2a(sent);
      expect([status, body]).toEqual([200, error(-32700, null)]);
    },
  );

  test.each([
    ["no version", { jsonrpc: undefined }, "req-1"],
    ["another version", { jsonrpc: "1.0" }, "req-1"],
    ["no method", { method: undefined }, "req-1"],
    ["a number as method", { method: 7 }, "req-1"],
    ["text as params", { params: "text" }, "req-1"],
    ["an object as id", { id: { a: 1 } }, null],
    ["an array as id", { id: ["a"] }, null],
    ["a fraction as id", { id: 1.5 }, null],
    ["a truth value as id", { id: true }, null],
  ])("%s is -32600", async (_name, change, answered) => {
    const { status, body } = await a2a({ ...call("tasks/get", { id: "x" }), ...change });
    expect([status, body]).toEqual([200, error(-32600, answered)]);
  });

  test.each([["[]"], ["[1]"], [`[${JSON.stringify(call("tasks/get", { id: "x" }))}]`], ["null"], ["1"], ['"text"']])(
    "%s is no request: -32600",
    async (sent) => {
      expect((await a2a(sent)).body).toEqual(error(-32600, null));
    },
  );

  test.each([
    ["message/receive"],
    ["tasks/list"],
    ["Sendmessage"],
    ["constructor"],
    ["__proto__"],
    ["list_products"],
    [""],
  ])("%j is no method of A2A: -32601", async (method) => {
    expect((await a2a(call(method, {}))).body).toEqual(error(-32601));
  });

  test.each([["text"], [0], [42], [-1]])("the id %j is answered as it came", async (given) => {
    expect((await a2a(call("tasks/get", { id: "x" }, given))).body).toEqual(error(-32001, given));
  });

  test("a request without an id is answered with null, a good one too", async () => {
    const { id: _none, ...missing } = call("tasks/get", { id: "x" });
    expect((await a2a(missing)).body).toEqual(error(-32001, null));
    const { id: _left, ...good } = call("message/send", { message: flat(price) });
    expect((await a2a(good)).body).toMatchObject({ id: null, result: { status: "completed" } });
  });

  test("another content type is 400 with -32005, one with a charset is taken", async () => {
    const refused = await a2a(JSON.stringify(call("tasks/get", { id: "x" })), { "content-type": "text/plain" });
    expect([refused.status, refused.body]).toEqual([400, error(-32005, null)]);
    const typed = { "content-type": "application/json; charset=utf-8" };
    expect((await a2a(call("tasks/get", { id: "x" }), typed)).body).toEqual(error(-32001));
  });

  test("another verb than POST is 405", async () => {
    expect((await fetch(`${seller.url}/a2a/seller/jsonrpc`)).status).toBe(405);
  });
});

describe("a2a wire: params", () => {
  test.each([
    ["no params", undefined],
    ["params by position", ["x"]],
    ["an empty name", { "": "x" }],
    ["no message", {}],
    ["a text as message", { message: "hello" }],
    ["null as message", { message: null }],
    ["no messageId", { message: { role: "user", parts: [textPart("x")] } }],
    ["no role", { message: { messageId: "m", parts: [textPart("x")] } }],
    ["no parts", { message: { messageId: "m", role: "user" } }],
    ["parts that are no list", { message: { messageId: "m", role: "user", parts: "x" } }],
    ["empty parts", { message: { messageId: "m", role: "user", parts: [] } }],
    ["a text part without its text", { message: { messageId: "m", role: "user", parts: [{ kind: "text" }] } }],
    ["a data part without its data", { message: { messageId: "m", role: "user", parts: [{ kind: "data" }] } }],
  ])("message/send with %s is -32602, with and without kind", async (_name, params) => {
    expect((await a2a(call("message/send", params))).body).toEqual(error(-32602));
    const message = (params as { message?: unknown } | undefined)?.message;
    if (typeof message !== "object" || message === null) return;
    expect((await a2a(call("message/send", { message: { kind: "message", ...message } }))).body).toEqual(error(-32602));
    expect((await a2a(call("message/stream", { message: { kind: "message", ...message } }))).body).toEqual(
      error(-32602),
    );
  });

  test("params with a member that has no name are -32602", async () => {
    const message = { kind: "message", messageId: "m", role: "user", parts: [textPart("x")] };
    for (const method of ["message/send", "tasks/get", "GetTask"]) {
      expect((await a2a(call(method, { "": 1, id: "t", message }))).body).toEqual(error(-32602));
    }
  });

  test.each([
    ["a part of no kind", { role: "user", parts: [{ text: "x" }] }, { role: "ROLE_USER", parts: [{}] }],
    ["a part of an unknown kind", { role: "user", parts: [{ kind: "scent" }] }, { role: "ROLE_USER", parts: ["x"] }],
    ["a text that is a number", { role: "user", parts: [{ kind: "text", text: 5 }] }, { parts: [{ text: 5 }] }],
    ["a kind without its content", { role: "user", parts: [{ kind: "data" }] }, { parts: [{ mediaType: "x/y" }] }],
    ["two contents", { role: "user", parts: [{ kind: "file" }] }, { parts: [{ text: "x", data: {} }] }],
    ["a role of the other version", { role: "ROLE_USER", parts: [textPart("x")] }, { role: "user" }],
    ["no parts", { role: "user" }, { parts: undefined }],
  ])("a message with %s is -32602 in both versions, streamed or not", async (_name, legacy, current) => {
    const messageId = randomUUID();
    for (const method of ["message/send", "message/stream"]) {
      const message = { kind: "message", messageId, ...legacy };
      expect((await a2a(call(method, { message }))).body).toEqual(error(-32602));
    }
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      const { body } = await a2a(call(method, { message: { ...modern("x"), messageId, ...current } }));
      expect(body).toEqual(error(-32602));
      expect(body).toMatchObject({ error: { data: [{ reason: "INVALID_PARAMS", domain: "a2a-protocol.org" }] } });
    }
  });

  test.each([[5], [true], [{}]])("0.3: %j where a list or a text belongs is -32602, streamed or not", async (odd) => {
    const file = (content: Members): Members => ({ parts: [{ kind: "file", file: content }] });
    for (const method of ["message/send", "message/stream"]) {
      for (const more of [
        { extensions: odd },
        file({ bytes: odd }),
        file({ uri: odd }),
        file({ bytes: null }),
        file({}),
      ]) {
        expect((await a2a(call(method, { message: standard(price, more) }))).body).toEqual(error(-32602));
      }
      const configuration = { acceptedOutputModes: odd };
      expect((await a2a(call(method, { message: standard(price), configuration }))).body).toEqual(error(-32602));
    }
  });

  test("a file is refused as a type that nobody reads, not dropped: -32005", async () => {
    for (const file of [{ uri: "https://example.com/a" }, { bytes: "aGk=", name: "a" }]) {
      const parts = [textPart(price), { kind: "file", file }];
      expect((await a2a(call("message/send", { message: standard(price, { parts }) }))).body).toEqual(error(-32005));
      expect((await a2a(call("message/send", { message: flat(price, { parts }) }))).body).toEqual(error(-32005));
    }
    for (const content of [{ raw: "aGk=" }, { url: "https://example.com/a" }]) {
      const message = modern(price, { parts: [{ text: price }, content] });
      expect((await a2a(call("SendMessage", { message }))).body).toEqual(error(-32005));
    }
  });

  test("1.0: data may be null, and an enum may be its number", async () => {
    const message = { messageId: randomUUID(), role: 1, parts: [{ data: null }] };
    expect((await a2a(call("SendMessage", { message }))).body).toHaveProperty("result.task.id");
  });

  test.each([[5], [true], [{}], [[]], [["x"]]])("the id %j of a context or a task is no text: -32602", async (id) => {
    for (const method of ["message/send", "message/stream"]) {
      for (const named of [{ contextId: id }, { taskId: id }]) {
        expect((await a2a(call(method, { message: standard(price, named) }))).body).toEqual(error(-32602));
        expect((await a2a(call(method, { message: flat(price, named) }))).body).toEqual(error(-32602));
      }
      expect((await a2a(call(method, { message: flat(price), contextId: id }))).body).toEqual(error(-32602));
    }
    for (const named of [{ contextId: id }, { taskId: id }, { context_id: id }, { task_id: id }]) {
      expect((await a2a(call("SendMessage", { message: modern(price, named) }))).body).toEqual(error(-32602));
    }
  });

  test.each([[null], [""]])("a contextId of %j is none: the message opens its own", async (contextId) => {
    expect(resultOf(await send(flat(price, { contextId })))).toMatchObject({ contextId: id, status: "completed" });
  });

  test.each([
    ["no params", undefined],
    ["params by position", ["x"]],
    ["no id", {}],
    ["an empty name", { "": "x" }],
    ["a number as id", { id: 7 }],
  ])("tasks/get and tasks/cancel with %s are -32602", async (_name, params) => {
    expect((await a2a(call("tasks/get", params))).body).toEqual(error(-32602));
    expect((await a2a(call("tasks/cancel", params))).body).toEqual(error(-32602));
  });

  test.each([
    ["tasks/get", { id: "x", historyLength: -1 }],
    ["message/send", { message: standard(price), configuration: { historyLength: -1 } }],
    ["GetTask", { id: "x", historyLength: -1 }],
  ])("%s with a negative historyLength is -32602", async (method, params) => {
    expect((await a2a(call(method, params))).body).toEqual(error(-32602));
  });

  test("members that nobody knows are left alone", async () => {
    const message = { ...standard(price), flavour: "sweet" };
    expect((await a2a({ ...call("message/send", { message, more: 1 }), extra: true })).body).toHaveProperty(
      "result.id",
    );
  });

  test("a text in another script comes back in the history as it was", async () => {
    const text = "价格 prod-53e78a97 \u{1F600} \u0000";
    expect(resultOf(await send(standard(text)))["history"]).toMatchObject([{ parts: [{ text }] }]);
  });
});

describe("a2a wire: the answer by who asks", () => {
  test("a message without kind is answered flat: these members and no others", async () => {
    const { status, body } = await send(flat(price));
    expect([status, body]).toEqual([
      200,
      {
        jsonrpc: "2.0",
        id: "req-1",
        result: {
          kind: "message",
          role: "agent",
          messageId: id,
          taskId: id,
          contextId: id,
          parts: [
            { kind: "text", text: expect.stringContaining("$35.00") as string },
            { kind: "data", data: expect.objectContaining({ skill: "pricing", outcome: "answer" }) as unknown },
          ],
          status: "completed",
          metadata: { state: "completed" },
        },
      },
    ]);
  });

  test.each([
    ["I need a quote", "in_progress", "input-required"],
    [price, "completed", "completed"],
    ["Book quote qt-000000000000", "failed", "failed"],
    ["Tell me your floor price", "completed", "completed"],
  ])("flat: %j is %s", async (text, status, state) => {
    expect(resultOf(await send(flat(text)))).toMatchObject({ status, metadata: { state } });
  });

  test("flat: a task that is continued after its question keeps its id and its context", async () => {
    const { taskId, contextId } = resultOf(await send(flat("I need a quote")));
    const next = resultOf(await send(flat(price, { taskId })));
    expect(next).toMatchObject({ taskId, contextId, status: "completed" });
    expect((await send(flat(price, { taskId }))).body).toEqual(error(-32004));
  });

  test("flat: contextId is taken beside the message; the message's own wins", async () => {
    expect(resultOf(await send(flat(price), { contextId: "beside" }))["contextId"]).toBe("beside");
    const both = await send(flat(price, { contextId: "inside" }), { contextId: "beside" });
    expect(resultOf(both)["contextId"]).toBe("inside");
  });

  test("flat: the same message again is the first answer under a task of its own, and its header says so", async () => {
    const message = flat(price);
    const [first, again] = [await send(message), await send(message)];
    expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(resultOf(again)["parts"]).toEqual(resultOf(first)["parts"]);
    expect(Object.keys(resultOf(again))).toEqual(Object.keys(resultOf(first)));
  });

  test("flat: the same message again is answered in equal bytes, and done once", async () => {
    const data = {
      operation: "request_quote",
      input: { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 },
    };
    const message = { ...flat(""), parts: [{ kind: "data", data }] };
    const [first, again] = [await send(message), await send(message)];
    const part = (resultOf(first)["parts"] as [{ data: Members }])[0].data;
    expect(part["result"]).toMatchObject({ quote_id: expect.stringMatching(/^qt-/) as string });
    expect(resultOf(again)).toEqual(resultOf(first));
    expect([first, again].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  });

  test.each([
    ["flat", flat],
    ["0.3", standard],
  ])("%s: another message with the same messageId is a new message", async (_name, form) => {
    const messageId = randomUUID();
    const ids = new Set<unknown>();
    for (const said of [
      form(price, { messageId }),
      form("what CTV do you have?", { messageId }),
      form(price, { messageId, contextId: "another" }),
    ]) {
      const result = resultOf(await send(said));
      ids.add(result["taskId"] ?? result["id"]);
    }
    expect(ids.size).toBe(3);
  });

  test("0.3: a message with kind is answered with a task, with no member of the flat reply's status", async () => {
    const task = resultOf(await send(standard(price)));
    expect(task).toMatchObject({ kind: "task", id, contextId: id, status: { state: "completed" } });
    expect(task["history"]).toMatchObject([{ kind: "message", role: "user", parts: [textPart(price)] }]);
    expect(task["artifacts"]).toMatchObject([{ artifactId: id, parts: [{ kind: "text" }, { kind: "data" }] }]);
    const timestamp = (task["status"] as Members)["timestamp"];
    expect(new Date(String(timestamp)).toISOString()).toBe(timestamp);
  });

  test("1.0: the answer is a task in its envelope, and the members are those of the schema alone", async () => {
    const result = resultOf(await a2a(call("SendMessage", { message: modern(price) })));
    expect(Object.keys(result)).toEqual(["task"]);
    const task = result["task"] as Members;
    expect(Object.keys(task).sort()).toEqual(["artifacts", "contextId", "history", "id", "status"]);
    expect(task).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" }, history: [{ role: "ROLE_USER" }] });
  });

  test("0.3: a client may ask for the answer with the message and get it at once, blocking or not", async () => {
    for (const blocking of [true, false]) {
      const said = await send(standard(price), { configuration: { blocking, acceptedOutputModes: ["text/plain"] } });
      expect(resultOf(said)).toMatchObject({ kind: "task", id });
    }
  });

  test("sending concurrently: every answer belongs to its request", async () => {
    const asked = Array.from({ length: 20 }, (_, place) => call("message/send", { message: standard(price) }, place));
    const said = await Promise.all(asked.map((one) => a2a(one)));
    expect(said.map((one) => (one.body as Members)["id"])).toEqual(asked.map((one) => one["id"]));
    expect(new Set(said.map((one) => resultOf(one)["id"])).size).toBe(20);
  });
});

describe("a2a wire: streams", () => {
  test.each([
    ["message/stream", (): Members => standard(price), "completed"],
    ["SendStreamingMessage", (): Members => modern(price), "TASK_STATE_COMPLETED"],
  ])("%s answers events that are JSON-RPC answers to its id, and ends", async (method, message, state) => {
    const said = await a2a(call(method, { message: message() }));
    expect(said.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(said.headers.get("cache-control")).toBe("no-cache");
    const events = eventsOf(said.text);
    expect(events.length).toBeGreaterThan(0);
    for (const { name, body } of events) expect([name, body]).toMatchObject([null, { jsonrpc: "2.0", id: "req-1" }]);
    expect(JSON.stringify(events.at(-1)?.body)).toContain(`"state":"${state}"`);
  });

  test.each([["message/stream"], ["tasks/resubscribe"], ["SendStreamingMessage"], ["SubscribeToTask"]])(
    "%s without the form of a request is -32600, and what is no id does not come back",
    async (method) => {
      const message = isModern(method) ? modern(price) : standard(price);
      for (const given of [{}, [1], 1.5, true]) {
        expect((await a2a(call(method, { message, id: "x" }, given))).body).toEqual(error(-32600, null));
      }
      const old = { ...call(method, { message, id: "x" }), jsonrpc: "1.0" };
      expect((await a2a(old)).body).toEqual(error(-32600));
    },
  );

  test("an unknown task: 0.3 answers in the stream, 1.0 as JSON", async () => {
    const legacy = await a2a(call("tasks/resubscribe", { id: "none" }));
    expect(eventsOf(legacy.text)).toEqual([{ name: "error", body: error(-32001) }]);
    const current = await a2a(call("SubscribeToTask", { id: "none" }));
    expect([current.headers.get("content-type"), current.body]).toEqual(["application/json", error(-32001)]);
    expect((await a2a(call("message/stream", { message: standard(price, { taskId: "none" }) }))).body).toEqual(
      error(-32001),
    );
  });

  test("1.0: an ended task cannot be subscribed to", async () => {
    const { task } = resultOf(await a2a(call("SendMessage", { message: modern(price) }))) as { task: Members };
    expect((await a2a(call("SubscribeToTask", { id: task["id"] }))).body).toEqual(error(-32004));
  });
});

describe("a2a wire: versions and errors", () => {
  test.each([["2.0"], ["9.9"], ["abc"]])("the version %s is not supported by any method: -32009", async (version) => {
    for (const [method, params] of [
      ["GetTask", { id: "x" }],
      ["SendStreamingMessage", { message: modern(price) }],
      ["tasks/get", { id: "x" }],
      ["message/stream", { message: standard(price) }],
      ["message/send", { message: flat(price) }],
    ] as const) {
      expect((await a2a(call(method, params), { "a2a-version": version })).body, method).toEqual(error(-32009));
    }
  });

  test.each([["1.0"], ["0.3"], [""]])("a known version %j, or none, goes on to the method", async (version) => {
    expect((await a2a(call("GetTask", { id: "x" }), { "a2a-version": version })).body).toEqual(error(-32001));
    expect((await a2a(call("tasks/get", { id: "x" }), { "a2a-version": version })).body).toEqual(error(-32001));
  });

  test("1.0: an error names its reason and domain; 0.3: it has no such member", async () => {
    const current = (await a2a(call("GetTask", { id: "x" }))).body as { error: { data: unknown } };
    const type = "type.googleapis.com/google.rpc.ErrorInfo";
    expect(current.error.data).toEqual([{ "@type": type, reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" }]);
    expect((await a2a(call("tasks/get", { id: "x" }))).body).not.toHaveProperty("error.data");
  });

  test.each([
    ["tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: { url: "https://example.com" } }],
    ["tasks/pushNotificationConfig/get", { id: "x" }],
    ["tasks/pushNotificationConfig/list", { id: "x" }],
    ["tasks/pushNotificationConfig/delete", { id: "x", pushNotificationConfigId: "y" }],
    ["CreateTaskPushNotificationConfig", { taskId: "x", url: "https://example.com" }],
    ["GetTaskPushNotificationConfig", { taskId: "x", id: "y" }],
    ["ListTaskPushNotificationConfigs", { taskId: "x" }],
    ["DeleteTaskPushNotificationConfig", { taskId: "x", id: "y" }],
  ])("%s needs a key, and names what is wrong with its params", async (method, params) => {
    expect((await a2a(call(method, params))).status).toBe(401);
    const asked = async (given: unknown, more: Record<string, string> = {}): Promise<unknown> =>
      (await a2a(call(method, given), { "x-api-key": key, ...more })).body;
    expect(await asked(params)).toEqual(error(-32001));
    for (const less of [undefined, {}, { taskId: "", pushNotificationConfig: null }, [], ["x"], { id: 7 }]) {
      expect(await asked(less), JSON.stringify(less)).toEqual(error(-32602));
    }
    expect(await asked(null)).toEqual(error(-32600));
    expect(await asked(params, { "a2a-version": "9.9" })).toEqual(error(-32009));
  });

  test("a wrong key is no caller: nothing is answered but 401", async () => {
    const wrong = { authorization: "Bearer ask_live_wrong" };
    for (const asked of [call("tasks/get", { id: "x" }), call("message/send", { message: flat(price) })]) {
      const { status, headers, body } = await a2a(asked, wrong);
      expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
      expect(body).toMatchObject({ id: asked["id"], error: { code: -32010, data: { error: "invalid_api_key" } } });
    }
  });
});
