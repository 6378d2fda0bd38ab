import { randomUUID } from "node:crypto";
import {
  type Message,
  type Part,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, type Client } from "@a2a-js/sdk/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";

let seller: Started;
let current: Client;
let legacy: Client;
beforeAll(async () => {
  seller = await startSeller();
  current = await new ClientFactory().createFromUrl(seller.url);
  legacy = await legacyClient();
});
afterAll(() => seller.close());

/** It reads the 0.3 view of the card. */
const legacyClient = async (): Promise<Client> => {
  const legacyCompat = { enabled: true };
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ legacyCompat })] });
  const answer = await fetch(`${seller.url}/.well-known/agent-card.json`, { headers: { "A2A-Version": "0.3" } });
  const card = new DefaultAgentCardResolver({ legacyCompat }).normalizeAgentCard(await answer.json());
  return factory.createFromAgentCard(card);
};

const clientOf = (version: string): Client => (version === "1.0" ? current : legacy);
const versions = test.each(["1.0", "0.3"]);

const text = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});
const call = (operation: string, input: unknown): Part => ({
  ...text(""),
  content: { $case: "data", value: { operation, input } },
});

const price = "price of prod-53e78a97 for 5M impressions";
const question = "I would like to make a proposal";

type More = Partial<Message> & { readonly configuration?: SendMessageRequest["configuration"] };

const asking = (parts: Part[], { configuration, ...more }: More = {}): SendMessageRequest => ({
  tenant: "",
  metadata: undefined,
  configuration: configuration ?? {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
  },
  message: {
    messageId: randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  },
});

const send = async (client: Client, said: string, more: More = {}): Promise<Task> => {
  const result = await client.sendMessage(asking([text(said)], more));
  if (!("status" in result)) throw new Error("the answer is no task");
  return result;
};

const read = (client: Client, id: string, historyLength?: number): Promise<Task> =>
  client.getTask({ tenant: "", id, ...(historyLength === undefined ? {} : { historyLength }) });

const all = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
};

const nextState = async (stream: AsyncIterator<StreamResponse> | undefined): Promise<unknown> => {
  const next = await stream?.next();
  return next?.done === false ? (next.value.payload?.value as Task | undefined)?.status?.state : "the end";
};

const valuesOf = (task: Task): unknown[] =>
  task.artifacts.flatMap((artifact) => artifact.parts.map((part) => part.content?.value));

const refusalOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error: unknown) => (error as { envelopeCode?: unknown }).envelopeCode,
  );

