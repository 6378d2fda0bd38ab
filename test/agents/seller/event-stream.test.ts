import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEventStream, type EventStreamParts } from "../../../agents/server/event-stream.ts";
import { eventView } from "../../../skills/seller/events/view.ts";
import { type Served, serve } from "../../../agents/server/serve.ts";
import { openWorld, type World } from "../../skills/world.ts";

interface Told {
  readonly id: string;
  readonly type: string;
  readonly record: Readonly<Record<string, unknown>>;
}

interface Reader {
  /** Null when the stream has ended. */
  next(): Promise<Told | null>;
  readonly comments: string[];
  leave(): void;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
let world: World;
let served: Served;

const serveWith = async (parts: Partial<EventStreamParts> = {}): Promise<Served> => {
  const stream = createEventStream({
    store: world.store,
    runner: world.runner,
    view: eventView,
    mostPerCaller: 8,
    ...parts,
  });
  const agent = { name: "seller", title: "t", version: "0", description: "d", errorShape: "wrapped" } as const;
  const { runner } = world;
  const opened = await serve(
    { ...agent, runner, pages: [stream.route], stop: async () => stream.stop() },
    { host: "127.0.0.1", port: 0, log: silent },
  );
  return opened;
};

beforeEach(async () => {
  world = await openWorld({ settings: { rateLimitPerMinute: 500, rateLimitAnonymousPerMinute: 9 } });
  served = await serveWith();
});
afterEach(async () => {
  await served.close();
  await world.close();
});

const toldOf = (block: string): Told => {
  const member = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
  return { id: member("id"), type: member("event"), record: JSON.parse(member("data")) as Told["record"] };
};

const readerOf = (response: Response, leave: () => void): Reader => {
  const comments: string[] = [];
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  const next = async (): Promise<Told | null> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) return null;
        text += decoder.decode(value, { stream: true });
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (!/^(:|retry:)/.test(block)) return toldOf(block);
      comments.push(block);
    }
  };
  return { next, comments, leave };
};

const ask = (caller: string, more: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> => {
  const secret = world.secretOf(caller);
  const headers = { ...(secret === null ? {} : { "x-api-key": secret }), ...more };
  return fetch(`${served.url}/events/stream`, signal === undefined ? { headers } : { headers, signal });
};

const open = async (caller: string, more: Record<string, string> = {}): Promise<Reader> => {
  const controller = new AbortController();
  const response = await ask(caller, more, controller.signal);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("ratelimit-policy")).toBe(`"default";q=500;w=60`);
  return readerOf(response, () => controller.abort());
};

const quote = async (caller: string): Promise<string> => {
  const input = {
    product_id: "prod-53e78a97",
    deal_type: "PG",
    impressions: 5_000_000,
    flight_start: "2027-03-01",
    flight_end: "2027-03-31",
  };
  const reply = await world.send({ caller, operation: "request_quote", input });
  expect(reply.code).toBeNull();
  return String(reply.body["quote_id"]);
};

/** For people who read the list; a program has the ids. */
const namesOnList = { buyer_name: null, product_name: "CTV Premium Streaming" };

