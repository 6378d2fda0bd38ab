import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../../spec/launched.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { eventsOf, type Members, post } from "../wire.ts";
import { httpCaller } from "./http-caller.ts";

let seller: Started;
let buyer: Started;
let hook: Receiver;
let key: string;
beforeAll(async () => {
  hook = await openReceiver();
  seller = await startSeller({ OUTBOUND_ALLOW: new URL(hook.url).host });
  buyer = await startBuyer();
  key = String((await seller.host("create_api_key", { label: "known", agency_id: "ag-1" }))["api_key"]);
});
afterAll(async () => {
  await seller.close();
  await buyer.close();
  await hook.close();
});

const ask = httpCaller("v0.3/v1", () => ({ seller, key }));
const asEvents = async (method: string, path: string, body?: Members): Promise<readonly Members[]> => {
  const typed = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(`${seller.url}/a2a/seller/v0.3/v1${path}`, {
    method,
    headers: { "x-api-key": key, ...typed },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  return eventsOf(await answer.text()).map((event) => event.body);
};

const message = (content: unknown, more: Members = {}): Members => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", content, ...more },
});
const price = [{ text: "price of prod-53e78a97 for 5M impressions" }];
const question = [{ text: "I would like to make a proposal" }];
const taskOf = async (content: unknown, more: Members = {}): Promise<Members> =>
  (await ask("POST", "/message:send", { body: message(content, more) })).body["task"] as Members;
const stateOf = (task: unknown): unknown => ((task as Members)["status"] as Members)["state"];

describe("a2a http+json 0.3: messages and tasks are the JSON of its protobuf definitions", () => {
  test("a message is answered with its task, and the task is that of JSON-RPC", async () => {
    const task = await taskOf(price);
    expect(stateOf(task)).toBe("TASK_STATE_COMPLETED");
    const { artifacts, history } = task;
    const skill = expect.objectContaining({ skill: "pricing" }) as unknown;
    expect(artifacts).toMatchObject([{ parts: [{ text: expect.any(String) as unknown }, { data: { data: skill } }] }]);
    expect(history).toMatchObject([{ role: "ROLE_USER", content: price }]);
    const get = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: task["id"] } };
    const rpc = await post(`${seller.url}/a2a/seller/jsonrpc`, get, { "x-api-key": key });
    expect((rpc.body as Members)["result"]).toMatchObject({ kind: "task", id: task["id"] });
    expect((await ask("GET", `/tasks/${String(task["id"])}`)).body).toEqual(task);
    expect((await ask("GET", `/tasks/${String(task["id"])}?history_length=0`)).body["history"] ?? []).toEqual([]);
  });

  test("names with underscores are read as well, and `request` for the message", async () => {
    const sent = { message_id: randomUUID(), role: "ROLE_USER", content: question, task_id: "", context_id: null };
    const asked = (await ask("POST", "/message:send", { body: { request: sent } })).body["task"] as Members;
    expect(stateOf(asked)).toBe("TASK_STATE_INPUT_REQUIRED");
    const more = { message_id: randomUUID(), role: 1, content: [{ text: "no" }], task_id: asked["id"] };
    const again = (await ask("POST", "/message:send", { body: { request: more } })).body["task"] as Members;
    expect([again["id"], again["contextId"]]).toEqual([asked["id"], asked["contextId"]]);
  });

  test("a data part calls an operation; the same message again is the same answer", async () => {
    const input = { deal_type: "PG", impressions: 1_000_000, flight_start: "2027-03-01", flight_end: "2027-03-31" };
    const call = { operation: "request_quote", input: { product_id: "prod-53e78a97", ...input } };
    const body = message([{ data: { data: call } }]);
    const first = await ask("POST", "/message:send", { body });
    expect(first.text).toContain('"quote_id"');
    expect((await ask("POST", "/message:send", { body })).text).toBe(first.text);
  });

  test("a stream has the task, the artifact and the last state; one who comes later is shown the task", async () => {
    const events = await asEvents("POST", "/message:stream", message(price));
    expect(events.map((event) => Object.keys(event))).toEqual([["task"], ["artifactUpdate"], ["statusUpdate"]]);
    expect(events[2]?.["statusUpdate"]).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" }, final: true });
    const waits = await taskOf(question);
    for (const method of ["GET", "POST"]) {
      const shown = await asEvents(method, `/tasks/${String(waits["id"])}:subscribe`);
      expect(shown.map(({ task }) => stateOf(task))).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
    }
  });

  test("a task that waits is canceled once; a second time it is not cancelable", async () => {
    const path = `/tasks/${String((await taskOf(question))["id"])}:cancel`;
    expect(stateOf((await ask("POST", path)).body)).toBe("TASK_STATE_CANCELLED");
    const again = await ask("POST", path, { body: {} });
    expect([again.status >= 400, again.body["code"]]).toEqual([true, -32002]);
  });

  test("push configurations, in both forms that clients send, and what they bring about", async () => {
    const { id } = await taskOf(question);
    const path = `/tasks/${String(id)}/pushNotificationConfigs`;
    const pushNotificationConfig = { id: "one", url: `${hook.url}/legacy`, token: "t" };
    const made = await ask("POST", path, { body: { pushNotificationConfig } });
    const name = `tasks/${String(id)}/pushNotificationConfigs/one`;
    expect([made.status, made.body]).toEqual([201, { name, pushNotificationConfig }]);
    const wrapped = { config_id: "two", config: { push_notification_config: { url: `${hook.url}/other` } } };
    expect((await ask("POST", path, { body: wrapped })).body).toMatchObject({ pushNotificationConfig: { id: "two" } });
    expect((await ask("GET", `${path}/one`)).body).toEqual(made.body);
    expect((await ask("GET", path)).body["configs"]).toHaveLength(2);
    expect((await ask("DELETE", `${path}/two`)).status).toBe(204);
    expect(
      (await ask("POST", path, { body: { config: { pushNotificationConfig: { url: "http://10.0.0.1/" } } } })).status,
    ).toBe(400);
    await ask("POST", `/tasks/${String(id)}:cancel`);
    await expect.poll(() => hook.received.map((one) => one.path)).toContain("/legacy");
    const pushed = hook.received.find((one) => one.path === "/legacy");
    expect(pushed?.body).toMatchObject({ kind: "task", id, status: { state: "canceled" } });
  });

  test("the extended card needs a key", async () => {
    const { status, body } = await ask("GET", "/card");
    const { securitySchemes, skills } = body as { securitySchemes: Members; skills: Members[] };
    expect([status, skills.some(({ id }) => id === "book_deal")]).toEqual([200, true]);
    expect(securitySchemes).toMatchObject({
      api_key: { apiKeySecurityScheme: { location: "header", name: "X-Api-Key" } },
      bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
    });
    expect((await ask("GET", "/card", { headers: { "x-api-key": "" } })).status).toBe(401);
  });
});

