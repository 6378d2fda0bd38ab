import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultBodyLimits } from "../../../protocol/neutral/json-input.ts";
import { serveStdio } from "../../../tools/stdio.ts";
import { openWorld, type World } from "../../skills/world.ts";
import { type Started, startSeller } from "../../spec/launched.ts";
import { type Members, post } from "../wire.ts";

interface Wire {
  ask(text: string | Buffer): Promise<Members>;
  close(): Promise<void>;
}

const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params };

/** One answer per line, in the order of the requests. */
const overStdio = async (world: World): Promise<Wire> => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const info = { name: "parley-seller", title: "Seller", version: "1.0.0" };
  const limits = defaultBodyLimits;
  const served = serveStdio({ runner: world.runner, info, instructions: "Tools.", limits, input, output });
  let arrived = "";
  let told = (): void => undefined;
  output.on("data", (chunk: Buffer) => {
    arrived += chunk.toString("utf8");
    if (arrived.includes("\n")) told();
  });
  const ask = async (text: string | Buffer): Promise<Members> => {
    const answer = new Promise<void>((resolve) => (told = resolve));
    input.write(text);
    input.write("\n");
    await answer;
    const [line = "", rest = ""] = arrived.split(/\n(.*)/s);
    arrived = rest;
    return JSON.parse(line) as Members;
  };
  await ask(JSON.stringify(initialize));
  const close = async (): Promise<void> => {
    input.end();
    await served;
  };
  return { ask, close };
};

const overHttp = async (seller: Started): Promise<Wire> => {
  const accept = { accept: "application/json, text/event-stream" };
  const opened = await post(`${seller.url}/mcp`, initialize, accept);
  const headers = { ...accept, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  return {
    ask: async (text) => (await post(`${seller.url}/mcp`, text.toString(), headers)).body as Members,
    close: () => Promise.resolve(),
  };
};

/** All lines at once, and then the end of the input. */
const answersTo = async (messages: readonly Members[]): Promise<readonly Members[]> => {
  const own = await openWorld();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said: Promise<string> = text(output);
  const info = { name: "parley-seller", title: "Seller", version: "1.0.0" };
  const served = serveStdio({
    runner: own.runner,
    info,
    instructions: "Tools.",
    limits: defaultBodyLimits,
    input,
    output,
  });
  input.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  await served;
  output.end();
  await own.close();
  const lines = (await said).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Members);
};

test("stdio: what was asked before the input ended is answered", async () => {
  const quote = { name: "request_quote", arguments: { product_id: "prod-15ba2543", deal_type: "PD" } };
  const calls = [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: quote }));
  const said = await answersTo([initialize, ...calls]);
  expect(new Set(said.map(({ id }) => id))).toEqual(new Set([0, 1, 2, 3]));
});

describe("stdio: revisions", () => {
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modern = (id: number, method: string): Members => ({ jsonrpc: "2.0", id, method, params: { _meta } });
  const list = { jsonrpc: "2.0", id: 9, method: "tools/list", params: {} };

  test("who asked what is served may still initialize an older one", async () => {
    const [discovered, again, opened, listed] = await answersTo([
      modern(1, "server/discover"),
      modern(2, "server/discover"),
      initialize,
      list,
    ]);
    for (const answer of [discovered, again]) {
      expect(answer?.["result"]).toMatchObject({ supportedVersions: [version] });
    }
    expect(opened?.["result"]).toMatchObject({ protocolVersion: initialize.params.protocolVersion });
    expect(JSON.stringify(listed?.["result"])).toContain('"name":"request_quote"');
  });

  test("a connection that went on in the newest one stays there", async () => {
    const said = await answersTo([modern(1, "server/discover"), modern(2, "tools/list"), initialize]);
    const byId = new Map(said.map((answer) => [answer["id"], answer]));
    expect(byId.get(2)?.["result"]).toMatchObject({ resultType: "complete" });
    expect(byId.get(initialize.id)?.["error"]).toMatchObject({ data: { supported: [version] } });
  });
});

let seller: Started;
let world: World;
let wires: Readonly<Record<string, Wire>>;
beforeAll(async () => {
  [seller, world] = await Promise.all([startSeller(), openWorld()]);
  wires = { http: await overHttp(seller), stdio: await overStdio(world) };
});
afterAll(async () => {
  for (const wire of Object.values(wires)) await wire.close();
  await seller.close();
  await world.close();
});

const refused = (code: number, id: unknown = null): unknown => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.stringMatching(/^[A-Z].{10,}\.$/) as string },
});
const ping = { jsonrpc: "2.0", id: 7, method: "ping" };
const call = (name: string, args: unknown, more: object = {}): string =>
  JSON.stringify({ ...ping, method: "tools/call", params: { name, arguments: args, ...more } });
/** The order itself, `params`, `arguments` and `metadata` are four levels. */
const orderOf = (depth: number): string =>
  call("create_order", { metadata: JSON.parse(`${'{"a":'.repeat(depth - 3)}1${"}".repeat(depth - 3)}`) as unknown });
const longOf = (bytes: number): string => call("create_order", { name: "" }).replace('""', `"${"x".repeat(bytes)}"`);

