import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType, jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { Agent } from "../../agents/server/agent.ts";
import { type Served, serve } from "../../agents/server/serve.ts";
import { a2aRoutes, type PushPorts } from "../../protocol/a2a/routes.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import { rpcRoutes } from "../../protocol/jsonrpc/operations.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { mcpRoutes } from "../../tools/http.ts";
import type { Store } from "../../storage/store.ts";
import type { Reply, Request } from "../skills/world.ts";

export interface OpenDoors {
  readonly url: string;
  send(door: DoorName, request: Request, secret: string | null): Promise<Reply>;
  close(): Promise<void>;
}

export type DoorName = "rest" | "mcp" | "a2a" | "rpc";

type Members = Readonly<Record<string, unknown>>;

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

const agentOver = (runner: Runner): Agent => ({
  name: "seller",
  title: "Seller under test",
  version: "0.0.0",
  description: "A seller under test.",
  runner,
  errorShape: "wrapped",
  pages: [],
  stop: () => Promise.resolve(),
});

export const cardOf = (url: string) => ({
  name: "Seller",
  description: "A seller under test.",
  version: "0.0.0",
  rpcUrl: `${url}/a2a/seller/jsonrpc`,
  httpUrl: `${url}/a2a/seller/v1`,
  legacyHttpUrl: `${url}/a2a/seller/v0.3`,
  documentationUrl: `${url}/docs`,
  provider: () => ({ organization: "Test", url }),
  skills: [],
  pushNotifications: false,
});

const noPush: PushPorts = {
  isPermitted: () => Promise.resolve(false),
  queue: () => {
    throw new Error("nothing is configured here, so nothing is sent");
  },
};

const headersOf = (secret: string | null, request: Request): Record<string, string> => ({
  "content-type": "application/json",
  ...(secret === null ? {} : { "x-api-key": secret }),
  ...(request.idempotencyKey === undefined ? {} : { "idempotency-key": request.idempotencyKey }),
});

/** Only REST tells path, query and body apart. */
const asInput = (issue: Members): Members => ({ ...issue, loc: ["body", ...(issue["loc"] as unknown[]).slice(1)] });

/** Without any wire's own members, so that doors can be compared. */
const refusedReply = (body: Members, status: number): Reply => {
  const { detail, status: _status, issues, ...rest } = body;
  const list = issues ?? (Array.isArray(detail) ? detail : undefined);
  const located = list === undefined ? {} : { issues: (list as Members[]).map(asInput) };
  return { code: String(body["error"]), status, body: { ...rest, ...located }, replayed: false };
};

const pathOf = (contract: Contract, input: Members): { path: string; rest: Members } => {
  const rest: Record<string, unknown> = { ...input };
  const path = (contract.rest?.path ?? "").replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
};

const asMembers = (input: unknown): Members => (typeof input === "object" && input !== null ? (input as Members) : {});

const sendRest = async (url: string, contract: Contract, request: Request, secret: string | null): Promise<Reply> => {
  const { path, rest } = pathOf(contract, asMembers(request.input));
  const method = contract.rest?.method ?? "POST";
  const hasBody = method === "POST" || method === "PUT";
  const target = new URL(path, url);
  if (!hasBody) {
    for (const [name, value] of Object.entries(rest)) {
      for (const item of [value].flat()) {
        if (item != null) target.searchParams.append(name, typeof item === "string" ? item : JSON.stringify(item));
      }
    }
  }
  if (request.dryRun === true) target.searchParams.set("dry_run", "true");
  const init = { method, headers: headersOf(secret, request) };
  const answer = await fetch(target, hasBody ? { ...init, body: JSON.stringify(rest) } : init);
  const body = (await answer.json()) as Members;
  const wait = answer.headers.get("retry-after");
  const retry = wait === null ? {} : { retry_after_seconds: Number(wait) };
  if (!answer.ok) return refusedReply({ ...body, ...retry }, answer.status);
  return { code: null, status: 200, body, replayed: answer.headers.get("idempotency-replayed") === "true" };
};

const extended = (request: Request): Members => ({
  ...asMembers(request.input),
  ...(request.idempotencyKey === undefined ? {} : { idempotency_key: request.idempotencyKey }),
  ...(request.dryRun === true ? { dry_run: true } : {}),
});

type Clients = Map<string, Promise<Client>>;

type Validator = ReturnType<jsonSchemaValidator["getValidator"]>;

const compiler = new AjvJsonSchemaValidator();
const compiled = new Map<string, Validator>();

/** Every client reads the same tools; compiling each schema per client is slow. */
const compileOnce: jsonSchemaValidator = {
  getValidator: <T>(schema: JsonSchemaType) => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? compiler.getValidator(schema);
    compiled.set(text, known);
    return known as ReturnType<typeof compiler.getValidator<T>>;
  },
};

const connect = async (url: string, secret: string | null): Promise<Client> => {
  const client = new Client({ name: "parity", version: "0.0.0" }, { jsonSchemaValidator: compileOnce });
  const requestInit = secret === null ? {} : { headers: { "x-api-key": secret } };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  await client.listTools();
  return client;
};

const clientFor = (clients: Clients, url: string, secret: string | null): Promise<Client> => {
  const key = secret ?? "";
  const known = clients.get(key) ?? connect(url, secret);
  clients.set(key, known);
  return known;
};

/** Assistants alone are told which members are a buyer's words. */
const unmarked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !name.endsWith("_untrusted"));
  return Object.fromEntries(members.map(([name, member]) => [name, unmarked(member)]));
};

