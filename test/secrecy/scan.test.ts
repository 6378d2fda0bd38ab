import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Served, serve } from "../../agents/server/serve.ts";
import { anonymousCaller } from "../../protocol/seam/caller.ts";
import type { DoorRoute } from "../../protocol/door/door.ts";
import { defineContract, defineOperation } from "../../protocol/seam/operation.ts";
import { createRunner } from "../../protocol/seam/run/run.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Store } from "../../storage/store.ts";
import { canaryProducts, secretEnvironment } from "./canaries.ts";
import { createScan, type Recipient } from "./scan.ts";
import { watch } from "./watch.ts";

const floor = 27.997344;
const secret = `ask_live_${"a1B2-".repeat(9)}`.slice(0, 52);
const token = secretEnvironment["AD_SERVER_FEED_TOKEN"] ?? "";

const agency: Recipient = { owner: "agency:agency-2", isOperator: false, ids: ["seat-2", "agency-2"] };
const advertiser: Recipient = { owner: "advertiser:advertiser-3", isOperator: false, ids: ["advertiser-3"] };
const operator: Recipient = { owner: "key:key-0", isOperator: true, ids: [] };

const leaksOf = (to: Recipient, ...texts: readonly string[]): readonly string[] => {
  const scan = createScan({ secrets: [token], floorMicros: [27_997_344] });
  scan.known(agency);
  for (const text of texts) scan.sent({ to, text, document: false, what: "answer" });
  return scan.takeLeaks();
};

describe("the scan of what buyers are sent", () => {
  test.each([
    ["a floor in units", `{"price":${floor}}`],
    ["a floor in a sentence", `"Not below $27.997."`],
    ["a floor in micros", `{"limit":27997344}`],
    ["a floor's member with a value", `{"floor_cpm":28}`],
    ["what targets are taken from", `{"accept_from":"85%"}`],
    ["a floor's member with a value in a text part", `{"text":"{\\"floor_cpm\\": 28}"}`],
    ["the word in a refusal", `{"message":"The price is under the floor."}`],
    ["another word for it", `{"message":"Our lowest price is higher."}`],
    ["a package's floor where no package is shown", `{"floor_price":9}`],
    ["the strategy of a negotiation", `{"strategy":"aggressive"}`],
    ["the limit of its rounds", `{"max_rounds":5}`],
    ["a token of the environment", `{"error":"${token} was refused"}`],
    ["the seat of another buyer", `{"wseat":["seat-2"]}`],
    ["a member in a header", `X-Price: ${floor}\r\n`],
  ])("finds %s", (_, text) => {
    expect(leaksOf(advertiser, text)).toHaveLength(1);
  });

  test.each([
    ["a member without a value", `{"floor_cpm":null,"strategy":null}`],
    ["the bid floor of an activation", `{"bidfloor":29.92,"bidfloorcur":"USD"}`],
    ["a package's own figure", `{"package_id":"pkg-1","floor_price":9.5}`],
    ["a longer id that begins like another's", `{"seat_id":"seat-21"}`],
    ["a time of day that ends in the same digits", `{"created_at":"2027-01-15T12:00:27.997Z"}`],
    ["an id with the same digits", `{"event_id":"27997344-0000-4000-8000-000000000000"}`],
    ["a price that is the floor in value", `{"final_cpm":28}`],
  ])("passes over %s", (_, text) => {
    expect(leaksOf(advertiser, text)).toStrictEqual([]);
  });

  test("finds the record of another buyer, unless the reader named it first", () => {
    const scan = createScan({ secrets: [], floorMicros: [] });
    const say = (to: Recipient, text: string) => scan.sent({ to, text, document: false, what: "answer" });
    say(agency, `{"quote_id":"qt-0123456789ab"}`);
    say(agency, `{"quote_id":"qt-0123456789ab"}`);
    expect(scan.takeLeaks()).toStrictEqual([]);
    say(advertiser, `{"quotes":["qt-0123456789ab"]}`);
    expect(scan.takeLeaks()).toHaveLength(1);
    scan.asked(advertiser.owner, "/api/v1/quotes/qt-0123456789ab");
    say(advertiser, `{"error":"not_found","quote_id":"qt-0123456789ab"}`);
    expect(scan.takeLeaks()).toStrictEqual([]);
  });

  test("a key's secret is shown once, and never in a log line, to operators neither", () => {
    expect(leaksOf(operator, `{"api_key":"${secret}"}`)).toStrictEqual([]);
    expect(leaksOf(operator, `{"api_key":"${secret}"}`, `{"key":"${secret}"}`)).toHaveLength(1);
    const scan = createScan({ secrets: [token], floorMicros: [] });
    scan.kept("log", JSON.stringify({ url: `https://x.example/?key=${secret}`, token }));
    expect(scan.takeLeaks()).toHaveLength(2);
  });

  test("operators may read floors and strategies", () => {
    expect(leaksOf(operator, `{"floor_cpm":${floor},"strategy":"aggressive"}`)).toStrictEqual([]);
  });

  test("every floor of the catalog under test is a figure that no price can be", () => {
    const floors = canaryProducts.flatMap((item) => (item.floor_cpm_micros === null ? [] : [item.floor_cpm_micros]));
    expect(floors).toHaveLength(12);
    expect(new Set(floors).size).toBe(12);
    expect(floors.filter((micros) => micros % 10_000 === 0)).toStrictEqual([]);
    expect(floors).toContain(floor * 1_000_000);
  });
});

