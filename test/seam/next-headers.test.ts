import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openDoors } from "../doors/doors.ts";
import { openWorld, startMs } from "../skills/world.ts";

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