describe("a2a clients: messages", () => {
  test("each client speaks its version", () => {
    expect([current.protocolVersion, legacy.protocolVersion]).toEqual(["1.0", "0.3"]);
  });

  versions("%s: a text is answered with a completed task, in words and values", async (version) => {
    const task = await send(clientOf(version), price);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect([task.id, task.contextId].every((id) => /^[\w-]{36}$/.test(id))).toBe(true);
    const [words, values] = valuesOf(task);
    expect(words).toContain("$35.00");
    expect(values).toMatchObject({ skill: "pricing", outcome: "answer", result: { final_price: 35 } });
  });

  versions("%s: a data part calls the operation that it names", async (version) => {
    const parts = [call("get_pricing", { product_id: "prod-53e78a97" })];
    const task = (await clientOf(version).sendMessage(asking(parts))) as Task;
    expect(valuesOf(task)).toMatchObject([{ operation: "get_pricing", result: { final_price: 35 } }]);
  });

  versions("%s: a refused operation is a failed task that says why", async (version) => {
    const parts = [call("get_quote", { quote_id: "qt-000000000000" })];
    const task = (await clientOf(version).sendMessage(asking(parts))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(valuesOf(task)[1]).toMatchObject({ operation: "get_quote", error: { status: 404 } });
  });

  versions("%s: a stream shows the working task, the artifact and the last state", async (version) => {
    const events = await all(clientOf(version).sendMessageStream(asking([text(price)])));
    expect(events.map(({ payload }) => payload?.$case)).toEqual(["task", "artifactUpdate", "statusUpdate"]);
    const [started, , ended] = events.map(({ payload }) => payload?.value as Task);
    expect(started).toMatchObject({ status: { state: TaskState.TASK_STATE_WORKING }, artifacts: [] });
    expect(ended?.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const kept = await read(clientOf(version), String(started?.id));
    expect(kept.status).toEqual(ended?.status);
    expect(events[1]?.payload?.value).toMatchObject({ artifact: kept.artifacts[0] });
  });

  versions("%s: a streamed question ends its stream, and is answered under its task", async (version) => {
    const client = clientOf(version);
    const asked = await all(client.sendMessageStream(asking([text(question)])));
    const id = String((asked[0]?.payload?.value as Task | undefined)?.id);
    expect(asked.at(-1)?.payload?.value).toMatchObject({ status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } });
    const next = await all(client.sendMessageStream(asking([text(price)], { taskId: id })));
    expect(next[0]?.payload).toMatchObject({ value: { id, status: { state: TaskState.TASK_STATE_WORKING } } });
    expect((await read(client, id)).artifacts).toHaveLength(2);
  });

  versions("%s: streams at the same time each get their own answer", async (version) => {
    const asked = Array.from({ length: 8 }, () => asking([text(price)]));
    const streams = await Promise.all(asked.map((one) => all(clientOf(version).sendMessageStream(one))));
    const ids = streams.map((events) => (events[0]?.payload?.value as Task | undefined)?.id);
    expect(new Set(ids).size).toBe(8);
  });
});

describe("a2a clients: tasks", () => {
  versions("%s: a task is read as it was answered", async (version) => {
    const sent = await send(clientOf(version), price);
    expect(await read(clientOf(version), sent.id)).toEqual(sent);
  });

  test("a task made in one version is read in the other", async () => {
    const sent = await send(legacy, price);
    expect(valuesOf(await read(current, sent.id))).toEqual(valuesOf(sent));
  });

  versions("%s: an unknown task is -32001 to get, cancel, subscribe and continue", async (version) => {
    const client = clientOf(version);
    const id = randomUUID();
    expect(await refusalOf(read(client, id))).toBe(-32001);
    expect(await refusalOf(client.cancelTask({ tenant: "", id, metadata: undefined }))).toBe(-32001);
    expect(await refusalOf(send(client, price, { taskId: id }))).toBe(-32001);
    const subscription = all(client.resubscribeTask({ tenant: "", id }));
    await expect(subscription).rejects.toThrow(/not found/i);
  });

  versions("%s: a question back waits for input; the answer continues the same task and history", async (version) => {
    const client = clientOf(version);
    const asked = await send(client, question, { messageId: `first-${version}` });
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const ended = await send(client, price, { messageId: `second-${version}`, taskId: asked.id });
    expect([ended.id, ended.contextId]).toEqual([asked.id, asked.contextId]);
    expect(ended.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const kept = await read(client, asked.id);
    expect(kept.history.map((said) => said.messageId)).toEqual([`first-${version}`, `second-${version}`]);
  });

  versions("%s: an ended task takes no message and cannot be canceled", async (version) => {
    const client = clientOf(version);
    const { id } = await send(client, price);
    expect(await refusalOf(send(client, price, { taskId: id }))).toBe(-32004);
    expect(await refusalOf(client.cancelTask({ tenant: "", id, metadata: undefined }))).toBe(-32002);
  });

  versions("%s: a task that waits is canceled, and takes no message after that", async (version) => {
    const client = clientOf(version);
    const { id } = await send(client, question);
    const canceled = await client.cancelTask({ tenant: "", id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await read(client, id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(await refusalOf(send(client, price, { taskId: id }))).toBe(-32004);
  });

  test("0.3: a canceled task cannot be canceled again; 1.0: the same cancel is answered with the task", async () => {
    const { id } = await send(legacy, question);
    const cancel = { tenant: "", id, metadata: undefined };
    await legacy.cancelTask(cancel);
    expect(await refusalOf(legacy.cancelTask(cancel))).toBe(-32002);
    expect((await current.cancelTask(cancel)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  versions("%s: historyLength cuts from the front; 0 leaves none; left out, all is there", async (version) => {
    const client = clientOf(version);
    const { id } = await send(client, question, { messageId: `one-${version}` });
    await send(client, question, { messageId: `two-${version}`, taskId: id });
    const idsOf = async (length?: number): Promise<string[]> =>
      (await read(client, id, length)).history.map((said) => said.messageId);
    expect(await idsOf()).toEqual([`one-${version}`, `two-${version}`]);
    expect(await idsOf(1)).toEqual([`two-${version}`]);
    expect(await idsOf(0)).toEqual([]);
    expect(await idsOf(10)).toHaveLength(2);
  });

  test("0.3: a task that waits is subscribed to: its state comes, and the stream ends", async () => {
    const { id } = await send(legacy, question);
    const [first, ...rest] = await all(legacy.resubscribeTask({ tenant: "", id }));
    expect(first?.payload).toMatchObject({ $case: "task", value: { id } });
    expect(rest).toEqual([]);
  });

  test("1.0: a task that waits is followed, turn by turn, until it is over", async () => {
    const { id } = await send(current, question);
    const [one, two] = [0, 1].map(() => current.resubscribeTask({ tenant: "", id })[Symbol.asyncIterator]());
    const [asked, over] = [TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_COMPLETED];
    expect([await nextState(one), await nextState(two)]).toEqual([asked, asked]);
    await two?.return?.();
    await send(current, question, { taskId: id });
    expect(await nextState(one)).toBe(asked);
    await send(current, price, { taskId: id });
    expect(await nextState(one)).toBe(over);
    expect(await nextState(one)).toBe("the end");
  });

  test("1.0: a canceled task ends its subscription", async () => {
    const { id } = await send(current, question);
    const stream = current.resubscribeTask({ tenant: "", id })[Symbol.asyncIterator]();
    await nextState(stream);
    await current.cancelTask({ tenant: "", id, metadata: undefined });
    expect(await nextState(stream)).toBe(TaskState.TASK_STATE_CANCELED);
    expect(await nextState(stream)).toBe("the end");
  });
});

describe("a2a clients: contexts", () => {
  versions("%s: one that is named is kept, one that is not is made, each its own", async (version) => {
    const client = clientOf(version);
    const contextId = `mine-${randomUUID()}`;
    expect((await send(client, price, { contextId })).contextId).toBe(contextId);
    const made = [await send(client, price), await send(client, price)].map((task) => task.contextId);
    expect(new Set(made).size).toBe(2);
  });

  versions("%s: one that is not its task's is refused", async (version) => {
    const client = clientOf(version);
    const { id } = await send(client, question);
    expect(await refusalOf(send(client, price, { taskId: id, contextId: "another" }))).toBe(-32602);
  });

  test("1.0: the tasks of a context come in pages, newest first, with artifacts only if asked for", async () => {
    const contextId = randomUUID();
    const sent = [await send(current, price, { contextId }), await send(current, question, { contextId })];
    const list = { tenant: "", contextId, status: 0, pageToken: "", statusTimestampAfter: undefined };
    const listed = await current.listTasks(list);
    expect(listed.tasks.map((task) => task.id)).toEqual([sent[1]?.id, sent[0]?.id]);
    expect([listed.totalSize, listed.nextPageToken, listed.tasks[0]?.artifacts]).toEqual([2, "", []]);
    const first = await current.listTasks({ ...list, pageSize: 1, includeArtifacts: true });
    expect(first.tasks[0]?.artifacts).toHaveLength(1);
    const second = await current.listTasks({ ...list, pageSize: 1, pageToken: first.nextPageToken });
    expect(second.tasks.map((task) => task.id)).toEqual([sent[0]?.id]);
    const waiting = await current.listTasks({ ...list, status: TaskState.TASK_STATE_INPUT_REQUIRED });
    expect(waiting.tasks.map((task) => task.id)).toEqual([sent[1]?.id]);
  });
});

describe("a2a clients: retries", () => {
  versions("%s: the same message again is answered as before and done once", async (version) => {
    const client = clientOf(version);
    const parts = [call("request_quote", { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000 })];
    const message = { messageId: randomUUID() };
    const first = (await client.sendMessage(asking(parts, message))) as Task;
    expect(valuesOf(first)[0]).toMatchObject({ result: { quote_id: expect.stringMatching(/^qt-/) as string } });
    expect(await client.sendMessage(asking(parts, message))).toEqual(first);
  });

  versions("%s: the same text again is answered as before, although nobody named a context", async (version) => {
    const messageId = randomUUID();
    const first = await send(clientOf(version), price, { messageId });
    const again = await send(clientOf(version), price, { messageId });
    expect(again).toEqual(first);
  });

  versions("%s: another message with the same messageId is a new message", async (version) => {
    const messageId = randomUUID();
    const first = await send(clientOf(version), price, { messageId });
    const other = await send(clientOf(version), question, { messageId });
    expect(other.id).not.toBe(first.id);
    expect(valuesOf(other)).not.toEqual(valuesOf(first));
  });
});
