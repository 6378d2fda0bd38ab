import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { covers } from "../requirements.ts";
import { type Answer, type Started, startSeller } from "./launched.ts";

let seller: Started;
beforeAll(async () => {
  seller = await startSeller();
});
afterAll(() => seller.close());

type Members = Readonly<Record<string, unknown>>;

let count = 0;
const messageOf = (parts: readonly Members[]): Members => ({
  messageId: `5f0d2f5e-0000-4000-8000-${String((count += 1)).padStart(12, "0")}`,
  role: "user",
  parts,
});

const rpc = (message: Members, more: Members = {}): Members => ({
  jsonrpc: "2.0",
  id: "req-1",
  method: "message/send",
  params: { message },
  ...more,
});

const post = (body: unknown): Promise<Answer> => seller.ask("POST", "/a2a/seller/jsonrpc", { body });
const say = async (text: string): Promise<Members> => (await post(rpc(messageOf([{ kind: "text", text }])))).body;

const resultOf = (body: Members): Members => body["result"] as Members;
const partOf = (body: Members, kind: string): Members | undefined =>
  (resultOf(body)["parts"] as readonly Members[]).find((part) => part["kind"] === kind);
const answerOf = (body: Members): Members => partOf(body, "data")?.["data"] as Members;

describe("seller A2A: the flat reply", () => {
  test("it has the request's id, a task, a context, a status, and parts for people and programs", async () => {
    covers("seller.a2a.endpoint", "seller.a2a.request.text-part", "seller.a2a.request.id-echoed");
    covers("seller.a2a.answer.task-id", "seller.a2a.answer.context-id", "seller.a2a.answer.status");
    covers("seller.a2a.answer.text-part", "seller.a2a.answer.data-part", "seller.a2a.kind.pricing");
    const body = await say("price of prod-53e78a97 for 5M impressions");
    const id = expect.stringMatching(/^\S+$/) as string;
    const result = { taskId: id, contextId: id, status: "completed" };
    expect(body).toMatchObject({ jsonrpc: "2.0", id: "req-1", result });
    expect(String(partOf(body, "text")?.["text"])).toContain("$35.00");
    expect(answerOf(body)).toMatchObject({ skill: "pricing", outcome: "answer", result: { final_price: 35 } });
  });

  test("a question back leaves the task in progress, a refused operation ends it as failed", async () => {
    covers("seller.a2a.answer.status");
    expect(resultOf(await say("I need a quote"))["status"]).toBe("in_progress");
    const data = { operation: "get_quote", input: { quote_id: "qt-000000000000" } };
    expect(resultOf((await post(rpc(messageOf([{ kind: "data", data }])))).body)["status"]).toBe("failed");
  });

  test("a data part is understood", async () => {
    covers("seller.a2a.request.data-part", "seller.a2a.answer.data-part");
    const data = { operation: "get_pricing", input: { product_id: "prod-53e78a97" } };
    const { body } = await post(rpc(messageOf([{ kind: "data", data }])));
    expect(answerOf(body)).toMatchObject({ operation: "get_pricing", result: { final_price: 35 } });
  });

  test("the context of the first reply is that of the second when it is sent along", async () => {
    covers("seller.a2a.answer.context-id");
    const { contextId } = resultOf(await say("price of prod-53e78a97"));
    const params = { message: messageOf([{ kind: "text", text: "price of prod-15ba2543" }]), contextId };
    const second = await post(rpc({}, { params }));
    expect(resultOf(second.body)["contextId"]).toBe(contextId);
    expect(resultOf(await say("price of prod-15ba2543"))["contextId"]).not.toBe(contextId);
  });
});

describe("seller A2A: what is asked of a request", () => {
  test.each([
    ["no version", { jsonrpc: undefined }, -32600],
    ["another version", { jsonrpc: "1.0" }, -32600],
    ["no method", { method: undefined }, -32600],
    ["an unknown method", { method: "message/receive" }, -32601],
  ])("a request with %s is refused", async (_name, change, code) => {
    covers("seller.a2a.request.jsonrpc", "seller.a2a.request.method");
    const { body } = await post(rpc(messageOf([{ kind: "text", text: "price of CTV" }]), change));
    expect(body).toMatchObject({ error: { code } });
  });

  test.each([
    ["no message", { params: {} }],
    ["no messageId", { params: { message: { role: "user", parts: [{ kind: "text", text: "x" }] } } }],
    ["no role", { params: { message: { messageId: "m-1", parts: [{ kind: "text", text: "x" }] } } }],
    ["no parts", { params: { message: { messageId: "m-2", role: "user" } } }],
    ["empty parts", { params: { message: { messageId: "m-3", role: "user", parts: [] } } }],
  ])("a request with %s is refused", async (_name, change) => {
    covers("seller.a2a.request.message");
    const { body } = await post(rpc({}, change));
    expect(body).toMatchObject({ id: "req-1", error: { code: -32602 } });
  });
});

test("seller A2A: the card is served below the agent's type", async () => {
  covers("seller.a2a.card");
  const card = await seller.ask("GET", "/a2a/seller/.well-known/agent-card.json");
  expect(card.status).toBe(200);
  expect(JSON.stringify(card.body)).toContain(`${seller.url}/a2a/seller/jsonrpc`);
});
