import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../../spec/launched.ts";
import { serveArithmetic } from "../arithmetic.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { eventsOf, type Members, post, type Said, streamFrom } from "../wire.ts";

let seller: Started;
let buyer: Started;
let hook: Receiver;
let operator: string;
let buyerOperator: string;
const keys: Record<string, string> = {};
beforeAll(async () => {
  hook = await openReceiver();
  const environment = {
    OUTBOUND_ALLOW: new URL(hook.url).host,
    APPROVAL_GATE_ENABLED: "true",
    APPROVAL_REQUIRED_FLOWS: "deal,negotiation",
    APPROVAL_REQUIRED_ABOVE_VALUE: "50000",
  };
  seller = await startSeller(environment);
  buyer = await startBuyer({ OUTBOUND_ALLOW: environment.OUTBOUND_ALLOW });
  operator = String((await seller.host("create_operator_key", { label: "desk" }))["api_key"]);
  buyerOperator = String((await buyer.host("create_operator_key", { label: "desk" }))["api_key"]);
  for (const name of ["one", "two"]) {
    const made = await seller.host("create_api_key", { label: name, agency_id: `ag-${name}`, seat_id: `st-${name}` });
    keys[name] = String(made["api_key"]);
  }
});
afterAll(async () => {
  await seller.close();
  await buyer.close();
  await hook.close();
});

type Id = string;

const send = (method: string, params: Members, key: string | null = keys["one"] ?? ""): Promise<Said> =>
  post(
    `${seller.url}/a2a/seller/jsonrpc`,
    { jsonrpc: "2.0", id: 1, method, params },
    key === null ? {} : { "x-api-key": key },
  );
const rpc = async (method: string, params: Members, key?: string | null): Promise<Members> =>
  (await send(method, params, key)).body as Members;
const resultOf = (answer: Members): Members => {
  expect(answer["error"]).toBeUndefined();
  return answer["result"] as Members;
};

const legacyText = (text: string, more: Members = {}): Members => ({
  message: { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }], ...more },
});
const currentText = (text: string, more: Members = {}): Members => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
});
const calling = (operation: string, input: Members): Members => ({
  message: {
    kind: "message",
    messageId: randomUUID(),
    role: "user",
    parts: [{ kind: "data", data: { operation, input } }],
  },
});

const question = "I would like to make a proposal";
const openTask = async (): Promise<Id> => String(resultOf(await rpc("message/send", legacyText(question)))["id"]);

const at = (path: string): Received[] => hook.received.filter((one) => one.path === path);
type Received = Receiver["received"][number];

const arrival = async (path: string, count = 1): Promise<Received> => {
  await expect.poll(() => at(path).length, { interval: 50 }).toBeGreaterThanOrEqual(count);
  return at(path)[count - 1] as Received;
};