const page = (path: string, headers: Record<string, string>, body: string): DoorRoute => ({
  method: "GET",
  path,
  handle: () => Promise.resolve({ status: 200, headers, body }),
});

async function* streamed(...pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

const leakyPages: readonly DoorRoute[] = [
  page("/body", {}, `{"cost":${floor}}`),
  page("/header", { "x-cost": String(floor) }, "{}"),
  {
    method: "GET",
    path: "/stream",
    handle: () => Promise.resolve({ status: 200, headers: {}, body: streamed("data: {}\n\n", `data: ${floor}\n\n`) }),
  },
  page("/clean", {}, `{"cost":28}`),
];

const mintBadly = defineContract({
  name: "mint_badly",
  group: "test",
  summary: "Logs a secret and tells it in an event.",
  effect: "write",
  access: "public",
  input: z.object({}),
  output: z.looseObject({}),
  refusals: {},
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe("the watch over a whole agent", () => {
  let store: Store;
  let served: Served;
  const address = "127.0.0.1";

  beforeAll(async () => {
    store = openMemoryStore();
    const runner = createRunner({
      operations: [
        defineOperation(mintBadly, async () => ({
          output: {},
          events: [{ event_type: "api_key.created", payload: { secret } }],
          log: [{ level: "info", fields: { secret }, message: "minted" }],
        })),
      ],
      store,
      ports: {},
      callers: { find: async () => anonymousCaller(address) },
      trust: { ofAgent: async () => ({ ceiling: "advertiser", blocked: false }) },
      limiter: { take: async () => null },
      clock: { nowMs: () => 0 },
      log: silent,
    });
    await runner.run({
      operation: "mint_badly",
      door: "rest",
      admission: runner.admit({ apiKey: null, authorization: null, address }),
      requestId: "r-1",
      input: () => ({ input: {} }),
      idempotencyKey: null,
    });
    const agent = {
      name: "seller",
      title: "Leaky",
      version: "0",
      description: "",
      runner,
      errorShape: "plain",
    } as const;
    const leaky = { ...agent, pages: leakyPages, stop: () => Promise.resolve() };
    served = await serve(leaky, { host: address, port: 0, log: silent });
  });

  afterAll(async () => {
    await served.close();
    await store.close();
  });

  test("a log line and an event that hold a key's secret are found", () => {
    const leaks = watch.finish();
    expect(leaks.filter((leak) => leak.startsWith("log minted: a key's secret"))).toHaveLength(1);
    expect(leaks.filter((leak) => leak.startsWith("row event: a key's secret"))).toHaveLength(1);
    expect(leaks).toHaveLength(2);
  });

  test.each(["/body", "/header", "/stream"])("a door that tells a floor is found, at %s", async (path) => {
    await (await fetch(new URL(path, served.url))).text();
    expect(watch.finish()).toStrictEqual([expect.stringMatching(`^anonymous GET ${path} : the figure of a floor`)]);
  });

  test("a door that tells a price is not", async () => {
    await (await fetch(new URL("/clean", served.url))).text();
    expect(watch.finish()).toStrictEqual([]);
  });
});
