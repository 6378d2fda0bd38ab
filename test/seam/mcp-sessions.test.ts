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
