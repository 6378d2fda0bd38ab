import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datedExamples } from "../../agents/seller/examples.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Store } from "../../storage/store.ts";
import { type Started, startSeller } from "../spec/launched.ts";

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const inSandbox: Headers = { "x-parley-sandbox": "true" };

const contentOf = async (store: Store): Promise<string> => {
  const hash = createHash("sha256").update(JSON.stringify(await store.auditHeads()));
  for (const [kind, count] of [...(await store.size()).rows].sort(([left], [right]) => left.localeCompare(right))) {
    hash.update(`${kind} ${count}`);
    for (let offset = 0; offset < count; offset += 500)
      hash.update(JSON.stringify(await store.list({ kind, terms: [], order: "oldest", limit: 500, offset })));
  }
  return hash.digest("hex");
};

/** Once what an agent does at its start is done. */
const settled = async (store: Store): Promise<string> => {
  let before = await contentOf(store);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const now = await contentOf(store);
    if (now === before) return now;
    before = now;
  }
};

interface Sent {
  readonly status: number;
  readonly marked: string | null;
  readonly body: Members;
}

const readAs = async (answer: Response, pick: (body: Members) => unknown): Promise<Sent> => {
  const body = (await answer.json()) as Members;
  const marked = answer.headers.get("x-parley-sandbox");
  return { status: answer.status, marked, body: (pick(body) ?? body) as Members };
};

const post = (url: string, path: string, headers: Headers, body: unknown): Promise<Response> =>
  fetch(new URL(path, url), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

type Send = (url: string, contract: Contract, input: Members, headers: Headers) => Promise<Sent>;

const overRest: Send = async (url, { rest }, input, headers) => {
  const left: Record<string, unknown> = { ...input };
  const path = (rest?.path ?? "/").replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = String(left[name]);
    delete left[name];
    return encodeURIComponent(value);
  });
  const method = rest?.method ?? "GET";
  if (method === "POST" || method === "PUT") {
    const init = { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(left) };
    return readAs(await fetch(new URL(path, url), init), () => undefined);
  }
  const target = new URL(path, url);
  for (const [name, value] of Object.entries(left)) target.searchParams.set(name, String(value));
  return readAs(await fetch(target, { method, headers }), () => undefined);
};

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
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
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
