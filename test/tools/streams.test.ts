import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEventLog } from "../../tools/wire/event-log.ts";
import { eventsOf, type Members } from "../conformance/wire.ts";
import { type OpenDoors, openDoors } from "../doors/doors.ts";
import { openWorld, startMs, type World } from "../skills/world.ts";

let world: World;
let doors: OpenDoors;
let hold: Promise<void> = Promise.resolve();
let begun = 0;
beforeAll(async () => {
  world = await openWorld();
  const run: World["runner"]["run"] = (call) => {
    begun += 1;
    return hold.then(() => world.runner.run(call));
  };
  doors = await openDoors({ ...world.runner, run }, () => startMs);
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const version = "2025-11-25";
const accept = "application/json, text/event-stream";
const ask = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${doors.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, "mcp-protocol-version": version, ...headers },
    body: JSON.stringify(body),
  });

const listen = (headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response> =>
  fetch(`${doors.url}/mcp`, {
    headers: { accept: "text/event-stream", "mcp-protocol-version": version, ...headers },
    ...(signal === undefined ? {} : { signal }),
  });

const open = async (): Promise<{ "mcp-session-id": string }> => {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const { headers } = await ask({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  return { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
};

const call = (id: number, meta?: Members): Members => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "list_products", arguments: { limit: 1 }, ...(meta === undefined ? {} : { _meta: meta }) },
});

const held = async (use: (release: () => void) => Promise<void>): Promise<void> => {
  let release = (): void => undefined;
  hold = new Promise((resolve) => (release = resolve));
  try {
    await use(release);
  } finally {
    release();
    hold = Promise.resolve();
  }
};

const untilText = async (response: Response, found: (text: string) => boolean): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (found(text)) break;
  }
  return text;
};

const idIn = (text: string): string => /^id: (.+)$/m.exec(text)?.[1] ?? "";

describe("an answer over Streamable HTTP", () => {
  test("is one JSON body, and a stream where progress was asked for", async () => {
    const session = await open();
    const plain = await ask(call(1), session);
    expect(plain.headers.get("content-type")).toBe("application/json");
    const streamed = await ask(call(2, { progressToken: "p" }), session);
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    const text = await streamed.text();
    expect(text.startsWith("id: ")).toBe(true);
    const answer = text.slice(text.indexOf("event: message"));
    expect(eventsOf(answer).map(({ body }) => body["id"])).toEqual([2]);
    expect(JSON.stringify(eventsOf(answer))).toContain("product_id");
  });

  test("that a broken connection lost is read behind the last event", async () => {
    const session = await open();
    await held(async (release) => {
      const broken = await ask(call(3, { progressToken: "p" }), session);
      const lastId = idIn(await untilText(broken, (text) => text.includes("data:")));
      release();
      const resumed = await listen({ ...session, "last-event-id": lastId });
      expect(resumed.status).toBe(200);
      const text = await untilText(resumed, (read) => read.includes('"id":3'));
      expect(text).toContain("product_id");
    });
  });

  test("cannot be resumed by another session, nor behind an event that is unknown", async () => {
    const [own, other] = [await open(), await open()];
    const lastId = idIn(await (await ask(call(4, { progressToken: "p" }), own)).text());
    expect((await listen({ ...other, "last-event-id": lastId })).status).toBe(400);
    expect((await listen({ ...own, "last-event-id": "none.1" })).status).toBe(400);
  });

  test.each([
    ["a JSON body", undefined],
    ["a stream", { progressToken: "p" }],
  ])("to a cancelled call as %s ends without a result", async (_form, meta) => {
    const session = await open();
    await held(async (release) => {
      const before = begun;
      const asked = ask(call(5, meta), session);
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
      await expect.poll(() => begun).toBe(before + 1);
      expect((await ask(cancelled, session)).status).toBe(202);
      expect(await (await asked).text()).not.toContain("result");
      release();
    });
    expect((await ask(call(5), session)).status).toBe(200);
  });
});

describe("events that wait for a client that resumes", () => {
  const message = (text: string): { jsonrpc: "2.0"; method: string; params: { text: string } } => ({
    jsonrpc: "2.0",
    method: "notifications/message",
    params: { text },
  });

  test("are bounded over all sessions, the oldest goes first", async () => {
    const log = createEventLog(3000);
    const [one, two] = [log.ofSession(), log.ofSession()];
    const first = await one.storeEvent("stream", message("x".repeat(1000)));
    const second = await one.storeEvent("stream", message("kept"));
    await two.storeEvent("stream", message("y".repeat(1500)));
    expect([await one.getStreamIdForEventId?.(first), await one.getStreamIdForEventId?.(second)]).toEqual([
      undefined,
      "stream",
    ]);
  });

  test("are those of one stream, in order, and are forgotten with their session", async () => {
    const log = createEventLog(100_000);
    const session = log.ofSession();
    const first = await session.storeEvent("a", message("1"));
    await session.storeEvent("b", message("other stream"));
    await session.storeEvent("a", message("2"));
    await session.storeEvent("a", message("3"));
    const sent: string[] = [];
    const send = async (_id: string, { params }: { params?: unknown }): Promise<void> => {
      sent.push((params as { text: string }).text);
    };
    await session.replayEventsAfter(first, { send: send as never });
    expect(sent).toEqual(["2", "3"]);
    session.forget();
    expect(await session.getStreamIdForEventId?.(first)).toBeUndefined();
  });
});
