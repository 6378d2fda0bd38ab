import { createServer, type Socket } from "node:net";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readAllowList } from "../../../protocol/client/address-guard.ts";
import { dropHopByHop, reduceAcceptEncoding } from "../../../agents/edge/http/outbound-headers.ts";
import type { OutboundRequest } from "../../../agents/edge/platform.ts";
import { createSend, type Resolve } from "../../../agents/edge/runtimes/leaf/outbound.ts";
import { readBody, readRequestBody } from "../../../agents/edge/http/body.ts";

const ANSWERS: Readonly<Record<string, (request: http.IncomingMessage, response: http.ServerResponse) => void>> = {
  "/gzip": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed")),
  "/redirect": (_, response) => response.writeHead(302, { location: "/gzip" }).end(),
  "/cookies": (_, response) => response.writeHead(200, { "set-cookie": ["a=1", "b=2"] }).end("x"),
  "/never": () => undefined,
  "/half": (_, response) => void response.writeHead(200, { "content-length": "10" }).write("half"),
  "/cut": (_, response) => {
    response.writeHead(200, { "content-length": "10" }).write("half");
    setTimeout(() => response.destroy(), 20);
  },
  "/echo": (request, response) => void request.pipe(response.writeHead(200, { "x-method": request.method })),
};

