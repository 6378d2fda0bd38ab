import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { anonymousCaller } from "../../../protocol/seam/caller.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { placedKey } from "../../../protocol/seam/run/idempotency.ts";
import { defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { createRunner, type Runner } from "../../../protocol/seam/run/run.ts";
import type { TrustStatus } from "../../../machines/trust/statuses.ts";
import { agentKind } from "../../../skills/seller/registry/record.ts";
import { type DoorName, type OpenDoors, openDoors } from "../../doors/doors.ts";
import { agentRow } from "../../skills/agent-row.ts";
import { openWorld, startMs, type World } from "../../skills/world.ts";

let world: World;
let doors: OpenDoors;
const blockedUrl = "https://blocked.example/agent";
const strangerUrl = "https://stranger.example";

const register = async (url: string, status: TrustStatus): Promise<void> => {
  const id = randomUUID();
  const row = agentRow(id, url, status);
  await world.store.commit({ changes: [create(agentKind, id, row)], audit: null });
};

beforeAll(async () => {
  world = await openWorld();
  doors = await openDoors(world.runner, () => startMs);
  await register(blockedUrl, "blocked");
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const everyDoor: readonly DoorName[] = ["rest", "mcp", "a2a", "rpc"];
const product = "prod-91ddc363";

const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  list_products: {},
  get_product: { product_id: product },
  discover_inventory: { query: "price" },
  get_pricing: { product_id: product },
  request_quote: { product_id: product, deal_type: "PD" },
  get_quote: { quote_id: "qt-000000000000" },
  book_deal: { quote_id: "qt-000000000000" },
  get_deal: { deal_id: "DEMO-000000000000" },
  create_api_key: {},
  get_api_key: { key_id: "key-00000000" },
  revoke_api_key: { key_id: "key-00000000" },
};

describe.each(everyDoor)("blocked agent through %s", (door) => {
  test.each(Object.keys(inputs))("%s that names it is 403", async (operation) => {
    const input = { ...inputs[operation], agent_url: blockedUrl };
    const reply = await doors.send(door, { caller: "agency", operation, input }, world.secretOf("agency"));
    expect([reply.status, reply.code]).toEqual([403, "agent_blocked"]);
  });
});

test("agent_url: one that nobody registered lowers the tier of every operation, also of one called by a text", async () => {
  const ask = async (agentUrl: string | undefined) => {
    const slots = agentUrl === undefined ? {} : { agent_url: agentUrl };
    const parts = [
      { kind: "text", text: `what is the price of ${product}` },
      { kind: "data", data: slots },
    ];
    const message = { messageId: randomUUID(), role: "user", parts };
    const headers = { "content-type": "application/json", "x-api-key": world.secretOf("agency") ?? "" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    const answer = await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
    return JSON.stringify(await answer.json());
  };
  expect(await ask(undefined)).toContain('"buyer_tier":"agency"');
  expect(await ask(strangerUrl)).toContain('"buyer_tier":"public"');
  expect(await ask(blockedUrl)).toContain('"agent_blocked"');
  const secret = world.secretOf("agency");
  const list = { caller: "agency", operation: "list_products", input: { agent_url: strangerUrl } };
  for (const door of everyDoor) {
    const { body } = await doors.send(door, list, secret);
    expect((body["products"] as { base_cpm: unknown }[])[0]?.base_cpm).toBeNull();
  }
});

test("agent_url: a text longer than any address is 422", async () => {
  const input = { quote_id: "qt-000000000000", agent_url: `https://a.example/${"x".repeat(2048)}` };
  const reply = await doors.send("rest", { caller: "agency", operation: "book_deal", input }, world.secretOf("agency"));
  expect([reply.status, reply.code]).toEqual([422, "validation_error"]);
});

describe("closed doors", () => {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const inner = defineContract({
    name: "do_inner",
    group: "test",
    summary: "Inner half.",
    effect: "read",
    access: "public",
    input: z.object({}),
    output: z.looseObject({ done: z.boolean() }),
    refusals: {},
    closedDoors: { a2a: "inner half", host: "inner half" },
  });
  const { closedDoors: _closed, ...open } = inner;
  const outer = defineContract({ ...open, name: "do_outer" });
  const runnerOf = (taken: string[]) =>
    createRunner({
      operations: [
        defineOperation(inner, async () => ({ output: { done: true } })),
        defineOperation(outer, async (context) => {
          const outcome = await context.call("do_inner", {});
          return { output: { done: outcome.kind === "done" } };
        }),
      ],
      store: world.store,
      ports: {},
      callers: { find: () => Promise.resolve(anonymousCaller("203.0.113.1")) },
      trust: { ofAgent: () => Promise.resolve({ ceiling: "public" as const, blocked: false }) },
      limiter: {
        take: (caller) => {
          taken.push(caller.limitKey);
          return Promise.resolve(null);
        },
      },
      clock: { nowMs: () => startMs },
      log: silent,
    });
  const call = (runner: Runner, operation: string, door: "a2a" | "host" | "rest") => ({
    operation,
    door,
    admission: runner.admit({ apiKey: null, authorization: null, address: "203.0.113.1" }),
    requestId: "test",
    input: () => ({ input: {} }),
  });

  test.each(["a2a", "host"] as const)(
    "an operation closed to %s is unknown there, and another may call it",
    async (door) => {
      const runner = runnerOf([]);
      expect(await runner.run(call(runner, "do_inner", door))).toMatchObject({
        refusal: { code: "unknown_operation" },
        status: 404,
      });
      expect(await runner.run(call(runner, "do_outer", door))).toMatchObject({ output: { done: true } });
      expect(await runner.run(call(runner, "do_inner", "rest"))).toMatchObject({ output: { done: true } });
    },
  );

  test("asking for operations that do not exist is counted", async () => {
    const taken: string[] = [];
    const runner = runnerOf(taken);
    await runner.run(call(runner, "no_such_operation", "a2a"));
    expect(taken).toEqual(["address:203.0.113.1"]);
  });
});

test("inner key: two long keys with the same beginning stay two", () => {
  const beginning = "k".repeat(254);
  expect(placedKey(`${beginning}a`, 1)).not.toBe(placedKey(`${beginning}b`, 1));
  expect(placedKey(`${beginning}a`, 1).length).toBeLessThanOrEqual(255);
  expect(placedKey("short", 2)).toBe("short#2");
});

test("a2a: a message that calls more than 50 operations calls none of them", async () => {
  const before = await world.store.count("api_key", null);
  const parts = Array.from({ length: 51 }, () => ({ kind: "data", data: { operation: "create_api_key", input: {} } }));
  const message = { messageId: randomUUID(), role: "user", parts };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
  expect(await answer.json()).toMatchObject({ result: { status: "failed" } });
  expect(await world.store.count("api_key", null)).toBe(before);
});
