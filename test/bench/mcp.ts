import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import type { Agent } from "../../agents/server/agent.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import { mcpRoutes } from "../../tools/http.ts";
import type { BenchCase, BenchServer, Info } from "./cases.ts";
import { reportCases } from "./report.ts";
import { startSeller } from "./seller-side.ts";
import { quoteBody } from "./seller-rest.ts";

const sessionCount = 64;

const doorsOf = ({ runner }: Agent) =>
  mcpRoutes({
    runner,
    info: { name: "Seller", title: "Seller", version: "0.1.0" },
    instructions: "",
    limits: defaultBodyLimits,
    sessions: { most: 1000, idleMs: 600_000 },
    nowMs: () => Date.now(),
    allowedHosts: null,
  }).routes;

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "0" } },
};

const headersOf = (key: string): Record<string, string> => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "x-api-key": key,
});

const withSessions = async (server: BenchServer): Promise<BenchServer> => {
  const key = String(server.info["key"]);
  const sessions: string[] = [];
  for (let opened = 0; opened < sessionCount; opened += 1) {
    const answer = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: headersOf(key),
      body: JSON.stringify(initialize),
    });
    await answer.text();
    const id = String(answer.headers.get("mcp-session-id"));
    sessions.push(id);
    const noted = { jsonrpc: "2.0", method: "notifications/initialized" };
    const headers = { ...headersOf(key), "mcp-session-id": id };
    await (await fetch(`${server.url}/mcp`, { method: "POST", headers, body: JSON.stringify(noted) })).text();
  }
  return { url: server.url, info: { ...server.info, sessions } };
};

/** In the lighter of the SDK's two reply modes. */
const startSdk = async (info: Info): Promise<BenchServer> => {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: "bound", version: "0" });
    server.registerTool("request_quote", { inputSchema: z.looseObject({ product_id: z.string() }) }, async () => ({
      content: [{ type: "text", text: "quoted" }],
    }));
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  };
  const app = createMcpExpressApp() as unknown as RequestListener & {
    post(
      path: string,
      handle: (request: IncomingMessage & { body: unknown }, response: ServerResponse) => unknown,
    ): void;
  };
  app.post("/mcp", async (request, response) => {
    const known = transports.get(String(request.headers["mcp-session-id"]));
    await (known ?? (await open())).handleRequest(request as IncomingMessage, response, request.body);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, info };
};

const toolCase: BenchCase = {
  name: "tools-call-quote",
  perJob: 1,
  target: 0.65,
  sut: async (options) => withSessions(await startSeller(options, async () => ({}), doorsOf)),
  bound: async ({ peer }) => withSessions(await startSdk({ key: peer?.["key"] })),
  load: (info) => {
    const sessions = info["sessions"] as readonly string[];
    let number = 0;
    return [
      {
        method: "POST",
        path: "/mcp",
        headers: headersOf(String(info["key"])),
        setupRequest: (request) => {
          number += 1;
          const params = { name: "request_quote", arguments: quoteBody };
          return {
            ...request,
            headers: { ...request.headers, "mcp-session-id": String(sessions[number % sessions.length]) },
            body: JSON.stringify({ jsonrpc: "2.0", id: number, method: "tools/call", params }),
          };
        },
      },
    ];
  },
  isGood: (body) => !body.includes('"error"') && !body.includes('"isError":true'),
};

export const cases: readonly BenchCase[] = [toolCase];

export const run = (): Promise<void> =>
  reportCases("mcp", cases, [
    ["", {}],
    [" + 2 ms a flush", { flushDelayMs: 2 }],
  ]);
