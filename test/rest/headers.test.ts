import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sample, serveSample } from "./sample.ts";

let sample: Sample;
let buyer: Sample;
beforeAll(async () => {
  const doors = [
    {
      method: "GET" as const,
      path: "/door",
      handle: async () => ({ status: 200, headers: { "Content-Type": "text/plain" }, body: "door" }),
    },
    ...(["POST", "DELETE"] as const).map((method) => ({
      method,
      path: "/door",
      handle: async () => ({ status: 200, headers: {}, body: null }),
    })),
    {
      method: "GET" as const,
      path: "/taken",
      handle: async (request: { node: { response: { writeHead(status: number): void; end(text: string): void } } }) => {
        request.node.response.writeHead(202);
        request.node.response.end("mine");
        return "taken" as const;
      },
    },
  ];
  sample = await serveSample({ perMinute: 1000, doors });
  buyer = await serveSample({ name: "buyer", errorShape: "plain" });
});
afterAll(async () => {
  await sample.close();
  await buyer.close();
});

const everywhere = [
  "/api/v1/notes/report",
  "/nothing",
  "/api/v1/bug",
  "/health",
  "/door",
  "/taken",
  "/openapi.json",
  "/a%",
];
const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test.each(everywhere)("headers: %s carries request id, trace and security headers", async (path) => {
  const answer = await fetch(`${sample.url}${path}`, { headers: { "request-id": "req-1", traceparent: trace } });
  await answer.text();
  expect(answer.headers.get("request-id")).toBe("req-1");
  expect(answer.headers.get("traceparent")).toBe(trace);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test.each([["a".repeat(129)], ["two words"], ['quote"d'], ["<script>"], ["caf\u00e9"], ["-leading"], [""]])(
  "headers: the request id %j is replaced by ours",
  async (id) => {
    const answer = await fetch(`${sample.url}/health`, { headers: { "request-id": id } });
    expect(answer.headers.get("request-id")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  },
);

test("headers: 128 safe characters are kept", async () => {
  const id = "a1._:@=+/-".repeat(12) + "a".repeat(8);
  expect((await fetch(`${sample.url}/health`, { headers: { "request-id": id } })).headers.get("request-id")).toBe(id);
});

test.each([
  ["00-00000000000000000000000000000000-b7ad6b7169203331-01"],
  ["00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"],
  ["ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  ["00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"],
  ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-extra"],
  ["nonsense"],
])("headers: the traceparent %s is not taken over", async (given) => {
  const answer = await fetch(`${sample.url}/health`, { headers: { traceparent: given } });
  expect(answer.headers.get("traceparent")).toBeNull();
});

test("headers: a traceparent of a later version with more fields is taken over", async () => {
  const later = `01${trace.slice(2)}-more`;
  expect((await fetch(`${sample.url}/health`, { headers: { traceparent: later } })).headers.get("traceparent")).toBe(
    later,
  );
});

test("headers: quota and policy follow the IETF draft", async () => {
  const answer = await fetch(`${sample.url}/api/v1/notes/report`);
  expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=17$/);
  expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=1000;w=60');
});

test("headers: authenticated answers are not stored anywhere", async () => {
  const named = await fetch(`${sample.url}/api/v1/notes/report`, { headers: { "x-api-key": "sample-buyer-key" } });
  expect(named.headers.get("cache-control")).toBe("no-store");
  const anonymous = await fetch(`${sample.url}/api/v1/notes/report`);
  expect(anonymous.headers.get("cache-control")).toBe("no-cache");
});

test("cors: the seller answers every origin without cookies, and preflights", async () => {
  const origin = "https://pages.example";
  const answer = await fetch(`${sample.url}/api/v1/notes/report`, { headers: { origin } });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("access-control-expose-headers")).toBe("*");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  const preflight = await fetch(`${sample.url}/api/v1/notes`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key,content-type",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST, PUT, DELETE, OPTIONS");
  expect(preflight.headers.get("access-control-allow-headers")).toBe("x-api-key,content-type");
});

test("cors: a door of several methods leaves preflights to the HTTP layer", async () => {
  const preflight = await fetch(`${sample.url}/door`, {
    method: "OPTIONS",
    headers: { origin: "https://pages.example", "access-control-request-method": "POST" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("allow")).toBe("DELETE, GET, HEAD, OPTIONS, POST");
});

test("cors: the buyer answers no other origin", async () => {
  const answer = await fetch(`${buyer.url}/health`, { headers: { origin: "https://pages.example" } });
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
});

const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let got = "";
    socket.setEncoding("latin1");
    socket.on("data", (piece) => (got += piece));
    socket.on("close", () => resolve(got));
    socket.on("error", reject);
  });

test("headers: a line break in a request id is no HTTP, and never an answer header", async () => {
  const folded = await raw(
    sample.port,
    "GET /health HTTP/1.1\r\nHost: x\r\nRequest-Id: a\rSet-Cookie: b=c\r\nConnection: close\r\n\r\n",
  );
  expect(folded).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(folded.toLowerCase()).not.toContain("set-cookie");
});

test("headers: a request id given twice is replaced by ours", async () => {
  const answer = await raw(
    sample.port,
    "GET /health HTTP/1.1\r\nHost: x\r\nRequest-Id: one\r\nRequest-Id: two\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/Request-Id: [0-9a-f-]{36}\r\n/);
});
