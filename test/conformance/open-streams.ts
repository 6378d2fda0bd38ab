import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { startSeller } from "../spec/launched.ts";
import { type Members, post } from "./wire.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const heapBytes = async (): Promise<number> => {
  for (let made = 0; made < 3; made += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    collect();
  }
  return process.memoryUsage().heapUsed;
};

/** Opens `count` streams on one task, twice, half of them broken off by their reader; returns what each round left. */
export const heapLeftByStreams = async (count: number): Promise<readonly number[]> => {
  const seller = await startSeller({ EVENT_STREAMS_PER_CALLER: "0" });
  const made = await seller.host("create_api_key", { label: "reader", agency_id: "ag-1" });
  const headers = { "content-type": "application/json", "x-api-key": String(made["api_key"]) };
  const url = `${seller.url}/a2a/seller/jsonrpc`;
  const call = async (method: string, params: Members): Promise<Members> =>
    ((await post(url, { jsonrpc: "2.0", id: 1, method, params }, headers)).body as { result: Members }).result;

  const round = async (): Promise<number> => {
    const parts = [{ text: "I would like to make a proposal" }];
    const message = { messageId: randomUUID(), role: "ROLE_USER", parts };
    const { task } = (await call("SendMessage", { message })) as { task: Members };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: task["id"] } });
    const readers: { readonly stop: AbortController; readonly text: Promise<string | null> }[] = [];
    for (let opened = 0; opened < count; opened += 1) {
      const stop = new AbortController();
      const answer = await fetch(url, { method: "POST", headers, body, signal: stop.signal });
      readers.push({ stop, text: answer.text().catch(() => null) });
    }
    const gone = readers.slice(0, count / 2);
    for (const { stop } of gone) stop.abort();
    await call("CancelTask", { id: task["id"] });
    for (const { text } of readers.slice(count / 2)) expect(await text).toContain("TASK_STATE_CANCELED");
    for (const { text } of gone) expect(await text).toBeNull();
    return heapBytes();
  };

  const left: number[] = [await round()];
  for (let again = 0; again < 2; again += 1) left.push(await round());
  await seller.close();
  return left;
};