describe("the event stream", () => {
  test("an operator is told every event as it is committed, in order, as GET /events shows it", async () => {
    const reader = await open("operator");
    const ids = [await quote("agency"), await quote("advertiser"), await quote("anonymous")];
    const told = [await reader.next(), await reader.next(), await reader.next()];
    expect(told.map((one) => one?.record["flow_id"])).toStrictEqual(ids);
    expect(told.map((one) => one?.type)).toStrictEqual(["quote.created", "quote.created", "quote.created"]);
    const listed = await world.send({ caller: "operator", operation: "list_events", input: { limit: 1 } });
    const [newest] = listed.body["events"] as readonly object[];
    expect(newest).toStrictEqual({ ...told[2]?.record, ...namesOnList });
    expect(told[2]?.id).toBe(told[2]?.record["event_id"]);
    reader.leave();
  });

  test("a buyer is told of its own records and of nobody else's", async () => {
    const reader = await open("agency");
    await quote("advertiser");
    await quote("anonymous");
    const own = await quote("agency");
    expect((await reader.next())?.record).toMatchObject({ flow_id: own });
    reader.leave();
  });

  test("an edge is told the types and ids of deal events, and nothing of others", async () => {
    const reader = await open("edge");
    const quoteId = await quote("agency");
    const booked = await world.send({ caller: "agency", operation: "book_deal", input: { quote_id: quoteId } });
    const { id, type, record } = (await reader.next()) ?? {};
    expect([type, record]).toStrictEqual([
      "deal.created",
      { event_id: id, event_type: "deal.created", deal_id: booked.body["deal_id"] },
    ]);
    reader.leave();
  });

  test("Last-Event-ID goes on behind that event, for an operator and for a buyer", async () => {
    const first = await open("operator");
    const ids = [await quote("agency"), await quote("advertiser"), await quote("agency")];
    const seen = await first.next();
    first.leave();
    const again = await open("operator", { "last-event-id": String(seen?.id) });
    expect([(await again.next())?.record["flow_id"], (await again.next())?.record["flow_id"]]).toStrictEqual(
      ids.slice(1),
    );
    again.leave();
    const buyer = await open("agency", { "last-event-id": String(seen?.id) });
    expect((await buyer.next())?.record).toMatchObject({ flow_id: ids[2] });
    buyer.leave();
  });

  test("more events than a page holds are all told once", async () => {
    const reader = await open("operator");
    await quote("agency");
    const first = await reader.next();
    reader.leave();
    for (let count = 0; count < 250; count += 1)
      await world.send({ caller: "operator", operation: "create_api_key", input: {} });
    const again = await open("operator", { "last-event-id": String(first?.id) });
    const told = new Set<string>();
    for (let count = 0; count < 250; count += 1) told.add(String((await again.next())?.id));
    expect(told.size).toBe(250);
    again.leave();
  });

  test("an id that is not there any more starts at the oldest event, and shows a buyer nothing foreign", async () => {
    await quote("advertiser");
    const own = await quote("agency");
    const reader = await open("agency", { "last-event-id": "00000000-0000-4000-8000-000000000000" });
    expect((await reader.next())?.type).toBe("api_key.created");
    expect((await reader.next())?.record).toMatchObject({ flow_id: own });
    reader.leave();
  });

  test("nobody without a key follows events, and a wrong key is refused as everywhere", async () => {
    const anonymous = await ask("anonymous");
    expect([anonymous.status, await anonymous.json()]).toMatchObject([401, { error: "authentication_required" }]);
    const wrong = await ask("ask_live_unknown");
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { error: "invalid_api_key" }]);
  });

  test("a key that is revoked reads no further", async () => {
    const made = await world.send({ caller: "operator", operation: "create_api_key", input: { seat_id: "seat-2" } });
    const reader = await open(String(made.body["api_key"]));
    const input = { key_id: made.body["key_id"] };
    await world.send({ caller: "operator", operation: "revoke_api_key", input });
    expect(await reader.next()).toBeNull();
  });

  test("one caller holds a bounded number of streams, others go on, and a place that is left is free again", async () => {
    await served.close();
    served = await serveWith({ mostPerCaller: 2 });
    const held = [await open("agency"), await open("agency")];
    const refused = await ask("agency");
    expect([refused.status, refused.headers.get("retry-after")]).toStrictEqual([429, "30"]);
    expect(refused.headers.get("ratelimit-policy")).toBe(`"default";q=500;w=60`);
    const other = await open("advertiser");
    other.leave();
    held[0]?.leave();
    await expect
      .poll(async () => {
        const response = await ask("agency", {}, AbortSignal.timeout(5000));
        const { status } = response;
        await response.body?.cancel();
        return status;
      })
      .toBe(200);
    held[1]?.leave();
  });

  test("a caller that leaves while its stream is still being opened holds no place", async () => {
    await served.close();
    let arrived = (): void => undefined;
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const list: World["store"]["list"] = async (query) => {
      arrived();
      await gate;
      return world.store.list(query);
    };
    const { get, watch } = world.store;
    served = await serveWith({ mostPerCaller: 1, store: { get, watch, list } });
    const leaving = new AbortController();
    const left = ask("agency", {}, leaving.signal).catch(() => null);
    await first;
    leaving.abort();
    await left;
    // By the second answer the server has seen that the other connection is closed.
    for (const path of ["/health", "/health"]) await (await fetch(`${served.url}${path}`)).text();
    goOn();
    await expect
      .poll(async () => {
        const response = await ask("agency", {}, AbortSignal.timeout(5000));
        await response.body?.cancel();
        return response.status;
      })
      .toBe(200);
  });

  test("HEAD reads no stream and holds no place", async () => {
    await served.close();
    served = await serveWith({ mostPerCaller: 1 });
    const headers = { "x-api-key": world.secretOf("agency") ?? "" };
    for (let index = 0; index < 3; index += 1) {
      expect((await fetch(`${served.url}/events/stream`, { method: "HEAD", headers })).status).toBe(200);
    }
  });

  test("a silent stream is kept open by comments", async () => {
    await served.close();
    served = await serveWith({ heartbeatMs: 20 });
    const reader = await open("operator");
    const next = reader.next();
    await expect.poll(() => reader.comments.filter((comment) => comment === ": heartbeat").length).toBeGreaterThan(1);
    reader.leave();
    await next.catch(() => null);
  });

  test("a stopping server ends the streams at once, and says when to come back", async () => {
    const reader = await open("operator");
    const ended = reader.next();
    await served.close();
    expect(await ended).toBeNull();
    const [, afterMs] = /^retry: (\d+)\n: the server is stopping$/.exec(reader.comments.at(-1) ?? "") ?? [];
    expect(Number(afterMs)).toBeGreaterThanOrEqual(500);
    expect(Number(afterMs)).toBeLessThan(2_500);
  });

  test("the composed seller serves it, and its stop ends it", async () => {
    expect(world.pages.map(({ method, path }) => `${method} ${path}`)).toContain("GET /events/stream");
  });
});
