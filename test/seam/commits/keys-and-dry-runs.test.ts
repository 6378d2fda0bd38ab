import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { openWorld, startMs, type World } from "../../skills/world.ts";

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

type Members = Readonly<Record<string, unknown>>;

const wish = { product_id: "prod-91ddc363", deal_type: "PD" };

const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Members> => {
  const secret = world.secretOf("agency") ?? "";
  const sent = { "content-type": "application/json", "x-api-key": secret, ...headers };
  const answer = await fetch(new URL(path, doors.url), { method: "POST", headers: sent, body: JSON.stringify(body) });
  return (await answer.json()) as Members;
};

const quotes = () => world.store.count("quote", null);

const rpc = (params: Members, id = 1) => ({ jsonrpc: "2.0", id, method: "request_quote", params });

describe("key in the header", () => {
  test("rpc: a retry with the header gives the first answer and buys nothing twice", async () => {
    const before = await quotes();
    const headers = { "idempotency-key": randomUUID() };
    const first = await post("/rpc", rpc(wish), headers);
    expect(first).toMatchObject({ result: { quote_id: expect.stringMatching(/^qt-/) } });
    expect(await post("/rpc", rpc(wish), headers)).toEqual(first);
    expect(await quotes()).toBe(before + 1);
  });

  test("rpc: the header and another key in the params are refused", async () => {
    const before = await quotes();
    const said = await post("/rpc", rpc({ ...wish, idempotency_key: "one" }), { "idempotency-key": "two" });
    expect(said).toMatchObject({ error: { code: -32_602, data: { error: "validation_error", status: 422 } } });
    expect(await quotes()).toBe(before);
  });

  test("rpc: one header over a batch is refused, because it cannot be the key of each call", async () => {
    const before = await quotes();
    const said = await post("/rpc", [rpc(wish, 1), rpc(wish, 2)], { "idempotency-key": randomUUID() });
    expect(said).toMatchObject({ id: null, error: { code: -32_600 } });
    expect(await quotes()).toBe(before);
  });
});

const doubtful = ["TRUE", "yes", "on", 2, {}, [true], ""];
const clear = [true, "true", 1, "1"];

const through: Readonly<Record<string, (flag: unknown) => Promise<Members>>> = {
  rest: (flag) => post("/api/v1/quotes", { ...wish, dry_run: flag }),
  rpc: (flag) => post("/rpc", rpc({ ...wish, dry_run: flag })),
  "mcp/call": (flag) => post("/mcp/call", { name: "request_quote", arguments: { ...wish, dry_run: flag } }),
  "a2a input": (flag) => a2a({ operation: "request_quote", input: { ...wish, dry_run: flag } }),
  "a2a part": (flag) => a2a({ operation: "request_quote", input: wish, dry_run: flag }),
};

const a2a = (data: Members): Promise<Members> => {
  const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "data", data }] };
  return post("/a2a/seller/jsonrpc", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
};

describe.each(Object.keys(through))("dry run through %s", (door) => {
  const ask = through[door] as (flag: unknown) => Promise<Members>;

  test.each(doubtful)("%j is neither yes nor no and is refused", async (flag) => {
    const before = await quotes();
    expect(JSON.stringify(await ask(flag))).toContain('"validation_error"');
    expect(await quotes()).toBe(before);
  });

  test.each(clear)("%j stores nothing and gives no id", async (flag) => {
    const before = await quotes();
    const text = JSON.stringify(await ask(flag));
    expect(text).toContain('"dry_run":true');
    expect(text).not.toMatch(/qt-[0-9a-f]{12}/);
    expect(await quotes()).toBe(before);
  });

  test.each([false, "false", 0, "0", null])("%j is a real call", async (flag) => {
    const before = await quotes();
    expect(JSON.stringify(await ask(flag))).toMatch(/qt-[0-9a-f]{12}/);
    expect(await quotes()).toBe(before + 1);
  });
});

test.each([
  ["dry_run", true],
  ["idempotency_key", "one"],
  ["agent_url", "https://agent.example"],
])("mcp/call: %s beside the arguments is refused, because it would be passed over", async (member, value) => {
  const before = await quotes();
  const said = await post("/mcp/call", { name: "request_quote", arguments: wish, [member]: value });
  expect(said).toMatchObject({
    success: false,
    error: { error: "validation_error", detail: [{ loc: ["body", member] }] },
  });
  expect(await quotes()).toBe(before);
});

test("dry run: a yes beside the input of a data part is not undone by a no in it", async () => {
  const before = await quotes();
  await a2a({ operation: "request_quote", input: { ...wish, dry_run: false }, dry_run: true });
  await a2a({ operation: "request_quote", input: { ...wish, dry_run: true }, dry_run: false });
  expect(await quotes()).toBe(before);
});

test("dry run: it takes no key, so that the real call may use it", async () => {
  const key = randomUUID();
  const before = await quotes();
  await post("/api/v1/quotes?dry_run=true", wish, { "idempotency-key": key });
  const real = await post("/api/v1/quotes", wish, { "idempotency-key": key });
  expect(real["quote_id"]).toMatch(/^qt-/);
  expect(await post("/api/v1/quotes?dry_run=true", wish, { "idempotency-key": key })).toMatchObject({ quote_id: null });
  expect(await quotes()).toBe(before + 1);
});
