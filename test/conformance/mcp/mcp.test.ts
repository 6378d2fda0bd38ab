import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultBodyLimits } from "../../../protocol/neutral/json-input.ts";
import { toolSelection } from "../../../tools/listing.ts";
import { serveStdio } from "../../../tools/stdio.ts";
import { openWorld, type World } from "../../skills/world.ts";
import { type Started, startSeller } from "../../spec/launched.ts";
import { type Members, post, type Said } from "../wire.ts";

let seller: Started;
let world: World;
let http: Client;
let stdio: Client;
let closeStdio: () => Promise<void>;
beforeAll(async () => {
  [seller, world] = await Promise.all([startSeller(), openWorld()]);
  http = await connected();
  [stdio, closeStdio] = await overStdio();
});
afterAll(async () => {
  await http.close();
  await closeStdio();
  await seller.close();
  await world.close();
});

const newClient = (): Client => new Client({ name: "conformance", version: "1.0.0" });

const transportOf = (): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL("/mcp?toolset=all", seller.url));

const connected = async (transport = transportOf()): Promise<Client> => {
  const client = newClient();
  await client.connect(transport as Transport);
  return client;
};

/** The SDK's stdio line format. */
const pipeTransport = (input: PassThrough, output: PassThrough): Transport => {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: async () => {
      output.on("data", (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
          transport.onmessage?.(message);
        }
      });
    },
    send: async (message) => void input.write(serializeMessage(message)),
    close: async () => {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
};

const overStdio = async (): Promise<[Client, () => Promise<void>]> => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const info = { name: "parley-seller", title: "Seller", version: "1.0.0" };
  const limits = defaultBodyLimits;
  const instructions = "Tools of a seller.";
  const selection = toolSelection("all", false);
  const served = serveStdio({ runner: world.runner, info, instructions, selection, limits, input, output });
  const client = newClient();
  await client.connect(pipeTransport(input, output));
  const close = async (): Promise<void> => {
    await client.close();
    await served;
  };
  return [client, close];
};

const clientOf = (transport: string): Client => (transport === "stdio" ? stdio : http);
const transports = test.each(["http", "stdio"]);

const accept = { accept: "application/json, text/event-stream" };
const mcp = (body: unknown, headers: Record<string, string> = {}): Promise<Said> =>
  post(`${seller.url}/mcp`, body, { ...accept, ...headers });
