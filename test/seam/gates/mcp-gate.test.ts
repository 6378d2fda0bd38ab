import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { post, type Said } from "../../conformance/wire.ts";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { openWorld, startMs, type World } from "../../skills/world.ts";

const most = 30;
let world: World;
let doors: OpenDoors;
beforeAll(async () => {
  world = await openWorld({ settings: { rateLimitAnonymousPerMinute: most, rateLimitPerMinute: most } });
  doors = await openDoors(world.runner, () => startMs);
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const accept = { accept: "application/json, text/event-stream" };
const wrong = { "x-api-key": "ask_live_wrong" };
const send = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Said> =>
  post(`${doors.url}${path}`, body, { ...accept, ...headers });
const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };
const tool = { name: "list_products", arguments: { limit: 1 } };
const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: tool };
const note = { jsonrpc: "2.0", method: "tools/call", params: tool };
const deep = `${"[".repeat(33)}${"]".repeat(33)}`;

/** Remaining quota. */
const leftOf = ({ headers }: Said): number => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);

describe("mcp: every request is counted once", () => {
  const agency = (): Record<string, string> => ({ "x-api-key": world.secretOf("agency") ?? "" });
  let session: Record<string, string>;
  let left: number;
  beforeAll(async () => {
    const opened = await send("/mcp", initialize, agency());
    left = leftOf(opened);
    session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  });

  const withSession = (): Record<string, string> => ({ ...agency(), ...session });
  const charset = { "content-type": "application/json; charset=utf-8" };
  test.each<[string, number, () => Promise<Said>]>([
    ["a tool call", 200, () => send("/mcp", call, withSession())],
    ["a tool call whose type names a charset", 200, () => send("/mcp", call, { ...withSession(), ...charset })],
    ["a tool call of no tool", 200, () => send("/mcp", { ...call, params: {} }, withSession())],
    ["a tool call with headers that are refused", 406, () => send("/mcp", call, { ...withSession(), accept: "*/*" })],
    ["a tool call without a session", 400, () => send("/mcp", call, agency())],
    ["a tool call of no session", 404, () => send("/mcp", call, { ...agency(), "mcp-session-id": "none" })],
    ["a tool call without an id", 202, () => send("/mcp", note, withSession())],
    ["a batch of tool calls", 400, () => send("/mcp", [call, call], withSession())],
    ["what is no message", 400, () => send("/mcp", { ...call, id: null }, withSession())],
    ["broken JSON", 400, () => send("/mcp", "{", withSession())],
    ["a body too deep", 400, () => send("/mcp", deep, withSession())],
    ["a listing", 200, () => send("/mcp", { jsonrpc: "2.0", id: 3, method: "tools/list" }, withSession())],
    ["a plain call", 200, () => send("/mcp/call", tool, agency())],
    ["a plain call of no tool", 404, () => send("/mcp/call", { name: "none" }, agency())],
    ["a plain call of broken JSON", 422, () => send("/mcp/call", "{", agency())],
  ])("%s is %i", async (_name, status, ask) => {
    const said = await ask();
    expect([said.status, leftOf(said)]).toEqual([status, left - 1]);
    left -= 1;
  });

  test("a credential that is refused counts once against its address", async () => {
    const before = leftOf(await send("/mcp/call", tool));
    for (const [place, path] of ["/mcp", "/mcp/call"].entries()) {
      const said = await send(path, "{", wrong);
      expect([said.status, leftOf(said)]).toEqual([401, before - 1 - place]);
    }
  });
});

test("mcp: a tool call whose key ends in mid-session is 401 as at every door, counted once", async () => {
  const before = leftOf(await send("/mcp/call", tool));
  const said = await send("/mcp", call, { ...wrong, "mcp-session-id": "any" });
  expect([said.status, leftOf(said)]).toEqual([401, before - 1]);
  expect(said.body).toMatchObject({ id: 2, error: { code: -32010, data: { error: "invalid_api_key" } } });
});

describe.each(["/mcp", "/mcp/call"])("mcp: %s judges the caller before the body", (path) => {
  const bodies = ["{", deep, "x".repeat(1_048_577), { jsonrpc: "2.0", id: null }];

  test("a wrong key is 401 with the scheme, whatever the body is", async () => {
    for (const body of bodies) {
      const { status, headers } = await send(path, body, wrong);
      expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    }
  });

  test("a caller who has nothing left is 429 with the time to wait, whatever the body is", async () => {
    const seat = { "x-api-key": world.secretOf("seat") ?? "" };
    for (let index = 0; index < most; index += 1) await send("/mcp/call", tool, seat);
    for (const body of bodies.slice(0, 3)) {
      const { status, headers } = await send(path, body, seat);
      expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    }
  });
});
