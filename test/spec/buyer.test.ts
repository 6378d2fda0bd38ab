import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buyerSettingTable } from "../../agents/buyer/config.ts";
import { buyerOperations } from "../../agents/buyer/operations.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { sampleBrief } from "../buyer/world.ts";
import { covers } from "../requirements.ts";
import { type Answer, type Started, startBuyer, startSeller } from "./launched.ts";

let seller: Started;
let buyer: Started;
let headers: Record<string, string> = {};
let revoked: Record<string, string> = {};

beforeAll(async () => {
  seller = await startSeller();
  const identity = { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" };
  const sellerKey = String((await seller.host("create_api_key", identity))["api_key"]);
  buyer = await startBuyer({ SELLER_ENDPOINTS: seller.url, SELLER_API_KEYS: `${seller.url}=${sellerKey}` });
  headers = { "x-api-key": String((await buyer.host("create_operator_key", { label: "desk" }))["api_key"]) };
  const { api_key, key_id } = await buyer.host("create_operator_key", { label: "revoked" });
  await buyer.host("revoke_operator_key", { key_id });
  revoked = { "x-api-key": String(api_key) };
});
afterAll(async () => {
  await buyer.close();
  await seller.close();
});

const brief = { ...sampleBrief, budget: 10_000, channels: ["branding", "ctv"], flights: null };

/** A port that was free a moment ago. */
const nobody = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
};

const settled = async (path: string): Promise<Answer> => {
  const isOver = async (): Promise<boolean> => {
    const { body } = await buyer.ask("GET", path, { headers });
    return body["status"] !== "pending" && body["status"] !== "running";
  };
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
  return buyer.ask("GET", path, { headers });
};

const booked = async (body: unknown): Promise<{ path: string; made: Answer; job: Answer }> => {
  const made = await buyer.ask("POST", "/bookings", { headers, body });
  const path = `/bookings/${String(made.body["job_id"])}`;
  return { path, made, job: await settled(path) };
};

/** Wherever the answer carries it. */
const statusesOf = async (contract: Contract, key: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
  const { name, rest } = contract;
  const sent = (body: unknown): { headers: typeof key; body: unknown } => ({ headers: key, body });
  const rpc = (method: string, params: unknown): unknown => ({ jsonrpc: "2.0", id: 1, method, params });
  const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "data", data: { operation: name } }] };
  const inError = ({ body, text }: Answer): unknown => {
    const { error, result } = body as { error?: { data?: { status?: number } }; result?: unknown };
    return error?.data?.status ?? (result === undefined ? text : 200);
  };
  // The flat reply carries a refusal within its parts.
  const gateOf = ({ text }: Answer): number =>
    /"(?:authentication_required|invalid_api_key|api_key_revoked)"/.test(text) ? 401 : 200;
  const routed = rest === undefined ? null : [rest.method, rest.path.replace(/:[a-z_]+/g, "none")];
  const [method = "", path = ""] = routed ?? [];
  const answers = await Promise.all([
    routed === null ? null : buyer.ask(method, path, method === "GET" ? { headers: key } : sent({})),
    buyer.ask("POST", "/mcp/call", sent({ name, arguments: {} })),
    buyer.ask("POST", "/rpc", sent(rpc(name, {}))),
    buyer.ask("POST", "/a2a/buyer/jsonrpc", sent(rpc("message/send", { message }))),
  ]);
  const [overRest, overMcp, overRpc, overA2a] = answers;
  return [overRest?.status ?? overMcp.status, overMcp.status, inError(overRpc), gateOf(overA2a)];
};

