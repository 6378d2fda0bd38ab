import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { answerJson, type Loopback, startLoopback } from "../client/loopback.ts";
import { type Child, compileProgram, startChild } from "../storage/children.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

const environment = {
  RATE_LIMIT_PER_MINUTE: "0",
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: "0",
  OUTBOUND_ALLOW: "127.0.0.1",
};

let program = "";
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  program = await compileProgram(join(import.meta.dirname, "seller-child.ts"));
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const startSeller = (place: unknown): Child => {
  const seller = startChild(program, { place, environment });
  opened.push(() => seller.end());
  return seller;
};

const startReceiver = async (): Promise<Loopback> => {
  const receiver = await startLoopback((_, response) => answerJson(response, 200, {}));
  opened.push(receiver.close);
  return receiver;
};

const call = (seller: Child, operation: string, input: unknown): Promise<Record<string, unknown>> =>
  seller.run("call", { operation, input });

const subscribe = (seller: Child, url: string): Promise<Record<string, unknown>> =>
  call(seller, "create_webhook", { url, event_types: ["api_key.created"] });

const makeKeys = async (seller: Child, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(String((await call(seller, "create_api_key", {}))["key_id"]));
  return ids.sort();
};

/** Each flow once, and the number of deliveries. */
const toldOf = (receiver: Loopback): { readonly flows: string[]; readonly ids: number; readonly times: number } => ({
  flows: [...new Set(receiver.seen.map(({ body }) => (JSON.parse(body) as { flow_id: string }).flow_id))].sort(),
  ids: new Set(receiver.seen.map(({ headers }) => headers["webhook-id"])).size,
  times: receiver.seen.length,
});

const kill = async (seller: Child): Promise<void> => {
  const gone = once(seller.process, "exit");
  seller.process.kill("SIGKILL");
  await gone;
};

describe("webhooks of a seller that is killed", () => {
  it("every event of before the kill arrives after the restart, under one id each", { timeout: 120_000 }, async () => {
    const dir = await mkdtemp(join(tmpdir(), "parley-deliveries-"));
    opened.push(() => rm(dir, { recursive: true, force: true }));
    const place = { driver: "lowdb", dir };
    const receiver = await startReceiver();
    const first = startSeller(place);
    await subscribe(first, receiver.url);
    const made = await makeKeys(first, 40);
    await kill(first);
    startSeller(place);
    await expect.poll(() => toldOf(receiver).flows, { timeout: 100_000, interval: 100 }).toStrictEqual(made);
    expect(toldOf(receiver).ids).toBe(40);
  });
});

await describeOnPostgres("webhooks and the stream of two sellers on one PostgreSQL", (url) => {
  it("each event is told once, whichever process made it, and the stream of one shows those of the other", async () => {
    const place = { driver: "postgres", url, schema: "parley_deliveries" };
    const receiver = await startReceiver();
    const sellers = [startSeller(place), startSeller(place)] as const;
    await sellers[1].run("url");
    await subscribe(sellers[0], receiver.url);
    const operator = await call(sellers[0], "create_operator_key", { label: "of the stream" });
    const controller = new AbortController();
    const headers = { "x-api-key": String(operator["api_key"]) };
    const streamUrl = new URL("/events/stream", await sellers[0].run<string>("url"));
    const stream = await fetch(streamUrl, { headers, signal: controller.signal });
    const made = (await Promise.all(sellers.map((seller) => makeKeys(seller, 20)))).flat().sort();
    const flows = new Set<string>();
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      for (const found of text.matchAll(/"flow_id":"(key-[0-9a-f]{8})"/g)) flows.add(String(found[1]));
      if (made.every((id) => flows.has(id))) break;
    }
    controller.abort();
    const wanted = [...made, String(operator["key_id"])].sort();
    await expect.poll(() => toldOf(receiver).flows, { timeout: 30_000, interval: 50 }).toStrictEqual(wanted);
    expect(toldOf(receiver)).toMatchObject({ ids: 41, times: 41 });
  });
});
