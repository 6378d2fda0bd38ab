import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTestConfig } from "../harness/cases.ts";
import { callRaw } from "../harness/client.ts";
import { LETTERS, startTestEdge, type TestEdge } from "../harness/edge.ts";

const opening = (path: string, more: readonly string[] = [], connection = "Upgrade, close"): string =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: pub.example",
    `Connection: ${connection}`,
    "Upgrade: websocket",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    ...more,
    "",
    "",
  ].join("\r\n");

/** `/socket` upgrades and echoes in upper case; `/refused` rejects. */
const startOrigin = async (seen: string[]): Promise<Server> => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => response.end(`plain ${request.method} ${request.headers.upgrade ?? "no upgrade"} ${body}`));
  });
  server.on("upgrade", (request, socket: Socket, head: Buffer) => {
    seen.push([request.url, request.headers.cookie, request.headers["x-forwarded-for"]].join(" "));
    socket.on("error", () => undefined);
    if (request.url !== "/socket") return void socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Origin: 1\r\n\r\n",
    );
    const shout = (piece: Buffer): void => void socket.write(piece.toString().toUpperCase());
    if (head.length > 0) shout(head);
    socket.on("data", shout);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return server;
};

/** Resolves when the answer holds `last`. */
const converse = (url: string, text: string, first: string, then: string, last: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => void socket.write(text));
    let got = "";
    let isSent = false;
    socket.setTimeout(5_000, () => reject(new Error(`waited in vain after: ${got}`)));
    socket.on("error", reject);
    socket.on("close", () => resolve(got));
    socket.on("data", (piece) => {
      got += piece.toString();
      if (!isSent && got.includes(first)) {
        isSent = true;
        socket.write(then);
      }
      if (got.includes(last)) socket.destroy();
    });
  });

describe.each(LETTERS)("upgrades on %s", (letter) => {
  const seen: string[] = [];
  let origin: Server;
  let edge: TestEdge;

  beforeAll(async () => {
    origin = await startOrigin(seen);
    const host = `127.0.0.1:${(origin.address() as AddressInfo).port}`;
    edge = await startTestEdge(letter, { config: readTestConfig("base", { url: `http://${host}`, host }) });
  });
  afterAll(async () => {
    await edge.close();
    origin.closeAllConnections();
    origin.close();
  });

  test("a WebSocket of the publisher's is tunnelled on A, and 426 elsewhere", async () => {
    seen.length = 0;
    const more = ["Cookie: a=1", "X-Forwarded-For: 198.51.100.1"];
    const sent = opening("/socket", more, letter === "A" ? "keep-alive, Upgrade" : "Upgrade, close");
    if (letter !== "A") {
      expect(await callRaw(edge.url, sent)).toMatch(/^HTTP\/1\.1 426 /);
      expect(seen).toEqual([]);
      return;
    }
    const got = await converse(edge.url, sent, "X-Origin: 1", "hello", "HELLO");
    expect(got).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(got).toMatch(/HELLO$/);
    expect(seen).toEqual(["/socket a=1 127.0.0.1"]);
  });

  test("another protocol's offer is passed over, body and all", async () => {
    const lines = ["POST /form HTTP/1.1", "Host: pub.example", "Connection: Upgrade, close", "Upgrade: TLS/1.0"];
    const got = await callRaw(edge.url, [...lines, "Content-Length: 4", "", "body"].join("\r\n"));
    // The HTTP stack of D itself rejects an upgrade with a body.
    if (letter === "D") return expect(got).toMatch(/^HTTP\/1\.1 400 /);
    expect(got).toMatch(/^HTTP\/1\.1 200 /);
    expect(got).toContain("plain POST no upgrade body");
  });

  test("the edge's own routes and gates come before any upgrade", async () => {
    expect(await callRaw(edge.url, opening("/first-party/sign", ["Content-Length: 0"]))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await callRaw(edge.url, opening("/_ts/admin/eids"))).toMatch(/^HTTP\/1\.1 401 /);
    expect(await callRaw(edge.url, opening("/admin/keys/rotate"))).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("an origin that opens nothing is answered as it is, one that is not there 502", async () => {
    const refused = await callRaw(edge.url, opening("/refused"));
    if (letter !== "A") return expect(refused).toMatch(/^HTTP\/1\.1 426 /);
    expect(refused).toMatch(/^HTTP\/1\.1 403 /);
    expect(refused).toMatch(/no$/);
    const none = await startTestEdge("A", {
      config: readTestConfig("base", { url: "http://127.0.0.1:1", host: "127.0.0.1:1" }),
    });
    expect(await callRaw(none.url, opening("/socket"))).toMatch(/^HTTP\/1\.1 502 /);
    await none.close();
  });

  test("a load balancer's probe in HTTP/1.0 without Host is answered", async () => {
    const got = await callRaw(edge.url, "GET /health HTTP/1.0\r\n\r\n");
    if (letter === "C") expect(got).not.toContain("ok");
    else expect(got).toMatch(/^HTTP\/1\.[01] 200 OK\r\n[\s\S]*ok$/);
    expect(await callRaw(edge.url, "GET /page HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.[01] 400 /);
  });
});
