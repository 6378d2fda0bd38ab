import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, update } from "../../protocol/seam/changes.ts";
import type { Kind, StoredRow } from "../../storage/store.ts";
import { operatorKeyKind } from "../../skills/buyer/operator-keys/record.ts";
import { apiKeyKind } from "../../skills/seller/api-keys/record.ts";
import { agentKind } from "../../skills/seller/registry/record.ts";
import { agentRow } from "../skills/agent-row.ts";
import { startBuyer, startSeller, type Started } from "../spec/launched.ts";

/* Decision 96: one rule for what a credential is and how it is refused, at every door of both agents. */

type Headers = Readonly<Record<string, string>>;
type Ask = (
  headers: Headers,
) => Promise<{ readonly status: number; readonly headers: globalThis.Headers; text: string }>;
type AgentName = "seller" | "buyer";

const blockedUrl = "https://blocked.example";

const expire = async ({ store }: Started, kind: Kind<unknown>, id: string): Promise<void> => {
  const row = (await store.get(kind.name, id)) as StoredRow<{ life: { context: object } }>;
  const { life } = row.body;
  const body = { ...row.body, life: { ...life, context: { ...life.context, expiresAtMs: 1 } } };
  await store.commit({ changes: [update(kind, row, body)], audit: null });
};

/** By name, the headers of each credential. */
const credentialsOf = async (agent: Started, name: AgentName): Promise<ReadonlyMap<string, Headers>> => {
  const mint = async (label: string, more: object = {}): Promise<{ id: string; secret: string }> => {
    const made = await agent.host("create_operator_key", { label, ...more });
    return { id: String(made["key_id"]), secret: String(made["api_key"]) };
  };
  const [good, revoked, expired] = [
    await mint("good"),
    await mint("revoked"),
    await mint("expired", { expires_in_days: 1 }),
  ];
  await agent.host(name === "seller" ? "revoke_api_key" : "revoke_operator_key", { key_id: revoked.id });
  await expire(agent, (name === "seller" ? apiKeyKind : operatorKeyKind) as Kind<unknown>, expired.id);
  const key = (secret: unknown): Headers => ({ "x-api-key": String(secret) });
  const both: readonly [string, Headers][] = [
    ["nothing", {}],
    ["empty headers", { "x-api-key": "", authorization: " " }],
    ["a nonsense header", { authorization: "nonsense" }],
    ["another scheme", { authorization: "Basic b3BlcmF0b3I6eA==" }],
    ["a key without its scheme", { authorization: good.secret }],
    ["Bearer without a key", { authorization: "Bearer" }],
    ["Bearer and two words", { authorization: `Bearer ${good.secret} ${good.secret}` }],
    ["an unknown key", key("ask_live_unknown")],
    ["an unknown bearer", { authorization: "Bearer ask_live_unknown" }],
    ["a revoked key", key(revoked.secret)],
    ["an expired key", key(expired.secret)],
    ["a wrong key beside a good bearer", { ...key("wrong"), authorization: `Bearer ${good.secret}` }],
    ["a good key beside a wrong bearer", { ...key(good.secret), authorization: "Bearer wrong" }],
    ["a good key beside nonsense", { ...key(good.secret), authorization: "nonsense" }],
    ["a good bearer", { authorization: `bearer ${good.secret}` }],
  ];
  if (name === "buyer") return new Map(both);
  const row = agentRow("agent-00000001", blockedUrl, "blocked");
  const buyer = await agent.host("create_api_key", { seat_id: "seat-1" });
  const blocked = await agent.host("create_api_key", { seat_id: "seat-2", agent_url: blockedUrl });
  await agent.store.commit({ changes: [create(agentKind, row.agent_id, row)], audit: null });
  return new Map([
    ...both,
    ["a buyer's key", key(buyer["api_key"])],
    ["a blocked agent's key", key(blocked["api_key"])],
  ]);
};

/** What each credential is answered where an operator's key is needed; null: it passes. */
const answers: Readonly<Record<string, readonly [status: number, code: string] | null>> = {
  nothing: [401, "authentication_required"],
  "empty headers": [401, "authentication_required"],
  "a nonsense header": [401, "invalid_api_key"],
  "another scheme": [401, "invalid_api_key"],
  "a key without its scheme": [401, "invalid_api_key"],
  "Bearer without a key": [401, "invalid_api_key"],
  "Bearer and two words": [401, "invalid_api_key"],
  "an unknown key": [401, "invalid_api_key"],
  "an unknown bearer": [401, "invalid_api_key"],
  "a revoked key": [401, "api_key_revoked"],
  "an expired key": [401, "api_key_expired"],
  "a wrong key beside a good bearer": [401, "invalid_api_key"],
  "a good key beside a wrong bearer": null,
  "a good key beside nonsense": null,
  "a good bearer": null,
  "a buyer's key": [403, "operator_required"],
  "a blocked agent's key": [403, "agent_blocked"],
};