describe("a2a push: configurations are rows of their principal", () => {
  test("0.3: set, get, list and delete; without an id it is `default`", async () => {
    const taskId = await openTask();
    const pushNotificationConfig = { url: `${hook.url}/none`, token: "t", authentication: { schemes: ["Bearer"] } };
    const set = resultOf(await rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig }));
    expect(set).toMatchObject({ taskId, pushNotificationConfig: { ...pushNotificationConfig, id: "default" } });
    expect(resultOf(await rpc("tasks/pushNotificationConfig/get", { id: taskId }))).toEqual(set);
    const second = { taskId, pushNotificationConfig: { id: "b", url: `${hook.url}/none` } };
    resultOf(await rpc("tasks/pushNotificationConfig/set", second));
    const named = { id: taskId, pushNotificationConfigId: "b" };
    expect(resultOf(await rpc("tasks/pushNotificationConfig/get", named))).toEqual(second);
    expect(resultOf(await rpc("tasks/pushNotificationConfig/list", { id: taskId }))).toEqual([set, second]);
    expect(await rpc("tasks/pushNotificationConfig/delete", named)).toMatchObject({ result: null });
    expect(resultOf(await rpc("tasks/pushNotificationConfig/list", { id: taskId }))).toEqual([set]);
  });

  test("1.0: create, get, list and delete; the agent names one without an id", async () => {
    const taskId = await openTask();
    const made = resultOf(await rpc("CreateTaskPushNotificationConfig", { taskId, url: `${hook.url}/none` }));
    expect(made).toMatchObject({ taskId, url: `${hook.url}/none`, id: expect.stringMatching(/./) as string });
    const one = { taskId, id: made["id"] };
    expect(resultOf(await rpc("GetTaskPushNotificationConfig", one))).toEqual(made);
    expect(resultOf(await rpc("ListTaskPushNotificationConfigs", { taskId }))).toMatchObject({ configs: [made] });
    resultOf(await rpc("DeleteTaskPushNotificationConfig", one));
    expect(await rpc("GetTaskPushNotificationConfig", one)).toMatchObject({ error: { code: -32001 } });
  });

  test("another principal finds neither the task nor its configurations", async () => {
    const taskId = await openTask();
    const config = { id: "a", url: `${hook.url}/none` };
    resultOf(await rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: config }));
    for (const [method, params] of [
      ["tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: config }],
      ["tasks/pushNotificationConfig/get", { id: taskId, pushNotificationConfigId: "a" }],
      ["tasks/pushNotificationConfig/list", { id: taskId }],
      ["tasks/pushNotificationConfig/delete", { id: taskId, pushNotificationConfigId: "a" }],
      ["GetTaskPushNotificationConfig", { taskId, id: "a" }],
    ] as const) {
      expect(await rpc(method, params, keys["two"]), method).toMatchObject({ error: { code: -32001 } });
    }
  });

  test("without a key: 401, on the message that brings a configuration too, and nothing is done", async () => {
    const taskId = await openTask();
    const pushNotificationConfig = { url: `${hook.url}/none` };
    const inline = { ...legacyText("price of prod-53e78a97"), configuration: { pushNotificationConfig } };
    for (const [method, params] of [
      ["tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig }],
      ["message/send", inline],
      ["message/stream", inline],
    ] as const) {
      const said = await send(method, params, null);
      expect([said.status, said.headers.get("www-authenticate")], method).toEqual([401, "Bearer"]);
      expect(said.body).toMatchObject({ id: 1, error: { data: { error: "authentication_required" } } });
    }
  });
});

describe("a2a push: what is refused", () => {
  test("everything, where tasks are kept in memory and the card says so: -32003", async () => {
    const { url, close } = await serveArithmetic();
    for (const [method, params] of [
      ["tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: { url: "https://example.com" } }],
      ["tasks/pushNotificationConfig/list", {}],
      ["GetTaskPushNotificationConfig", { taskId: "x", id: "y" }],
      ["DeleteTaskPushNotificationConfig", []],
    ]) {
      const said = await post(`${url}/a2a/seller/jsonrpc`, { jsonrpc: "2.0", id: 1, method, params });
      expect(said.body).toMatchObject({ error: { code: -32003 } });
    }
    await close();
  });

  const urls = ["http://10.0.0.1/x", "http://169.254.169.254/", "http://[::1]/", "http://localhost:1/", "file:///etc"];

  test.each([...urls, "no url", ""])("the address %j", async (url) => {
    const taskId = await openTask();
    const set = await rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: { url } });
    expect(set).toMatchObject({ error: { code: -32602 } });
    expect(await rpc("CreateTaskPushNotificationConfig", { taskId, url })).toMatchObject({ error: { code: -32602 } });
    const inline = {
      ...calling("list_products", {}),
      configuration: { blocking: true, pushNotificationConfig: { url } },
    };
    expect(await rpc("message/send", inline)).toMatchObject({ error: { code: -32602 } });
    expect(resultOf(await rpc("tasks/pushNotificationConfig/list", { id: taskId }))).toEqual([]);
  });

  test.each([
    [{ token: "a\r\nx-injected: 1" }],
    [{ token: 5 }],
    [{ token: "é" }],
    [{ id: "x".repeat(129) }],
    [{ id: 7 }],
    [{ authentication: "Bearer" }],
    [{ authentication: { schemes: "Bearer" } }],
    [{ authentication: { schemes: ["Bearer"], credentials: "a\nb" } }],
    [{ authentication: { schemes: ["Be arer"], credentials: "a" } }],
  ])("%j", async (more) => {
    const taskId = await openTask();
    const pushNotificationConfig = { url: `${hook.url}/none`, ...more };
    const set = await rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig });
    expect(set).toMatchObject({ error: { code: -32602 } });
  });

  test("an eleventh configuration of a task", async () => {
    const taskId = await openTask();
    const set = (id: string) =>
      rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: { id, url: `${hook.url}/none` } });
    for (let made = 0; made < 10; made += 1) resultOf(await set(`c${made}`));
    expect(await set("c10")).toMatchObject({ error: { code: -32602 } });
    expect(resultOf(await set("c9"))).toMatchObject({ taskId });
  });
});

