import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProduct, main } from "../../cli/program.ts";
import { call } from "../harness/client.ts";
import { LETTERS, SECRETS, startTestEdge } from "../harness/edge.ts";
import { LEAST_CONFIG } from "../harness/least-config.ts";

const LONG = 100 * 1_048_576;
const PIECE = Buffer.alloc(65_536, "x");

const pump = (target: NodeJS.WritableStream): void => {
  let left = LONG;
  const more = (): void => {
    while (left > 0) {
      left -= PIECE.length;
      if (!target.write(PIECE)) return void target.once("drain", more);
    }
    target.end();
  };
  more();
};

const count = (source: NodeJS.ReadableStream): Promise<number> =>
  new Promise((resolve, reject) => {
    let bytes = 0;
    source.on("data", (piece: Buffer) => (bytes += piece.length));
    source.on("end", () => resolve(bytes));
    source.on("error", reject);
  });

const upload = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: "PUT" }, (response) => {
      response.once("data", (piece: Buffer) => resolve(piece.toString()));
    });
    request.on("error", reject);
    pump(request);
  });

const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;

const config = (origin: string): string => LEAST_CONFIG.replace("https://origin.pub.example", origin);

/** In MiB. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

describe("bodies of 100 MB through the built edge A", () => {
  let origin: http.Server;
  let folder: string;
  let edge: ChildProcess;
  let url: string;

  beforeAll(async () => {
    buildProduct();
    origin = http.createServer((request, response) => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "application/octet-stream" });
        pump(response);
        return;
      }
      void count(request).then((bytes) => response.end(String(bytes)));
    });
    await new Promise<void>((resolve) => void origin.listen(0, "127.0.0.1", resolve));
    folder = await mkdtemp(join(tmpdir(), "parley-bodies-"));
    await writeFile(join(folder, "c.toml"), config(`http://127.0.0.1:${portOf(origin)}`));
    await writeFile(join(folder, "s.json"), JSON.stringify(SECRETS));
    const files = [
      "--config",
      join(folder, "c.toml"),
      "--secrets",
      join(folder, "s.json"),
      "--data",
      join(folder, "d"),
    ];
    edge = spawn(process.execPath, [main, "edge", "--port", "0", ...files], { stdio: ["ignore", "pipe", "inherit"] });
    url = await new Promise((resolve) => {
      edge.stdout?.once("data", (line: Buffer) => resolve(/http:\S+/.exec(line.toString())?.[0] ?? ""));
    });
  });
  afterAll(async () => {
    edge.kill("SIGTERM");
    origin.closeAllConnections();
    origin.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("a download arrives whole, and the edge never holds it", async () => {
    const bytes = await new Promise<number>((resolve, reject) => {
      http.get(`${url}/long.bin`, (response) => void count(response).then(resolve, reject)).on("error", reject);
    });
    expect(bytes).toBe(LONG);
    expect(peakMemory(edge.pid ?? 0)).toBeLessThan(200);
  });

  test("an upload arrives whole, and the edge never holds it", async () => {
    expect(await upload(`${url}/long`)).toBe(String(LONG));
    expect(peakMemory(edge.pid ?? 0)).toBeLessThan(200);
  });

  test("a client that leaves in the middle ends the download, and the next request is served", async () => {
    await new Promise<void>((resolve) => {
      const request = http.get(`${url}/long.bin`, (response) => {
        response.once("data", () => request.destroy());
        response.on("error", () => undefined);
        response.once("close", () => resolve());
      });
      request.on("error", () => undefined);
    });
    expect((await call(url, { path: "/health" })).status).toBe(200);
  });
});

describe("uploads of 100 MB", () => {
  let origin: http.Server;
  beforeAll(async () => {
    origin = http.createServer((request, response) => void count(request).then((bytes) => response.end(String(bytes))));
    await new Promise<void>((resolve) => void origin.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    origin.closeAllConnections();
    origin.close();
  });

  test.each(["B", "C", "D"] as const)("%s passes one on whole", async (letter) => {
    const edge = await startTestEdge(letter, { config: config(`http://127.0.0.1:${portOf(origin)}`) });
    expect(await upload(`${edge.url}/long`)).toBe(String(LONG));
    await edge.close();
  });
});

describe("slow bodies", () => {
  test.each(LETTERS)("%s goes on serving while clients hold their bodies back", async (letter) => {
    const edge = await startTestEdge(letter, { config: config("http://127.0.0.1:9") });
    const { hostname, port, host } = new URL(edge.url);
    const held: Socket[] = Array.from({ length: 40 }, () =>
      connect(Number(port), hostname, function (this: Socket) {
        this.write(`POST /auction HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\n{"adUnits"`);
      }).on("error", () => undefined),
    );
    for (let round = 0; round < 5; round += 1) {
      const got = await call(edge.url, { path: "/.well-known/parley-edge.json" });
      expect(got.status).toBe(200);
    }
    for (const socket of held) socket.destroy();
    expect((await call(edge.url, { path: "/static/tsjs=tsjs-unified.js" })).status).toBe(200);
    await edge.close();
  });
});