const isJudged = (code: string): boolean => code !== "authentication_required" && code !== "operator_required";

const rpc = (method: string, params: unknown): object => ({ jsonrpc: "2.0", id: 1, method, params });

const both = { accept: "application/json, text/event-stream" };
const initialize = rpc("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

/** Doors onto an operation for operators, with what they are called. `tool`: a tool's error is no error of HTTP. */
const closedDoors = (
  agent: Started,
  name: AgentName,
): readonly (readonly [door: string, ask: Ask, tool?: "tool"])[] => {
  const [operation, path] =
    name === "seller" ? (["list_pending_approvals", "/approvals"] as const) : (["list_bookings", "/bookings"] as const);
  const post = (where: string, body: () => unknown, more: Headers = {}): Ask => {
    return (headers) => agent.ask("POST", where, { headers: { ...more, ...headers }, body: body() });
  };
  const data = { operation, input: {} };
  const said = { role: "user", parts: [{ kind: "data", data }] };
  const legacy = () => ({ message: { ...said, kind: "message", messageId: randomUUID() } });
  const flat = () => ({ message: { ...said, messageId: randomUUID() } });
  const current = () => ({ message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ data }] } });
  const http03 = () => ({
    message: { messageId: randomUUID(), role: "ROLE_USER", content: [{ data: { data } }] },
  });
  const a2a = `/a2a/${name}`;
  const tool = { name: operation, arguments: {} };
  const inSession: Ask = async (headers) => {
    const opened = await agent.ask("POST", "/mcp", { headers: { ...both, ...headers }, body: initialize });
    const id = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "any" };
    return agent.ask("POST", "/mcp", { headers: { ...both, ...id, ...headers }, body: rpc("tools/call", tool) });
  };
  const revision = { ...both, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": operation };
  return [
    ["REST", (headers) => agent.ask("GET", path, { headers })],
    ["/rpc", post("/rpc", () => rpc(operation, {}))],
    ["/mcp/call", post("/mcp/call", () => tool)],
    ["MCP, a session", inSession, "tool"],
    ["MCP 2026-07-28", post("/mcp", () => rpc("tools/call", { ...tool, _meta: modern }), revision), "tool"],
    ["A2A 0.3", post(`${a2a}/jsonrpc`, () => rpc("message/send", legacy()))],
    ["A2A, flat", post(`${a2a}/jsonrpc`, () => rpc("message/send", flat()))],
    ["A2A, a stream", post(`${a2a}/jsonrpc`, () => rpc("message/stream", legacy()))],
    ["A2A 1.0", post(`${a2a}/jsonrpc`, () => rpc("SendMessage", current()), { "a2a-version": "1.0" })],
    ["A2A 1.0, HTTP", post(`${a2a}/v1/message:send`, current)],
    ["A2A 0.3, HTTP", post(`${a2a}/v0.3/v1/message:send`, http03)],
  ];
};

/** Doors that are open to callers without a credential. */
const openDoors = (agent: Started): readonly (readonly [door: string, ask: Ask])[] => {
  const text = (): unknown => ({
    message: { kind: "message", messageId: randomUUID(), role: "user", parts: [{ kind: "text", text: "hello" }] },
  });
  return [
    ["REST", (headers) => agent.ask("GET", "/products", { headers })],
    ["/rpc", (headers) => agent.ask("POST", "/rpc", { headers, body: rpc("list_products", {}) })],
    ["/mcp/call", (headers) => agent.ask("POST", "/mcp/call", { headers, body: { name: "list_products" } })],
    ["MCP", (headers) => agent.ask("POST", "/mcp", { headers: { ...both, ...headers }, body: initialize })],
    ["A2A", (headers) => agent.ask("POST", "/a2a/seller/jsonrpc", { headers, body: rpc("message/send", text()) })],
  ];
};

const challengeOf = (status: number, code: string): string | null => {
  if (status !== 401) return null;
  return isJudged(code) ? 'Bearer error="invalid_token"' : "Bearer";
};

