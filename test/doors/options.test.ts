import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";

/* What a reply in words offers, in each form of A2A: shown with its digest, taken by a data part or its number. */

type Members = Readonly<Record<string, unknown>>;

interface Option {
  readonly option: string;
  readonly n: number;
  readonly label: string;
  readonly digest: string;
}

interface Said {
  readonly contextId: string;
  /** As A2A 0.3 names it. */
  readonly state: string;
  readonly words: string;
  readonly data: readonly Members[];
  /** The parts of the status message; null: it has none, or the form knows none. */
  readonly asked: readonly Members[] | null;
}

type Part = { readonly text: string } | { readonly data: Members };
type Send = (parts: readonly Part[], contextId?: string) => Promise<Said>;

let seller: Started;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  seller = await startSeller();
  const key = await seller.host("create_api_key", { label: "options", agency_id: "ag-1", seat_id: "s-1" });
  headers = { "x-api-key": String(key["api_key"]) };
});
afterAll(() => seller.close());

const rpcPath = "/a2a/seller/jsonrpc";

const kinded = (part: Part): Members => ({ kind: "text" in part ? "text" : "data", ...part });
const plain = (part: Part): Members => part;
/** The protobuf of 0.3 wraps what a data part holds. */
const wrapped = (part: Part): Members => ("text" in part ? part : { data: { data: part.data } });

const dataIn = (part: Members): readonly Members[] => {
  const data = part["data"] as Members | undefined;
  if (data === undefined) return [];
  return [data["data"] === undefined ? data : (data["data"] as Members)];
};

const saidIn = (task: Members, parts: readonly Members[]): Said => {
  const status = task["status"] as { readonly state: string; readonly message?: Members };
  const { message } = status;
  return {
    contextId: String(task["contextId"]),
    state: status.state.replace("TASK_STATE_", "").toLowerCase().replace("_", "-"),
    words: String(parts.find((part) => part["text"] !== undefined)?.["text"]),
    data: parts.flatMap(dataIn),
    asked: message === undefined ? null : ((message["parts"] ?? message["content"]) as readonly Members[]),
  };
};

const ofTask = (task: Members): Said => {
  const artifacts = task["artifacts"] as readonly { readonly parts: readonly Members[] }[];
  return saidIn(task, artifacts.at(-1)?.parts ?? []);
};

const messageOf = (role: string, content: Members, contextId?: string): Members => ({
  messageId: randomUUID(),
  role,
  ...content,
  ...(contextId === undefined ? {} : { contextId }),
});

