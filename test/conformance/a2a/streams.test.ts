import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startSeller } from "../../spec/launched.ts";
import { heapLeftByStreams } from "../open-streams.ts";
import { eventsOf, type Members, post } from "../wire.ts";

test("a2a streams: those that ended or whose readers left leave no memory behind", async () => {
  const [, second = 0, third = 0] = await heapLeftByStreams(100);
  expect(third - second).toBeLessThan(100 * 10_000);
}, 60_000);

test("a2a streams: a caller holds as many as EVENT_STREAMS_PER_CALLER; one more is 429, until one is closed", async () => {
  const seller = await startSeller({ EVENT_STREAMS_PER_CALLER: "2" });
  const made = await seller.host("create_api_key", { label: "reader", agency_id: "ag-1" });
  const headers = { "content-type": "application/json", "x-api-key": String(made["api_key"]) };
  const url = `${seller.url}/a2a/seller/jsonrpc`;
  const parts = [{ text: "I would like to make a proposal" }];
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts };
  const asked = await post(url, { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }, headers);
  const { task } = (asked.body as { result: { task: Members } }).result;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "SubscribeToTask", params: { id: task["id"] } });
  const stops = [new AbortController(), new AbortController()];
  for (const { signal } of stops) {
    const answer = await fetch(url, { method: "POST", headers, body, signal });
    await answer.body?.getReader().read();
  }
  const refused = await fetch(url, { method: "POST", headers, body });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  expect(await refused.json()).toMatchObject({ id: 7, error: { data: { error: "rate_limited" } } });
  const rest = await fetch(`${seller.url}/a2a/seller/v1/tasks/${String(task["id"])}:subscribe`, { headers });
  expect(rest.status).toBe(429);
  stops[0]?.abort();
  const again = async (): Promise<number> => {
    const stop = new AbortController();
    const { status } = await fetch(url, { method: "POST", headers, body, signal: stop.signal });
    stop.abort();
    return status;
  };
  await expect.poll(again).toBe(200);
  stops[1]?.abort();
  await seller.close();
});

test("a2a streams: a new secret is shown in the stream that made it, and in no stored task", async () => {
  const seller = await startSeller();
  const data = { operation: "create_api_key", input: { label: "streamed" } };
  const message = { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "data", data }] };
  const url = `${seller.url}/a2a/seller/jsonrpc`;
  const said = await post(url, { jsonrpc: "2.0", id: 1, method: "message/stream", params: { message } });
  expect(said.text).toMatch(/"api_key":"[^"]+"/);
  const [event] = eventsOf(said.text);
  const { id } = (event as NonNullable<typeof event>).body["result"] as Members;
  const kept = await post(url, { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id } });
  expect(kept.text).toContain('"api_key":null');
  await seller.close();
});
