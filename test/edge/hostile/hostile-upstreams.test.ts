import http from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drained } from "../../../agents/edge/runtimes/leaf/streams.ts";
import { call } from "../harness/client.ts";
import { LETTERS, startTestEdge, type Letter, type TestEdge } from "../harness/edge.ts";

const TCF = "CQtAQoAQtAQoAAbABAENCWEAAPAAAAAAAAAAAAAAAAAA";
const FAILED = "An internal error occurred\n";
const MEGABYTE = Buffer.alloc(1_000_000, "x");
const ZEROS = Buffer.alloc(64_000_000);
const BOMBS: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(ZEROS),
  deflate: deflateSync(ZEROS),
  br: brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

/** Returns the megabytes sent before the other side hung up. */
const flood = async (response: http.ServerResponse, count: number): Promise<number> => {
  let written = 0;
  let isGone = false;
  response.on("close", () => (isGone = true));
  while (!isGone && written < count) {
    written += 1;
    response.write(MEGABYTE);
    await drained(response);
  }
  if (!isGone) response.end();
  return written;
};

const startHostileServer = async () => {
  const sent = new Map<string, Promise<number>>();
  const server = http.createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "/";
    response.on("error", () => undefined);
    request.resume();
    if (path === "/flood") {
      response.writeHead(200, { "content-type": "application/json" });
      sent.set(path, flood(response, 100));
    } else if (path === "/video") {
      response.writeHead(200, { "content-type": "video/mp4" });
      sent.set(path, flood(response, 100));
    } else if (path === "/page") {
      response.writeHead(200, { "content-type": "text/html" });
      sent.set(path, flood(response, 100));
    } else if (path.startsWith("/bomb/")) {
      const coding = path.slice("/bomb/".length);
      response.writeHead(200, { "content-type": "text/html", "content-encoding": coding });
      response.end(BOMBS[coding]);
    } else if (path === "/latin") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(Buffer.from([60, 112, 62, 0xe9]));
    } else if (path === "/cut") {
      response.writeHead(200, { "content-type": "text/html", "content-length": "100" });
      response.write("<p>", () => response.destroy());
    } else if (path === "/head-only") {
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
    }
    // Every other path is never answered.
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

const configOf = (origin: string, endpoint: string): string => `
[publisher]
domain = "pub.example"
origin_url = "${origin}"
proxy_secret = "proxy-entry"
[ec]
passphrase = "passphrase-entry"
[consent]
check_expiration = false
[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "admin-entry"
[auction]
enabled = true
[auction.providers.one]
protocol = "openrtb-2.6"
endpoint = "${origin}${endpoint}"
routing = "all_eligible"
timeout_ms = 700
`;

for (const letter of LETTERS) {
  describe(`hostile upstreams on ${letter}`, () => {
    let server: Awaited<ReturnType<typeof startHostileServer>>;
    const edges = new Map<string, TestEdge>();

    beforeAll(async () => {
      server = await startHostileServer();
      for (const path of ["/flood", "/silent", "/head-only", "/bomb/gzip"]) edges.set(path, await start(letter, path));
    });
    afterAll(async () => {
      for (const edge of edges.values()) await edge.close();
      await server.close();
    });
    const start = (wanted: Letter, path: string): Promise<TestEdge> =>
      startTestEdge(wanted, { config: configOf(server.url, path) });
    const edgeOf = (path: string): string => edges.get(path)?.url ?? "";

    const auction = async (path: string) => {
      const body = JSON.stringify({ adUnits: [{ code: "a", mediaTypes: { banner: { sizes: [[1, 1]] } } }] });
      const headers = { cookie: `euconsent-v2=${TCF}`, "content-type": "application/json" };
      const got = await call(edgeOf(path), { method: "POST", path: "/auction", headers, body });
      return [got.status, got.body.toString()];
    };
    const proxied = async (path: string) => {
      const base = edgeOf("/silent");
      const signed = await call(base, { path: `/first-party/sign?url=${encodeURIComponent(server.url + path)}` });
      const { href } = JSON.parse(signed.body.toString()) as { href: string };
      return call(base, { path: href, headers: { "accept-encoding": "gzip, deflate, br" } });
    };

    /** `cut off`: the head was out before the body turned out too long. */
    const published = async (path: string): Promise<number | "cut off"> => {
      const headers = { "accept-encoding": "gzip, deflate, br" };
      const got = await call(edgeOf("/silent"), { path, headers }).catch((): "cut off" => "cut off");
      return got === "cut off" ? got : got.status;
    };

    test("a bidder that sends 100 MB is cut off", async () => {
      expect(await auction("/flood")).toEqual([502, FAILED]);
      expect(await server.sent.get("/flood")).toBeLessThan(60);
    });

    test("a bidder that never answers, or never ends its answer, costs its timeout", async () => {
      expect(await auction("/silent")).toEqual([504, FAILED]);
      expect(await auction("/head-only")).toEqual([504, FAILED]);
    });

    test("100 MB that are no text pass through", async () => {
      const got = await proxied("/video");
      expect([got.status, got.body.length]).toEqual([200, 100_000_000]);
    });

    test("a bidder's bomb is cut off", async () => {
      expect(await auction("/bomb/gzip")).toEqual([502, FAILED]);
    });

    test.each(Object.keys(BOMBS))("a page that unpacks from %s to 64 MB is refused, or cut off", async (coding) => {
      expect((await proxied(`/bomb/${coding}`)).status).toBe(502);
      const page = await published(`/bomb/${coding}`);
      if (letter === "A") expect(page).toBe("cut off");
      else expect(page).toBe(502);
    });

    test("a page of 100 MB, another charset and a broken page are refused", async () => {
      expect((await proxied("/page")).status).toBe(502);
      expect(await server.sent.get("/page")).toBeLessThan(60);
      expect((await proxied("/latin")).status).toBe(502);
      expect((await proxied("/cut")).status).toBe(502);
    });

    test("afterwards the edge still answers", async () => {
      const got = await call(edgeOf("/silent"), { path: "/.well-known/parley-edge.json" });
      expect(got.status).toBe(200);
    });
  });
}
