import Router from "@koa/router";
import { afterEach, describe, expect, test, vi } from "vitest";
import { covers } from "../requirements.ts";
import { liveBuyer, smokeTests } from "../smoke/live-buyer.ts";
import { type Started, startBuyer } from "./launched.ts";

const open: Started[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const one of open.splice(0)) await one.close();
});

const started = async (): Promise<Started> => {
  const buyer = await startBuyer();
  open.push(buyer);
  return buyer;
};

/** What strangers reach. The routes of MCP gate each tool, those of the console hold no record without a session. */
const publicRoutes = [
  "DELETE /console/session",
  "DELETE /mcp",
  "DELETE /mcp/sse",
  "GET /.well-known/agent-card.json",
  "GET /.well-known/agent.json",
  "GET /.well-known/jwks.json",
  "GET /a2a/buyer/.well-known/agent-card.json",
  "GET /console",
  "GET /console/*path",
  "GET /console/assets/:name",
  "GET /console/session",
  "GET /docs",
  "GET /docs/favicon.png",
  "GET /docs/init.js",
  "GET /docs/oauth2-redirect",
  "GET /docs/oauth2-redirect.js",
  "GET /docs/swagger-ui-bundle.js",
  "GET /docs/swagger-ui.css",
  "GET /guide",
  "GET /guide/*path",
  "GET /guide/assets/:name",
  "GET /health",
  "GET /healthz",
  "GET /llms-full.txt",
  "GET /llms.txt",
  "GET /mcp",
  "GET /mcp/info",
  "GET /mcp/sse",
  "GET /mcp/tools",
  "GET /openapi.json",
  "GET /readyz",
  "GET /redoc",
  "POST /console/session",
  "POST /mcp",
  "POST /mcp/call",
  "POST /mcp/sse",
];

describe("buyer over HTTP: the routes of its router", () => {
  test("every route but the public ones answers 401 to a stranger", async () => {
    covers("buyer.auth.allowlist", "buyer.auth.no-keyless-mode");
    const register = vi.spyOn(Router.prototype, "register");
    const buyer = await started();
    const routes = register.mock.calls.flatMap(([path, methods]) =>
      methods.map((method) => ({ method, path: String(path) })),
    );
    expect(routes.length).toBeGreaterThan(50);
    const opened: string[] = [];
    for (const { method, path } of routes) {
      const rpc = { jsonrpc: "2.0", id: 1, method: "list_bookings", params: {} };
      const asked = ["POST", "PUT", "PATCH"].includes(method) ? { body: rpc } : {};
      const place = path.replace(/(?<!\\):\w+|\*\w+/g, "x").replaceAll("\\", "");
      const { status } = await buyer.ask(method, place, asked);
      if (status !== 401) opened.push(`${method} ${path}`);
    }
    expect(opened.toSorted()).toEqual(publicRoutes);
  });

  test("smoke tests call a live server with BUYER_OPERATOR_KEY, and without it nothing", async () => {
    covers("buyer.versioning.smoke-skip");
    expect([liveBuyer({}), liveBuyer({ BUYER_OPERATOR_KEY: "" })]).toEqual([null, null]);
    const buyer = await started();
    const { api_key: key } = await buyer.host("create_operator_key", { label: "smoke" });
    const live = liveBuyer({ BUYER_OPERATOR_KEY: String(key), BUYER_URL: buyer.url });
    if (live === null) throw new Error("the live buyer has a key");
    for (const run of Object.values(smokeTests)) await run(live);
    await expect(smokeTests["the key is an operator's"]?.({ ...live, key: "abk_live_wrong" })).rejects.toThrow("401");
  });
});
