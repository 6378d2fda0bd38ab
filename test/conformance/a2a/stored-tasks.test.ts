import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { taskKind } from "../../../protocol/a2a/tasks/task-row.ts";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { openWorld, startMs, type World } from "../../skills/world.ts";
import { type Members, post } from "../wire.ts";

let world: World;
let before: OpenDoors;
let after: OpenDoors;
beforeAll(async () => {
  world = await openWorld();
  before = await openDoors(world.runner, () => startMs, world.store);
  // Another process over the same store.
  after = await openDoors(world.runner, () => startMs, world.store);
});
afterAll(async () => {
  await before.close();
  await after.close();
  await world.close();
});

const say = async (doors: OpenDoors, method: string, params: Members, caller: string | null): Promise<Members> => {
  const headers = caller === null ? {} : { "x-api-key": world.secretOf(caller) ?? "" };
  const said = await post(`${doors.url}/a2a/seller/jsonrpc`, { jsonrpc: "2.0", id: 1, method, params }, headers);
  return said.body as Members;
};
const textMessage = (text: string, more: Members = {}): Members => ({
  message: { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text }], ...more },
});
const resultOf = ({ result }: Members): Members => result as Members;

describe("a2a: tasks are records of their owner", () => {
  test("a task is read after a restart as it was, by its owner alone", async () => {
    const task = resultOf(await say(before, "message/send", textMessage("price of prod-53e78a97"), "agency"));
    const read = { id: task["id"] };
    expect(resultOf(await say(after, "tasks/get", read, "agency"))).toEqual(task);
    for (const other of ["seat", null]) {
      expect(await say(after, "tasks/get", read, other)).toMatchObject({ error: { code: -32001 } });
    }
  });

  test("a question that was open before a restart is answered after it, under its task", async () => {
    const asked = resultOf(await say(before, "message/send", textMessage("I would like to make a proposal"), "agency"));
    expect(asked).toMatchObject({ status: { state: "input-required" } });
    const { id: taskId, contextId } = asked;
    const next = textMessage("prod-53e78a97, 20 dollars, 5M impressions", { taskId, contextId });
    const answered = resultOf(await say(after, "message/send", next, "agency"));
    expect(answered).toMatchObject({ id: taskId, contextId });
    expect((answered["history"] as unknown[]).length).toBeGreaterThan(1);
  });

  test("a retry after a restart gets the first answer in equal bytes, task id included", async () => {
    const data = {
      operation: "request_quote",
      input: { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 },
    };
    const params = textMessage("", { parts: [{ kind: "data", data }] });
    const first = await say(before, "message/send", params, "agency");
    expect(JSON.stringify(first)).toMatch(/qt-[0-9a-f]{12}/);
    expect(JSON.stringify(await say(after, "message/send", params, "agency"))).toBe(JSON.stringify(first));
  });

  test("tasks are listed page by page, those of a context and of a state alone", async () => {
    const contextId = randomUUID();
    const ids: unknown[] = [];
    for (let made = 0; made < 3; made += 1) {
      const said = await say(
        before,
        "message/send",
        textMessage("price of prod-53e78a97", { contextId }),
        "advertiser",
      );
      ids.unshift(resultOf(said)["id"]);
    }
    const page = resultOf(await say(after, "ListTasks", { contextId, pageSize: 2 }, "advertiser"));
    const tasks = page["tasks"] as readonly Members[];
    expect(tasks.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(page["totalSize"]).toBe(3);
    const pageToken = page["nextPageToken"];
    const rest = resultOf(await say(after, "ListTasks", { contextId, pageSize: 2, pageToken }, "advertiser"));
    expect((rest["tasks"] as readonly Members[]).map(({ id }) => id)).toEqual(ids.slice(2));
    const strange = await say(after, "ListTasks", { contextId, pageToken: "no-token" }, "advertiser");
    expect(strange).toMatchObject({ error: { code: -32602 } });
    const completed = { contextId, status: "TASK_STATE_COMPLETED", pageSize: 1 };
    expect(resultOf(await say(after, "ListTasks", completed, "advertiser"))["totalSize"]).toBe(3);
    const failed = { contextId, status: "TASK_STATE_FAILED" };
    expect(resultOf(await say(after, "ListTasks", failed, "advertiser"))["tasks"] ?? []).toEqual([]);
    expect(resultOf(await say(after, "ListTasks", { contextId }, "agency"))["tasks"] ?? []).toEqual([]);
  });

  test("a caller without a key leaves no record", async () => {
    const rows = await world.store.count(taskKind.name, null);
    const task = resultOf(await say(before, "message/send", textMessage("price of prod-53e78a97"), null));
    expect(await world.store.count(taskKind.name, null)).toBe(rows);
    expect(resultOf(await say(before, "tasks/get", { id: task["id"] }, null))).toEqual(task);
  });
});
