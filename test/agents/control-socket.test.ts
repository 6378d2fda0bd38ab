import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { callThroughSocket, isServed, openControlSocket } from "../../agents/host/control-socket.ts";

const inFolder = async (work: (dir: string) => Promise<void>): Promise<void> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-control-"));
  try {
    await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

const verdict = { ok: true, records: 0, chains: 0 } as const;

test("the control socket is for its owner alone, whatever the process lets others do", () =>
  inFolder(async (dir) => {
    const umask = process.umask(0);
    try {
      const control = await openControlSocket(dir, () => Promise.resolve({ answer: "audit", verdict, heads: [] }));
      expect((await stat(join(dir, "control.sock"))).mode & 0o777).toBe(0o600);
      expect(await isServed(dir)).toBe(true);
      await control.close();
      expect(await isServed(dir)).toBe(false);
    } finally {
      process.umask(umask);
    }
  }));

test("an error that tells its cure reaches the command, any other bug does not", () =>
  inFolder(async (dir) => {
    const errors = [Object.assign(new Error("the cure"), { code: "store_damaged" }), new Error("internal")];
    const control = await openControlSocket(dir, () => Promise.reject(errors.shift() ?? new Error("none")));
    expect(await callThroughSocket(dir, { agent: "seller", ask: "audit" })).toEqual({
      answer: "failure",
      message: "the cure",
    });
    await expect(callThroughSocket(dir, { agent: "seller", ask: "audit" })).rejects.toThrow("without an answer");
    await control.close();
  }));

test("a server that ends in the middle of a call is told as such, and never as a bug of the command", () =>
  inFolder(async (dir) => {
    const server = createServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => void server.listen(join(dir, "control.sock"), resolve));
    const call = { operation: "x", requestId: "r", key: null, idempotencyKey: null, dryRun: false };
    const request = { agent: "seller" as const, ask: "run" as const, call: { ...call, input: "x".repeat(3_000_000) } };
    await expect(callThroughSocket(dir, request)).rejects.toThrow(StartFailure);
    await new Promise((resolve) => void server.close(resolve));
  }));
