import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Members = Readonly<Record<string, unknown>>;

interface Buy {
  readonly media_buy_id: string;
  readonly key: string;
  status: string;
  revision: number;
  readonly body: Members;
  readonly packages: readonly Members[];
}

/** What a test turns on in the seller; `lost`: creates that are done and whose answer never arrives. */
export interface Ways {
  version: "3.0" | "3.2";
  knowsKeys: boolean;
  account: string;
  holds: boolean;
  decision: "submitted" | "completed" | "rejected";
  price: number;
  changesBudget: number | null;
  changesOption: string | null;
  lost: number;
  refuses: Members | null;
  keepsBuys: boolean;
}

export interface FakeAdcp {
  readonly url: string;
  readonly ways: Ways;
  readonly buys: Map<string, Buy>;
  readonly calls: { readonly task: string; readonly input: Members; readonly key: string | null }[];
  close(): Promise<void>;
}

const tasks = [
  ...["get_adcp_capabilities", "sync_accounts", "get_products", "create_media_buy", "update_media_buy"],
  ...["get_media_buys", "get_task_status"],
];

const fakeProduct = (id: string, channel: string, price: number) => ({
  product_id: id,
  name: `Product ${id}`,
  channels: [channel],
  delivery_type: "guaranteed",
  publisher_properties: [{ publisher_domain: "news.example", selection_type: "all" }],
  pricing_options: [
    { pricing_option_id: "eur", pricing_model: "cpm", currency: "EUR", fixed_price: 1 },
    { pricing_option_id: "cpm-fixed", pricing_model: "cpm", currency: "USD", fixed_price: price },
  ],
});

const refusal = (code: string, recovery: string, more: Members = {}) => {
  const error = { code, message: `refused: ${code}`, recovery, ...more };
  return { adcp_error: error, errors: [error] };
};

const bodyOf = async (request: IncomingMessage): Promise<Members> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Members);
};

class Lost extends Error {}

