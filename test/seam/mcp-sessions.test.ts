import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anonymousCaller, type Caller, ownerOf } from "../../protocol/seam/caller.ts";
import { createSessionTable, type McpSession } from "../../tools/wire/sessions.ts";
import { type OpenDoors, openDoors } from "../doors/doors.ts";
import { openWorld, startMs, type World } from "../skills/world.ts";

let world: World;
let doors: OpenDoors;
beforeAll(async () => {
  world = await openWorld();
  doors = await openDoors(world.runner, () => startMs);
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

const listing = { jsonrpc: "2.0", id: 2, method: "tools/list" };

const mcp = (method: string, body: unknown, headers: Record<string, string>, url = doors.url): Promise<Response> =>
  fetch(new URL("/mcp", url), {
    method,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** What one collection releases outside the heap, the next frees. */
const liveBytes = async (): Promise<number> => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 4; round += 1) {
    await sleep(50);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** The sender runs in this process and holds some itself. */
const held = async (times: number, ask: () => Promise<Response>): Promise<number> => {
  await (await ask()).text();
  const before = await liveBytes();
  for (let index = 0; index < times; index += 1) await (await ask()).text();
  return (await liveBytes()) - before;
};

describe("mcp session", () => {
  const long = "x".repeat(900_000);
  const someBytes = 50_000_000;

  test("it keeps nothing of what its client says of itself", async () => {
    const capabilities = { experimental: { long: { long } } };
    const hello = { ...initialize, params: { ...initialize.params, capabilities } };
    const plain = await held(30, () => mcp("POST", { ...hello, method: "ping" }, {}));
    expect(await held(30, () => mcp("POST", hello, {}))).toBeLessThan(plain + someBytes);
  });

  test("it keeps nothing of the calls it has answered, however they spell their type", async () => {
    const id = (await mcp("POST", initialize, {})).headers.get("mcp-session-id") ?? "";
    const headers = { "mcp-session-id": id, "content-type": "application/json; charset=utf-8" };
    const call = { ...listing, method: "tools/call", params: { name: "list_products", arguments: { long, limit: 1 } } };
    const plain = await held(30, () => mcp("POST", call, { "mcp-session-id": id }));
    expect(await held(30, () => mcp("POST", call, headers))).toBeLessThan(plain + someBytes);
  });

  test("a wrong key opens none, and reads and ends none", async () => {
    const wrong = { "x-api-key": "ask_live_wrong" };
    const refused = await mcp("POST", initialize, wrong);
    expect([refused.status, refused.headers.get("mcp-session-id")]).toEqual([401, null]);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    const opened = await mcp("POST", initialize, {});
    const id = opened.headers.get("mcp-session-id") ?? "";
    expect(opened.status).toBe(200);
    for (const method of ["GET", "DELETE"]) {
      expect((await mcp(method, undefined, { ...wrong, "mcp-session-id": id })).status).toBe(401);
    }
    expect((await mcp("POST", listing, { ...wrong, "mcp-session-id": id })).status).toBe(401);
    expect((await mcp("POST", listing, { "mcp-session-id": id })).status).toBe(200);
  });

  test("what calls no tool is counted, and refused with the time to wait", async () => {
    const limited = await openWorld({ settings: { rateLimitAnonymousPerMinute: 3 } });
    const narrow = await openDoors(limited.runner, () => startMs);
    const statuses: number[] = [];
    let wait: string | null = null;
    for (let index = 0; index < 4; index += 1) {
      const answer = await mcp("POST", initialize, {}, narrow.url);
      statuses.push(answer.status);
      wait = answer.headers.get("retry-after");
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(Number(wait)).toBeGreaterThan(0);
    await narrow.close();
    await limited.close();
  });

  test("one key is one owner, whichever header brings it; another key does not find its session", async () => {
    const secret = world.secretOf("agency") ?? "";
    const opened = await mcp("POST", initialize, { "x-api-key": secret });
    const id = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const statuses: number[] = [];
    for (const credential of [
      { "x-api-key": secret },
      { authorization: `Bearer ${secret}` },
      { authorization: `bearer  ${secret}` },
      { "x-api-key": world.secretOf("seat") ?? "" },
      { authorization: `Basic ${secret}` },
    ]) {
      statuses.push((await mcp("POST", listing, { ...credential, ...id } as Record<string, string>)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 404, 401]);
  });

  test("headers that are no credential open no session, however many: a key keeps its own", async () => {
    const key = { "x-api-key": world.secretOf("agency") ?? "" };
    const kept: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      kept.push((await mcp("POST", initialize, key)).headers.get("mcp-session-id") ?? "");
    }
    for (let index = 0; index < 120; index += 1) {
      expect((await mcp("POST", initialize, { authorization: `Basic y${index}` })).status).toBe(401);
    }
    for (const id of kept) expect((await mcp("POST", listing, { ...key, "mcp-session-id": id })).status).toBe(200);
  });
});

const keyCaller = (id: string, advertiser: string | null, address = "203.0.113.7"): Caller => {
  const identity = { seat_id: null, agency_id: null, advertiser_id: advertiser, dsp_platform: null };
  const anonymous = anonymousCaller(address);
  const verified = advertiser !== null;
  const principal = `key:${id}`;
  const limitKey = verified ? principal : anonymous.limitKey;
  return { ...anonymous, kind: "key", principal, owner: ownerOf(id, identity, verified), limitKey, verified };
};

const smallTable = () => {
  const table = createSessionTable({ most: 4, idleMs: 1000 });
  const closed: string[] = [];
  const open = async (id: string, opener: Caller, usedAtMs: number): Promise<void> => {
    const transport = { isListening: false };
    const session = { opener, usedAtMs, transport, server: { close: () => Promise.resolve(void closed.push(id)) } };
    await table.add(id, session as unknown as McpSession);
  };
  return { table, closed, open };
};

describe("mcp session table", () => {
  const [buyer, other] = [keyCaller("key-1", "one"), keyCaller("key-2", "two")];

  test("a flood of one owner closes its own sessions, not those of others", async () => {
    const { table, closed, open } = smallTable();
    await open("victim", buyer, 0);
    for (let index = 0; index < 10; index += 1) await open(`flood-${index}`, other, 1);
    expect(table.size).toBe(4);
    expect(closed).toEqual(["flood-0", "flood-1", "flood-2", "flood-3", "flood-4", "flood-5", "flood-6"]);
    expect(table.find("victim", buyer, 500)).not.toBeNull();
    expect(table.find("victim", other, 500)).toBeNull();
    expect(table.find("victim", buyer, 1501)).toBeNull();
    expect(closed.at(-1)).toBe("victim");
  });

  test.each([
    ["from many addresses", (index: number) => anonymousCaller(`203.0.113.${index}`)],
    ["by many keys that nobody verified", (index: number) => keyCaller(`key-new-${index}`, null)],
  ])("a flood %s takes no session of a verified key", async (_name, callerAt) => {
    const { table, closed, open } = smallTable();
    await open("first", buyer, 0);
    await open("second", buyer, 0);
    for (let index = 0; index < 10; index += 1) await open(`flood-${index}`, callerAt(index), 1);
    expect([table.size, closed.length]).toEqual([4, 8]);
    expect(closed.filter((id) => !id.startsWith("flood-"))).toEqual([]);
  });

  test("among anonymous callers the address that opens many closes its own", async () => {
    const { closed, open } = smallTable();
    await open("victim", anonymousCaller("203.0.113.1"), 0);
    for (let index = 0; index < 5; index += 1) await open(`flood-${index}`, anonymousCaller("203.0.113.2"), 1);
    expect(closed).toEqual(["flood-0", "flood-1"]);
  });

  test("a session stays its key's when the key is verified, and is another key's of the same owner", async () => {
    const { table, open } = smallTable();
    await open("early", keyCaller("key-1", null), 0);
    expect(table.find("early", buyer, 1)).not.toBeNull();
    expect(table.find("early", keyCaller("key-3", "one"), 1)).toBeNull();
    await open("late", buyer, 1);
    expect(table.find("late", keyCaller("key-3", "one"), 1)).not.toBeNull();
  });
});

/** So that others can come in between. */
const holdCalls = async () => {
  const held = await openWorld();
  let entered = (): void => undefined;
  let release = (): void => undefined;
  const inside = new Promise<void>((resolve) => (entered = resolve));
  const gate = new Promise<void>((resolve) => (release = resolve));
  const runner: World["runner"] = {
    ...held.runner,
    run: async (call) => {
      entered();
      await gate;
      return held.runner.run(call);
    },
  };
  const open = await openDoors(runner, () => startMs);
  const opened = await mcp("POST", initialize, {}, open.url);
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "list_products", arguments: {} } };
  return {
    inside,
    release,
    call: (init: RequestInit = {}): Promise<Response> => {
      const type = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const body = JSON.stringify(call);
      return fetch(new URL("/mcp", open.url), { ...init, method: "POST", headers: { ...type, ...headers }, body });
    },
    end: () => mcp("DELETE", undefined, headers, open.url),
    close: async () => {
      await open.close();
      await held.close();
    },
  };
};

describe("mcp call under way", () => {
  test("its id is taken until it is answered, and free again afterwards", async () => {
    const session = await holdCalls();
    const first = session.call();
    await session.inside;
    const second = await session.call();
    expect([second.status, await second.json()]).toMatchObject([400, { id: 7, error: { code: -32600 } }]);
    session.release();
    const answer = await first;
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: 7, result: {} }]);
    expect((await session.call()).status).toBe(200);
    await session.close();
  });

  test("the end of its session answers it, so that nobody waits for ever", async () => {
    const session = await holdCalls();
    const first = session.call();
    await session.inside;
    expect((await session.end()).status).toBe(200);
    expect((await first).status).toBe(404);
    session.release();
    await session.close();
  });

  test("a client that leaves frees its id, and the late answer reaches nobody", async () => {
    const session = await holdCalls();
    const leaving = new AbortController();
    const first = session.call({ signal: leaving.signal });
    await session.inside;
    leaving.abort();
    await expect(first).rejects.toThrow();
    session.release();
    // The server sees the closed connection a moment later; until then the id is taken.
    let again = await session.call();
    while (again.status === 400) again = await session.call();
    expect([again.status, await again.json()]).toMatchObject([200, { id: 7, result: {} }]);
    await session.close();
  });
});