const call = (method: string, params: unknown = {}, id: unknown = 1): Members => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const initialize = (protocolVersion: string): Members =>
  call("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } });
const openSession = async (): Promise<{ id: string; headers: Record<string, string> }> => {
  const id = (await mcp(initialize("2025-06-18"))).headers.get("mcp-session-id") ?? "";
  return { id, headers: { "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" } };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

type Tool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];
type Called = {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: { text: string }[];
};

const use = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> =>
  (await client.callTool({ name, arguments: args })) as unknown as Called;
const textOf = (called: Called): Members => JSON.parse(called.content[0]?.text ?? "") as Members;

describe("mcp: the start", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "%s is spoken when it is asked for",
    async (version) => {
      const { status, body, headers } = await mcp(initialize(version));
      expect(status).toBe(200);
      expect(headers.get("mcp-session-id")).toMatch(/^[\x21-\x7e]{20,}$/);
      const { result } = body as { result: Members };
      expect(result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: expect.stringMatching(/./) as string },
      });
      expect(result["instructions"]).toMatch(/./);
    },
  );

  test("a version that nobody knows is answered with the newest one", async () => {
    expect((await mcp(initialize("1999-01-01"))).body).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  });

  test("what is served is promised, and lists that never change by themselves; stdio has no subscriptions", () => {
    const served = { tools: {}, prompts: {}, completions: {}, logging: {} };
    expect(http.getServerCapabilities()).toEqual({ ...served, resources: { subscribe: true } });
    expect(stdio.getServerCapabilities()).toEqual({ ...served, resources: {} });
  });

  transports("%s: the server says its version", (transport) => {
    expect(clientOf(transport).getServerVersion()?.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  transports("%s: ping is answered with nothing", async (transport) => {
    expect(await clientOf(transport).ping()).toEqual({});
  });

  transports("%s: a method that is not promised does not exist", async (transport) => {
    for (const method of ["tasks/list", "sampling/createMessage", "roots/list", "__proto__"]) {
      await expect(clientOf(transport).request({ method, params: {} }, ResultSchema)).rejects.toMatchObject({
        code: -32601,
      });
    }
  });
});

/** Whole entries with output schemas; the lists of sessions are shortened for assistants. */
let tools: Tool[];
beforeAll(async () => {
  ({ tools } = (await (await fetch(`${seller.url}/mcp/tools`)).json()) as { tools: Tool[] });
});

describe("mcp: the tools", () => {
  test("the list is the same each time, in every session and over both transports", async () => {
    const text = JSON.stringify((await http.listTools()).tools);
    expect(JSON.stringify((await http.listTools()).tools)).toBe(text);
    const other = await connected();
    expect(JSON.stringify((await other.listTools()).tools)).toBe(text);
    await other.close();
    const names = tools.map((tool) => tool.name);
    expect((await stdio.listTools()).tools.map((tool) => tool.name)).toEqual(names);
  });

  test("every tool has a name that all clients take, and says what it does", () => {
    expect(tools.length).toBeGreaterThan(40);
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
    for (const { name, title, description } of tools) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
      expect([title, description], name).toEqual([expect.stringMatching(/./), expect.stringMatching(/^.{20,}$/s)]);
    }
  });

  test("every tool has all four hints, and none that contradict each other", () => {
    for (const { name, annotations = {} } of tools) {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
      const hints = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
      expect(
        hints.map((hint) => typeof hint),
        name,
      ).toEqual(["boolean", "boolean", "boolean", "boolean"]);
      expect(readOnlyHint === true && destructiveHint === true, name).toBe(false);
    }
  });

  test("every schema is an object schema of JSON Schema 2020-12 that compiles", () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema ?? { type: "object" }]) {
        expect(schema.type, name).toBe("object");
        expect(ajv.validateSchema(schema), name).toBe(true);
        expect(() => ajv.compile(schema), name).not.toThrow();
      }
    }
  });

  test("every tool that changes something takes a key and a dry run", () => {
    for (const { name, inputSchema, annotations } of tools) {
      const names = Object.keys(inputSchema.properties ?? {});
      if (annotations?.readOnlyHint === true) continue;
      expect(names, name).toEqual(expect.arrayContaining(["idempotency_key", "dry_run"]));
    }
  });
});

const makeRecords = async (client: Client): Promise<Readonly<Record<string, unknown>>> => {
  const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 };
  const quote = (await use(client, "request_quote", terms)).structuredContent as Members;
  const deal = (await use(client, "book_deal", { quote_id: quote["quote_id"] })).structuredContent as Members;
  return { product_id: "prod-53e78a97", quote_id: quote["quote_id"], deal_id: deal["deal_id"] };
};

