import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSessionTable, credentialDigest, type McpSession } from "../../tools/sessions.ts";
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

const mcp = (method: string, body: unknown, headers: Record<string, string>, url = doors.url): Promise<Response> =>
  fetch(new URL("/mcp", url), {
    method,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe("mcp session", () => {
  test("a wrong key opens none, and reads and ends none", async () => {
    const wrong = { "x-api-key": "ask_live_wrong" };
    const refused = await mcp("POST", initialize, wrong);
    expect([refused.status, refused.headers.get("mcp-session-id")]).toEqual([401, null]);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    const opened = await mcp("POST", initialize, {});
    const id = opened.headers.get("mcp-session-id") ?? "";
    expect(opened.status).toBe(200);
    for (const method of ["GET", "DELETE"]) {
      expect((await mcp(method, undefined, { ...wrong, "mcp-session-id": id })).status).toBe(401);
    }
    const listing = { jsonrpc: "2.0", id: 2, method: "tools/list" };
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

  test("a flood of one credential closes its own sessions, not those of others", async () => {
    const table = createSessionTable({ most: 4, idleMs: 1000 });
    const closed: string[] = [];
    const open = async (id: string, key: string | null, atMs: number): Promise<void> => {
      const session = {
        credential: credentialDigest(key, null),
        server: { close: () => Promise.resolve(void closed.push(id)) },
        usedAtMs: atMs,
      };
      await table.add(id, session as unknown as McpSession);
    };
    await open("victim", "k", 0);
    for (let index = 0; index < 10; index += 1) await open(`flood-${index}`, null, 1);
    expect(table.size).toBe(4);
    expect(closed).toEqual(["flood-0", "flood-1", "flood-2", "flood-3", "flood-4", "flood-5", "flood-6"]);
    expect(table.find("victim", credentialDigest("k", null), 500)).not.toBeNull();
    expect(table.find("victim", credentialDigest("other", null), 500)).toBeNull();
    expect(table.find("victim", credentialDigest("k", null), 1501)).toBeNull();
    expect(closed.at(-1)).toBe("victim");
  });
});

/** A call that is held until it is let go on, so that others can come in between. */
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
    // The server learns of the closed connection a moment later; until then the id is taken.
    let again = await session.call();
    while (again.status === 400) again = await session.call();
    expect([again.status, await again.json()]).toMatchObject([200, { id: 7, result: {} }]);
    await session.close();
  });
});