/** An AdCP seller on loopback, over MCP at `/mcp` and A2A at `/`. It knows a buy again by its key where it says so. */
export const openFakeAdcp = async (changed: Partial<Ways> = {}): Promise<FakeAdcp> => {
  const ways: Ways = {
    ...{ version: "3.2", knowsKeys: true, account: "active", holds: false, decision: "submitted", price: 20, lost: 0 },
    ...{ changesBudget: null, changesOption: null, refuses: null, keepsBuys: true },
    ...changed,
  };
  const buys = new Map<string, Buy>();
  const answers = new Map<string, Members>();
  const calls: FakeAdcp["calls"] = [];

  const buyView = (buy: Buy): Members => ({
    ...(ways.version === "3.2" ? { status: "completed", media_buy_status: buy.status } : { status: buy.status }),
    media_buy_id: buy.media_buy_id,
    revision: buy.revision,
    packages: buy.packages,
  });

  const create = (input: Members, key: string): Members => {
    const known = answers.get(key);
    if (ways.knowsKeys && known !== undefined) return { ...known, replayed: true };
    if (ways.refuses !== null) return ways.refuses;
    const [asked = {}] = input["packages"] as readonly Members[];
    const bought = {
      package_id: `pkg-${buys.size + 1}`,
      product_id: asked["product_id"],
      pricing_option_id: ways.changesOption ?? asked["pricing_option_id"],
      budget: ways.changesBudget ?? asked["budget"],
    };
    const id = `mb-${buys.size + 1}`;
    const buy: Buy = { media_buy_id: id, key, status: "pending_start", revision: 1, body: input, packages: [bought] };
    buys.set(id, buy);
    const answer = ways.holds
      ? { status: "submitted", task_id: `task-${id}`, message: "A person looks." }
      : buyView(buy);
    answers.set(key, answer);
    if (ways.lost > 0) {
      ways.lost -= 1;
      throw new Lost();
    }
    return answer;
  };

  const update = (input: Members): Members => {
    const buy = buys.get(String(input["media_buy_id"]));
    if (buy === undefined) return refusal("MEDIA_BUY_NOT_FOUND", "correctable");
    if (input["revision"] !== buy.revision) return refusal("CONFLICT", "transient");
    buy.revision += 1;
    buy.status = "canceled";
    return { ...buyView(buy), affected_packages: [] };
  };

  const status = (input: Members): Members => {
    const id = String(input["task_id"]);
    const buy = buys.get(id.replace("task-", ""));
    if (buy === undefined) return refusal("REFERENCE_NOT_FOUND", "correctable");
    const head = { task_id: id, task_type: "create_media_buy", protocol: "media-buy", status: ways.decision };
    if (ways.decision === "rejected") return { ...head, error: { code: "REJECTED", message: "no room left" } };
    return ways.decision === "completed" ? { ...head, result: buyView(buy) } : { ...head, message: "Still looking." };
  };

  const list = (input: Members): Members => {
    const ids = input["media_buy_ids"] as readonly string[] | undefined;
    const found = [...buys.values()].filter(({ media_buy_id: id }) => ids === undefined || ids.includes(id));
    const shown = found.map((buy) => ({
      ...{ media_buy_id: buy.media_buy_id, status: buy.status, revision: buy.revision, packages: buy.packages },
      ...(ways.keepsBuys ? { po_number: buy.body["po_number"] } : {}),
    }));
    return { media_buys: shown, pagination: { has_more: false } };
  };

  const answer = (task: string, input: Members): Members => {
    switch (task) {
      case "get_adcp_capabilities": {
        const adcp = { supported_versions: ["3.0", ways.version], major_versions: [3] };
        return { adcp: { ...adcp, idempotency: { supported: ways.knowsKeys } }, supported_protocols: ["media_buy"] };
      }
      case "sync_accounts":
        return { accounts: [{ account_id: "a", status: ways.account, setup: { message: "Sign the terms." } }] };
      case "get_products": {
        const products = [fakeProduct("ctv-1", "ctv", ways.price), { odd: true }, fakeProduct("olv-1", "olv", 14)];
        return { products, pagination: { has_more: false } };
      }
      case "create_media_buy":
        return create(input, String(input["idempotency_key"]));
      case "update_media_buy":
        return update(input);
      case "get_media_buys":
        return list(input);
      default:
        return status(input);
    }
  };

  const said = (task: string, input: Members, request: IncomingMessage): Members => {
    calls.push({ task, input, key: request.headers.authorization ?? null });
    return { ...answer(task, input), ...(ways.version === "3.2" ? { adcp_version: "3.2" } : {}) };
  };

  const rpcResult = (method: string, params: Members, request: IncomingMessage): unknown => {
    if (method === "initialize") {
      const serverInfo = { name: "fake", version: "1" };
      return { protocolVersion: params["protocolVersion"], capabilities: { tools: {} }, serverInfo };
    }
    if (method === "tools/list") {
      return { tools: tasks.map((name) => ({ name, inputSchema: { type: "object" } })) };
    }
    if (method === "tools/call") {
      const content = said(String(params["name"]), params["arguments"] as Members, request);
      const isError = content["adcp_error"] !== undefined;
      return { content: [{ type: "text", text: "see structuredContent" }], structuredContent: content, isError };
    }
    const [part] = (params["message"] as Members)["parts"] as readonly Members[];
    const { skill, parameters } = (part ?? {})["data"] as { skill: string; parameters: Members };
    const artifact = { artifactId: "1", parts: [{ kind: "data", data: said(skill, parameters, request) }] };
    return { kind: "task", id: "t", contextId: "c", status: { state: "completed" }, artifacts: [artifact] };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (code: number, json: unknown): void => {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(json));
    };
    if (request.method === "GET" && request.url?.endsWith("agent-card.json") === true) {
      const skills = tasks.map((id) => ({ id, name: id, description: id, tags: [] }));
      const modes = { defaultInputModes: ["application/json"], defaultOutputModes: ["application/json"] };
      const card = { name: "fake", description: "", version: "1", capabilities: {}, skills, ...modes };
      return send(200, { ...card, protocolVersion: "0.3.0", url, preferredTransport: "JSONRPC" });
    }
    if (request.method !== "POST") return send(405, {});
    const { id, method, params = {} } = (await bodyOf(request)) as { id?: unknown; method: string; params?: Members };
    if (id === undefined) return void response.writeHead(202).end();
    try {
      send(200, { jsonrpc: "2.0", id, result: rpcResult(method, params, request) });
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      request.socket.destroy();
    }
  };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ways,
    buys,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
