import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create } from "../../../protocol/seam/changes.ts";
import { agentKind } from "../../../skills/seller/registry/record.ts";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { agentRow } from "../../skills/agent-row.ts";
import { openWorld, type World } from "../../skills/world.ts";
import { type Members, post } from "../wire.ts";

const blockedUrl = "https://blocked.example";
const otherUrl = "https://other.example";

let world: World;
let doors: OpenDoors;
beforeAll(async () => {
  world = await openWorld();
  doors = await openDoors(world.runner, world.nowMs);
  const blocked = agentRow("agent-00000001", blockedUrl, "blocked");
  await world.store.commit({ changes: [create(agentKind, blocked.agent_id, blocked)], audit: null });
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const quote = { product_id: "prod-15ba2543", deal_type: "PD" };
const send = async (messageId: string, parts: readonly unknown[]): Promise<Members> => {
  const message = { messageId, role: "user", parts };
  const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  const headers = { "x-api-key": world.secretOf("agency") ?? "" };
  return (await post(`${doors.url}/a2a/seller/jsonrpc`, body, headers)).body as Members;
};
const dataPart = (data: Members): Members => ({ kind: "data", data });
const dataOf = (said: Members): Members[] =>
  ((said["result"] as Members)["parts"] as { kind: string; data: Members }[])
    .filter(({ kind }) => kind === "data")
    .map(({ data }) => data);
const ask = async (messageId: string, data: Members): Promise<Members> =>
  dataOf(await send(messageId, [dataPart({ operation: "request_quote", ...data })]))[0] ?? {};
const quoteIdOf = (said: Members): unknown => (said["result"] as Members | undefined)?.["quote_id"];

const quoteId = expect.stringMatching(/^qt-/) as unknown;

describe("a2a parts: a dry run beside the input", () => {
  test.each([null, undefined, {}])("makes nothing where the input is %j", async (input) => {
    const before = world.commits();
    const [data] = dataOf(await send(randomUUID(), [dataPart({ operation: "create_order", input, dry_run: true })]));
    expect(data?.["result"]).toMatchObject({ dry_run: true, order_id: null });
    expect(world.commits()).toBe(before);
  });
});

describe("a2a parts: slots of a text that are of the call", () => {
  const asked = { kind: "text", text: "quote prod-15ba2543 for 2 million impressions" };
  const slots = (data: Members): readonly unknown[] => [asked, dataPart(data)];

  test("dry_run makes nothing, and a word that says neither yes nor no is refused", async () => {
    const before = world.commits();
    expect(JSON.stringify(await send(randomUUID(), slots({ dry_run: true })))).toContain('"quote_id":null');
    const unclear = dataOf(await send(randomUUID(), slots({ dry_run: "maybe" })))[0];
    expect(unclear?.["result"]).toMatchObject({ error: "validation_error" });
    expect(world.commits()).toBe(before);
  });

  test("a key is that of the call: with another messageId it is a retry, for another text a conflict", async () => {
    const key = randomUUID();
    const answers = [];
    for (const messageId of [randomUUID(), randomUUID()]) {
      answers.push(quoteIdOf(dataOf(await send(messageId, slots({ idempotency_key: key })))[0] ?? {}));
    }
    expect(answers).toEqual([quoteId, answers[0]]);
    const other = [{ kind: "text", text: "quote prod-15ba2543" }, dataPart({ idempotency_key: key })];
    const conflict = dataOf(await send(randomUUID(), other))[0];
    expect(conflict?.["result"]).toMatchObject({ error: "idempotency_conflict" });
  });

  test("agents of two slots that differ are refused", async () => {
    const two = [asked, dataPart({ agent_url: blockedUrl }), dataPart({ agent_url: otherUrl })];
    expect(dataOf(await send(randomUUID(), two))[0]?.["result"]).toMatchObject({ error: "validation_error" });
    expect(dataOf(await send(randomUUID(), slots({ agent_url: blockedUrl })))[0]?.["result"]).toMatchObject({
      error: "agent_blocked",
    });
  });
});

describe("a2a parts: the key of a call", () => {
  test.each([
    ["in the input", { input: { ...quote, idempotency_key: null } }],
    ["beside the input", { input: quote, idempotency_key: null }],
    ["in both places", { input: { ...quote, idempotency_key: null }, idempotency_key: null }],
  ])("a null %s is none: the messageId counts", async (_name, data) => {
    const messageId = randomUUID();
    const first = await ask(messageId, data);
    expect(first["result"]).toMatchObject({ quote_id: quoteId });
    expect(await ask(messageId, data)).toEqual(first);
    const other = await ask(messageId, { ...data, input: { ...data.input, impressions: 7_000_000 } });
    expect(other["replayed"]).toBeUndefined();
    expect(quoteIdOf(other)).not.toBe(quoteIdOf(first));
  });

  test("a key of its own counts before the messageId, and its conflict is the operation's", async () => {
    const key = randomUUID();
    const [beside, inside] = [
      await ask(randomUUID(), { input: quote, idempotency_key: key }),
      await ask(randomUUID(), { input: { ...quote, idempotency_key: key } }),
    ];
    expect(inside).toEqual({ ...beside, replayed: true });
    const other = { input: { ...quote, impressions: 7_000_000 }, idempotency_key: key };
    expect((await ask(randomUUID(), other))["error"]).toMatchObject({ error: "idempotency_conflict" });
  });

  test.each([["rest"], ["mcp"], ["rpc"]] as const)("%s: a null key is none, and the header counts", async (door) => {
    const path = { rest: "/api/v1/quotes", mcp: "/mcp/call", rpc: "/rpc" }[door];
    const input = { ...quote, idempotency_key: null };
    const body = {
      rest: input,
      mcp: { name: "request_quote", arguments: input },
      rpc: { jsonrpc: "2.0", id: 1, method: "request_quote", params: input },
    }[door];
    const headers = { "x-api-key": world.secretOf("agency") ?? "", "idempotency-key": randomUUID() };
    const first = await post(doors.url + path, body, headers);
    const again = await post(doors.url + path, body, headers);
    expect(first.text).toContain("qt-");
    expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([first.body, "true"]);
  });

  test.each([
    ["in another script", () => `Bestellung-für-${randomUUID()}`],
    ["of a lone surrogate", () => `\ud800-${randomUUID()}`],
    ["with a line end", () => `a\nb-${randomUUID()}`],
    ["of the greatest length", () => randomUUID().padEnd(255, "x")],
    ["of the greatest length in another script", () => randomUUID().padEnd(255, "ü")],
  ])("a messageId %s detects a retry like any other, of parts and of texts", async (_name, made) => {
    const messageId = made();
    const parts = [
      dataPart({ operation: "request_quote", input: quote }),
      dataPart({ operation: "request_quote", input: quote }),
    ];
    const first = dataOf(await send(messageId, parts));
    expect(first).toMatchObject([{ result: { quote_id: quoteId } }, { result: { quote_id: quoteId } }]);
    expect(quoteIdOf(first[0] ?? {})).not.toBe(quoteIdOf(first[1] ?? {}));
    expect(dataOf(await send(messageId, parts))).toEqual(first);
    const other = dataPart({ operation: "request_quote", input: { ...quote, impressions: 7_000_000 } });
    expect(quoteIdOf(dataOf(await send(messageId, [other]))[0] ?? {})).toMatch(/^qt-/);
    const text = [{ kind: "text", text: "a quote for prod-15ba2543, preferred deal, 5M impressions" }];
    const said = dataOf(await send(messageId, text));
    expect(JSON.stringify(said)).toMatch(/qt-[0-9a-f]{12}/);
    expect(dataOf(await send(messageId, text))).toEqual(said);
  });

  test("two ids that differ in one letter outside ASCII are two keys", async () => {
    const end = randomUUID();
    const [one, two] = [await ask(`ä${end}`, { input: quote }), await ask(`ö${end}`, { input: quote })];
    expect(quoteIdOf(one)).not.toBe(quoteIdOf(two));
  });

  test("a messageId is no key of the other doors: it stands for its own message", async () => {
    const messageId = `Order 1/${randomUUID()}`;
    const { result } = await ask(messageId, { input: quote });
    const headers = { "x-api-key": world.secretOf("agency") ?? "", "idempotency-key": messageId };
    const replayed = await post(`${doors.url}/api/v1/quotes`, quote, headers);
    expect(replayed.body).toMatchObject({ quote_id: quoteId });
    expect((replayed.body as Members)["quote_id"]).not.toBe((result as Members)["quote_id"]);
  });

  test.each([["für"], ["\u0000abc"], [""], [7], ["x".repeat(256)]])(
    "a key of its own must be a key: %j",
    async (key) => {
      for (const data of [{ input: quote, idempotency_key: key }, { input: { ...quote, idempotency_key: key } }]) {
        expect((await ask(randomUUID(), data))["error"]).toMatchObject({ error: "validation_error", status: 422 });
      }
    },
  );
});

describe("doors: the agent that the query names", () => {
  const data = { operation: "request_quote", input: quote };
  const named = (url: string): string => `?agent_url=${encodeURIComponent(url)}`;
  const bodyOf = (agentUrl?: string): Readonly<Record<string, unknown>> => {
    const input = agentUrl === undefined ? quote : { ...quote, agent_url: agentUrl };
    const message = { messageId: randomUUID(), role: "user", parts: [dataPart({ ...data, input })] };
    const envelope = { jsonrpc: "2.0", id: 1 };
    return {
      "/rpc": { ...envelope, method: "request_quote", params: input },
      "/mcp/call": { name: "request_quote", arguments: input },
      "/a2a/seller/jsonrpc": { ...envelope, method: "message/send", params: { message } },
    };
  };

  test.each(["/rpc", "/mcp/call", "/a2a/seller/jsonrpc"])(
    "%s: a blocked one is refused, and so are two that differ",
    async (path) => {
      const said = async (query: string, inside?: string): Promise<string> =>
        (await post(`${doors.url}${path}${query}`, bodyOf(inside)[path])).text;
      expect(await said(named(blockedUrl))).toContain("agent_blocked");
      expect(await said(named(otherUrl), blockedUrl)).toContain("validation_error");
      expect(await said(`${named(otherUrl)}&${named(blockedUrl).slice(1)}`)).toContain("validation_error");
      expect(await said(named(otherUrl), otherUrl)).toContain('"quote_id":"qt-');
    },
  );
});

describe("a2a parts: the agent that is named", () => {
  test.each([
    ["beside the input", { input: quote, agent_url: blockedUrl }],
    ["in the input", { input: { ...quote, agent_url: blockedUrl } }],
    ["beside an input that names none", { input: { ...quote, agent_url: null }, agent_url: blockedUrl }],
    ["in both places", { input: { ...quote, agent_url: blockedUrl }, agent_url: blockedUrl }],
  ])("a blocked one is refused %s", async (_name, data) => {
    expect((await ask(randomUUID(), data))["error"]).toMatchObject({ error: "agent_blocked", status: 403 });
  });

  test("a blocked one is refused beside an operation that reads no agent_url", async () => {
    const data = { operation: "list_products", input: {}, agent_url: blockedUrl };
    expect((await ask(randomUUID(), data))["error"]).toMatchObject({ error: "agent_blocked" });
    const { input: _none, ...bare } = data;
    expect((await ask(randomUUID(), bare))["error"]).toMatchObject({ error: "agent_blocked" });
  });

  test("two that differ are refused, and one that is not blocked lowers the tier as in the input", async () => {
    const both = { input: { ...quote, agent_url: otherUrl }, agent_url: blockedUrl };
    expect((await ask(randomUUID(), both))["error"]).toMatchObject({ error: "validation_error", status: 422 });
    const [beside, inside] = [
      await ask(randomUUID(), { input: quote, agent_url: otherUrl }),
      await ask(randomUUID(), { input: { ...quote, agent_url: otherUrl } }),
    ];
    const priced = { quote_id: quoteId, pricing: (inside["result"] as Members)["pricing"] };
    expect(beside["result"]).toMatchObject(priced);
    expect((await ask(randomUUID(), { input: quote }))["result"]).not.toMatchObject(priced);
  });
});
