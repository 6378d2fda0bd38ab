import { connect } from "node:net";
import { expect, test } from "vitest";
import { ListenError } from "../../agents/server/serve.ts";
import { defineContract, defineOperation } from "../../protocol/seam/operation.ts";
import { sampleOperations, serveSample } from "./sample.ts";

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test("serve: a taken port is a typed error with the system's code", async () => {
  const first = await serveSample();
  const second = serveSample({ port: first.port });
  await expect(second).rejects.toBeInstanceOf(ListenError);
  await expect(serveSample({ port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE", port: first.port });
  await first.close();
  const again = await serveSample({ port: first.port });
  await again.close();
});

test("serve: closing lets the answer under way end, and closes its keep-alive connection", async () => {
  let release = (): void => undefined;
  let isIn = false;
  const wait = new Promise<void>((resolve) => (release = resolve));
  const base = sampleOperations()[4]!.contract;
  const slow = defineOperation(defineContract({ ...base, name: "slow" }), async () => {
    isIn = true;
    await wait;
    return { output: { note_id: "n", text: "t", stars: 0 } };
  });
  const sample = await serveSample({ operations: [slow] });
  const answer = fetch(`${sample.url}/api/v1/bug`);
  await until(() => isIn);
  const closed = sample.close();
  release();
  expect((await answer).status).toBe(200);
  await closed;
  await expect(fetch(`${sample.url}/health`)).rejects.toThrow();
});

test("serve: closing ends an open stream and returns its source", async () => {
  let returned = false;
  const endless = async function* () {
    try {
      for (let at = 0; ; at += 1) {
        yield `data: ${at}\n\n`;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      returned = true;
    }
  };
  const headers = { "Content-Type": "text/event-stream" };
  const handle = async () => ({ status: 200, headers, body: endless() });
  const sample = await serveSample({ doors: [{ method: "GET", path: "/stream", handle }] });
  const answer = await fetch(`${sample.url}/stream`);
  const reader = answer.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("data: 0\n\n");
  await sample.close();
  await until(() => returned);
  for (;;) if ((await reader.read()).done) break;
});

test("serve: a caller who leaves a stream ends its source", async () => {
  let returned = false;
  const source = async function* () {
    try {
      yield "data: first\n\n";
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (;;) {
        yield "data: more\n\n";
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      returned = true;
    }
  };
  const handle = async () => ({ status: 200, headers: {}, body: source() });
  const sample = await serveSample({ doors: [{ method: "GET", path: "/stream", handle }] });
  const leaving = new AbortController();
  const answer = await fetch(`${sample.url}/stream`, { signal: leaving.signal });
  await answer.body!.getReader().read();
  leaving.abort();
  await until(() => returned);
  await sample.close();
});

test("serve: a connection that never speaks does not hold the stop", async () => {
  const sample = await serveSample({ drainMs: 3_600_000 });
  const silent = connect(sample.port, "127.0.0.1");
  await new Promise((resolve) => silent.once("connect", resolve));
  await sample.close();
  silent.destroy();
});

const speak = (port: number, head: string): Promise<{ readonly text: string; readonly error: string | null }> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => head !== "" && socket.write(head));
    let [text, error]: [string, string | null] = ["", null];
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.on("error", (thrown: NodeJS.ErrnoException) => (error = thrown.code ?? ""));
    socket.on("close", () => resolve({ text, error }));
  });

test("serve: connections that say nothing, or too little, end after the time of a head", async () => {
  const sample = await serveSample({ headersTimeoutMs: 300 });
  const ended = await Promise.all(
    ["", "GE", "GET /health HTTP/1.1\r\nA: b\r\n"].map((head) => speak(sample.port, head)),
  );
  for (const { text } of ended) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  await sample.close();
});

test("serve: an address that holds all its connections gets no more, and one back when one ends", async () => {
  const sample = await serveSample({ connectionsPerAddress: 3 });
  const open = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(sample.port, "127.0.0.1");
      await new Promise((resolve) => socket.once("connect", resolve));
      return socket;
    }),
  );
  const ask = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  await expect.poll(async () => (await speak(sample.port, ask)).text).toBe("");
  open[0]?.destroy();
  await expect.poll(async () => (await speak(sample.port, ask)).text).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of open) socket.destroy();
  await sample.close();
});

test("serve: a kept-alive connection is told before it is closed, and its request while stopping is answered", async () => {
  const sample = await serveSample();
  const socket = connect(sample.port, "127.0.0.1");
  let [text, failed] = ["", false];
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  socket.on("error", () => (failed = true));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await until(() => text.includes("\r\n\r\n"));
  expect(text).toMatch(/Connection: keep-alive/i);
  const announced = sample.announce(400);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const late = await speak(sample.port, "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(late.text).toMatch(/^HTTP\/1\.1 503 [^]*Connection: close[^]*"stopping"/i);
  expect(socket.readyState).toBe("open");
  text = "";
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await ended;
  expect(failed).toBe(false);
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close/i);
  await announced;
  await sample.close();
});

test("serve: a store that does not answer is not ready within two seconds, and is asked once", async () => {
  let asked = 0;
  const storeFailure = (): Promise<null> => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const sample = await serveSample({ storeFailure });
  const startMs = performance.now();
  const [ready, health] = await Promise.all(["/readyz", "/health"].map((path) => fetch(new URL(path, sample.url))));
  expect(performance.now() - startMs).toBeLessThan(4_000);
  expect([ready?.status, await health?.json()]).toEqual([503, expect.objectContaining({ status: "degraded" })]);
  expect((await fetch(new URL("/readyz", sample.url))).status).toBe(503);
  expect(asked).toBe(1);
  await sample.close();
});

test("serve: a door that throws is a bare 500, and one that refuses is answered in the agent's shape", async () => {
  const { Refused, refuse } = await import("../../protocol/neutral/refusals.ts");
  const failing = async (): Promise<never> => {
    throw new Error("inside");
  };
  const refusing = async (): Promise<never> => {
    throw new Refused(refuse("body_too_large"));
  };
  const sample = await serveSample({
    doors: [
      { method: "GET", path: "/failing", handle: failing },
      { method: "POST", path: "/refusing", handle: refusing },
    ],
  });
  const bug = await fetch(`${sample.url}/failing`);
  expect(bug.status).toBe(500);
  expect(await bug.text()).not.toContain("inside");
  const refused = await fetch(`${sample.url}/refusing`, { method: "POST" });
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ error: "body_too_large", detail: { error: "body_too_large" } });
  await sample.close();
});
