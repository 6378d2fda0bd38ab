import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datedExamples } from "../../agents/seller/examples.ts";
import { refusalTable } from "../../protocol/neutral/refusals.ts";
import { runTest } from "../../skills/seller/test-mode/contract.ts";
import { ruleNames } from "../../skills/seller/selling-rules/rules.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import { account, buyOf, callerOver, onePackage } from "../adcp/caller.ts";
import { askAt, type Started, startSeller } from "../spec/launched.ts";
import {
  contentOf,
  type Headers,
  inSandbox,
  type Members,
  overRest,
  readAs,
  type Send,
  type Sent,
  settled,
} from "./sandbox-calls.ts";

const post = (url: string, path: string, headers: Headers, body: unknown): Promise<Response> =>
  fetch(new URL(path, url), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const dataOf = (body: Members): unknown => {
  const parts = ((body["result"] as Members | undefined)?.["parts"] ?? []) as readonly Members[];
  const data = parts.find(({ kind }) => kind === "data")?.["data"] as Members | undefined;
  return data?.["result"] ?? data?.["error"] ?? (body["error"] as Members | undefined)?.["data"];
};

const doors: Readonly<Record<string, Send>> = {
  rest: overRest,
  rpc: async (url, { name }, input, headers) =>
    readAs(
      await post(url, "/rpc", headers, { jsonrpc: "2.0", id: 1, method: name, params: input }),
      (body) => body["result"] ?? (body["error"] as Members | undefined)?.["data"],
    ),
  mcp: async (url, { name }, input, headers) =>
    readAs(
      await post(url, "/mcp/call", headers, { name, arguments: input }),
      (body) => body["result"] ?? body["error"],
    ),
  a2a: async (url, { name }, input, headers) => {
    const message = {
      messageId: randomUUID(),
      role: "user",
      parts: [{ kind: "data", data: { operation: name, input } }],
    };
    const rpc = { jsonrpc: "2.0", id: "1", method: "message/send", params: { message } };
    return readAs(await post(url, "/a2a/seller/jsonrpc", headers, rpc), dataOf);
  },
};

const quote = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 2_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

let seller: Started;
/** Where the business itself is called, so that its own background work is not taken for that of the sandbox. */
let busy: Started;
let plain: Started;
let key: Headers;
let operator: Headers;

const contract = (name: string): Contract => {
  const found = seller.contracts.find((one) => one.name === name);
  if (found === undefined && name !== "run_test") throw new Error(`no operation ${name}`);
  return found ?? runTest;
};

const keysOf = async (started: Started): Promise<{ readonly key: Headers; readonly operator: Headers }> => {
  const identity = { seat_id: "s-1", agency_id: "a-1", label: "integrator" };
  const made = await started.host("create_api_key", identity);
  const senior = await started.host("create_operator_key", { label: "op", role: "senior" });
  return {
    key: { "x-api-key": String(made["api_key"]) },
    operator: { "x-api-key": String(senior["api_key"]) },
  };
};

beforeAll(async () => {
  [seller, busy, plain] = await Promise.all([
    startSeller({ SANDBOX: "calls" }),
    startSeller({ SANDBOX: "calls" }),
    startSeller(),
  ]);
  ({ key, operator } = await keysOf(seller));
});
afterAll(() => Promise.all([seller.close(), busy.close(), plain.close()]));

const stores = ({ store, sandboxStore }: Started) => {
  if (sandboxStore === null) throw new Error("no sandbox");
  return { store, sandboxStore };
};

/** A quote, a deal and an order, with their ids. */
const booked = async (url: string, headers: Headers): Promise<Members> => {
  const { body: quoted } = await overRest(url, contract("request_quote"), quote, headers);
  const { quote_id } = quoted;
  const { body: deal } = await overRest(url, contract("book_deal"), { quote_id }, headers);
  const { deal_id } = deal;
  const { body: order } = await overRest(url, contract("create_order"), { deal_id }, headers);
  return { quote_id, deal_id, order_id: order["order_id"] };
};

/** Every operation with its example and the ids of real records. */
const everyCall = (ids: Members): readonly (readonly [Contract, Members])[] => {
  const examples = datedExamples(Date.now());
  return seller.contracts.map((one) => [one, { ...((examples[one.name]?.request ?? {}) as Members), ...ids }]);
};

/** Over the doors in turn. */
const sendAll = async (url: string, ids: Members, headers: Headers): Promise<readonly Sent[]> => {
  const sent: Sent[] = [];
  const calls = everyCall(ids).filter(([{ rest }]) => rest !== undefined);
  const sends = Object.values(doors);
  for (const [place, [one, input]] of calls.entries()) {
    const send = sends[place % sends.length];
    if (send !== undefined) sent.push(await send(url, one, input, headers));
  }
  return sent;
};

const isBug = ({ status, body }: Sent): boolean => status === 500 || body["error"] === "internal_error";

describe("sandbox: for single calls", () => {
  test("a call without it changes no row of the sandbox", async () => {
    const { sandboxStore } = stores(busy);
    const keys = await keysOf(busy);
    const tried = await booked(busy.url, { ...inSandbox, ...keys.key });
    const before = await settled(sandboxStore);
    const sent = await sendAll(busy.url, tried, keys.operator);
    expect(await contentOf(sandboxStore)).toBe(before);
    expect(sent.filter(({ marked }) => marked !== null)).toEqual([]);
    expect(sent.filter(isBug)).toEqual([]);
  });

  test("a call with the header changes no row of the business, whatever is called over whichever door", async () => {
    const { store, sandboxStore } = stores(seller);
    const real = await booked(seller.url, key);
    expect(real["order_id"]).toBeTruthy();
    const before = await settled(store);
    const tried = await contentOf(sandboxStore);
    const sent = await sendAll(seller.url, real, { ...inSandbox, ...operator });
    expect(await contentOf(store)).toBe(before);
    expect(await contentOf(sandboxStore)).not.toBe(tried);
    expect(sent.filter(({ marked, body }) => marked !== "true" || body["sandbox"] !== true)).toEqual([]);
    expect(sent.filter(isBug)).toEqual([]);
  });

  test("AdCP is done in the sandbox too, over MCP and A2A, and says so", async () => {
    const { store } = stores(busy);
    const own = await busy.host("create_api_key", { seat_id: "s-4", agency_id: "a-4", label: "adcp" });
    const sold = () => Promise.all(["deal", "order", "media_buy", "account"].map((kind) => store.count(kind, null)));
    const before = await sold();
    for (const door of ["mcp", "a2a"] as const) {
      const asked = (url: string, headers: Headers) =>
        callerOver(
          door,
          () => ({ ask: askAt(url) }),
          () => String(own["api_key"]),
          headers,
        );
      const buy = buyOf([onePackage]);
      const { body, code } = await asked(busy.url, inSandbox)("create_media_buy", buy);
      expect([code, body["sandbox"]]).toEqual([null, true]);
      const named = { account, media_buy_ids: [body["media_buy_id"]] };
      const found = await asked(busy.url, inSandbox)("get_media_buys", named);
      expect(found).toMatchObject({ code: null, body: { media_buys: [{ media_buy_id: body["media_buy_id"] }] } });
      expect((await asked(busy.url, {})("get_media_buys", named)).body["media_buys"]).toHaveLength(0);
      const none = await asked(plain.url, inSandbox)("get_products", { buying_mode: "wholesale" });
      expect(JSON.stringify(none)).not.toContain("products");
    }
    expect(await sold()).toEqual(before);
  });

  test("a key of the agent opens the sandbox; one made in the sandbox opens nothing else", async () => {
    const caller = contract("get_caller");
    const known = await overRest(seller.url, caller, {}, { ...inSandbox, ...key });
    expect(known.body).toMatchObject({ tier: "agency", sandbox: true });
    const asked = { seat_id: "s-9", agency_id: "a-9", label: "mine" };
    const made = await overRest(seller.url, contract("create_api_key"), asked, inSandbox);
    const own = { "x-api-key": String(made.body["api_key"]) };
    const mine = contract("list_deals");
    expect(await overRest(seller.url, mine, {}, { ...inSandbox, ...own })).toMatchObject({ status: 200 });
    expect(await overRest(seller.url, mine, {}, own)).toMatchObject({ status: 401, marked: null });
  });

  test("a revoked key opens the sandbox no longer", async () => {
    const made = await seller.host("create_api_key", { seat_id: "s-2", label: "gone" });
    const own = { ...inSandbox, "x-api-key": String(made["api_key"]) };
    expect((await overRest(seller.url, contract("get_caller"), {}, own)).status).toBe(200);
    await seller.host("revoke_api_key", { key_id: made["key_id"] });
    expect(await overRest(seller.url, contract("get_caller"), {}, own)).toMatchObject({ status: 401 });
  });

  test("what the sandbox reserves is not missing elsewhere, and its ids are unknown there", async () => {
    const avails = (headers: Headers) =>
      overRest(seller.url, contract("get_availability"), { ...quote, product_id: "prod-53e78a97" }, headers);
    const before = (await avails(key)).body;
    const tried = await booked(seller.url, { ...inSandbox, ...key });
    expect((await avails(key)).body).toEqual(before);
    const there = await overRest(seller.url, contract("get_deal"), { deal_id: tried["deal_id"] }, key);
    expect(there).toMatchObject({ status: 404, body: { error: "deal_not_found" } });
  });
});

describe("sandbox: refusals and states on demand", () => {
  const call = async (name: string, input: Members, headers: Headers = key): Promise<Sent> =>
    overRest(seller.url, contract(name), input, { ...inSandbox, ...headers });
  const play = (of: Members, headers?: Headers): Promise<Sent> => call("run_test", { test: of }, headers);
  // What was called before has changed the rules that the sandbox sells by.
  beforeAll(async () => {
    const reset = await call("update_selling_rules", { reset: ruleNames }, operator);
    expect(reset.status).toBe(200);
  });
  const operators = (operation: string, input: Members): Promise<Sent> =>
    play({ what: "as_operator", operation, input });

  test("every code is answered as the header asks, over every door", async () => {
    const sends = Object.values(doors);
    for (const [place, [code, { status }]] of Object.entries(refusalTable).entries()) {
      const send = sends[place % sends.length] ?? overRest;
      const answer = await send(seller.url, contract("request_quote"), quote, { ...key, "x-parley-sandbox": code });
      expect(answer.body, code).toMatchObject({ error: code, sandbox: true });
      if (send === overRest)
        expect(answer.status, code).toBe(contract("request_quote").refusals[code as never] ?? status);
    }
    const off = await overRest(plain.url, contract("request_quote"), quote, { "x-parley-sandbox": "quote_expired" });
    expect(off.body).toMatchObject({ error: "sandbox_refused" });
  });

  test("a client that connects is connected, and its calls are refused", async () => {
    const sold = { ...key, "x-parley-sandbox": "inventory_unavailable", accept: "application/json, text/event-stream" };
    let session: Headers = {};
    const asked = async (path: string, method: string, params: Members): Promise<Members> => {
      const answer = await post(seller.url, path, { ...sold, ...session }, { jsonrpc: "2.0", id: 1, method, params });
      const id = answer.headers.get("mcp-session-id");
      if (id !== null) session = { "mcp-session-id": id };
      return (await answer.json()) as Members;
    };
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    expect(await asked("/mcp", "initialize", hello)).toMatchObject({ result: { serverInfo: {} } });
    expect(await asked("/mcp", "tools/list", {})).toMatchObject({ result: { tools: expect.anything() } });
    const called = await asked("/mcp", "tools/call", { name: "request_quote", arguments: quote });
    const { content, isError } = called["result"] as { content: { text: string }[]; isError: boolean };
    const refused = { error: "inventory_unavailable", sandbox: true, cure: expect.any(String) };
    expect([isError, JSON.parse(content[0]?.text ?? "")]).toEqual([true, expect.objectContaining(refused)]);
    const overAdcp = callerOver(
      "mcp",
      () => ({ ask: askAt(seller.url) }),
      () => String(key["x-api-key"]),
      { "x-parley-sandbox": "inventory_unavailable" },
    );
    const bought = await overAdcp("create_media_buy", buyOf([onePackage]));
    expect(bought).toMatchObject({ http: 200, code: "PRODUCT_UNAVAILABLE", body: { sandbox: true } });
  });

  test("products refuse as their names say", async () => {
    const refusedAs = async (id: string, more: Members = {}) =>
      (await call("request_quote", { ...quote, product_id: id, ...more })).body["error"];
    expect(await refusedAs("sandbox-unpriced")).toBe("unpriceable_product");
    expect(await refusedAs("sandbox-minimum", { impressions: 5000 })).toBe("below_minimum_impressions");
    expect(await refusedAs("sandbox-eur", { target_cpm: 9, currency: "USD" })).toBe("currency_mismatch");
    const { body } = await call("request_quote", { ...quote, product_id: "sandbox-sold-out" });
    expect((await call("book_deal", { quote_id: body["quote_id"] })).body["error"]).toBe("inventory_unavailable");
  });

  test("a quote expires, is declined; a deal is active, rejected, expired; an order moves", async () => {
    const quoted = async () => (await call("request_quote", quote)).body["quote_id"];
    const expired = await quoted();
    expect((await play({ what: "pass_time", record: "quote", id: expired })).status).toBe(200);
    expect((await call("book_deal", { quote_id: expired })).body["error"]).toBe("quote_expired");
    const declined = await quoted();
    expect((await operators("decline_quote", { quote_id: declined, reason: "test" })).status).toBe(200);
    expect((await call("book_deal", { quote_id: declined })).body["error"]).toBe("quote_declined");

    const deal = async () => (await call("book_deal", { quote_id: await quoted() })).body["deal_id"];
    const statusOf = async (id: unknown) => (await call("get_deal", { deal_id: id })).body["status"];
    const [active, rejected, old] = [await deal(), await deal(), await deal()];
    await operators("transition_deal", { deal_id: active, to_status: "active", reason: "test" });
    expect(await statusOf(active)).toBe("active");
    await play({ what: "pass_time", record: "deal", id: active });
    expect(await statusOf(active)).toBe("completed");
    await operators("transition_deal", { deal_id: rejected, to_status: "rejected", reason: "test" });
    expect(await statusOf(rejected)).toBe("rejected");
    await play({ what: "pass_time", record: "deal", id: old });
    expect(await statusOf(old)).toBe("expired");

    const { body: order } = await call("create_order", { deal_id: await deal() });
    const moved = await operators("transition_order", { order_id: order["order_id"], to_status: "submitted" });
    expect(moved.body["result"]).toMatchObject({ status: "submitted" });
  });

  test("what is worth a million waits for an approval, which is granted or times out", async () => {
    const { product_id: _id, flight_start: start_date, flight_end: end_date, ...rest } = quote;
    const large = { ...rest, start_date, end_date, impressions: 40_000_000 };
    const asked = async () => {
      const { body } = await call("submit_proposal", { ...large, product_id: "prod-6c6b953d", price: 55 });
      expect(body).toMatchObject({ status: "pending_approval" });
      return body;
    };
    const granted = await asked();
    const decided = await operators("approve_or_reject", { approval_id: granted["approval_id"], decision: "approve" });
    expect(decided.status).toBe(200);
    const left = await asked();
    expect((await play({ what: "pass_time", record: "approval", id: left["approval_id"] })).status).toBe(200);
    const after = await call("get_proposal", { proposal_id: left["proposal_id"] });
    expect(after.body).toMatchObject({ status: "rejected" });
  });

  test("others' records are not found, and without the sandbox there is no such operation", async () => {
    const { body } = await call("request_quote", quote);
    const other = { "x-api-key": "demo-somebody-v1" };
    const foreign = await play({ what: "pass_time", record: "quote", id: body["quote_id"] }, other);
    expect(foreign).toMatchObject({ status: 404 });
    const real = await post(seller.url, "/api/v1/test", key, { test: { what: "submit_next", task_id: "t" } });
    expect(real.status).toBe(404);
    expect((await post(seller.url, "/api/v1/quotes", other, quote)).status).toBe(401);
  });

  test("text says that it is a sandbox", async () => {
    const parts = [{ kind: "text", text: "price of CTV Premium Streaming for 5M impressions" }];
    const message = { messageId: randomUUID(), role: "user", parts };
    const rpc = { jsonrpc: "2.0", id: "1", method: "message/send", params: { message } };
    const said = async (headers: Headers) => (await post(seller.url, "/a2a/seller/jsonrpc", headers, rpc)).text();
    expect(await said({ ...key, ...inSandbox })).toContain("This is a sandbox: nothing is bought");
    expect(await said(key)).not.toContain("sandbox");
  });
});

describe("sandbox: a header that the agent cannot follow", () => {
  test("is refused before anything is done, over every door", async () => {
    const before = await settled(plain.store);
    for (const send of Object.values(doors)) {
      const { status, body, marked } = await send(plain.url, contract("request_quote"), quote, inSandbox);
      expect(body).toMatchObject({ error: "sandbox_refused", message: expect.stringContaining("SANDBOX=calls") });
      expect([400, 200]).toContain(status);
      expect(marked).toBeNull();
    }
    expect(await contentOf(plain.store)).toBe(before);
  });

  test.each(["1", "yes", "", "true, true", "true; x"])("is refused where it says %j", async (value) => {
    for (const { url } of [seller, plain]) {
      const answer = await overRest(url, contract("list_products"), {}, { "x-parley-sandbox": value });
      expect(answer).toMatchObject({ status: 400, body: { error: "sandbox_refused" } });
    }
  });

  test("false asks for real business", async () => {
    const real = { "x-parley-sandbox": "false" };
    expect(await overRest(plain.url, contract("list_products"), {}, real)).toMatchObject({ status: 200, marked: null });
  });
});
