import { randomUUID } from "node:crypto";
import { type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";
import { openReceiver, type Receiver } from "../receiver.ts";
import { eventsOf, type Members, post } from "../wire.ts";

let seller: Started;
let hook: Receiver;
let key: string;
beforeAll(async () => {
  hook = await openReceiver();
  seller = await startSeller({
    OUTBOUND_ALLOW: new URL(hook.url).host,
    APPROVAL_GATE_ENABLED: "true",
    APPROVAL_REQUIRED_FLOWS: "deal",
    APPROVAL_REQUIRED_ABOVE_VALUE: "20000",
  });
  key = String((await seller.host("create_api_key", { label: "buyer", agency_id: "ag-1" }))["api_key"]);
});
afterAll(async () => {
  await seller.close();
  await hook.close();
});

type State = "completed" | "input-required" | "canceled" | "rejected" | "failed";

interface Said {
  readonly taskId: string;
  readonly state: State;
  readonly data: Members;
}

/** What each kind of client can do, in the same words. */
interface Talker {
  say(part: Members, pushUrl?: string): Promise<Said>;
  follow(taskId: string): AsyncIterator<State>;
  cancel(taskId: string): Promise<State>;
}

const states: Readonly<Partial<Record<TaskState, State>>> = {
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "input-required",
  [TaskState.TASK_STATE_CANCELED]: "canceled",
  [TaskState.TASK_STATE_REJECTED]: "rejected",
  [TaskState.TASK_STATE_FAILED]: "failed",
};

const stateOf = ({ status }: Task): State => states[status?.state ?? TaskState.UNRECOGNIZED] ?? "failed";

const lastData = (task: Task): Members => {
  const parts = task.artifacts.at(-1)?.parts ?? [];
  return parts.find((part) => part.content?.$case === "data")?.content?.value as Members;
};

const sdkPart = (part: Members): Part => ({
  content: "text" in part ? { $case: "text", value: String(part["text"]) } : { $case: "data", value: part },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

async function* statesOf(stream: AsyncIterable<StreamResponse>): AsyncGenerator<State> {
  for await (const { payload } of stream) if (payload?.$case === "task") yield stateOf(payload.value);
}

const withKey: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("x-api-key", key);
  return fetch(input, { ...init, headers });
};

const pushTo = (url: string) => ({ tenant: "", id: "", taskId: "", url, token: "story", authentication: undefined });

const talkerOf = (client: Client): Talker => ({
  say: async (part, pushUrl) => {
    const taskPushNotificationConfig = pushUrl === undefined ? undefined : pushTo(pushUrl);
    const task = (await client.sendMessage({
      tenant: "",
      metadata: undefined,
      configuration: { acceptedOutputModes: [], taskPushNotificationConfig, returnImmediately: false },
      message: {
        messageId: randomUUID(),
        contextId: "",
        taskId: "",
        role: Role.ROLE_USER,
        parts: [sdkPart(part)],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
    })) as Task;
    return { taskId: task.id, state: stateOf(task), data: lastData(task) };
  },
  follow: (id) => statesOf(client.resubscribeTask({ tenant: "", id }))[Symbol.asyncIterator](),
  cancel: async (id) => stateOf(await client.cancelTask({ tenant: "", id, metadata: undefined })),
});

const clientFor = async (kind: string): Promise<Client> => {
  const legacyCompat = { enabled: true };
  const version = kind.endsWith("0.3") ? "0.3" : "1.0";
  const options = { fetchImpl: withKey, ...(version === "0.3" ? { legacyCompat } : {}) };
  const transport = kind.startsWith("HTTP+JSON")
    ? new RestTransportFactory(options)
    : new JsonRpcTransportFactory(options);
  const answer = await fetch(`${seller.url}/.well-known/agent-card.json`, { headers: { "A2A-Version": version } });
  const card = new DefaultAgentCardResolver({ legacyCompat }).normalizeAgentCard(await answer.json());
  return new ClientFactory({ transports: [transport] }).createFromAgentCard(card);
};

/** The client of the specification: no `kind`, and the flat reply. */
const flatTalker = (): Talker => {
  const call = (method: string, params: Members) =>
    post(`${seller.url}/a2a/seller/jsonrpc`, { jsonrpc: "2.0", id: "1", method, params }, { "x-api-key": key });
  const resultOf = async (method: string, params: Members): Promise<Members> =>
    ((await call(method, params)).body as { result: Members }).result;
  return {
    say: async (part, pushUrl) => {
      const parts = ["text" in part ? { kind: "text", ...part } : { kind: "data", data: part }];
      const message = { messageId: randomUUID(), role: "user", parts };
      const configuration = pushUrl === undefined ? {} : { pushNotificationConfig: { url: pushUrl, token: "story" } };
      const reply = await resultOf("message/send", { message, configuration });
      const data = (reply["parts"] as Members[]).find(({ kind }) => kind === "data")?.["data"] as Members;
      const { state } = reply["metadata"] as { state: State };
      return { taskId: String(reply["taskId"]), state, data };
    },
    follow: async function* (id) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: "1", method: "tasks/resubscribe", params: { id } });
      const headers = { "content-type": "application/json" };
      const answer = await withKey(`${seller.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
      for await (const bytes of answer.body ?? [])
        for (const event of eventsOf(Buffer.from(bytes as Uint8Array).toString()))
          yield (event.body["result"] as { status: { state: State } }).status.state;
    },
    cancel: async (id) => ((await resultOf("tasks/cancel", { id }))["status"] as { state: State }).state,
  };
};

const product = "prod-53e78a97";
const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };

/** An answer of an operation that was called in a data part. */
const called = async (
  talker: Talker,
  operation: string,
  input: Members,
  pushUrl?: string,
): Promise<[Said, Members]> => {
  const said = await talker.say({ operation, input }, pushUrl);
  expect(said.data["error"], operation).toBeUndefined();
  return [said, said.data["result"] as Members];
};

test.each(["1.0", "HTTP+JSON", "0.3", "HTTP+JSON 0.3", "flat"])(
  "a2a story, %s: discover, price, negotiate, book, follow, lose the stream and follow again, push, cancel",
  async (kind) => {
    const talker = kind === "flat" ? flatTalker() : talkerOf(await clientFor(kind));
    expect(await talker.say({ text: "What CTV inventory do you have?" })).toMatchObject({
      state: "completed",
      data: { skill: "discovery" },
    });
    expect(await talker.say({ text: `price of ${product} for 1M impressions` })).toMatchObject({
      state: "completed",
      data: { skill: "pricing" },
    });
    const [, quote] = await called(talker, "request_quote", {
      product_id: product,
      deal_type: "PG",
      impressions: 1_000_000,
      ...flight,
    });
    const { quote_id } = quote;
    const price = (quote["pricing"] as { final_cpm: number }).final_cpm;
    const [, talk] = await called(talker, "negotiate", { quote_id, action: "counter", buyer_price: price - 1 });
    const [, agreed] = await called(talker, "negotiate", { negotiation_id: talk["negotiation_id"], action: "accept" });
    const path = `/${encodeURIComponent(kind)}`;
    const [booked, deal] = await called(talker, "book_deal", { quote_id }, `${hook.url}${path}`);
    expect(booked.state).toBe("input-required");
    const dealPrice = (deal["pricing"] as { final_cpm: number }).final_cpm;
    expect(dealPrice).toBe(agreed["seller_price"] ?? agreed["agreed_price"]);
    const lost = talker.follow(booked.taskId);
    expect((await lost.next()).value).toBe("input-required");
    await lost.return?.();
    const following = talker.follow(booked.taskId);
    expect((await following.next()).value).toBe("input-required");
    await seller.host("approve_or_reject", { approval_id: deal["approval_id"], decision: "approve" });
    expect((await following.next()).value).toBe("completed");
    expect((await following.next()).done).toBe(true);
    const pushed = (): readonly string[] =>
      hook.received.filter((one) => one.path === path).map(({ body }) => JSON.stringify(body));
    await expect.poll(() => pushed().at(-1)).toMatch(/"(completed|TASK_STATE_COMPLETED)"/);
    expect(hook.received.find((one) => one.path === path)?.headers["x-a2a-notification-token"]).toBe("story");
    const asked = await talker.say({ text: "I would like to make a proposal" });
    expect(asked.state).toBe("input-required");
    expect(await talker.cancel(asked.taskId)).toBe("canceled");
  },
  20_000,
);

test("an operator reads what was said over A2A, shown and agreed to", async () => {
  const contextId = randomUUID();
  const say = (text: string) => {
    const message = { messageId: randomUUID(), contextId, role: "user", parts: [{ kind: "text", text }] };
    const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
    return post(`${seller.url}/a2a/seller/jsonrpc`, body, { "x-api-key": key });
  };
  await say("Please quote prod-53e78a97 as a guaranteed deal, 100,000 impressions from 2027-03-01 to 2027-03-31.");
  await say("Yes, book it.");
  const listed = (await seller.host("list_conversations", {}))["conversations"] as Members[];
  const found = listed.find(({ context_id: id }) => id === contextId);
  const id = found?.["conversation_id"];
  const [offered, booked] = (await seller.host("get_conversation", { conversation_id: id }))["exchanges"] as Members[];
  const [shown] = (offered?.["shown"] ?? []) as Members[];
  expect(shown).toMatchObject({ kind: "quote", digest: expect.stringMatching(/^sha256:/) as string });
  expect(booked).toMatchObject({ said: "Yes, book it.", agreed: [{ id: shown?.["id"], digest: shown?.["digest"] }] });
});