describe.each(["http", "stdio"])("mcp over %s: what is no message", (name) => {
  const ask = (text: string): Promise<Members> => (wires[name] as Wire).ask(text);

  test.each(['{"a"', "{", "nonsense", '"open'])("%s is no JSON: -32700", async (text) => {
    expect(await ask(text)).toEqual(refused(-32700));
  });

  test.each<[string, unknown, unknown]>([
    ["null", null, null],
    ["a number", 5, null],
    ["an empty list", [], null],
    ["a list of requests", [ping], null],
    ["an object of nothing", {}, null],
    ["an id that is null", { ...ping, id: null }, null],
    ["a fractional id", { ...ping, id: 1.5 }, null],
    ["an id that is an object", { ...ping, id: {} }, null],
    ["no version", { id: 7, method: "ping" }, 7],
    ["a method that is no text", { ...ping, method: 1 }, 7],
    ["params by position of no request", { id: 7, method: "ping", params: [] }, 7],
    ["a member that no request has", { ...ping, extra: 1 }, 7],
    ["a progress token that is an object", { ...ping, params: { _meta: { progressToken: {} } } }, 7],
  ])("%s is -32600, with the id where it has one", async (_name, message, id) => {
    expect(await ask(JSON.stringify(message))).toEqual(refused(-32600, id));
  });

  test.each([
    ["tools/list", { cursor: 5 }, "params.cursor"],
    ["initialize", { protocolVersion: 3 }, "params.protocolVersion"],
    ["initialize", undefined, "params"],
    ["resources/read", {}, "params.uri"],
    ["resources/subscribe", { uri: 5 }, "params.uri"],
    ["prompts/get", { name: "plan_campaign", arguments: { budget: 5 } }, "params.arguments.budget"],
    ["completion/complete", {}, "params.ref"],
    ["logging/setLevel", { level: "loud" }, "params.level"],
  ])("the params of %s are not %j: -32602, and the answer says where", async (method, sent, place) => {
    const answer = await ask(JSON.stringify({ ...ping, method, params: sent }));
    const message = `The params of ${method} have another form: look at ${place}.`;
    expect(answer).toEqual({ jsonrpc: "2.0", id: 7, error: { code: -32602, message } });
  });

  test.each([[[]], [["list_products", {}]]])("params by position are -32602: %j", async (params) => {
    const answer = await ask(JSON.stringify({ ...ping, method: "tools/call", params }));
    expect(answer).toEqual({ jsonrpc: "2.0", id: 7, error: { code: -32602, message: "params must be an object." } });
  });

  test("32 levels are read, 33 are refused before anything is called", async () => {
    expect(await ask(orderOf(32))).toMatchObject({ id: 7, result: { structuredContent: { status: "draft" } } });
    for (const depth of [33, 2000]) {
      const answer = await ask(orderOf(depth));
      expect(answer).toEqual(refused(-32600));
      expect(answer).toMatchObject({ error: { message: "Nest at most 32 levels." } });
    }
  });

  test.each([1_048_577, 11_000_000])(
    "a message of %i bytes and more is refused, and the next is answered",
    async (bytes) => {
      expect(await ask(longOf(bytes))).toEqual(refused(-32600));
      expect(await ask(JSON.stringify(ping))).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    },
  );

  test("a message within the limit is read", async () => {
    expect(await ask(longOf(1_000_000))).toMatchObject({ id: 7, result: {} });
  });

  test.each([{ ttl: 1000 }, {}, 5])("a call that asks for a task (%j) is run as a call", async (task) => {
    const answer = await ask(call("list_products", { limit: 1 }, { task }));
    expect(answer).toMatchObject({ id: 7, result: { structuredContent: { count: 1 } } });
  });
});

describe("mcp over stdio: lines", () => {
  test("bytes that are no UTF-8 are -32700", async () => {
    const line = Buffer.from(JSON.stringify(ping).replace("ping", "p\u00ffng"), "latin1");
    expect(await wires["stdio"]?.ask(line)).toEqual(refused(-32700));
  });

  test("blank lines are passed over, a carriage return ends a line too", async () => {
    expect(await wires["stdio"]?.ask(`\n\r\n  \n${JSON.stringify(ping)}\r`)).toMatchObject({ id: 7, result: {} });
  });
});

describe("mcp: what existing clients send", () => {
  let seller: Started;
  beforeAll(async () => {
    seller = await startSeller();
  });
  afterAll(() => seller.close());

  const accept = { accept: "application/json, text/event-stream" };
  const plainCall = async (name: string, sent: Members): Promise<Members> =>
    (await post(`${seller.url}/mcp/call`, { name, arguments: sent })).body as Members;

  test.each([
    ["tools/list", {}, 400],
    ["tools/call", { "mcp-session-id": "none" }, 404],
  ])("%s before initialize is refused under its own id", async (method, headers, status) => {
    const said = await post(`${seller.url}/mcp`, { jsonrpc: "2.0", id: "mine", method }, { ...accept, ...headers });
    expect([said.status, said.body]).toMatchObject([status, { id: "mine", error: { code: expect.any(Number) } }]);
  });

  test("GET /mcp/info lists the tools, as GET /mcp/tools does", async () => {
    const [info, listed] = await Promise.all(
      ["/mcp/info", "/mcp/tools"].map(async (path) => (await (await fetch(seller.url + path)).json()) as Members),
    );
    expect(info).toMatchObject({ endpoint: "/mcp", tools: listed?.["tools"] });
  });

  test("get_product takes id, search_products takes query and filters", async () => {
    const product = await plainCall("get_product", { id: "prod-53e78a97" });
    expect(product).toMatchObject({ success: true, result: { product_id: "prod-53e78a97" } });
    const filters = { inventory_type: "ctv", country: "DE" };
    const found = await plainCall("search_products", { query: "show your catalog", filters });
    expect(found).toMatchObject({ success: true, result: { not_used: ["country"] } });
    const { catalog } = found["result"] as { catalog: readonly { inventory_type: string }[] };
    expect(new Set(catalog.map((item) => item.inventory_type))).toEqual(new Set(["ctv"]));
  });
});
