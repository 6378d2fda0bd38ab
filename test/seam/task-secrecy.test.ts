import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CallContext } from "../../protocol/a2a/call-context.ts";
import { currentHttp } from "../../protocol/a2a/http/current.ts";
import { createTaskStore } from "../../protocol/a2a/tasks/task-store.ts";
import type { DoorRequest } from "../../protocol/door/door.ts";
import { anonymousCaller } from "../../protocol/seam/caller.ts";
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

type Members = Readonly<Record<string, unknown>>;

const call = async (method: string, params: Members, secret: string | null): Promise<Members> => {
  const headers = {
    "content-type": "application/json",
    "a2a-version": /^[A-Z]/.test(method) ? "1.0" : "0.3",
    ...(secret === null ? {} : { "x-api-key": secret }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
  return (await answer.json()) as Members;
};

const createKey = (secret: string | null): Promise<Members> => {
  const data = { operation: "create_api_key", input: { seat_id: "seat-of-a-task" } };
  const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "data", data }] };
  return call("message/send", { message }, secret);
};

const secretForm = /ask_live_[\w-]{20,}/;

test.each(["anonymous", "seat"])(
  "a2a task: a key that %s has created is shown in the answer and never again",
  async (caller) => {
    const secret = world.secretOf(caller);
    const created = await createKey(secret);
    expect(JSON.stringify(created)).toMatch(secretForm);
    const { taskId, contextId } = created["result"] as { taskId: string; contextId: string };
    const read = await call("tasks/get", { id: taskId }, secret);
    expect(read).toMatchObject({ result: { id: taskId } });
    expect(JSON.stringify(read)).not.toMatch(secretForm);
    const listed = await call("ListTasks", { contextId, includeArtifacts: true, historyLength: 10 }, secret);
    expect(listed).toMatchObject({ result: { tasks: [{ id: taskId }] } });
    expect(JSON.stringify(listed)).not.toMatch(secretForm);
  },
);

test("a2a task: callers without a credential get no list of each other's tasks", async () => {
  await createKey(null);
  const listed = await call("ListTasks", { includeArtifacts: true, historyLength: 10 }, null);
  expect(listed["result"]).toMatchObject({ tasks: [], totalSize: 0 });
});

const say = async (localAddress: string, messageId: string, said: string): Promise<Members> => {
  const parts = [{ kind: "text", text: said }];
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "message/send",
    params: { message: { messageId, role: "user", parts } },
  };
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", localAddress, headers }, (answer) => {
      text(answer).then((got) => resolve(JSON.parse(got) as Members), reject);
    });
    sent.once("error", reject).end(JSON.stringify(body));
  });
};

test("a2a task: who guesses an anonymous caller's messageId is not let into the conversation", async () => {
  const asked = "price of premium ctv for 5M impressions";
  const first = await say("127.0.0.1", "1", asked);
  const { contextId } = first["result"] as { contextId: string };
  expect(contextId).toMatch(/^[0-9a-f-]{36}$/);
  const retried = await say("127.0.0.1", "1", asked);
  expect(retried).toMatchObject({ result: { contextId } });
  for (const [address, said] of [
    ["127.0.0.1", "and what else was said here?"],
    ["127.0.0.2", asked],
  ] as const) {
    expect(JSON.stringify(await say(address, "1", said))).not.toContain(contextId);
  }
});

test("a2a task: a foreign task answers as one that does not exist, but for the id", async () => {
  const created = await createKey(world.secretOf("agency"));
  const { taskId } = created["result"] as { taskId: string };
  const missing = "00000000-0000-4000-8000-000000000000";
  for (const method of ["tasks/get", "tasks/cancel"]) {
    const foreign = JSON.stringify(await call(method, { id: taskId }, world.secretOf("advertiser")));
    const absent = JSON.stringify(await call(method, { id: missing }, world.secretOf("advertiser")));
    expect(foreign.replace(taskId, missing)).toBe(absent);
  }
});

test("a2a task: reading with a short history leaves the stored history as it is", async () => {
  const secret = world.secretOf("seat");
  const created = await createKey(secret);
  const { taskId } = created["result"] as { taskId: string };
  await call("tasks/get", { id: taskId, historyLength: 0 }, secret);
  const read = await call("tasks/get", { id: taskId }, secret);
  expect((read["result"] as { history: unknown[] }).history).toHaveLength(1);
});

const isKept = async (id: string, secret: string | null): Promise<boolean> =>
  (await call("tasks/get", { id }, secret))["result"] !== undefined;

test.each(["advertiser", "anonymous"])(
  "a2a task: long messages of the caller %s push its own old tasks out, and nobody else's",
  async (caller) => {
    const secret = world.secretOf(caller);
    const ofAgency = (await createKey(world.secretOf("agency")))["result"] as { taskId: string };
    const ofOther = (await say("127.0.0.2", randomUUID(), "price of premium ctv"))["result"] as { taskId: string };
    const ids: string[] = [];
    const padding = "x".repeat(900_000);
    for (let index = 0; index < 45; index += 1) {
      const data = { operation: "get_deal", input: { deal_id: "none", padding } };
      const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "data", data }] };
      const sent = await call("message/send", { message }, secret);
      ids.push((sent["result"] as { taskId: string }).taskId);
    }
    expect([await isKept(String(ids[0]), secret), await isKept(String(ids.at(-1)), secret)]).toEqual([false, true]);
    expect(await isKept(ofAgency.taskId, world.secretOf("agency"))).toBe(true);
    expect(await isKept(ofOther.taskId, null)).toBe(true);
  },
);

test("a2a task: a task that goes on and on keeps its newest messages, as many as one body may hold", async () => {
  const secret = world.secretOf("seat");
  const turn = async (said: string, more: Members): Promise<{ taskId: string; contextId: string; status: string }> => {
    const metadata = { padding: "x".repeat(500_000) };
    const parts = [{ kind: "text", text: "I want a quote" }];
    const message = { messageId: said, role: "user", parts, metadata, ...more };
    return (await call("message/send", { message }, secret))["result"] as never;
  };
  const { taskId, contextId } = await turn("turn-0", {});
  for (const said of ["turn-1", "turn-2", "turn-3"]) {
    expect(await turn(said, { taskId, contextId })).toMatchObject({ taskId, status: "in_progress" });
  }
  const { history } = (await call("tasks/get", { id: taskId }, secret))["result"] as { history: Members[] };
  expect(history.map((said) => said["messageId"])).toEqual(["turn-2", "turn-3"]);
});

test("a2a task: who follows a task and does not read makes no states pile up", async () => {
  const store = createTaskStore({ mostTasks: 10, mostCharacters: 1000, mostSaid: 1000, secretMembers: [] });
  const headers = { "x-api-key": "agency" };
  const request = {
    headers,
    address: "::1",
    requestId: "r",
    node: { request: { url: "/" } },
  } as unknown as DoorRequest;
  const caller = { ...anonymousCaller("::1"), kind: "key", owner: "agency" } as const;
  const context = new CallContext(request, caller, "1.0", currentHttp.envelope);
  const states = store.follow("one", context);
  for (const contextId of ["first", "second"]) {
    const task = { id: "one", contextId, status: undefined, artifacts: [], history: [], metadata: undefined };
    await store.save(task, context);
  }
  expect((await states.next()).value).toMatchObject({ contextId: "second" });
  await states.return?.();
});
