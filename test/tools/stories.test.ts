import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolResultSchema,
  InitializeResultSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
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

const results = {
  initialize: InitializeResultSchema,
  "tools/list": ListToolsResultSchema,
  "tools/call": CallToolResultSchema,
};

/** Every message of either side is one of the protocol, and every result that of its method. */
const checked = (transport: Transport): Transport => {
  const methods = new Map<unknown, string>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    JSONRPCMessageSchema.parse(message);
    if ("method" in message && "id" in message) methods.set(message.id, message.method);
    return send(message, options);
  };
  let heard: ((message: JSONRPCMessage) => void) | undefined;
  Object.defineProperty(transport, "onmessage", {
    get: () => heard,
    set: (listener: typeof heard) => {
      heard = (message) => {
        JSONRPCMessageSchema.parse(message);
        const method = "result" in message ? methods.get(message.id) : undefined;
        if (method !== undefined && Object.hasOwn(results, method)) {
          results[method as keyof typeof results].parse((message as { result: unknown }).result);
        }
        listener?.(message);
      };
    },
  });
  return transport;
};

const assistantOver = async (transport: Transport, ended: () => Promise<void>): Promise<Assistant> => {
  const client = new Client({ name: "assistant", version: "1" });
  await client.connect(checked(transport));
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

const overHttp = (seller: Started, key: string): Promise<Assistant> => {
  const requestInit = { headers: { "x-api-key": key } };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", seller.url), { requestInit });
  return assistantOver(transport as Transport, async () => undefined);
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

const overStdio = (world: World, caller: Caller): Promise<Assistant> => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const info = { name: "parley-seller", title: "Seller", version: "1.0.0" };
  const { runner } = world;
  const shown = { caller, lists: sellerTools, instructions: "Tools of a seller.", limits: defaultBodyLimits };
  const run: World["runner"]["run"] = (call) =>
    runner.run({ ...call, admission: { ...call.admission, who: async () => caller } });
  const served = serveStdio({ runner: { ...runner, run }, info, ...shown, input, output });
  return assistantOver(pipeOf(input, output), () => served);
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
  expect((await use("list_approvals"))["total"]).toBe(0);
};

const isShort = (assistant: Assistant): void => {
  expect(assistant.calls()).toBeLessThanOrEqual(15);
  expect(assistant.bytes()).toBeLessThanOrEqual(60_000);
};

describe("over HTTP", () => {
  let seller: Started;
  beforeAll(async () => {
    seller = await startSeller();
  });
  afterAll(() => seller.close());

  test("a campaign and an operator's morning, in 15 calls and 60 kB each", async () => {
    const issued = await seller.host("create_api_key", { label: "buyer", seat_id: "s-1", agency_id: "ag-1" });
    const senior = await seller.host("create_operator_key", { label: "desk", role: "senior" });
    const [buyer, operator] = [
      await overHttp(seller, String(issued["api_key"])),
      await overHttp(seller, String(senior["api_key"])),
    ];
    const deals = await campaign(buyer);
    isShort(buyer);
    await morning(operator, deals);
    isShort(operator);
    await buyer.close();
    await operator.close();
  });
});

describe("over stdio", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test("a campaign and an operator's morning, in 15 calls and 60 kB each", async () => {
    const claim = { apiKey: world.secretOf("agency"), authorization: null, cookies: null, address: "127.0.0.1" };
    const who = await world.runner.admit(claim as Parameters<World["runner"]["admit"]>[0]).who();
    const buyer = await overStdio(world, who as Caller);
    const operator = await overStdio(world, hostCaller);
    const deals = await campaign(buyer);
    isShort(buyer);
    await morning(operator, deals);
    isShort(operator);
    await buyer.close();
    await operator.close();
  });
});
