import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { callContract, type Client, createClient } from "../../protocol/client/client.ts";
import { createOutbound } from "../../protocol/client/outbound.ts";
import { defineContract } from "../../protocol/seam/operation.ts";
import { answerJson, type Loopback, type Respond, type Seen, startLoopback } from "./loopback.ts";

const getThing = defineContract({
  name: "get_thing",
  group: "things",
  summary: "Reads a thing.",
  effect: "read",
  access: "public",
  input: z.object({ thing_id: z.string() }),
  output: z.looseObject({ thing_id: z.string(), price: z.number() }),
  refusals: {},
});

const serve = async (respond: Respond): Promise<Loopback> => {
  const server = await startLoopback(respond);
  onTestFinished(() => server.close());
  return server;
};

const record = (): void => undefined;

const clientOf = (baseUrl: string, more: Partial<Client>): Client => {
  const outbound = createOutbound({ allow: readAllowList(`127.0.0.1:${new URL(baseUrl).port}`), timeoutMs: 5_000 });
  onTestFinished(() => outbound.close());
  const log = { info: record, warn: record, error: record };
  return createClient({ target: { baseUrl, apiKey: "k1" }, outbound, log, pause: async () => undefined, ...more });
};

const wires = ["mcp", "a2a"] as const;
type Spoken = (typeof wires)[number];

const ask = (client: Client) => callContract(client, getThing, { thing_id: "a" }, { requestId: "r1" });

type Rpc = { readonly id?: number; readonly method: string; readonly params?: Readonly<Record<string, unknown>> };

const rpcOf = ({ body }: Seen): Rpc => (body === "" ? { method: "" } : (JSON.parse(body) as Rpc));

const cardOf = (url: string) => ({
  name: "Seller",
  description: "Sells",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
});

const initialized = (id: number | undefined) => ({
  jsonrpc: "2.0",
  id,
  result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "seller", version: "1" } },
});

/** Answers the handshake of the wire, and calls as `called` does. */
const handshaking =
  (called: Respond, url: () => string): Respond =>
  (request, response, count) => {
    if (request.path.endsWith("agent-card.json")) return answerJson(response, 200, cardOf(`${url()}/rpc`));
    const { id, method } = rpcOf(request);
    if (method === "notifications/initialized") return void response.writeHead(202).end();
    if (method !== "initialize") return called(request, response, count);
    return answerJson(response, 200, initialized(id), { "mcp-session-id": `s-${count}` });
  };

const seller = async (called: Respond): Promise<Loopback> => {
  const started: Loopback[] = [];
  const server = await serve(handshaking(called, () => started[0]?.url ?? ""));
  started.push(server);
  return server;
};

const answered: Readonly<Record<Spoken, (json: unknown) => unknown>> = {
  mcp: (json) => ({ content: [{ type: "text", text: JSON.stringify(json) }], structuredContent: json }),
  a2a: (result) => ({
    message: { messageId: "m", role: "ROLE_AGENT", parts: [{ data: { operation: "get_thing", result } }] },
  }),
};

const thing = { thing_id: "a", price: 1.5 };

const saying =
  (result: unknown): Respond =>
  (request, response) =>
    answerJson(response, 200, { jsonrpc: "2.0", id: rpcOf(request).id, result });

