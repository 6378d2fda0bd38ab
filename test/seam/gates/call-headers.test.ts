import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { anonymousCaller } from "../../../protocol/seam/caller.ts";
import { defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { createRunner } from "../../../protocol/seam/run/run.ts";
import { openDoors } from "../../doors/doors.ts";
import { openWorld, startMs } from "../../skills/world.ts";

test("mcp: a tool call without a session tells the rate, a replay, and after the last one how long to wait", async () => {
  const world = await openWorld({ settings: { rateLimitAnonymousPerMinute: 2 } });
  const doors = await openDoors(world.runner, () => startMs);
  const call = async () => {
    const body = JSON.stringify({
      name: "request_quote",
      arguments: { product_id: "prod-91ddc363", deal_type: "PD", idempotency_key: key },
    });
    const headers = { "content-type": "application/json" };
    return fetch(new URL("/mcp/call", doors.url), { method: "POST", headers, body });
  };
  const key = randomUUID();
  const [first, second, third] = [await call(), await call(), await call()];
  const headersOf = ({ status, headers }: Response) => [
    status,
    headers.get("ratelimit")?.replace(/t=\d+/, "t=…") ?? null,
    headers.get("ratelimit-policy"),
    headers.get("idempotency-replayed"),
    headers.get("retry-after") === null ? null : Number(headers.get("retry-after")) >= 1,
  ];
  expect([first, second, third].map(headersOf)).toEqual([
    [200, '"default";r=1;t=…', '"default";q=2;w=60', null, null],
    [200, '"default";r=0;t=…', '"default";q=2;w=60', "true", null],
    [429, '"default";r=0;t=…', '"default";q=2;w=60', null, true],
  ]);
  await doors.close();
  await world.close();
});

test("a door tells a caller its own rate also where it calls no operation", async () => {
  const world = await openWorld({ settings: { rateLimitPerMinute: 2 } });
  const doors = await openDoors(world.runner, () => startMs);
  const ask = async (path: string, method: string, params: object): Promise<readonly unknown[]> => {
    const accept = "application/json, text/event-stream";
    const secret = String(world.secretOf("agency"));
    const headers = { "content-type": "application/json", "x-api-key": secret, accept };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(new URL(path, doors.url), { method: "POST", headers, body });
    await answer.arrayBuffer();
    const told = answer.headers.get("ratelimit")?.replace(/t=\d+/, "t=…");
    return [told, answer.headers.get("ratelimit-policy"), answer.headers.has("retry-after")];
  };
  const client = { name: "test", version: "1.0.0" };
  const opening = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client };
  const policy = '"default";q=2;w=60';
  expect(await ask("/mcp", "initialize", opening)).toEqual(['"default";r=1;t=…', policy, false]);
  const readTask = () => ask("/a2a/seller/jsonrpc", "tasks/get", { id: "none" });
  expect(await readTask()).toEqual(['"default";r=0;t=…', policy, false]);
  expect(await readTask()).toEqual(['"default";r=0;t=…', policy, true]);
  expect(await ask("/mcp", "initialize", opening)).toEqual(['"default";r=0;t=…', policy, true]);
  await doors.close();
  await world.close();
});

test("mcp: the caller's trace goes on to the operation, and one that is no trace does not", async () => {
  const seen: unknown[] = [];
  const contract = defineContract({
    name: "show_trace",
    group: "test",
    summary: "Shows the trace.",
    effect: "read",
    access: "public",
    input: z.object({}),
    output: z.looseObject({}),
    refusals: {},
  });
  const world = await openWorld();
  const runner = createRunner({
    operations: [
      defineOperation(contract, async (context) => {
        seen.push(context.traceparent);
        return { output: {} };
      }),
    ],
    store: world.store,
    ports: {},
    callers: { find: () => Promise.resolve(anonymousCaller("203.0.113.1")) },
    trust: { ofAgent: () => Promise.resolve({ ceiling: "public" as const, blocked: false }) },
    limiter: { take: () => Promise.resolve(null) },
    clock: { nowMs: () => startMs },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const doors = await openDoors(runner, () => startMs);
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  for (const traceparent of [trace, "00-no-trace"]) {
    const headers = { "content-type": "application/json", traceparent };
    const body = JSON.stringify({ name: "show_trace", arguments: {} });
    await fetch(new URL("/mcp/call", doors.url), { method: "POST", headers, body });
  }
  expect(seen).toEqual([trace, null]);
  await doors.close();
  await world.close();
});