const post = async (path: string, body: unknown): Promise<Members> => {
  const answer = await seller.ask("POST", path, { headers, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const events = async (path: string, body: unknown): Promise<readonly Members[]> => {
  const { text } = await seller.ask("POST", path, { headers, body });
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as Members);
};

/** The artifact and the last status of a stream, as one task. */
const ofEvents = (seen: readonly Members[]): Said => {
  const all = seen.map(
    (event) =>
      (event["artifact"] === undefined && event["status"] === undefined ? Object.values(event)[0] : event) as Members,
  );
  const artifact = all.find((event) => event["artifact"] !== undefined)?.["artifact"] as { parts: readonly Members[] };
  return saidIn(all.at(-1) ?? {}, artifact.parts);
};

const rpc = (method: string, message: Members): Members => ({ jsonrpc: "2.0", id: 1, method, params: { message } });

const user = (parts: readonly Part[], contextId?: string): Members =>
  messageOf("user", { kind: "message", parts: parts.map(kinded) }, contextId);
const current = (parts: readonly Part[], contextId?: string): Members =>
  messageOf("ROLE_USER", { parts: parts.map(plain) }, contextId);
const legacy = (parts: readonly Part[], contextId?: string): Members =>
  messageOf("ROLE_USER", { content: parts.map(wrapped) }, contextId);

const forms: Readonly<Record<string, Send>> = {
  "0.3": async (...said) => ofTask((await post(rpcPath, rpc("message/send", user(...said))))["result"] as Members),
  "1.0": async (...said) =>
    ofTask(((await post(rpcPath, rpc("SendMessage", current(...said))))["result"] as Members)["task"] as Members),
  flat: async (parts, contextId) => {
    const message = messageOf("user", { parts: parts.map(kinded) }, contextId);
    const reply = (await post(rpcPath, rpc("message/send", message)))["result"] as Members;
    const { state } = reply["metadata"] as { readonly state: string };
    return saidIn({ ...reply, status: { state } }, reply["parts"] as readonly Members[]);
  },
  "0.3 stream": async (...said) =>
    ofEvents((await events(rpcPath, rpc("message/stream", user(...said)))).map((event) => event["result"] as Members)),
  "1.0 stream": async (...said) =>
    ofEvents(
      (await events(rpcPath, rpc("SendStreamingMessage", current(...said)))).map((event) => event["result"] as Members),
    ),
  "0.3 over http": async (...said) =>
    ofTask((await post("/a2a/seller/v0.3/v1/message:send", { message: legacy(...said) }))["task"] as Members),
  "1.0 over http": async (...said) =>
    ofTask((await post("/a2a/seller/v1/message:send", { message: current(...said) }))["task"] as Members),
  "0.3 stream over http": async (...said) =>
    ofEvents(await events("/a2a/seller/v0.3/v1/message:stream", { message: legacy(...said) })),
  "1.0 stream over http": async (...said) =>
    ofEvents(await events("/a2a/seller/v1/message:stream", { message: current(...said) })),
};

const quote = { text: "Quote for CTV Premium Streaming, PG, 100,000 impressions, 1 to 31 March 2027" };

const optionsIn = ({ data }: Pick<Said, "data">): readonly Option[] =>
  data.flatMap((part) => (part["options"] ?? []) as readonly Option[]);

describe.each(Object.entries(forms))("a2a %s: options", (name, send) => {
  test("a quote is a question that names what may be taken", async () => {
    const said = await send([quote]);
    const [option, ...others] = optionsIn(said);
    expect(others).toEqual([]);
    expect(option).toMatchObject({ n: 1, operation: "book_deal", digest: expect.stringMatching(/^sha256:/) as string });
    expect(said.data[0]?.["armed"]).toBe(option?.option);
    expect(said.state).toBe("input-required");
    if (name === "flat") return;
    expect(said.asked?.[0]?.["text"]).toBe(said.words);
    expect(said.asked?.flatMap(dataIn)).toEqual([{ options: [option], armed: option?.option }]);
  });

  test.each<[string, (option: Option) => readonly Part[]]>([
    ["its id and digest", ({ option, digest }) => [{ data: { option, digest } }]],
    ["a list of one", ({ option, digest }) => [{ data: { options: [{ option, digest }] } }]],
    ["its number", ({ n }) => [{ text: String(n) }]],
    ["a yes", () => [{ text: "Yes, please." }]],
    ["an order", () => [{ text: "Book it." }]],
  ])("it is taken by %s, once", async (_name, pick) => {
    const shown = await send([quote]);
    const [option] = optionsIn(shown);
    const booked = await send(pick(option as Option), shown.contextId);
    expect(booked.data).toMatchObject([{ outcome: "booked", options: [], armed: null }]);
    expect([booked.state, booked.asked]).toEqual(["completed", null]);
    const { option: id, digest } = option as Option;
    const again = await send([{ data: { option: id, digest } }], shown.contextId);
    expect(again).toMatchObject({ state: "input-required", data: [{ outcome: "clarify" }] });
    expect(again.words).toContain("taken already");
  });

  test("a wrong digest takes nothing, and shows what is open", async () => {
    const shown = await send([quote]);
    const [option] = optionsIn(shown);
    const data = { option: option?.option, digest: `sha256:${"0".repeat(64)}` };
    const refused = await send([{ data }], shown.contextId);
    expect(refused.state).toBe("input-required");
    expect(refused.data[0]?.["outcome"]).not.toBe("booked");
    expect(optionsIn(refused)).toMatchObject([{ operation: "book_deal", digest: option?.digest }]);
  });
});

test("a2a: a question is asked in the status alone, and a continued task answers with its last words", async () => {
  const message = messageOf("user", { kind: "message", parts: [kinded(quote)] });
  const [started = {}] = await events(rpcPath, rpc("message/stream", message));
  const { id, contextId } = started["result"] as Members;
  const get = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id } };
  const kept = (await post(rpcPath, get))["result"] as Members;
  expect((kept["history"] as readonly Members[]).map((said) => said["role"])).toEqual(["user"]);
  expect(ofTask(kept).asked).toHaveLength(2);
  const next = { ...messageOf("user", { parts: [{ kind: "text", text: "1" }] }), taskId: id };
  const flat = (await post(rpcPath, rpc("message/send", next)))["result"] as Members;
  expect(flat).toMatchObject({ taskId: id, contextId, status: "completed" });
  expect((flat["parts"] as readonly Members[]).flatMap(dataIn)).toMatchObject([{ outcome: "booked" }]);
});

test("mcp: a session shows the options, and takes one by its id and digest, or by its number", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", seller.url), { requestInit: { headers } });
  await client.connect(transport as Transport);
  const tool = async (name: string, input: Members): Promise<Members> =>
    (await client.callTool({ name, arguments: input })).structuredContent as Members;
  for (const pick of [({ option, digest }: Option) => ({ option, digest }), ({ n }: Option) => String(n)]) {
    const { session_id } = await tool("create_session", {});
    const shown = await tool("send_session_message", { session_id, content: quote.text });
    const [answer] = shown["answers"] as readonly Members[];
    const [option] = optionsIn({ data: [answer ?? {}] });
    expect(answer).toMatchObject({ outcome: "quoted", armed: option?.option });
    const booked = await tool("send_session_message", { session_id, content: pick(option as Option) });
    expect(booked["answers"]).toMatchObject([{ outcome: "booked" }]);
  }
  await client.close();
});

test("the buyer's brief is an option too, in the status and in the answer", async () => {
  const buyer = await startBuyer();
  const made = await buyer.host("create_operator_key", { label: "desk" });
  const own = { "x-api-key": String(made["api_key"]) };
  const send = async (part: Part, contextId?: string): Promise<Said> => {
    const body = rpc("SendMessage", current([part], contextId));
    const answer = await buyer.ask("POST", "/a2a/buyer/jsonrpc", { headers: own, body });
    return ofTask((answer.body["result"] as Members)["task"] as Members);
  };
  const brief = "Spend 20k on display from 1 to 30 June 2027 for sports fans, brand awareness";
  const shown = await send({ text: brief });
  const [option] = optionsIn(shown);
  expect(shown.state).toBe("input-required");
  expect(shown.asked?.flatMap(dataIn)).toEqual([{ options: [option], armed: option?.option }]);
  const started = await send({ data: { option: option?.option, digest: option?.digest } }, shown.contextId);
  expect(started).toMatchObject({ state: "completed", asked: null, data: [{ outcome: "started" }] });
  await buyer.close();
});