describe.each(wires)("a seller that speaks %s", (wire) => {
  test("an answer is read; every request has the credential and the request id", async () => {
    const server = await seller(saying(answered[wire](thing)));
    const answer = await ask(clientOf(server.url, { wire }));
    expect(answer).toMatchObject({ ok: true, output: thing });
    const asked = server.seen.map(({ headers }) => [headers["x-api-key"], headers["request-id"]]);
    expect(new Set(asked.map(String))).toEqual(new Set(["k1,r1"]));
  });

  test.each([
    ["HTML", "<html>hello</html>", "invalid_response"],
    ["a bare text", '"hello"', "invalid_response"],
    ["another envelope", '{"jsonrpc":"2.0","id":99,"result":5}', "invalid_response"],
    ["nesting", `${"[".repeat(5_000)}1${"]".repeat(5_000)}`, "invalid_response"],
    ["too much", JSON.stringify("x".repeat(1_100_000)), "response_too_large"],
  ])("garbage is a failure and no crash: %s", async (_name, text, code) => {
    const server = await seller((_request, response) => answerJson(response, 200, text));
    const answer = await ask(clientOf(server.url, { wire, timeoutMs: 1_000 }));
    expect([code, "timeout"]).toContain(answer.ok ? "" : answer.code);
    if (code === "response_too_large") expect(answer).toMatchObject({ ok: false, code });
  });

  test.each([{ thing_id: "a", price: "12" }, { thing_id: "a", price: null }, [thing]])(
    "an answer of another form is invalid: %o",
    async (value) => {
      const server = await seller(saying(answered[wire](value)));
      expect(await ask(clientOf(server.url, { wire }))).toMatchObject({ ok: false, code: "invalid_response" });
    },
  );

  test("a status of refusal is the seller's own words", async () => {
    const error = { code: -32001, message: "Invalid API key", data: { error: "invalid_api_key", message: "Bad key" } };
    const server = await seller((request, response) =>
      answerJson(response, 401, { jsonrpc: "2.0", id: rpcOf(request).id, error }),
    );
    expect(await ask(clientOf(server.url, { wire }))).toMatchObject({
      ok: false,
      status: 401,
      code: "invalid_api_key",
      detail: "Bad key",
      needsReauth: true,
    });
  });

  test("a redirect to a private address is not followed, and its target gets nothing", async () => {
    const inside = await serve((_request, response) => answerJson(response, 200, {}));
    const server = await serve((_request, response) => {
      response.writeHead(307, { location: `${inside.url}/secret` });
      response.end();
    });
    const answer = await ask(clientOf(server.url, { wire }));
    expect(answer.ok).toBe(false);
    expect(inside.seen).toEqual([]);
  });

  test("an address that is not allowed gets nothing", async () => {
    const server = await serve((_request, response) => answerJson(response, 200, {}));
    const other = await serve((_request, response) => answerJson(response, 200, {}));
    const client = { ...clientOf(other.url, { wire }), target: { baseUrl: server.url } };
    expect(await ask(client)).toMatchObject({ ok: false, code: "target_not_allowed" });
    expect(server.seen).toEqual([]);
  });

  test("a seller that never answers is a timeout, tried three times", async () => {
    const server = await seller(() => undefined);
    expect(await ask(clientOf(server.url, { wire, timeoutMs: 300 }))).toMatchObject({ ok: false, code: "timeout" });
    expect(server.seen.filter(({ body }) => body.includes("get_thing"))).toHaveLength(3);
  });

  test("an aborted call ends at once", async () => {
    const server = await seller(() => undefined);
    const client = clientOf(server.url, { wire });
    const answer = await callContract(client, getThing, { thing_id: "a" }, { signal: AbortSignal.timeout(100) });
    expect(answer).toMatchObject({ ok: false, code: "aborted" });
  });
});

describe("mcp sessions and a2a cards", () => {
  test("one session serves many calls; an expired one is opened anew", async () => {
    let gone = false;
    const server = await seller((request, response, count) => {
      if (!gone) return saying(answered.mcp(thing))(request, response, count);
      gone = false;
      return answerJson(response, 404, { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Unknown" } });
    });
    const client = clientOf(server.url, { wire: "mcp" });
    const starts = (): number => server.seen.filter((seen) => rpcOf(seen).method === "initialize").length;
    await ask(client);
    expect((await Promise.all(Array.from({ length: 10 }, () => ask(client)))).every(({ ok }) => ok)).toBe(true);
    expect(starts()).toBe(1);
    gone = true;
    expect(await ask(client)).toMatchObject({ ok: true });
    expect(starts()).toBe(2);
  });

  test("a tool that fails names its status; an unknown one is not offered", async () => {
    const refusal = { error: "quote_expired", message: "The quote has expired.", status: 410 };
    const failed = { isError: true, content: [{ type: "text", text: JSON.stringify(refusal) }] };
    const server = await seller(saying(failed));
    expect(await ask(clientOf(server.url, { wire: "mcp" }))).toMatchObject({
      status: 410,
      code: "quote_expired",
      detail: "The quote has expired.",
    });
    const lacking = await seller((request, response) =>
      answerJson(response, 200, { jsonrpc: "2.0", id: rpcOf(request).id, error: { code: -32602, message: "Unknown" } }),
    );
    expect(await ask(clientOf(lacking.url, { wire: "mcp" }))).toMatchObject({ status: 404, code: "unknown_operation" });
  });

  test("a card that names another origin gets no message and no key", async () => {
    const elsewhere = await serve((_request, response) => answerJson(response, 200, {}));
    const server = await serve((_request, response) => answerJson(response, 200, cardOf(`${elsewhere.url}/rpc`)));
    const answer = await ask(clientOf(server.url, { wire: "a2a" }));
    expect(answer).toMatchObject({ ok: false, code: "invalid_response" });
    expect(answer.ok ? "" : answer.detail).toContain("names no address of its own origin");
    expect(elsewhere.seen).toEqual([]);
  });
});
