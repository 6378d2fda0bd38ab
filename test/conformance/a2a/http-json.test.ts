import { randomUUID } from "node:crypto";
import { Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../../spec/launched.ts";
import { eventsOf, type Members, post } from "../wire.ts";
import { httpCaller } from "./http-caller.ts";

let seller: Started;
let buyer: Started;
let client: Client;
let key: string;
beforeAll(async () => {
  seller = await startSeller({ OUTBOUND_ALLOW: "127.0.0.1" });
  buyer = await startBuyer();
  key = String((await seller.host("create_api_key", { label: "known", agency_id: "ag-1" }))["api_key"]);
  const withKey: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-api-key", key);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory({ transports: [new RestTransportFactory({ fetchImpl: withKey })] });
  const headers = { "A2A-Version": "1.0" };
  const card = await (await fetch(`${seller.url}/.well-known/agent-card.json`, { headers })).json();
  client = await factory.createFromAgentCard(card as Parameters<typeof factory.createFromAgentCard>[0]);
});
afterAll(async () => {
  await seller.close();
  await buyer.close();
});

const ask = httpCaller("v1", () => ({ seller, key }));

const message = (text: string, more: Members = {}): Members => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});
const price = "price of prod-53e78a97 for 5M impressions";
const question = "I would like to make a proposal";
const open = async (): Promise<Members> =>
  (await ask("POST", "/message:send", { body: message(question) })).body["task"] as Members;

const sdkMessage = (text: string) => ({
  tenant: "",
  metadata: undefined,
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false },
  message: {
    messageId: randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
});