describe("mcp: calls", () => {
  test("every reading tool answers what its output schema says, or says why it does not", async () => {
    const known = await makeRecords(stdio);
    const reading = tools.filter((tool) => tool.annotations?.readOnlyHint === true);
    expect(reading.length).toBeGreaterThan(15);
    const answered: string[] = [];
    for (const { name, inputSchema, outputSchema } of reading) {
      const wanted = inputSchema.required ?? [];
      const args = Object.fromEntries(wanted.map((member) => [member, known[member] ?? "none-0000"]));
      const called = await use(stdio, name, args);
      if (called.isError === true) {
        expect(textOf(called), name).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) as string });
        continue;
      }
      answered.push(name);
      const isValid = ajv.compile(outputSchema ?? {});
      expect([isValid(called.structuredContent), isValid.errors], name).toEqual([true, null]);
      expect(textOf(called), name).toEqual(called.structuredContent);
    }
    expect(answered).toEqual(expect.arrayContaining(["list_products", "get_quote", "get_deal", "get_pricing"]));
    expect(answered.length).toBeGreaterThan(10);
  });

  transports(
    "%s: every writing tool's dry run, refused or not, is an answer that the client accepts",
    async (transport) => {
      const client = clientOf(transport);
      for (const { name, inputSchema } of tools.filter((tool) => tool.annotations?.readOnlyHint !== true)) {
        const wanted = inputSchema.required ?? [];
        const args = Object.fromEntries(wanted.map((member) => [member, "none-0000"]));
        const called = await use(client, name, { ...args, dry_run: true });
        if (called.isError === true) expect(textOf(called), name).toHaveProperty("error");
        else expect(called.structuredContent, name).toMatchObject({ dry_run: true });
      }
    },
  );

  transports("%s: a dry run of a quote answers its price with no id, and leaves no quote", async (transport) => {
    const client = clientOf(transport);
    const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 };
    const { structuredContent, isError } = await use(client, "request_quote", { ...terms, dry_run: true });
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ dry_run: true, quote_id: null, pricing: { base_cpm: 35 } });
  });

  transports(
    "%s: what is refused is a result with isError that tells the cure, never a protocol error",
    async (transport) => {
      const client = clientOf(transport);
      const missing = await use(client, "get_quote", { quote_id: "qt-000000000000" });
      expect([missing.isError, textOf(missing)]).toMatchObject([true, { status: 404, detail: expect.any(String) }]);
      expect(missing).not.toHaveProperty("structuredContent");
      const wrong = await use(client, "get_pricing", { product_id: 7 });
      expect([wrong.isError, textOf(wrong)]).toMatchObject([true, { error: "validation_error", status: 422 }]);
      expect(JSON.stringify(textOf(wrong))).toContain("product_id");
    },
  );

  transports("%s: an unknown tool is a protocol error", async (transport) => {
    for (const name of ["no_such_tool", "__proto__", "constructor", ""]) {
      await expect(clientOf(transport).callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32602 });
    }
  });

  transports("%s: a key given twice does the work once, and the answer says so", async (transport) => {
    const args = {
      product_id: "prod-53e78a97",
      deal_type: "PG",
      impressions: 5_000_000,
      idempotency_key: "conformance",
    };
    const client = clientOf(transport);
    const first = await client.callTool({ name: "request_quote", arguments: args });
    const again = await client.callTool({ name: "request_quote", arguments: args });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect([first._meta, again._meta]).toEqual([undefined, { "parley/idempotency-replayed": true }]);
  });
});