describe("a2a push: deliveries", () => {
  test("1.0: a message with a configuration is answered, and its task sent with the credentials", async () => {
    const authentication = { scheme: "Bearer", credentials: "abc" };
    const taskPushNotificationConfig = { url: `${hook.url}/current`, token: "unused", authentication };
    const params = { ...currentText("price of prod-53e78a97 for 5M"), configuration: { taskPushNotificationConfig } };
    const { task } = resultOf(await rpc("SendMessage", params)) as { task: Members };
    const { headers, body } = await arrival("/current");
    expect([headers.authorization, headers["x-a2a-notification-token"]]).toEqual(["Bearer abc", undefined]);
    expect(headers["content-type"]).toBe("application/a2a+json");
    expect(body).toMatchObject({ task: { id: task["id"], status: { state: "TASK_STATE_COMPLETED" } } });
  });

  test("a repeated message that brings a configuration has it set, and is answered as before", async () => {
    const { message } = legacyText(question);
    const first = resultOf(await rpc("message/send", { message }));
    const configuration = { pushNotificationConfig: { id: "late", url: `${hook.url}/late` } };
    expect(resultOf(await rpc("message/send", { message, configuration }))).toEqual(first);
    resultOf(await rpc("tasks/cancel", { id: first["id"] }));
    expect((await arrival("/late")).body).toMatchObject({ id: first["id"], status: { state: "canceled" } });
  });

  test("a configuration that was deleted gets nothing more", async () => {
    const pushNotificationConfig = { id: "one", url: `${hook.url}/deleted` };
    const params = { ...legacyText(question), configuration: { blocking: true, pushNotificationConfig } };
    const { id } = resultOf(await rpc("message/send", params));
    await arrival("/deleted");
    const kept = { id: "two", url: `${hook.url}/kept` };
    resultOf(await rpc("tasks/pushNotificationConfig/set", { taskId: id, pushNotificationConfig: kept }));
    await rpc("tasks/pushNotificationConfig/delete", { id, pushNotificationConfigId: "one" });
    await rpc("tasks/cancel", { id });
    await arrival("/kept");
    expect(at("/deleted")).toHaveLength(1);
  }, 15_000);

  test("0.3: the task is sent with its token, and again after a failure, but not once its key was revoked", async () => {
    const made = await seller.host("create_api_key", { label: "gone", agency_id: "ag-gone" });
    const cancelWith = async (path: string, key?: string): Promise<Received> => {
      const taskId = String(resultOf(await rpc("message/send", legacyText(question), key))["id"]);
      const pushNotificationConfig = { url: `${hook.url}${path}`, token: "secret-token" };
      resultOf(await rpc("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig }, key));
      hook.statuses.push(503);
      resultOf(await rpc("tasks/cancel", { id: taskId }, key));
      const first = await arrival(path);
      expect(first.headers["x-a2a-notification-token"]).toBe("secret-token");
      expect(first.headers["content-type"]).toBe("application/json");
      expect(first.body).toMatchObject({ kind: "task", id: taskId, status: { state: "canceled" } });
      return first;
    };
    await cancelWith("/revoked", String(made["api_key"]));
    await seller.host("revoke_api_key", { key_id: made["key_id"] });
    const first = await cancelWith("/legacy");
    expect((await arrival("/legacy", 2)).body).toEqual(first.body);
    const isGivenUp = (): boolean =>
      seller.logged.some(({ fields }) => JSON.stringify(fields).includes("key_not_valid"));
    await expect.poll(isGivenUp).toBe(true);
    expect(at("/revoked")).toHaveLength(1);
  }, 25_000);

  test("the buyer sends them too", async () => {
    const url = `${buyer.url}/a2a/buyer/jsonrpc`;
    const headers = { "x-api-key": buyerOperator };
    const params = {
      ...calling("list_bookings", {}),
      configuration: { blocking: true, pushNotificationConfig: { url: `${hook.url}/buyer` } },
    };
    await post(url, { jsonrpc: "2.0", id: 1, method: "message/send", params }, headers);
    expect((await arrival("/buyer")).body).toMatchObject({ kind: "task", status: { state: "completed" } });
  });
});

describe("a2a: a task that waits for a human", () => {
  const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 };

  const gatedDeal = async (path: string): Promise<{ readonly task: Members; readonly approvalId: string }> => {
    const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
    const quoted = resultOf(await rpc("message/send", blocking(calling("request_quote", { ...terms, ...flight }))));
    const { result } = dataOf(quoted) as { result: Members };
    const pushNotificationConfig = { url: `${hook.url}${path}` };
    const params = { ...calling("book_deal", { quote_id: result["quote_id"] }) };
    const task = resultOf(
      await rpc("message/send", { ...params, configuration: { blocking: true, pushNotificationConfig } }),
    );
    return { task, approvalId: String((dataOf(task) as { result: Members }).result["approval_id"]) };
  };
  /** The stream has begun. */
  const subscribed = (method: string, { id }: Members) =>
    streamFrom(
      `${seller.url}/a2a/seller/jsonrpc`,
      { jsonrpc: "2.0", id: 2, method, params: { id } },
      { "x-api-key": keys["one"] ?? "" },
    );
  const blocking = (params: Members): Members => ({ ...params, configuration: { blocking: true } });
  const dataOf = (task: Members): Members => {
    const [artifact] = (task["artifacts"] as Members[]).slice(-1);
    const parts = artifact?.["parts"] as Members[];
    return parts.find((part) => part["kind"] === "data")?.["data"] as Members;
  };
  const decide = (approvalId: string, decision: string): Promise<Members> =>
    rpc("message/send", blocking(calling("approve_or_reject", { approval_id: approvalId, decision })), operator);

  test("is input-required, is completed by the approval, and push and stream say so", async () => {
    const { task, approvalId } = await gatedDeal("/approved");
    expect(task).toMatchObject({ status: { state: "input-required" }, metadata: { approval_id: approvalId } });
    await arrival("/approved");
    const { rest } = await subscribed("SubscribeToTask", task);
    resultOf(await decide(approvalId, "approve"));
    const states = eventsOf(await rest).map(({ body }) => {
      const { task: said } = body["result"] as { task: { status: { state: string } } };
      return said.status.state;
    });
    expect(states).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"]);
    const { body } = await arrival("/approved", 2);
    expect(body).toMatchObject({ id: task["id"], status: { state: "completed" } });
    const kept = resultOf(await rpc("tasks/get", { id: task["id"] }));
    expect(dataOf(kept)).toMatchObject({ operation: "get_deal", result: { approval_id: approvalId } });
  });

  test("a negotiation whose end a human must allow: its task ends with the record of the negotiation", async () => {
    const flight = { flight_start: "2027-04-01", flight_end: "2027-04-30" };
    const quoted = resultOf(await rpc("message/send", blocking(calling("request_quote", { ...terms, ...flight }))));
    const { quote_id } = (dataOf(quoted) as { result: Members }).result;
    let offer: Members = { quote_id, action: "counter", buyer_price: 29.5 };
    let task: Members = {};
    let talk: Members = {};
    for (let round = 0; round < 6 && talk["approval_id"] == null; round += 1) {
      task = resultOf(await rpc("message/send", blocking(calling("negotiate", offer))));
      talk = (dataOf(task) as { result: Members }).result;
      offer = { negotiation_id: talk["negotiation_id"], action: "counter", buyer_price: 29.5 };
    }
    const { approval_id, negotiation_id } = talk;
    expect(task).toMatchObject({ status: { state: "input-required" }, metadata: { approval_id } });
    resultOf(await decide(String(approval_id), "approve"));
    const ended = async (): Promise<Members> => resultOf(await rpc("tasks/get", { id: task["id"] }));
    await expect.poll(ended).toMatchObject({ status: { state: "completed" }, metadata: { approval_id: null } });
    expect(dataOf(await ended())).toMatchObject({ result: { negotiation_id, approval_id: null } });
  });

  test("0.3: whoever subscribes to it hears the decision too", async () => {
    const { task, approvalId } = await gatedDeal("/resubscribed");
    const { rest } = await subscribed("tasks/resubscribe", task);
    resultOf(await decide(approvalId, "reject"));
    const states = eventsOf(await rest).map(
      ({ body }) => (body["result"] as { status: { state: string } }).status.state,
    );
    expect(states).toEqual(["input-required", "rejected"]);
  });

  test("goes on waiting when its buyer writes meanwhile", async () => {
    const { task, approvalId } = await gatedDeal("/asked");
    const next = blocking(legacyText("what did I book so far?", { taskId: task["id"], contextId: task["contextId"] }));
    expect(resultOf(await rpc("message/send", next))).toMatchObject({
      id: task["id"],
      status: { state: "input-required" },
      metadata: { approval_id: approvalId },
    });
    resultOf(await decide(approvalId, "approve"));
    await expect
      .poll(async () => resultOf(await rpc("tasks/get", { id: task["id"] }))["status"])
      .toMatchObject({ state: "completed" });
  });
});