/** Opening a session already rejects a bad credential; doors are compared by the refusal of the call. */
const sendPlainMcp = async (url: string, request: Request, secret: string | null): Promise<Reply> => {
  const call = { name: request.operation, arguments: extended(request) };
  const headers = { "content-type": "application/json", ...(secret === null ? {} : { "x-api-key": secret }) };
  const answer = await fetch(new URL("/mcp/call", url), { method: "POST", headers, body: JSON.stringify(call) });
  const { result, error } = (await answer.json()) as { result: Members | null; error: Members | null };
  if (error !== null) return refusedReply(unmarked(error) as Members, answer.status);
  return { code: null, status: 200, body: unmarked(result ?? {}) as Members, replayed: false };
};

/** Without what only assistants read. */
const asElsewhere = ({ cure: _cure, next_tool: _tool, unknown_arguments: _unknown, ...body }: Members): Members => {
  if (!Array.isArray(body["detail"])) return body;
  const { field: _field, ...rest } = body;
  return rest;
};

const sendMcp = async (clients: Clients, url: string, request: Request, secret: string | null): Promise<Reply> => {
  const client = await clientFor(clients, url, secret).catch(() => null);
  if (client === null) {
    clients.delete(secret ?? "");
    return sendPlainMcp(url, request, secret);
  }
  const given = { ...extended(request), fields: ["*"] };
  const answer = await client.callTool({ name: request.operation, arguments: given }).catch((error: unknown) => {
    // A key that ended meanwhile ends its session, with the status of every door.
    if (error instanceof StreamableHTTPError && (error.code === 401 || error.code === 403)) return null;
    throw error;
  });
  if (answer === null) return sendPlainMcp(url, request, secret);
  const text = (answer.content as { text: string }[])[0]?.text ?? "";
  const body = JSON.parse(text) as Members;
  if (answer.isError === true) return refusedReply(asElsewhere(unmarked(body) as Members), Number(body["status"]));
  const replayed = (answer._meta as Members | undefined)?.["parley/idempotency-replayed"] === true;
  return { code: null, status: 200, body: unmarked(answer.structuredContent) as Members, replayed };
};

const post = async (url: string, path: string, body: unknown, secret: string | null): Promise<Members> => {
  const headers = { "content-type": "application/json", ...(secret === null ? {} : { "x-api-key": secret }) };
  const answer = await fetch(new URL(path, url), { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Members;
};

const sendA2a = async (url: string, request: Request, secret: string | null): Promise<Reply> => {
  const { operation, input, idempotencyKey } = request;
  const keyed = idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey };
  const data = { operation, input, ...keyed, ...(request.dryRun === true ? { dry_run: true } : {}) };
  const message = { messageId: randomUUID(), role: "user", parts: [{ kind: "data", data }] };
  const rpc = { jsonrpc: "2.0", id: "1", method: "message/send", params: { message } };
  const answer = await post(url, "/a2a/seller/jsonrpc", rpc, secret);
  const failed = answer["error"] as { data: Members } | undefined;
  if (failed !== undefined) return refusedReply(failed.data, Number(failed.data["status"]));
  const parts = ((answer["result"] as Members)["parts"] as Members[]).filter((part) => part["kind"] === "data");
  const said = parts[0]?.["data"] as Members;
  const error = said["error"] as Members | undefined;
  if (error !== undefined) return refusedReply(error, Number(error["status"]));
  return { code: null, status: 200, body: said["result"] as Members, replayed: said["replayed"] === true };
};

const sendRpc = async (url: string, request: Request, secret: string | null): Promise<Reply> => {
  const rpc = { jsonrpc: "2.0", id: 1, method: request.operation, params: extended(request) };
  const answer = await post(url, "/rpc", rpc, secret);
  const error = answer["error"] as { data: Members } | undefined;
  if (error !== undefined) return refusedReply(error.data, Number(error.data["status"]));
  return { code: null, status: 200, body: answer["result"] as Members, replayed: false };
};

export const openDoors = async (runner: Runner, nowMs: () => number, store?: Store): Promise<OpenDoors> => {
  const limits = defaultBodyLimits;
  const mcp = mcpRoutes({
    runner,
    info: { name: "parity", title: "Parity", version: "0.0.0" },
    instructions: "",
    limits,
    sessions: { most: 100, idleMs: 3_600_000 },
    nowMs: () => Date.now(),
    allowedHosts: null,
  });
  const a2a = a2aRoutes({
    runner,
    card: cardOf("http://127.0.0.1"),
    agentType: "seller",
    limits,
    clock: { nowMs },
    mostTasks: 1000,
    ...(store === undefined ? {} : { stored: { store, log: silentLog, push: noPush, approvals: null } }),
  });
  const doors = [...rpcRoutes(runner, limits), ...a2a.routes, ...mcp.routes];
  const served: Served = await serve(agentOver(runner), { host: "127.0.0.1", port: 0, log: silentLog, doors });
  const clients: Clients = new Map();
  const byName = new Map(runner.contracts.map((contract) => [contract.name, contract]));
  return {
    url: served.url,
    send: (door, request, secret) => {
      const contract = byName.get(request.operation);
      if (contract === undefined) throw new Error(`no operation ${request.operation}`);
      if (door === "rest") return sendRest(served.url, contract, request, secret);
      if (door === "mcp") return sendMcp(clients, served.url, request, secret);
      return door === "a2a" ? sendA2a(served.url, request, secret) : sendRpc(served.url, request, secret);
    },
    close: async () => {
      for (const client of clients.values()) await (await client).close();
      await mcp.close();
      await served.close();
      await a2a.close();
    },
  };
};
