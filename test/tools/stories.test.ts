import { PassThrough } from "node:stream";
import {
  Client as ModernClient,
  isSpecType,
  StreamableHTTPClientTransport as ModernHttpTransport,
  type Transport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sellerTools } from "../../agents/seller/tool-lists.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import { type Caller, hostCaller } from "../../protocol/seam/caller.ts";
import { serveStdio } from "../../tools/stdio.ts";
import type { Members } from "../conformance/wire.ts";
import { openWorld, type World } from "../skills/world.ts";
import { type Started, startSeller } from "../spec/launched.ts";

/** What a model reads: the list, and the text of each answer. */
interface Assistant {
  readonly use: (name: string, args?: Record<string, unknown>) => Promise<Members>;
  readonly calls: () => number;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
}

const isResult: Readonly<Record<string, (result: unknown) => boolean>> = {
  initialize: isSpecType.InitializeResult,
  "server/discover": isSpecType.DiscoverResult,
  "tools/list": isSpecType.ListToolsResult,
  "tools/call": isSpecType.CallToolResult,
};

/** Every message of either side is one of the protocol, and every result that of its method. */
const checked = <T extends Pick<Transport, "send" | "onmessage">>(transport: T): T => {
  const methods = new Map<unknown, string>();
  const check = (message: JSONRPCMessage): void => {
    expect(isSpecType.JSONRPCMessage(message), JSON.stringify(message)).toBe(true);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    check(message);
    if ("method" in message && "id" in message) methods.set(message.id, message.method);
    return send(message, options);
  };
  let heard: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: () => heard,
    set: (listener: Transport["onmessage"]) => {
      heard = (message, extra) => {
        check(message);
        const method = "result" in message ? methods.get(message.id) : undefined;
        const isOne = isResult[method ?? ""] ?? (() => true);
        expect(isOne((message as { result?: unknown }).result), JSON.stringify(message)).toBe(true);
        listener?.(message, extra);
      };
    },
  });
  return transport;
};

interface ClientKind {
  readonly client: string;
  readonly connect: (transport: Transport) => Promise<Pick<Client, "listTools" | "callTool" | "close">>;
}

const about = { name: "assistant", version: "1" };

