import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";
import { post, type Said } from "../wire.ts";

let seller: Started;
beforeAll(async () => {
  seller = await startSeller();
});
afterAll(() => seller.close());

const accept = { accept: "application/json, text/event-stream" };
const clientInfo = { name: "raw", version: "1" };
const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };

describe("mcp: who may call a server that is bound to loopback", () => {
  test("a request of another host is counted as any other", async () => {
    const left = async (): Promise<number> => {
      const { headers } = await fetch(`${seller.url}/health`);
      return Number(/;r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1]);
    };
    const before = await left();
    await statusWithHost(seller.url, "evil.example");
    expect(await left()).toBe(before - 1);
  });

  const withOrigin = (origin: string): Promise<Said> => post(`${seller.url}/mcp`, initialize, { ...accept, origin });

  test.each(["https://evil.example", "null", "http://127.0.0.1.evil.example", "http://localhost@evil.example"])(
    "a page of %s may not",
    async (origin) => {
      const { status, headers } = await withOrigin(origin);
      expect([status, headers.get("mcp-session-id")]).toEqual([403, null]);
    },
  );

  test.each(["http://localhost:3000", "http://127.0.0.1:6274"])("a page of %s may", async (origin) => {
    expect((await withOrigin(origin)).status).toBe(200);
  });

  test.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example"])("the host %j is refused", async (host) => {
    const status = await statusWithHost(seller.url, host);
    expect(status).toBe(403);
  });

  test.each(["localhost", "127.0.0.1:1"])("the host %s is this one", async (host) => {
    expect(await statusWithHost(seller.url, host)).toBe(200);
  });
});

/** `fetch` sets the host itself. */
const statusWithHost = (url: string, host: string): Promise<number> => {
  const body = JSON.stringify(initialize);
  const headers = { ...accept, host, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/mcp", url), { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
};