describe("a2a http+json: the client of the SDK", () => {
  test("sends, reads, lists, streams, follows and cancels", async () => {
    const task = (await client.sendMessage(sdkMessage(price))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect((await client.getTask({ tenant: "", id: task.id })).artifacts).toEqual(task.artifacts);
    const list = { tenant: "", contextId: task.contextId, status: 0, pageToken: "", statusTimestampAfter: undefined };
    expect((await client.listTasks({ ...list, pageSize: 5 })).tasks.map(({ id }) => id)).toEqual([task.id]);
    const events: StreamResponse[] = [];
    for await (const event of client.sendMessageStream(sdkMessage(price))) events.push(event);
    expect(events[0]?.payload?.$case).toBe("task");
    const asked = (await client.sendMessage(sdkMessage(question))) as Task;
    const stream = client.resubscribeTask({ tenant: "", id: asked.id })[Symbol.asyncIterator]();
    await stream.next();
    await client.cancelTask({ tenant: "", id: asked.id, metadata: undefined });
    const { value } = (await stream.next()) as IteratorYieldResult<StreamResponse>;
    expect(value.payload?.value).toMatchObject({ status: { state: TaskState.TASK_STATE_CANCELED } });
  });

  test("keeps push configurations", async () => {
    const { id: taskId } = (await client.sendMessage(sdkMessage(question))) as Task;
    const { transport } = client;
    const made = await transport.createTaskPushNotificationConfig({
      tenant: "",
      id: "one",
      taskId,
      url: "http://127.0.0.1:1/hook",
      token: "t",
      authentication: undefined,
    });
    const named = { tenant: "", taskId, id: "one" };
    expect(await transport.getTaskPushNotificationConfig(named)).toEqual(made);
    const list = { tenant: "", taskId, pageSize: 0, pageToken: "" };
    expect((await transport.listTaskPushNotificationConfig(list)).configs).toEqual([made]);
    await transport.deleteTaskPushNotificationConfig(named);
    expect((await transport.listTaskPushNotificationConfig(list)).configs).toEqual([]);
  });
});

describe("a2a http+json: the wire", () => {
  test("an answer is that of JSON-RPC without its envelope, in its media type", async () => {
    const body = message(price);
    const said = await ask("POST", "/message:send", { body });
    expect([said.status, said.headers.get("content-type")]).toEqual([200, "application/json"]);
    const own = await ask("POST", "/message:send", { body, headers: { accept: "application/a2a+json" } });
    expect([own.headers.get("content-type"), own.body]).toEqual(["application/a2a+json", said.body]);
    const rpc = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: body };
    const same = await post(`${seller.url}/a2a/seller/jsonrpc`, rpc, { "x-api-key": key });
    expect((same.body as Members)["result"]).toEqual(said.body);
  });

  test("a stream has the events alone", async () => {
    const said = await ask("POST", "/message:stream", { body: message(price) });
    expect(said.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(eventsOf(said.text).map((event) => Object.keys(event.body))).toEqual([
      ["task"],
      ["artifactUpdate"],
      ["statusUpdate"],
    ]);
  });

  test("history and lists take their limits from the query", async () => {
    const { id, contextId } = await open();
    expect((await ask("GET", `/tasks/${String(id)}?historyLength=0`)).body["history"] ?? []).toEqual([]);
    expect((await ask("GET", `/tasks/${String(id)}`)).body["history"]).toHaveLength(1);
    const page = await ask("GET", `/tasks?contextId=${String(contextId)}&pageSize=1&includeArtifacts=true`);
    expect(page.body).toMatchObject({ totalSize: 1, tasks: [{ id, artifacts: [{ name: "answer" }] }] });
    for (const query of ["historyLength=-1", "historyLength=many", "pageSize=0", "pageSize=1.5"]) {
      const path = query.startsWith("h") ? `/tasks/${String(id)}?${query}` : `/tasks?${query}`;
      expect((await ask("GET", path)).status, query).toBe(400);
    }
  });

  test("a configuration is created with 201 and deleted with 204", async () => {
    const { id } = await open();
    const path = `/tasks/${String(id)}/pushNotificationConfigs`;
    const made = await ask("POST", path, { body: { id: "a", url: "http://127.0.0.1:1/" } });
    expect([made.status, made.body["id"], made.body["taskId"]]).toEqual([201, "a", id]);
    const gone = await ask("DELETE", `${path}/a`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await ask("POST", path, { body: { url: "http://10.0.0.1/" } })).status).toBe(400);
  });

  test.each([
    ["GET", "/tasks/none", undefined, 404, "TASK_NOT_FOUND"],
    ["POST", "/tasks/none:cancel", undefined, 404, "TASK_NOT_FOUND"],
    ["GET", "/tasks/none:subscribe", undefined, 404, "TASK_NOT_FOUND"],
    ["GET", "/tasks/none/pushNotificationConfigs", undefined, 404, "TASK_NOT_FOUND"],
    ["POST", "/message:send", "{", 400, "INVALID_PARAMS"],
    ["POST", "/message:send", "[]", 400, "INVALID_PARAMS"],
    ["POST", "/message:send", {}, 400, "INVALID_PARAMS"],
    ["POST", "/message:send", { message: { messageId: "x", role: "ROLE_USER", parts: [] } }, 400, "INVALID_PARAMS"],
  ])("%s %s %j is %i", async (method, path, body, status, reason) => {
    const said = await ask(method, path, { body });
    expect(said.status).toBe(status);
    const { error } = said.body as { error: { code: number; details: Members[] } };
    expect([error.code, error.details[0]?.["reason"], error.details[0]?.["domain"]]).toEqual([
      status,
      reason,
      "a2a-protocol.org",
    ]);
  });

  test("a file is refused as a type that nobody reads", async () => {
    const parts = [{ url: "https://example.com/a.pdf", mediaType: "application/pdf" }];
    const said = await ask("POST", "/message:send", { body: message("", { parts }) });
    expect([said.status, said.text.includes("CONTENT_TYPE_NOT_SUPPORTED")]).toEqual([415, true]);
  });

  test("an ended task is not canceled: 4xx with its reason", async () => {
    const { task } = (await ask("POST", "/message:send", { body: message(price) })).body as { task: Members };
    const said = await ask("POST", `/tasks/${String(task["id"])}:cancel`, { body: {} });
    expect(said.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(said.body)).toContain("TASK_NOT_CANCELABLE");
  });

  test("another media type, another version, another method, another path", async () => {
    const typed = await ask("POST", "/message:send", { body: "x", headers: { "content-type": "text/plain" } });
    expect(JSON.stringify(typed.body)).toContain("CONTENT_TYPE_NOT_SUPPORTED");
    expect(typed.status).toBe(415);
    const vendor = { "content-type": "application/a2a+json" };
    expect((await ask("POST", "/message:send", { body: message(price), headers: vendor })).status).toBe(200);
    const old = await ask("GET", "/tasks", { headers: { "a2a-version": "0.3" } });
    expect([old.status, JSON.stringify(old.body).includes("VERSION_NOT_SUPPORTED")]).toEqual([400, true]);
    expect((await ask("PUT", "/tasks")).status).toBe(405);
    expect((await ask("GET", "/nothing")).status).toBe(404);
  });

  test("credentials: 401 for a wrong key, for a push without one, and on the buyer for no key at all", async () => {
    const wrong = await ask("GET", "/tasks", { headers: { "x-api-key": "ask_live_wrong" } });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(wrong.body).toMatchObject({ error: { code: 401, status: "UNAUTHENTICATED" } });
    const bare = { "x-api-key": "" };
    expect((await ask("GET", "/tasks/x/pushNotificationConfigs", { headers: bare })).status).toBe(401);
    expect((await ask("GET", "/tasks", { headers: bare, agent: buyer, name: "buyer" })).status).toBe(401);
    expect((await ask("POST", "/message:send", { body: message(price), headers: bare })).status).toBe(200);
  });

  test("a task of JSON-RPC is read here, by its owner alone", async () => {
    const { id } = await open();
    const other = String((await seller.host("create_api_key", { label: "other", agency_id: "ag-2" }))["api_key"]);
    expect((await ask("GET", `/tasks/${String(id)}`)).body).toMatchObject({ id });
    expect((await ask("GET", `/tasks/${String(id)}`, { headers: { "x-api-key": other } })).status).toBe(404);
  });
});