describe("mcp: sessions over HTTP", () => {
  test("every session has an id of its own, and calls of many at once are answered", async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, openSession));
    expect(new Set(opened.map((one) => one.id)).size).toBe(5);
    const said = await Promise.all(opened.map(({ headers }, place) => mcp(call("ping", {}, place), headers)));
    expect(said.map((one) => (one.body as Members)["id"])).toEqual([0, 1, 2, 3, 4]);
  });

  test("without its header a request is 400, with an unknown one 404", async () => {
    expect((await mcp(call("tools/list"))).status).toBe(400);
    expect((await mcp(call("tools/list"), { "mcp-session-id": "no-such-session" })).status).toBe(404);
    for (const method of ["GET", "DELETE"]) {
      const bare = await fetch(`${seller.url}/mcp`, { method, headers: accept });
      const unknown = await fetch(`${seller.url}/mcp`, { method, headers: { ...accept, "mcp-session-id": "none" } });
      expect([bare.status, unknown.status], method).toEqual([400, 404]);
    }
  });

  test("DELETE ends a session; after that it is 404, and the others go on", async () => {
    const [ended, other] = [await openSession(), await openSession()];
    const removed = await fetch(`${seller.url}/mcp`, { method: "DELETE", headers: ended.headers });
    expect(removed.status).toBe(200);
    expect((await mcp(call("tools/list"), ended.headers)).status).toBe(404);
    expect((await mcp(call("ping"), other.headers)).status).toBe(200);
  });

  test("a client that ends its session cannot use it, and can open another", async () => {
    const transport = transportOf();
    const client = await connected(transport);
    await transport.terminateSession();
    await expect(client.listTools()).rejects.toThrow();
    const again = await connected();
    expect((await again.listTools()).tools.length).toBeGreaterThan(40);
    await again.close();
  });

  test("GET opens one stream of a session, a second one is 409", async () => {
    const { headers } = await openSession();
    const stop = new AbortController();
    const asked = { headers: { ...headers, accept: "text/event-stream" }, signal: stop.signal };
    const stream = await fetch(`${seller.url}/mcp`, asked);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect((await fetch(`${seller.url}/mcp`, asked)).status).toBe(409);
    expect((await mcp(call("ping"), headers)).status).toBe(200);
    stop.abort();
  });

  test("a version in the header that nobody knows is 400; none is taken", async () => {
    const { id } = await openSession();
    const versioned = { "mcp-session-id": id, "mcp-protocol-version": "1999-01-01" };
    expect((await mcp(call("ping"), versioned)).status).toBe(400);
    expect((await mcp(call("ping"), { "mcp-session-id": id })).status).toBe(200);
  });

  test("what the client does not accept is 406, another content type 415, broken JSON 400", async () => {
    const { headers } = await openSession();
    const url = `${seller.url}/mcp`;
    expect((await post(url, call("ping"), { ...headers, accept: "application/json" })).status).toBe(406);
    expect((await fetch(url, { headers: { ...headers, accept: "application/json" } })).status).toBe(406);
    expect((await mcp(JSON.stringify(call("ping")), { ...headers, "content-type": "text/plain" })).status).toBe(415);
    const broken = await mcp("{", headers);
    expect([broken.status, broken.body]).toMatchObject([400, { error: { code: -32700 } }]);
  });

  test("notifications and answers are taken with 202 and no body", async () => {
    const { headers } = await openSession();
    for (const sent of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99, reason: "none" } },
    ]) {
      const { status, text } = await mcp(sent, headers);
      expect([status, text]).toEqual([202, ""]);
    }
  });

  test("a session is initialized once", async () => {
    const { headers } = await openSession();
    expect((await mcp(initialize("2025-06-18"), headers)).status).toBe(400);
  });

  test.each([
    ["no params", undefined],
    ["no name", {}],
    ["a name that is no text", { name: 5 }],
    ["the name of no tool", { name: "__proto__" }],
  ])("a tool call with %s is -32602, in words of ours", async (_name, params) => {
    const { headers } = await openSession();
    const sent = { ...call("tools/call"), ...(params === undefined ? {} : { params }) };
    const message = "Unknown tool. Call tools/list for the names.";
    expect((await mcp(sent, headers)).body).toMatchObject({ error: { code: -32602, message } });
  });

  test.each([
    ["a list", [1]],
    ["a text", "x"],
  ])("arguments that are %s are refused as input", async (_name, sent) => {
    const { headers } = await openSession();
    const params = { name: "list_products", arguments: sent };
    const { body } = await mcp({ ...call("tools/call"), params }, headers);
    expect(body).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(body)).toContain("validation_error");
  });

  test("a call of no tool passes the gate of credentials first", async () => {
    const wrong = { "x-api-key": "ask_live_wrong" };
    const answer = await fetch(`${seller.url}/mcp/call`, {
      method: "POST",
      headers: { "content-type": "application/json", ...wrong },
      body: JSON.stringify({ name: "none" }),
    });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(await answer.json()).toMatchObject({ success: false, error: { error: "invalid_api_key" } });
  });

  test("a verb that the transport has no meaning for is 405", async () => {
    for (const path of ["/mcp", "/mcp/sse"]) {
      for (const method of ["PUT", "PATCH"]) {
        const answer = await fetch(`${seller.url}${path}`, { method, body: "{}" });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD, OPTIONS, POST"]);
      }
    }
  });

  test.each([
    ["broken JSON", "{", 422],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), 422],
    ["deep nesting", "[".repeat(100), 400],
  ])("the plain call answers %s in its own form", async (_name, body, status) => {
    const answer = await fetch(`${seller.url}/mcp/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect([answer.status, await answer.json()]).toEqual([
      status,
      { success: false, result: null, error: expect.objectContaining({ message: expect.any(String) }) as unknown },
    ]);
  });

  test.each(["{}", '{"name":5}', "[1]", "null", '"discover_inventory"'])(
    "a plain call without the name of a tool is a defect of its body: %s",
    async (body) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${seller.url}/mcp/call`, { method: "POST", headers, body });
      const error = { error: "validation_error", detail: [{ loc: ["body", "name"] }] };
      expect([answer.status, await answer.json()]).toMatchObject([422, { success: false, error }]);
    },
  );

  test("the paths that clients use reach the same sessions", async () => {
    const { headers } = await openSession();
    for (const path of ["/mcp/", "/mcp/sse"]) {
      expect((await post(`${seller.url}${path}`, call("ping"), { ...accept, ...headers })).status, path).toBe(200);
    }
  });
});