describe("buyer over HTTP: who gets in", () => {
  test("the pages of the document are public", async () => {
    covers("buyer.public.health", "buyer.public.docs", "buyer.public.redoc", "buyer.public.openapi");
    covers("buyer.public.oauth2-redirect");
    for (const path of ["/health", "/docs", "/redoc", "/openapi.json", "/docs/oauth2-redirect"]) {
      expect([path, (await buyer.ask("GET", path)).status]).toEqual([path, 200]);
    }
  });

  test("every operation of the description answers 401 without a key, and with a wrong one", async () => {
    covers("buyer.auth.no-keyless-mode", "buyer.auth.allowlist");
    const { body } = await buyer.ask("GET", "/openapi.json");
    type Described = Readonly<Record<string, { readonly security: readonly object[] }>>;
    const routes = Object.entries(body["paths"] as Record<string, Described>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, "x"),
        isOpen: security.some((scheme) => Object.keys(scheme).length === 0),
      })),
    );
    expect(routes.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual([
      "/health",
      "/healthz",
      "/readyz",
      "/a2a/buyer/jsonrpc",
      "/a2a/buyer/.well-known/agent-card.json",
      "/.well-known/agent-card.json",
      "/.well-known/agent.json",
    ]);
    const closed = routes.filter(({ isOpen }) => !isOpen);
    expect(closed.length).toBeGreaterThan(8);
    for (const { method, path } of closed) {
      for (const wrong of [{}, { "x-api-key": "abk_live_wrong" }, { authorization: "Bearer abk_live_wrong" }]) {
        const answer = await buyer.ask(method, path, { headers: wrong });
        expect([method, path, answer.status]).toEqual([method, path, 401]);
      }
    }
  });

  const reachable = buyerOperations.filter(({ contract }) => contract.closedDoors?.rest === undefined);
  test.each(reachable.map(({ contract }) => [contract.name, contract] as const))(
    "%s refuses no key, an unknown and a revoked one through every door, and admits an operator",
    async (name, contract) => {
      covers("buyer.auth.no-keyless-mode", "buyer.auth.key-revoked");
      for (const key of [{}, { "x-api-key": "abk_live_wrong" }, revoked]) {
        expect([JSON.stringify(key), ...(await statusesOf(contract, key))]).toEqual([
          JSON.stringify(key),
          ...[401, 401, 401, 401],
        ]);
      }
      for (const status of await statusesOf(contract, headers)) expect([401, 403], name).not.toContain(status);
    },
  );

  test("the address that agent.json names answers JSON-RPC of A2A, to who has a key", async () => {
    const { body: card } = await buyer.ask("GET", "/.well-known/agent.json");
    expect(card).toMatchObject({ url: buyer.url, preferredTransport: "JSONRPC" });
    const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "text", text: "status" }] };
    const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
    const path = new URL(String(card["url"])).pathname;
    expect((await buyer.ask("POST", path, { body })).status).toBe(401);
    const answer = await buyer.ask("POST", path, { headers, body });
    expect(answer).toMatchObject({ status: 200, body: { id: 1, result: { kind: "message", role: "agent" } } });
  });

  test("both forms of the credential open the door", async () => {
    covers("buyer.auth.bearer", "buyer.auth.x-api-key");
    const secret = headers["x-api-key"] ?? "";
    expect((await buyer.ask("GET", "/bookings", { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
    expect((await buyer.ask("GET", "/bookings", { headers: { "x-api-key": secret } })).status).toBe(200);
  });

  test("tools over MCP answer 401 without a key and work with one", async () => {
    covers("buyer.mcp.served", "buyer.mcp.gated");
    const params = { name: "list_bookings", arguments: {} };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const open = { jsonrpc: "2.0", id: 1, method: "initialize", params: client };
    const accept = { accept: "application/json, text/event-stream" };
    const anonymous = await buyer.ask("POST", "/mcp", { headers: accept, body: open });
    const session = anonymous.headers.get("mcp-session-id");
    const more = session === null ? accept : { ...accept, "mcp-session-id": session };
    const refused = await buyer.ask("POST", "/mcp", { headers: more, body: call });
    expect(`${refused.status} ${refused.text}`).toMatch(/401|authentication_required/);
    const known = await buyer.ask("POST", "/mcp", { headers: { ...accept, ...headers }, body: open });
    const own = { ...accept, ...headers, "mcp-session-id": known.headers.get("mcp-session-id") ?? "" };
    const answered = await buyer.ask("POST", "/mcp", { headers: own, body: call });
    expect([answered.status, answered.text]).toEqual([200, expect.stringContaining("structuredContent")]);
  });

  test("no tool that the list names works without a key", async () => {
    covers("buyer.mcp.gated");
    const { tools } = (await buyer.ask("GET", "/mcp/tools")).body as { tools: readonly { name: string }[] };
    expect(tools.length).toBeGreaterThan(5);
    for (const { name } of tools.filter((tool) => tool.name !== "health_check")) {
      const { status, body } = await buyer.ask("POST", "/mcp/call", { body: { name, arguments: {} } });
      expect([name, status, body["success"]]).toEqual([name, 401, false]);
    }
  });

  test("without a setting it listens on 8001, and gives a seller 30 seconds", () => {
    covers("buyer.service.port-8001", "buyer.client.timeout-30s");
    expect(readSettings(buyerSettingTable, {})).toMatchObject({ port: 8001, sellerTimeoutSeconds: 30 });
  });
});

describe("buyer over HTTP: bookings", () => {
  test("a brief becomes a pending job, and waits for approval once its recommendations are ready", async () => {
    covers("buyer.bookings.create", "buyer.bookings.response.job-id", "buyer.bookings.response.status");
    covers("buyer.bookings.response.message", "buyer.bookings.get", "buyer.bookings.request.auto-approve-default");
    covers("buyer.jobs.created-pending", "buyer.jobs.running-awaiting-approval", "buyer.service.background-job");
    covers("buyer.service.seller-endpoints", "buyer.service.presents-recommendations");
    covers("buyer.service.allocates-budget", "buyer.service.researches-inventory");
    const { made, job } = await booked({ brief });
    const message = expect.stringMatching(/\S/) as string;
    expect(made).toMatchObject({ status: 200, body: { status: "pending", message } });
    expect(made.body["job_id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(job.body).toMatchObject({ status: "awaiting_approval", booked_lines: [], errors: [] });
    expect(Object.keys(job.body["budget_allocations"] as object).toSorted()).toEqual(["branding", "ctv"]);
    expect((job.body["recommendations"] as unknown[]).length).toBeGreaterThan(0);
  });

  test("approve books the named products, and a job is approved once", async () => {
    covers("buyer.bookings.approve.answer", "buyer.bookings.approve.only-waiting", "buyer.jobs.approved-completed");
    covers("buyer.bookings.approve.ids-required", "buyer.service.books-approved-lines");
    const { path, job } = await booked({ brief });
    const [first] = job.body["recommendations"] as readonly { product_id: string }[];
    expect((await buyer.ask("POST", `${path}/approve`, { headers, body: {} })).status).toBe(422);
    const body = { approved_product_ids: [first?.product_id] };
    const approved = await buyer.ask("POST", `${path}/approve`, { headers, body });
    const lines = expect.any(Number) as number;
    expect(approved).toMatchObject({
      status: 200,
      body: { status: "success", approved_count: lines, booked: lines, total_cost: expect.any(Number) as number },
    });
    const after = (await buyer.ask("GET", path, { headers })).body;
    expect(after).toMatchObject({ status: "completed", progress: 1 });
    const [line] = after["booked_lines"] as readonly { deal_id: string }[];
    const deal = await seller.host("get_deal", { deal_id: line?.deal_id });
    expect(deal).toMatchObject({ product: { product_id: first?.product_id } });
    const again = await buyer.ask("POST", `${path}/approve`, { headers, body });
    expect(again).toMatchObject({ status: 409, body: { error: "invalid_status" } });
  });

  test("approve-all needs no body and books every line", async () => {
    covers("buyer.bookings.approve-all.no-body", "buyer.bookings.approve-all.answer");
    covers("buyer.bookings.approve-all.only-waiting");
    const { path, job } = await booked({ brief });
    const { length } = job.body["recommendations"] as readonly unknown[];
    const approved = await buyer.ask("POST", `${path}/approve-all`, { headers });
    const sum = expect.any(Number) as number;
    expect(approved).toMatchObject({
      status: 200,
      body: { status: "success", booked: length, total_impressions: sum, total_cost: sum },
    });
    const again = await buyer.ask("POST", `${path}/approve-all`, { headers });
    expect(again).toMatchObject({ status: 409, body: { error: "invalid_status" } });
  });

  test("auto_approve books without asking", async () => {
    covers("buyer.bookings.request.auto-approve", "buyer.client.request-quote", "buyer.client.book-deal");
    const { job } = await booked({ brief, auto_approve: true });
    expect(job.body).toMatchObject({ status: "completed", errors: [] });
    const lines = job.body["booked_lines"] as readonly { deal_id: string }[];
    expect(lines.length).toBeGreaterThan(0);
    for (const { deal_id } of lines) expect(await seller.host("get_deal", { deal_id })).toMatchObject({ deal_id });
  });

  test("the list shows each job in short", async () => {
    covers("buyer.bookings.list.jobs", "buyer.bookings.list.total", "buyer.bookings.list.status");
    await booked({ brief: { ...brief, name: "Listed" } });
    const { status, body } = await buyer.ask("GET", "/bookings?status=awaiting_approval", { headers });
    expect(status).toBe(200);
    const [job] = body["jobs"] as readonly unknown[];
    const text = expect.stringMatching(/\S/) as string;
    expect(job).toMatchObject({
      job_id: text,
      status: "awaiting_approval",
      campaign_name: "Listed",
      budget: 10_000,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
    expect(body["total"]).toBeGreaterThan(0);
    expect((await buyer.ask("GET", "/bookings?status=failed", { headers })).body).toMatchObject({ jobs: [], total: 0 });
  });

  test("without a limit the list shows 20 jobs", async () => {
    covers("buyer.bookings.list.limit-default");
    const idle = await startBuyer();
    try {
      const key = String((await idle.host("create_operator_key", { label: "desk" }))["api_key"]);
      for (let count = 0; count < 21; count += 1) await idle.host("create_booking", { brief });
      const { body } = await idle.ask("GET", "/bookings", { headers: { "x-api-key": key } });
      expect([(body["jobs"] as readonly unknown[]).length, body["total"]]).toEqual([20, 21]);
    } finally {
      await idle.close();
    }
  });

  test("the request is answered while the seller that the job asks is still silent", async () => {
    covers("buyer.service.background-job");
    const silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const asking = await startBuyer({ SELLER_ENDPOINTS: `http://127.0.0.1:${port}` });
    try {
      const key = { "x-api-key": String((await asking.host("create_operator_key", { label: "desk" }))["api_key"]) };
      const asked = new Promise((resolve) => silent.once("request", resolve));
      const made = await asking.ask("POST", "/bookings", { headers: key, body: { brief } });
      expect(made).toMatchObject({ status: 200, body: { status: "pending" } });
      await asked;
      const job = await asking.ask("GET", `/bookings/${String(made.body["job_id"])}`, { headers: key });
      expect(job.body).toMatchObject({ status: "running", recommendations: [] });
    } finally {
      silent.closeAllConnections();
      await asking.close();
      silent.close();
    }
  });

  test("a seller that is not there fails the job and no request", async () => {
    covers("buyer.jobs.running-failed", "buyer.jobs.failed-errors", "buyer.jobs.failed-no-http-error");
    const lonely = await startBuyer({ SELLER_ENDPOINTS: await nobody() });
    try {
      const key = { "x-api-key": String((await lonely.host("create_operator_key", { label: "desk" }))["api_key"]) };
      const made = await lonely.ask("POST", "/bookings", { headers: key, body: { brief } });
      expect(made).toMatchObject({ status: 200, body: { status: "pending" } });
      const path = `/bookings/${String(made.body["job_id"])}`;
      const status = async (): Promise<unknown> => (await lonely.ask("GET", path, { headers: key })).body["status"];
      await expect.poll(status, { timeout: 30_000 }).toBe("failed");
      const job = await lonely.ask("GET", path, { headers: key });
      expect(job.status).toBe(200);
      expect((job.body["errors"] as readonly string[])[0]).toContain("unreachable");
    } finally {
      await lonely.close();
    }
  });
});

describe("buyer over HTTP: errors", () => {
  test.each([
    ["POST", "/bookings", { brief: { ...brief, budget: 0 } }, 400, "invalid_brief"],
    ["POST", "/bookings", { brief: { ...brief, objectives: [] } }, 400, "invalid_brief"],
    ["POST", "/bookings", { brief: { ...brief, end_date: "2027-02-01" } }, 400, "invalid_brief"],
    ["POST", "/bookings", { brief: { ...brief, budget: "many" } }, 422, "validation_error"],
    ["POST", "/bookings", {}, 422, "validation_error"],
    ["GET", "/bookings/none", undefined, 404, "not_found"],
    ["POST", "/bookings/none/approve", { approved_product_ids: [] }, 404, "not_found"],
    ["POST", "/bookings/none/approve-all", undefined, 404, "not_found"],
    ["GET", "/bookings?limit=many", undefined, 422, "validation_error"],
  ])("%s %s: bad request %# has its code as error, and detail", async (method, path, body, status, error) => {
    covers("buyer.errors.shape", "buyer.errors.invalid-brief", "buyer.errors.brief-schema", "buyer.errors.unknown-job");
    covers("buyer.errors.approve-unknown-job", "buyer.errors.approve-all-unknown-job", "buyer.errors.list-query");
    const answer = await buyer.ask(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect([answer.status, answer.body["error"]]).toEqual([status, error]);
    expect(Object.keys(answer.body).toSorted()).toEqual(["detail", "error", "help"]);
  });

  test("ids that match no recommendation are 400 invalid_products", async () => {
    covers("buyer.errors.approve-invalid-products");
    const { path } = await booked({ brief });
    const body = { approved_product_ids: ["nothing"] };
    const answer = await buyer.ask("POST", `${path}/approve`, { headers, body });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_products" } });
  });
});
