import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../agents/serve.ts";
import { openWorld, type World } from "../skills/world.ts";

let world: World;
let served: Served;
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
  served = await serve({ ...texts, ...rest }, { host: "127.0.0.1", port: 0, log });
});
afterAll(async () => {
  await served.close();
  await world.close();
});

const seen = async (method: string, path: string, secret: string | null = null): Promise<readonly unknown[]> => {
  const headers = secret === null ? {} : { "x-api-key": secret };
  const response = await fetch(`${served.url}${path}`, { method, headers });
  await response.arrayBuffer();
  const rate = response.headers.get("ratelimit")?.replace(/t=\d+/, "t=…");
  return [response.status, rate, response.headers.get("ratelimit-policy")];
};

const anonymous = (left: number): readonly string[] => [`"default";r=${left};t=…`, `"default";q=9;w=60`];

test("every answer tells the quota, and only what calls an operation or tries a key counts (decision 80)", async () => {
  const requests = [
    ["GET", "/products"],
    ["GET", "/health"],
    ["GET", "/door"],
    ["GET", "/nothing"],
    ["DELETE", "/products"],
    ["OPTIONS", "/products"],
    ["GET", "/%zz"],
    ["GET", "/auth/api-keys"],
  ] as const;
  const answers = [];
  for (const [method, path] of requests) answers.push(await seen(method, path));
  expect(answers).toEqual([200, 200, 200, 404, 405, 204, 400, 401].map((status) => [status, ...anonymous(8)]));
  expect(await seen("GET", "/products", "wrong")).toEqual([401, ...anonymous(7)]);
  expect(await seen("GET", "/health")).toEqual([200, ...anonymous(7)]);
});

test("a caller who may not call an operation is told his own quota", async () => {
  const secret = world.secretOf("agency");
  const policy = `"default";q=500;w=60`;
  expect(await seen("GET", "/auth/api-keys", secret)).toEqual([403, `"default";r=500;t=…`, policy]);
  expect(await seen("GET", "/products", secret)).toEqual([200, `"default";r=499;t=…`, policy]);
});
