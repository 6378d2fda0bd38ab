import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import { dispatchEvents } from "../../../agents/seller/webhooks/dispatch.ts";
import { createWebhookSender } from "../../../agents/seller/webhooks/sender.ts";
import { signedHeaders } from "../../../agents/seller/webhooks/signature.ts";
import { createTrustRegistry } from "../../../agents/seller/ports/trust.ts";
import { pruneEvents } from "../../../agents/seller/background/event-pruning.ts";
import { type Sweeper, startSweeper } from "../../../agents/server/sweeper.ts";
import { createOutbound, type Outbound } from "../../../protocol/client/outbound.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";
import { answerJson, type Loopback, type Respond, startLoopback } from "../../client/loopback.ts";
import { openWorld, plainSettings, type World } from "../../skills/world.ts";

const approvalGate = { enabled: true, flows: ["deal" as const], aboveMicros: 0 };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const never = (): boolean => false;

let world: World;
let outbound: Outbound;
const opened: (() => Promise<void>)[] = [];

beforeEach(async () => {
  const network = { arrived: [], outbound: {}, close: async () => undefined };
  world = await openWorld({ settings: { outboundAllow: ["127.0.0.1"], approvalGate }, network });
  outbound = createOutbound({ allow: [{ host: "127.0.0.1", port: null }], timeoutMs: 5000 });
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  await outbound.close();
  await world.close();
});

const receiver = async (respond: Respond): Promise<Loopback> => {
  const loopback = await startLoopback(respond);
  opened.push(loopback.close);
  return loopback;
};

const answering =
  (status: number): Respond =>
  (_, response) =>
    answerJson(response, status, "as plain text");

interface Worker {
  work(until: () => boolean | Promise<boolean>): Promise<void>;
  stop(): Promise<void>;
}

/** No timers; `store` may be one that fails. */
const workerOn = (store: Store = world.store): Worker => {
  const clock = { nowMs: world.nowMs };
  const trust = createTrustRegistry(store, { agentRegistryEnabled: true }, { isPermitted: () => true });
  const sources = { catalog: createCatalog(defaultProducts), settings: plainSettings };
  const sender = createWebhookSender({ store, clock, log: silent, trust, outbound, random: () => 0, ...sources });
  const due = (row: StoredRow, nowMs: number) =>
    row.kind === "webhook_delivery" ? sender.claim(row as Parameters<typeof sender.claim>[0], nowMs) : null;
  const sweeper: Sweeper = startSweeper({ store, clock, log: silent, due }, 3_600_000);
  const stop = async (): Promise<void> => {
    await sweeper.stop();
    await sender.stop();
  };
  opened.push(stop);
  return {
    stop,
    work: async (until) => {
      await dispatchEvents({ store, clock }, never);
      await sweeper.sweep();
      await expect.poll(until, { interval: 10 }).toBe(true);
    },
  };
};

const send = async (caller: string, operation: string, input: unknown): Promise<Record<string, unknown>> => {
  const reply = await world.send({ caller, operation, input });
  expect(reply.code, JSON.stringify(reply)).toBeNull();
  return reply.body;
};

const subscribe = async (caller: string, url: string, types = ["quote.created"]): Promise<Record<string, string>> =>
  (await send(caller, "create_webhook", { url, event_types: types })) as Record<string, string>;

const quote = async (caller: string): Promise<string> => {
  const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
  const input = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 5_000_000, ...flight };
  return String((await send(caller, "request_quote", input))["quote_id"]);
};

interface Delivery {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_error: string | null;
}

const deliveries = async (webhookId: string | undefined, caller = "operator"): Promise<readonly Delivery[]> =>
  (await send(caller, "list_webhook_deliveries", { webhook_id: webhookId, limit: 500 }))["deliveries"] as Delivery[];

const allAre = (webhookId: string | undefined, status: string) => async (): Promise<boolean> => {
  const list = await deliveries(webhookId);
  return list.length > 0 && list.every((one) => one.status === status);
};

const tried = (webhookId: string | undefined, attempts: number) => async (): Promise<boolean> =>
  (await deliveries(webhookId))[0]?.attempts === attempts;

const everyDelivery = { kind: "webhook_delivery", terms: [], order: "oldest", limit: 500 } as const;