describe("a2a http+json 0.3: what is refused", () => {
  test.each([
    ["GET", "/tasks/none", undefined, 404, -32001],
    ["POST", "/tasks/none:cancel", undefined, 404, -32001],
    ["GET", "/tasks/none:subscribe", undefined, 404, -32001],
    ["POST", "/message:send", "{", 400, -32602],
    ["POST", "/message:send", "[]", 400, -32602],
    ["POST", "/message:send", {}, 400, -32602],
    ["POST", "/message:send", { message: 5 }, 400, -32602],
    ["POST", "/message:send", message([]), 400, -32602],
    ["POST", "/message:send", message("text"), 400, -32602],
    ["POST", "/message:send", message([{}]), 400, -32602],
    ["POST", "/message:send", message([5]), 400, -32602],
    ["POST", "/message:send", message([{ text: 5 }]), 400, -32602],
    ["POST", "/message:send", message([{ text: "a", data: { data: {} } }]), 400, -32602],
    ["POST", "/message:send", message([{ data: { data: "x" } }]), 400, -32602],
    ["POST", "/message:send", message(price, { contextId: { $ne: "" } }), 400, -32602],
    ["POST", "/message:send", message(price, { role: "ROLE_UNSPECIFIED" }), 400, -32602],
    ["POST", "/message:stream", message([{}]), 400, -32602],
    ["POST", "/tasks/none/pushNotificationConfigs", {}, 400, -32602],
  ])("%s %s %j is %i", async (method, path, body, status, code) => {
    const said = await ask(method, path, { body });
    expect([said.status, said.body["code"], typeof said.body["message"]]).toEqual([status, code, "string"]);
  });

  test("a file is refused as a type that nobody reads", async () => {
    const file = { file: { file_with_uri: "https://example.com/a.pdf", mime_type: "application/pdf" } };
    const said = await ask("POST", "/message:send", { body: message([...price, file]) });
    expect([said.status, said.body["code"]]).toEqual([415, -32005]);
  });

  test("another version and another media type", async () => {
    const current = await ask("GET", "/tasks/x", { headers: { "a2a-version": "1.0" } });
    expect([current.status, current.body["code"]]).toEqual([400, -32009]);
    const typed = await ask("POST", "/message:send", { body: "x", headers: { "content-type": "text/plain" } });
    expect([typed.status, typed.body["code"]]).toEqual([415, -32005]);
  });

  test("credentials: 401 for a wrong key, for a push without one, and on the buyer for no key at all", async () => {
    const wrong = await ask("GET", "/tasks/x", { headers: { "x-api-key": "ask_live_wrong" } });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(wrong.body).toMatchObject({ data: { error: "invalid_api_key", status: 401 } });
    const bare = { "x-api-key": "" };
    expect((await ask("GET", "/tasks/x/pushNotificationConfigs", { headers: bare })).status).toBe(401);
    expect((await ask("GET", "/tasks/x", { headers: bare, agent: buyer, name: "buyer" })).status).toBe(401);
    expect((await ask("POST", "/message:send", { body: message(price), headers: bare })).status).toBe(200);
  });

  test("another principal finds no task", async () => {
    const { id } = await taskOf(question);
    const other = String((await seller.host("create_api_key", { label: "other", agency_id: "ag-2" }))["api_key"]);
    for (const path of [`/tasks/${String(id)}`, `/tasks/${String(id)}:subscribe`]) {
      expect((await ask("GET", path, { headers: { "x-api-key": other } })).status).toBe(404);
    }
  });
});
