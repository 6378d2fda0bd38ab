import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTestConfig } from "../harness/cases.ts";
import { startTestEdge, type TestEdge } from "../harness/edge.ts";

const MEBIBYTE = 1_048_576;

/** Like a client that reads nothing before its body is out. */
const upload = (url: string, path: string, bytes: number): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let got = "";
    socket.on("data", (piece) => (got += piece.toString()));
    socket.on("error", (error) => (got += ` ${(error as NodeJS.ErrnoException).code}`));
    socket.on("close", () => resolve(got));
    const head = [`POST ${path} HTTP/1.1`, "Host: pub.example", "Connection: close", `Content-Length: ${bytes}`];
    socket.write(`${head.join("\r\n")}\r\nContent-Type: application/json\r\n\r\n`);
    const piece = Buffer.alloc(65_536, 0x20);
    let left = bytes;
    const pump = (): void => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, piece.length));
        left -= next.length;
        if (!socket.write(next)) return void socket.once("drain", () => setTimeout(pump, 1));
      }
    };
    pump();
  });

describe("bodies that the edge refuses", () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await startTestEdge("A", {
      config: readTestConfig("base", { url: "http://127.0.0.1:1", host: "127.0.0.1:1" }),
    });
  });
  afterAll(() => edge.close());

  test.each(Array.from({ length: 8 }, (_, round) => [round]))(
    "round %i: the answer reaches a client that is still sending",
    async () => {
      const got = await upload(edge.url, "/auction", 3 * MEBIBYTE);
      expect(got).toMatch(/^HTTP\/1\.1 413 /);
      expect(got).not.toMatch(/ECONNRESET|EPIPE/);
    },
  );

  test("what never ends is cut off", async () => {
    const startedAt = Date.now();
    const got = await upload(edge.url, "/auction", 400 * MEBIBYTE);
    expect(got).toMatch(/413|ECONNRESET|EPIPE/);
    expect(Date.now() - startedAt).toBeLessThan(15_000);
  });
});