describe("what a receiver gets", () => {
  test("the signature is that of Standard Webhooks, byte for byte", () => {
    const parts = {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      webhookId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      nowMs: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(parts)).toStrictEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test("the event record as it is listed, signed with the secret that was shown once", async () => {
    const hook = await receiver(answering(204));
    const { webhook_id, secret = "" } = await subscribe("operator", `${hook.url}/in?tenant=7`);
    const quoteId = await quote("agency");
    await workerOn().work(allAre(webhook_id, "delivered"));
    const [request, ...others] = hook.seen;
    expect(others).toHaveLength(0);
    expect(request).toMatchObject({ method: "POST", path: "/in?tenant=7" });
    const [listed] = (await send("operator", "list_events", { flow_id: quoteId }))["events"] as readonly object[];
    const { buyer_name: _buyer, product_name: _product, ...event } = listed as Record<string, unknown>;
    expect(JSON.parse(request?.body ?? "")).toStrictEqual(event);
    const { headers } = request as { headers: Record<string, string> };
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${request?.body}`;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    expect(headers["webhook-timestamp"]).toBe("1800014400");
    expect(headers["webhook-id"]).toBe((await deliveries(webhook_id))[0]?.delivery_id);
  });

  test("a buyer is told of its own records alone, an operator of all, each of the types it named", async () => {
    const hook = await receiver(answering(200));
    const buyer = await subscribe("agency", `${hook.url}/buyer`, ["quote.created", "deal.created"]);
    const operator = await subscribe("operator", `${hook.url}/operator`);
    const own = await quote("agency");
    const foreign = await quote("advertiser");
    await quote("anonymous");
    const worker = workerOn();
    await worker.work(allAre(buyer["webhook_id"], "delivered"));
    await worker.work(allAre(operator["webhook_id"], "delivered"));
    const flows = (path: string): unknown[] =>
      hook.seen.filter((one) => one.path === path).map((one) => (JSON.parse(one.body) as { flow_id: string }).flow_id);
    expect(flows("/buyer")).toStrictEqual([own]);
    expect(flows("/operator")).toHaveLength(3);
    expect(JSON.stringify(hook.seen.filter((one) => one.path === "/buyer"))).not.toContain(foreign);
  });

  test("events of before the subscription are not told, whether there was another one or none", async () => {
    const hook = await receiver(answering(200));
    await quote("agency");
    const first = await subscribe("operator", hook.url);
    await quote("agency");
    const worker = workerOn();
    await worker.work(allAre(first["webhook_id"], "delivered"));
    const second = await subscribe("operator", hook.url);
    await quote("agency");
    await worker.work(allAre(second["webhook_id"], "delivered"));
    expect(await deliveries(first["webhook_id"])).toHaveLength(2);
    expect(await deliveries(second["webhook_id"])).toHaveLength(1);
  });
});

describe("what a chat or a mail gateway gets", () => {
  const chat = { text: "*Parley* {{ text }}", blocks: [{ url: "{{link}}", n: 1 }], at: "{{timestamp}}" };

  test("the operator's template, filled with a line for people and the screen to go to, signed as any delivery", async () => {
    const hook = await receiver(answering(200));
    const input = { url: hook.url, event_types: ["quote.created"], template: chat };
    const made = await send("operator", "create_webhook", input);
    expect(made).toMatchObject({ template: chat });
    const quoteId = await quote("agency");
    await workerOn().work(allAre(String(made["webhook_id"]), "delivered"));
    const [request] = hook.seen;
    const link = `${plainSettings.agentUrl.replace(/\/+$/, "")}/console/quotes/${quoteId}`;
    expect(JSON.parse(request?.body ?? "")).toStrictEqual({
      text: expect.stringMatching(/^\*Parley\* Quote created: .*CTV Premium Streaming/),
      blocks: [{ url: link, n: 1 }],
      at: "2027-01-15T12:00:00.000Z",
    });
    const { headers } = request as { headers: Record<string, string> };
    const key = Buffer.from(String(made["secret"]).slice("whsec_".length), "base64");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${request?.body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });

  test("what waits for a person is a line with its price and buyer, whose name is no markup, and no secret", async () => {
    const hook = await receiver(answering(200));
    const name = "<!channel> [pay](http://evil.example/x) *Harbor*\u202e @here";
    const identity = { agency_id: "agency-h", advertiser_id: "adv-h", advertiser_name: name };
    const { api_key: buyer } = await send("operator", "create_api_key", identity);
    const template = { text: "{{text}} {{link}} {{buyer}} {{product}} {{seller}} {{event_type}} {{event_id}}" };
    const input = { url: hook.url, event_types: ["approval.requested"], template };
    const { webhook_id } = await send("operator", "create_webhook", input);
    const quote_id = await quote(String(buyer));
    const { approval_id } = await send(String(buyer), "book_deal", { quote_id });
    expect(approval_id).toEqual(expect.any(String));
    await workerOn().work(allAre(String(webhook_id), "delivered"));
    const { text } = JSON.parse(hook.seen[0]?.body ?? "{}") as { text: string };
    expect(text).toMatch(/^Approval requested \(deal\): “channel pay http evil example x Harbor here”, CTV Premium/);
    expect(text).toContain(`/console/approvals/${String(approval_id)} `);
    expect(text.replace(/ http:\/\/localhost\S*/, "")).not.toMatch(/[<>*[\]@\u202e]|https?:|floor|ask_live/);
  });

  test("a template that names what no message has, is too long, or is a buyer's, is refused", async () => {
    const made = (caller: string, template: unknown) =>
      world.send({
        caller,
        operation: "create_webhook",
        input: { url: "https://93.184.216.34/", event_types: ["quote.created"], template },
      });
    expect(await made("operator", { text: "{{floor_price}} {{secret}}" })).toMatchObject({ code: "validation_error" });
    expect(await made("operator", { text: "x".repeat(4001) })).toMatchObject({ code: "validation_error" });
    expect(await made("operator", "{{text}}")).toMatchObject({ code: "validation_error" });
    expect(await made("agency", { text: "{{text}}" })).toMatchObject({ code: "operator_required" });
    expect(await send("operator", "list_webhooks", {})).toMatchObject({ webhooks: [] });
  });
});

describe("attempts", () => {
  test("a failed delivery is tried again within ten seconds, with the same id, body and a new time", async () => {
    const hook = await receiver((_, response, count) => answerJson(response, count === 1 ? 500 : 200, {}));
    const { webhook_id } = await subscribe("operator", hook.url);
    await quote("agency");
    const worker = workerOn();
    await worker.work(tried(webhook_id, 1));
    expect(await deliveries(webhook_id)).toMatchObject([
      { status: "pending", next_attempt_at: "2027-01-15T12:00:05.000Z" },
    ]);
    world.advance(5000);
    await worker.work(allAre(webhook_id, "delivered"));
    const [first, second] = hook.seen;
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect([first?.headers["webhook-timestamp"], second?.headers["webhook-timestamp"]]).toStrictEqual([
      "1800014400",
      "1800014405",
    ]);
  });

  test("after three days of failures it is a dead letter, which can be read and replayed with the same id", async () => {
    let status = 503;
    const hook = await receiver((_, response) => answerJson(response, status, {}));
    const { webhook_id } = await subscribe("agency", hook.url);
    await quote("agency");
    const worker = workerOn();
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000];
    for (const [place, seconds] of waits.entries()) {
      await worker.work(tried(webhook_id, place + 1));
      world.advance(seconds * 1000);
    }
    await worker.work(allAre(webhook_id, "dead"));
    expect(hook.seen).toHaveLength(10);
    const dead = (await send("agency", "list_webhook_deliveries", { webhook_id, status: "dead" }))[
      "deliveries"
    ] as Delivery[];
    expect(dead).toMatchObject([{ attempts: 10, next_attempt_at: null, last_error: "http_503" }]);
    status = 200;
    const input = { webhook_id, delivery_id: dead[0]?.delivery_id };
    expect(await send("agency", "replay_webhook_delivery", input)).toMatchObject({ status: "pending", attempts: 10 });
    await worker.work(allAre(webhook_id, "delivered"));
    expect(new Set(hook.seen.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const foreign = await world.send({ caller: "advertiser", operation: "replay_webhook_delivery", input });
    expect(foreign.code).toBe("webhook_not_found");
  });

  test("410 ends it at once; a receiver that does not listen is tried again", async () => {
    const gone = await receiver(answering(410));
    const silentOne = await receiver(answering(200));
    const closed = `http://127.0.0.1:${silentOne.port}/`;
    await silentOne.close();
    opened.pop();
    const first = await subscribe("operator", gone.url);
    const second = await subscribe("operator", closed);
    await quote("agency");
    const worker = workerOn();
    await worker.work(allAre(first["webhook_id"], "dead"));
    await worker.work(tried(second["webhook_id"], 1));
    expect(await deliveries(second["webhook_id"])).toMatchObject([{ status: "pending", last_error: "connect_error" }]);
  });

  test("a redirect is no way to a host that is not permitted", async () => {
    const hook = await receiver((_, response) => answerJson(response, 302, {}, { location: "http://10.0.0.7/" }));
    const { webhook_id } = await subscribe("operator", hook.url);
    await quote("agency");
    await workerOn().work(tried(webhook_id, 1));
    expect(await deliveries(webhook_id)).toMatchObject([{ status: "pending", last_error: "redirect_refused" }]);
  });

  test("deliveries end with the key that made the subscription", async () => {
    const hook = await receiver(answering(200));
    const key = await send("operator", "create_api_key", { seat_id: "seat-2", agency_id: "agency-2" });
    const { webhook_id } = await subscribe(String(key["api_key"]), hook.url);
    await quote("agency");
    await send("operator", "revoke_api_key", { key_id: key["key_id"] });
    await workerOn().work(allAre(webhook_id, "dead"));
    expect(hook.seen).toHaveLength(0);
    expect(await deliveries(webhook_id)).toMatchObject([{ last_error: "key_not_valid", attempts: 0 }]);
  });

  test("what a deleted webhook has pending is dropped", async () => {
    const hook = await receiver(answering(500));
    const { webhook_id } = await subscribe("operator", hook.url);
    await quote("agency");
    const worker = workerOn();
    await worker.work(tried(webhook_id, 1));
    await send("operator", "delete_webhook", { webhook_id });
    world.advance(5000);
    await worker.work(async () => (await world.store.list(everyDelivery)).length === 0);
    expect(hook.seen).toHaveLength(1);
  });

  test("a burst of more than may wait: every event arrives, under an id of its own", async () => {
    const hook = await receiver((_, response) => answerJson(response, 200, {}));
    const { webhook_id } = await subscribe("operator", hook.url, ["api_key.created"]);
    for (let count = 0; count < 300; count += 1) await send("operator", "create_api_key", {});
    const worker = workerOn();
    for (let pass = 0; pass < 100 && !(await allAre(webhook_id, "delivered")()); pass += 1) {
      await worker.work(async () => (await deliveries(webhook_id)).some((one) => one.status === "delivered"));
      world.advance(61_000);
    }
    await worker.work(allAre(webhook_id, "delivered"));
    expect(new Set(hook.seen.map(({ headers }) => headers["webhook-id"])).size).toBe(300);
  });
});

/** Fails at one operation's commits, as a process killed there would leave it. */
const dyingAt = (operation: string): Store => ({
  ...world.store,
  commit: async (commit) => {
    if (commit.audit?.operation === operation) throw new Error("the process is gone");
    return world.store.commit(commit);
  },
});

describe("a worker that dies", () => {
  test("between the sending and its record: the delivery is sent again under the same id", async () => {
    const hook = await receiver(answering(200));
    const { webhook_id } = await subscribe("operator", hook.url);
    await quote("agency");
    const dying = workerOn(dyingAt("deliver_webhook"));
    await dying.work(() => hook.seen.length === 1);
    await dying.stop();
    expect(await deliveries(webhook_id)).toMatchObject([{ status: "pending", attempts: 0 }]);
    const next = workerOn();
    world.advance(59_000);
    await next.work(() => hook.seen.length === 1);
    world.advance(1000);
    await next.work(allAre(webhook_id, "delivered"));
    expect(hook.seen.map(({ headers }) => headers["webhook-id"])).toStrictEqual(
      Array.from({ length: 2 }, () => hook.seen[0]?.headers["webhook-id"]),
    );
  });

  test("while it hands events over: the next one hands over the same events once", async () => {
    const hook = await receiver(answering(200));
    const { webhook_id } = await subscribe("operator", hook.url);
    for (let count = 0; count < 30; count += 1) await quote("agency");
    const clock = { nowMs: world.nowMs };
    await expect(dispatchEvents({ store: dyingAt("dispatch_webhooks"), clock }, never)).rejects.toThrow("gone");
    expect(await deliveries(webhook_id)).toHaveLength(0);
    await Promise.all([1, 2, 3].map(() => dispatchEvents({ store: world.store, clock }, never)));
    expect(await deliveries(webhook_id)).toHaveLength(30);
    await workerOn().work(allAre(webhook_id, "delivered"));
    expect(hook.seen).toHaveLength(30);
  });

  test("a subscription that is made during the hand-over misses nothing that follows it", async () => {
    const clock = { nowMs: world.nowMs };
    await subscribe("operator", "https://93.184.216.34/");
    await quote("agency");
    let late = "";
    const store: Store = {
      ...world.store,
      commit: async (commit) => {
        if (late === "") {
          late = String((await subscribe("operator", "https://93.184.216.34/"))["webhook_id"]);
          await quote("agency");
        }
        return world.store.commit(commit);
      },
    };
    await dispatchEvents({ store, clock }, never);
    expect((await deliveries(late)).length).toBeGreaterThanOrEqual(1);
  });
});

describe("old events", () => {
  test("they are forgotten after the time that the configuration says, younger ones are kept", async () => {
    const old = await quote("agency");
    world.advance(3 * 86_400_000);
    const young = await quote("agency");
    world.advance(86_400_000 + 1);
    const parts = { store: world.store, clock: { nowMs: world.nowMs }, settings: { eventRetentionDays: 4 } };
    await pruneEvents(parts, never);
    expect(await send("operator", "list_events", { flow_id: old })).toMatchObject({ events: [], total: 0 });
    expect(await send("operator", "list_events", { flow_id: young })).toMatchObject({ total: 1 });
  });
});
