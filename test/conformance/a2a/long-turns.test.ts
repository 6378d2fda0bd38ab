import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { createTaskRows } from "../../../protocol/a2a/tasks/task-rows.ts";
import { failInterrupted } from "../../../protocol/a2a/tasks/interrupted.ts";
import { taskKind } from "../../../protocol/a2a/tasks/task-row.ts";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { openWorld, startMs, type World } from "../../skills/world.ts";
import { eventsOf, type Members, post } from "../wire.ts";

interface Slow {
  readonly world: World;
  readonly doors: OpenDoors;
  /** Lets the operation that every test waits for begin. */
  release(): void;
  call(
    method: string,
    params: Members,
    signal?: AbortSignal,
  ): Promise<{ readonly text: string; readonly body: Members }>;
  /** The id of the task, once the stream has shown it. */
  firstEvent(response: Response): Promise<Members>;
  open(method: string, params: Members, signal?: AbortSignal): Promise<Response>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const openSlow = async (operation = "request_quote"): Promise<Slow> => {
  const world = await openWorld();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run: World["runner"]["run"] = async (call) => {
    if (call.operation === operation) await released;
    return world.runner.run(call);
  };
  const doors = await openDoors({ ...world.runner, run }, () => startMs, world.store);
  closing.push(
    () => world.close(),
    () => doors.close(),
    () => Promise.resolve(release()),
  );
  const url = `${doors.url}/a2a/seller/jsonrpc`;
  const headers = { "content-type": "application/json", "x-api-key": world.secretOf("agency") ?? "" };
  const open: Slow["open"] = (method, params, signal) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return fetch(url, { method: "POST", headers, body, ...(signal === undefined ? {} : { signal }) });
  };
  const call: Slow["call"] = async (method, params) => {
    const { text, body } = await post(url, { jsonrpc: "2.0", id: 1, method, params }, headers);
    return { text, body: body as Members };
  };
  const firstEvent: Slow["firstEvent"] = async (response) => {
    const chunk = await (response.body as ReadableStream<Uint8Array>).getReader().read();
    return eventsOf(new TextDecoder().decode(chunk.value))[0]?.body["result"] as Members;
  };
  return { world, doors, release, call, firstEvent, open };
};

const quote: Members = {
  kind: "message",
  role: "user",
  parts: [
    {
      kind: "data",
      data: {
        operation: "request_quote",
        input: { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 },
      },
    },
  ],
};
const asking = (configuration: Members = {}): Members => ({
  message: { ...quote, messageId: randomUUID() },
  configuration,
});

const stateOf = (task: Members): unknown => (task["status"] as Members)["state"];
const taskOf = async (slow: Slow, id: unknown): Promise<Members> =>
  (await slow.call("tasks/get", { id })).body["result"] as Members;

describe("a2a: a turn that takes its time", () => {
  test("whoever does not wait gets the working task, and reads the answer when it is there", async () => {
    const slow = await openSlow();
    const task = (await slow.call("message/send", asking({ blocking: false }))).body["result"] as Members;
    expect(stateOf(task)).toBe("working");
    expect(stateOf(await taskOf(slow, task["id"]))).toBe("working");
    slow.release();
    await expect.poll(async () => stateOf(await taskOf(slow, task["id"]))).toBe("completed");
    expect(JSON.stringify(await taskOf(slow, task["id"]))).toMatch(/qt-[0-9a-f]{12}/);
  });

  test("whoever waits, or says nothing of it, gets the finished task", async () => {
    const slow = await openSlow();
    const sent = [{ blocking: true }, {}].map((one) => slow.call("message/send", asking(one)));
    slow.release();
    for (const { body } of await Promise.all(sent)) expect(stateOf(body["result"] as Members)).toBe("completed");
  });

  test.each([
    ["tasks/resubscribe", ["task", "artifact-update", "status-update"]],
    ["SubscribeToTask", ["task", "artifactUpdate", "statusUpdate"]],
  ])("%s follows it to its end", async (method, kinds) => {
    const slow = await openSlow();
    const { id } = (await slow.call("message/send", asking({ blocking: false }))).body["result"] as Members;
    const followed = await slow.open(method, { id });
    slow.release();
    const seen = eventsOf(await followed.text()).map(({ body }) => body["result"] as Members);
    expect(seen.map((event) => event["kind"] ?? Object.keys(event)[0])).toEqual(kinds);
    expect(JSON.stringify(seen.at(-1))).toMatch(/"state":"(TASK_STATE_COMPLETED|completed)"/);
  });

  test("a reader that leaves its stream finds the answer in the task", async () => {
    const slow = await openSlow();
    const stop = new AbortController();
    const { id } = await slow.firstEvent(await slow.open("message/stream", asking(), stop.signal));
    stop.abort();
    slow.release();
    await expect.poll(async () => stateOf(await taskOf(slow, id))).toBe("completed");
  });

  test("it cannot be canceled while it runs, and is not cut off by the attempt", async () => {
    const slow = await openSlow();
    const { id } = (await slow.call("message/send", asking({ blocking: false }))).body["result"] as Members;
    expect((await slow.call("tasks/cancel", { id })).body).toMatchObject({ error: { code: -32002 } });
    slow.release();
    await expect.poll(async () => stateOf(await taskOf(slow, id))).toBe("completed");
  });

  test("a secret is never made behind a working task", async () => {
    const slow = await openSlow("create_api_key");
    const data = { operation: "create_api_key", input: { label: "late" } };
    const message = { ...quote, messageId: randomUUID(), parts: [{ kind: "data", data }] };
    const sent = slow.call("message/send", { message, configuration: { blocking: false } });
    setTimeout(slow.release, 500);
    expect(stateOf((await sent).body["result"] as Members)).not.toBe("working");
  });

  test("a task whose process died is failed, and its message can be sent again", async () => {
    const slow = await openSlow();
    const params = asking({ blocking: false });
    const { id } = (await slow.call("message/send", params)).body["result"] as Members;
    const later = { nowMs: () => startMs + 61_000 };
    const options = { mostTasks: 9, mostCharacters: 1e6, mostSaid: 1e6, secretMembers: [] };
    const queuePush = () => {
      throw new Error("nothing is configured");
    };
    const rowsAt = (clock: typeof later) => createTaskRows({ store: slow.world.store, clock, options, queuePush });
    const { store } = slow.world;
    const soon = { nowMs: () => startMs + 59_000 };
    await failInterrupted({ store, rows: rowsAt(soon), clock: soon });
    expect(stateOf(await taskOf(slow, id))).toBe("working");
    await failInterrupted({ store, rows: rowsAt(later), clock: later });
    const failed = await taskOf(slow, id);
    expect(stateOf(failed)).toBe("failed");
    expect(JSON.stringify(failed["artifacts"])).toContain("Send the message again");
    slow.release();
    const again = (await slow.call("message/send", { ...params, configuration: {} })).body["result"] as Members;
    expect(stateOf(again)).toBe("completed");
    expect(await store.count("quote", null)).toBe(1);
    expect(await store.count(taskKind.name, null)).toBe(2);
  });
});