const clients: readonly ClientKind[] = [
  {
    client: "SDK v1, revision 2025-11-25",
    connect: async (transport) => {
      const client = new Client(about);
      await client.connect(transport);
      return client;
    },
  },
  {
    client: "SDK v2, revision 2026-07-28",
    connect: async (transport) => {
      const client = new ModernClient(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await client.connect(transport as unknown as ModernTransport);
      return client as unknown as Client;
    },
  },
];

const assistantOver = async (
  { connect }: ClientKind,
  transport: Transport,
  ended: () => Promise<void>,
): Promise<Assistant> => {
  const client = await connect(checked(transport));
  const { tools } = await client.listTools();
  const listed = new Set(tools.map(({ name }) => name));
  let bytes = Buffer.byteLength(JSON.stringify({ tools }));
  let calls = 0;
  return {
    use: async (name, args = {}) => {
      expect(listed, "an assistant calls what it was shown").toContain(name);
      calls += 1;
      const { content, isError } = await client.callTool({ name, arguments: args });
      const { text } = (content as [{ text: string }])[0];
      bytes += Buffer.byteLength(text);
      expect([name, isError, isError === true ? text : ""]).toEqual([name, undefined, ""]);
      return JSON.parse(text) as Members;
    },
    calls: () => calls,
    bytes: () => bytes,
    close: async () => {
      await client.close();
      await ended();
    },
  };
};

const overHttp = (kind: ClientKind, seller: Started, key: string): Promise<Assistant> => {
  const requestInit = { headers: { "x-api-key": key } };
  const [url, done] = [new URL("/mcp", seller.url), async () => undefined];
  const isFirst = kind === clients[0];
  const transport: unknown = isFirst
    ? new StreamableHTTPClientTransport(url, { requestInit })
    : new ModernHttpTransport(url, { requestInit });
  return assistantOver(kind, transport as Transport, done);
};

const pipeOf = (input: PassThrough, output: PassThrough): Transport => {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: async () => {
      output.on("data", (chunk: Buffer) => {
        buffer.append(chunk);
        for (let read = buffer.readMessage(); read !== null; read = buffer.readMessage()) transport.onmessage?.(read);
      });
    },
    send: async (message) => void input.write(serializeMessage(message)),
    close: async () => {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
};

const overStdio = (kind: ClientKind, world: World, caller: Caller): Promise<Assistant> => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const info = { name: "parley-seller", title: "Seller", version: "1.0.0" };
  const { runner } = world;
  const shown = { caller, lists: sellerTools, instructions: "Tools of a seller.", limits: defaultBodyLimits };
  const run: World["runner"]["run"] = (call) =>
    runner.run({ ...call, admission: { ...call.admission, who: async () => caller } });
  const served = serveStdio({ runner: { ...runner, run }, info, ...shown, input, output });
  return assistantOver(kind, pipeOf(input, output), () => served);
};

const march = { flight_start: "2027-03-01", flight_end: "2027-03-31" };

/** Two products and one budget of 20,000 USD: negotiated, booked, one moved and one cancelled. */
const campaign = async ({ use }: Assistant): Promise<readonly unknown[]> => {
  const fields = ["products.product_id", "products.name", "products.inventory_type", "products.final_cpm"];
  const { products } = await use("list_products", { fields });
  const idOf = (type: string): unknown =>
    (products as Members[]).find(({ inventory_type }) => inventory_type === type)?.["product_id"];
  const [ctv, app] = [idOf("ctv"), idOf("mobile_app")];
  await use("check_avails", { product_id: ctv, start_date: march.flight_start, end_date: march.flight_end });
  const first = await use("request_quote", { product_id: ctv, deal_type: "PG", budget: 12_000, ...march });
  const second = await use("request_quote", { product_id: app, deal_type: "PD", budget: 8000, ...march });
  const offer = await use("negotiate", { quote_id: first["quote_id"], action: "counter", buyer_price: 27 });
  const agreed = await use("negotiate", { negotiation_id: offer["negotiation_id"], action: "accept" });
  const one = await use("book_deal", { quote_id: first["quote_id"], idempotency_key: "story-1" });
  const two = await use("book_deal", { quote_id: second["quote_id"], idempotency_key: "story-2" });
  expect(one).toMatchObject({ pricing: { final_cpm: agreed["agreed_price"] } });
  expect(Number(one["total_cost"]) + Number(two["total_cost"])).toBeLessThanOrEqual(20_000);
  const moved = await use("reschedule_deal", { deal_id: one["deal_id"], shift_days: 2 });
  expect(moved).toMatchObject({ status: "approved", deal: { terms: { flight_start: "2027-03-03" } } });
  const cancelled = await use("cancel_deal", { deal_id: two["deal_id"], reason: "The budget moved." });
  expect(cancelled).toMatchObject({ status: "pending_approval", next_step: expect.any(String) as string });
  const { deals, totals } = await use("list_deals");
  expect([(deals as unknown[]).length, totals]).toEqual([2, expect.objectContaining({ count: 2 })]);
  return [one["deal_id"], two["deal_id"]];
};

/** What waits, decide, what was sold, what is nearly full, change a price, block an agent, give a key. */
const morning = async ({ use }: Assistant, [active, cancelled]: readonly unknown[]): Promise<void> => {
  expect(await use("get_desk_status")).toMatchObject({ changes: { count: 1 } });
  const { change_requests: waiting } = await use("list_change_requests", { status: "pending_approval" });
  const [request] = waiting as [Members];
  expect(request["deal_id"]).toBe(cancelled);
  const decided = await use("review_change_request", { cr_id: request["change_request_id"], decision: "approve" });
  expect(decided["next_step"]).toMatch(/apply_change_request/);
  await use("apply_change_request", { cr_id: request["change_request_id"] });
  const { approvals } = await use("list_approvals", { status: ["pending"] });
  const [approval] = approvals as [Members];
  expect(approval["deal_id"]).toBe(active);
  const approved = await use("approve_or_reject", { approval_id: approval["approval_id"], decision: "approve" });
  expect(approved["next_step"]).toMatch(/transition_deal/);
  await use("transition_deal", { deal_id: active, to_status: "active" });
  expect(await use("get_activity", { step: "week" })).toMatchObject({ totals: { deals: 2 } });
  const { deals } = await use("list_deals", { fields: ["deals.deal_id", "deals.status", "deals.total_cost"] });
  const statuses = (deals as Members[]).map(({ deal_id, status }) => [deal_id, status]);
  expect(new Map(statuses as [unknown, unknown][])).toEqual(
    new Map([
      [active, "active"],
      [cancelled, "rejected"],
    ]),
  );
  await use("get_capacity_report", { from: "2027-03-01", months: 1 });
  await use("update_product", { product_id: "prod-53e78a97", base_cpm: 36, reason: "Demand." });
  await use("block_agent", { agent_url: "https://spam.example/agent", notes: "Spam." });
  expect(await use("create_api_key", { label: "New buyer", agency_id: "ag-2" })).toHaveProperty("api_key");
};

const isShort = (assistant: Assistant): void => {
  expect(assistant.calls()).toBeLessThanOrEqual(15);
  expect(assistant.bytes()).toBeLessThanOrEqual(60_000);
};

/** The first booking waits for an operator. */
const dearUsd = 9000;

describe.each(clients)("$client", (kind) => {
  let seller: Started;
  let world: World;
  beforeAll(async () => {
    const environment = {
      APPROVAL_GATE_ENABLED: "true",
      APPROVAL_REQUIRED_FLOWS: "deal",
      APPROVAL_REQUIRED_ABOVE_VALUE: String(dearUsd),
    };
    [seller, world] = await Promise.all([
      startSeller(environment),
      openWorld({ settings: { approvalGate: { enabled: true, flows: ["deal"], aboveMicros: dearUsd * 1_000_000 } } }),
    ]);
  });
  afterAll(() => Promise.all([seller.close(), world.close()]));

  const story = async (buyer: Assistant, operator: Assistant): Promise<void> => {
    const deals = await campaign(buyer);
    isShort(buyer);
    await morning(operator, deals);
    isShort(operator);
    await buyer.close();
    await operator.close();
  };

  test("over HTTP: a campaign and an operator's morning, in 15 calls and 60 kB each", async () => {
    const issued = await seller.host("create_api_key", { label: "buyer", seat_id: "s-1", agency_id: "ag-1" });
    const senior = await seller.host("create_operator_key", { label: "desk", role: "senior" });
    const buyer = await overHttp(kind, seller, String(issued["api_key"]));
    await story(buyer, await overHttp(kind, seller, String(senior["api_key"])));
  });

  test("over stdio: the same", async () => {
    const claim = { apiKey: world.secretOf("agency"), authorization: null, cookies: null, address: "127.0.0.1" };
    const who = await world.runner.admit(claim as Parameters<World["runner"]["admit"]>[0]).who();
    const buyer = await overStdio(kind, world, who as Caller);
    await story(buyer, await overStdio(kind, world, hostCaller));
  });
});