describe.each(["seller", "buyer"] as const)("credentials at the %s's doors", (name) => {
  let agent: Started;
  let credentials: ReadonlyMap<string, Headers>;
  beforeAll(async () => {
    agent = await (name === "seller" ? startSeller() : startBuyer());
    credentials = await credentialsOf(agent, name);
  });
  afterAll(() => agent.close());

  test("each is answered alike by every door onto an operator's operation", async () => {
    for (const [door, ask, tool] of closedDoors(agent, name)) {
      for (const [credential, headers] of credentials) {
        const { status, headers: told, text } = await ask(headers);
        const expected = answers[credential];
        const what = `${door}: ${credential}: ${text.slice(0, 200)}`;
        if (expected == null) {
          expect([status, text.includes('"error":"')], what).toEqual([200, false]);
          continue;
        }
        const [refused, code] = expected;
        const isTool = tool !== undefined && !isJudged(code);
        expect([status, text.includes(code)], what).toEqual([isTool ? 200 : refused, true]);
        expect(told.get("www-authenticate"), what).toBe(isTool ? null : challengeOf(refused, code));
      }
    }
  });

  test("the event stream needs a key, and judges it alike", async () => {
    for (const [credential, headers] of credentials) {
      const [status, code] = answers[credential] ?? [200, ""];
      if (status === 200 || code === "operator_required") continue;
      const said = await agent.ask("GET", "/events/stream", { headers });
      expect([said.status, said.text.includes(code)], credential).toEqual([status, true]);
    }
  });

  test("no answer and no log line repeats what was sent", async () => {
    const headers = { authorization: "hunter2-nonsense" };
    for (const [, ask] of closedDoors(agent, name)) expect((await ask(headers)).text).not.toContain("hunter2");
    expect(JSON.stringify(agent.logged)).not.toContain("hunter2");
  });

  // Only the seller sells to callers without a credential.
  test.runIf(name === "seller")("a bad credential is refused where none is needed, and none passes", async () => {
    for (const [door, ask] of openDoors(agent)) {
      for (const [credential, headers] of credentials) {
        const [refused, code] = answers[credential] ?? [200, ""];
        const { status, text } = await ask(headers);
        const isRefused = isJudged(code) && code !== "";
        expect(status, `${door}: ${credential}: ${text.slice(0, 200)}`).toBe(isRefused ? refused : 200);
      }
    }
  });
});

test("a body in another charset than UTF-8 is 415, with the one that is taken", async () => {
  const seller = await startSeller();
  const send = (type: string) =>
    seller.ask("POST", "/api/v1/quotes", { headers: { "content-type": type }, body: { product_id: "none" } });
  for (const charset of ["utf-16", "UTF-16LE", "iso-8859-1", '"latin1"', "utf-8; charset=utf-16"]) {
    const { status, text } = await send(`application/json; charset=${charset}`);
    expect([status, text], charset).toEqual([415, expect.stringContaining("only UTF-8 is taken")]);
  }
  for (const charset of ["utf-8", "UTF8", '"utf-8"', "us-ascii"]) {
    expect((await send(`application/json; charset=${charset}`)).status, charset).toBe(422);
  }
  await seller.close();
});

test("a private agent_url is refused alike wherever it is named", async () => {
  const seller = await startSeller();
  const operator = await seller.host("create_operator_key", { label: "desk" });
  const headers = { "x-api-key": String(operator["api_key"]) };
  const quote = { product_id: "prod-53e78a97", deal_type: "PD" };
  for (const agent_url of ["http://127.0.0.1:9", "http://169.254.169.254/", "http://localhost:9", "http://[::1]/"]) {
    const said = [
      await seller.ask("POST", "/auth/api-keys", { body: { seat_id: "s", agent_url } }),
      await seller.ask("POST", "/auth/api-keys", { headers, body: { seat_id: "s", agent_url } }),
      await seller.ask("POST", "/registry/agents/discover", { headers, body: { agent_url } }),
      await seller.ask("POST", "/api/v1/quotes", { body: { ...quote, agent_url } }),
      await seller.ask("POST", "/sessions", { body: { agent_url } }),
      await seller.ask("GET", `/products?agent_url=${encodeURIComponent(agent_url)}`),
      await seller.ask("POST", "/mcp/call", { body: { name: "request_quote", arguments: { ...quote, agent_url } } }),
      await seller.ask("POST", "/rpc", { body: rpc("request_quote", { ...quote, agent_url }) }),
      await seller.ask("POST", "/api/v1/webhooks", {
        headers,
        body: { url: agent_url, event_types: ["deal.created"] },
      }),
    ];
    for (const { text } of said) expect(text, agent_url).toContain("target_not_allowed");
  }
  const keys = await seller.ask("GET", "/auth/api-keys", { headers });
  expect(keys.body["total"]).toBe(1);
  await seller.close();
});