describe("outbound requests of A, B and D", () => {
  let server: http.Server;
  let base: string;
  let garbage: ReturnType<typeof createServer>;
  let garbageUrl: string;

  beforeAll(async () => {
    server = http.createServer((request, response) => ANSWERS[request.url ?? ""]?.(request, response));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    garbage = createServer((socket: Socket) => void socket.on("error", () => undefined).end("not HTTP\r\n\r\n"));
    await new Promise<void>((resolve) => void garbage.listen(0, "127.0.0.1", resolve));
    garbageUrl = `http://127.0.0.1:${(garbage.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    garbage.close();
  });

  const request = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => {
    const target = new URL(url);
    const headers = new Headers({ host: target.host });
    return { url: target, method: "GET", headers, body: null, idleMs: 5_000, trust: "operator", ...more };
  };
  const send = createSend([]);
  const answered = async (url: string, more: Partial<OutboundRequest> = {}) => {
    const result = await send(request(url, more));
    if (!result.ok) throw new Error(`${result.fault}: ${result.reason}`);
    return result;
  };
  const fault = async (url: string, more: Partial<OutboundRequest> = {}, allow = "") => {
    const result = await createSend(readAllowList(allow))(request(url, more));
    return result.ok ? `answered ${result.status}` : result.fault;
  };

  test("bodies come as they were sent, still encoded", async () => {
    const result = await answered(`${base}/gzip`);
    const body = await readBody(result.body, 1_000);
    expect(result.headers.get("content-encoding")).toBe("gzip");
    expect(body.ok && Buffer.from(body.bytes)).toEqual(gzipSync("packed"));
  });

  test("redirects are answers, and cookies stay a list", async () => {
    const redirect = await answered(`${base}/redirect`);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "/gzip"]);
    expect((await answered(`${base}/cookies`)).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test.each(["POST", "DELETE", "PATCH"])("a streamed %s body arrives whole", async (method) => {
    const body = new Blob(["streamed ", "body"]).stream() as ReadableStream<Uint8Array>;
    const result = await answered(`${base}/echo`, { method, body });
    const echoed = await readBody(result.body, 1_000);
    expect([result.headers.get("x-method"), echoed.ok && Buffer.from(echoed.bytes).toString()]).toEqual([
      method,
      "streamed body",
    ]);
  });

  test("an upstream that never answers, pauses, or takes too long in all, is a timeout", async () => {
    expect(await fault(`${base}/never`, { idleMs: 50 })).toBe("timeout");
    expect(await fault(`${base}/never`, { totalMs: 50 })).toBe("timeout");
    const half = await answered(`${base}/half`, { idleMs: 50 });
    expect(await readBody(half.body, 1_000)).toEqual({ ok: false, fault: "broken" });
    const late = await answered(`${base}/half`, { totalMs: 80 });
    expect(await readBody(late.body, 1_000)).toEqual({ ok: false, fault: "broken" });
  });

  test("a body that is sent slowly is no upstream that is late", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let left = 4;
      const slow = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            // Each wait for a piece is in time, their sum is not.
            vi.advanceTimersByTime(60);
            left -= 1;
            if (left === 0) controller.close();
            else controller.enqueue(new TextEncoder().encode("piece "));
          },
        },
        { highWaterMark: 0 },
      );
      const result = await answered(`${base}/echo`, { method: "PUT", body: slow, idleMs: 100 });
      const echoed = await readBody(result.body, 1_000);
      expect(echoed.ok && Buffer.from(echoed.bytes).toString()).toBe("piece piece piece ");
    } finally {
      vi.useRealTimers();
    }
  });

  test("a request body that is held back counts as broken after half a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let isCancelled = false;
      const held = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"adUnits"')),
        cancel: () => void (isCancelled = true),
      });
      const reading = readRequestBody({ body: held, headers: new Headers() }, 1_000);
      await vi.advanceTimersByTimeAsync(29_999);
      expect(isCancelled).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await reading).toEqual({ ok: false, fault: "broken" });
      expect(isCancelled).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test("an upstream that breaks off or speaks no HTTP is broken, one that is not there refused", async () => {
    const cut = await answered(`${base}/cut`);
    expect(await readBody(cut.body, 1_000)).toEqual({ ok: false, fault: "broken" });
    expect(await fault(garbageUrl)).toBe("broken");
    expect(await fault("http://127.0.0.1:1/")).toBe("refused");
    expect(await fault("http://no-such-host.invalid/")).toBe("refused");
  });

  test("foreign targets must be public, by address and by name, unless they are listed", async () => {
    const port = new URL(base).port;
    expect(await fault(`${base}/gzip`, { trust: "foreign" })).toBe("blocked");
    expect(await fault(`http://localhost:${port}/gzip`, { trust: "foreign" })).toBe("blocked");
    expect(await fault(`http://[::ffff:127.0.0.1]:${port}/gzip`, { trust: "foreign" })).toBe("blocked");
    expect(await fault(`${base}/gzip`, { trust: "foreign" }, "127.0.0.1")).toBe("answered 200");
    expect(await fault(`${base}/gzip`, { trust: "foreign" }, `127.0.0.1:${port}`)).toBe("answered 200");
    expect(await fault(`${base}/gzip`, { trust: "foreign" }, "127.0.0.2")).toBe("blocked");
    expect(await fault(`${base}/gzip`, { trust: "foreign" }, "127.0.0.1:1")).toBe("blocked");
    expect(await fault(`${base}/gzip`)).toBe("answered 200");
  });

  test("a name is judged by every address that it has, and the connection goes to a judged one", async () => {
    const { port } = new URL(base);
    const asked: string[] = [];
    /** A second look-up would get another answer (DNS rebinding). */
    const resolver = (...answers: string[][]): Resolve => {
      let next = 0;
      return (hostname, _, callback) => {
        asked.push(hostname);
        const addresses = answers[next] ?? [];
        next += 1;
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        );
      };
    };
    const through = async (resolve: Resolve, allow: string) => {
      const result = await createSend(
        readAllowList(allow),
        resolve,
      )(request(`http://cdn.example:${port}/gzip`, { trust: "foreign" }));
      return result.ok ? `answered ${result.status}` : result.fault;
    };
    expect(await through(resolver(["10.0.0.1"]), "")).toBe("blocked");
    expect(await through(resolver(["93.184.216.34", "127.0.0.1"]), "")).toBe("blocked");
    expect(await through(resolver(["93.184.216.34", "::ffff:169.254.169.254"]), "")).toBe("blocked");
    expect(await through(resolver([]), "")).toBe("blocked");
    const unknown: Resolve = (_, __, callback) => {
      const none = undefined as unknown as [];
      callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), none);
    };
    expect(await through(unknown, "")).toBe("refused");
    asked.length = 0;
    expect(await through(resolver(["127.0.0.1"], ["127.0.0.2"]), "127.0.0.1")).toBe("answered 200");
    expect(asked).toEqual(["cdn.example"]);
    expect(await through(resolver(["127.0.0.2"], ["127.0.0.1"]), "127.0.0.1")).toBe("blocked");
  });

  test("a body beyond the cap is not read to its end", async () => {
    const result = await answered(`${base}/gzip`);
    expect(await readBody(result.body, 3)).toEqual({ ok: false, fault: "too_large" });
    const announced = await answered(`${base}/half`);
    expect(await readBody(announced.body, 9, announced.headers)).toEqual({ ok: false, fault: "too_large" });
  });
});

describe("headers on their way out", () => {
  test("hop-by-hop headers go, those named by connection too, but none that routing leans on", () => {
    const headers = new Headers({
      connection: "close, X-Hop, host, cookie, x-forwarded-for",
      "x-hop": "1",
      host: "h",
      cookie: "c=1",
      "proxy-authorization": "x",
      te: "trailers",
      upgrade: "h2c",
      "x-forwarded-for": "203.0.113.7",
      "x-stays": "1",
    });
    dropHopByHop(headers);
    expect([...headers.keys()]).toEqual(["cookie", "host", "x-forwarded-for", "x-stays"]);
  });

  test.each([
    [null, null],
    ["gzip, deflate, br, zstd", "gzip, deflate, br"],
    ["br;q=1.0, gzip;q=0.8, *;q=0.1", "br, gzip"],
    ["zstd", "identity"],
    ["gzip;q=0", "identity"],
    ["*", "gzip, deflate, br"],
    ["", "identity"],
  ])("accept-encoding %s becomes %s", (given, wanted) => {
    expect(reduceAcceptEncoding(given)).toBe(wanted);
  });
});
