import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../agents/server/serve.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import { rpcRoutes } from "../../protocol/jsonrpc/operations.ts";
import { type McpHttp, mcpRoutes } from "../../tools/http.ts";
import { openWorld, type World } from "../skills/world.ts";

let world: World;
let served: Served;
let mcp: McpHttp;
const door = {
  method: "GET" as const,
  path: "/door",
  handle: async () => ({ status: 200, headers: {}, body: "door" }),
};
beforeAll(async () => {
  world = await openWorld({ settings: { rateLimitPerMinute: 500, rateLimitAnonymousPerMinute: 9 } });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const texts = { name: "seller", title: "Seller", version: "0.0.0", description: "d" } as const;
  const rest = { runner: world.runner, errorShape: "wrapped", pages: [door], stop: async () => undefined } as const;
  mcp = mcpRoutes({
    runner: world.runner,
    info: { name: "seller", title: "Seller", version: "0.0.0" },
    instructions: "i",
    limits: defaultBodyLimits,
    sessions: { most: 10, idleMs: 60_000 },
    nowMs: Date.now,
    allowedHosts: null,
  });
  const doors = [...rpcRoutes(world.runner, defaultBodyLimits), ...mcp.routes];
  served = await serve({ ...texts, ...rest }, { host: "127.0.0.1", port: 0, log, doors });
});
afterAll(async () => {
  await served.close();
  await mcp.close();
  await world.close();
});

const seen = async (
  method: string,
  path: string,
  secret: string | null = null,
  body: unknown = null,
): Promise<readonly unknown[]> => {
  const headers: Record<string, string> = secret === null ? {} : { "x-api-key": secret };
  if (body !== null) headers["content-type"] = "application/json";
  const sent = body === null ? null : JSON.stringify(body);
  const response = await fetch(`${served.url}${path}`, { method, headers, body: sent });
  await response.arrayBuffer();
  const rate = response.headers.get("ratelimit")?.replace(/t=\d+/, "t=…");
  return [response.status, rate, response.headers.get("ratelimit-policy")];
};

const anonymous = (left: number): readonly string[] => [`"default";r=${left};t=…`, `"default";q=9;w=60`];

test("every answer tells the quota, and all but probes, OPTIONS and what access forbids counts (decision 80)", async () => {
  const requests = [
    ["GET", "/products", 200, 8],
    ["GET", "/health", 200, 8],
    ["GET", "/door", 200, 7],
    ["GET", "/nothing", 404, 6],
    ["DELETE", "/products", 405, 5],
    ["OPTIONS", "/products", 204, 5],
    ["GET", "/%zz", 400, 4],
    ["GET", "/auth/api-keys", 401, 4],
  ] as const;
  for (const [method, path, status, left] of requests) {
    expect([path, ...(await seen(method, path))]).toEqual([path, status, ...anonymous(left)]);
  }
  expect(await seen("GET", "/products", "wrong")).toEqual([401, ...anonymous(3)]);
  expect(await seen("GET", "/door", "wrong")).toEqual([200, ...anonymous(2)]);
  expect(await seen("GET", "/health")).toEqual([200, ...anonymous(2)]);
});

test("a page counts against the key that asks for it, and a door's call is counted once", async () => {
  const secret = world.secretOf("seat");
  const left = (r: number) => [`"default";r=${r};t=…`, `"default";q=500;w=60`];
  expect(await seen("GET", "/door", secret)).toEqual([200, ...left(499)]);
  expect(await seen("GET", "/mcp/tools", secret)).toEqual([200, ...left(498)]);
  expect(await seen("GET", "/mcp/info", secret)).toEqual([200, ...left(497)]);
  const search = { jsonrpc: "2.0", id: 1, method: "list_products", params: {} };
  expect(await seen("POST", "/rpc", secret, search)).toEqual([200, ...left(496)]);
  const tool = { name: "list_products", arguments: {} };
  expect(await seen("POST", "/mcp/call", secret, tool)).toEqual([200, ...left(495)]);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expect((await seen("POST", "/mcp", secret, list)).slice(1)).toEqual(left(494));
});

test("a caller who may not call an operation is told his own quota", async () => {
  const secret = world.secretOf("agency");
  const policy = `"default";q=500;w=60`;
  expect(await seen("GET", "/auth/api-keys", secret)).toEqual([403, `"default";r=500;t=…`, policy]);
  expect(await seen("GET", "/products", secret)).toEqual([200, `"default";r=499;t=…`, policy]);
});
