import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";

let keys: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey };
let issuer: string;
let server: Server;
let seller: Started;
let buyer: Started;
beforeAll(async () => {
  keys = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256", use: "sig" };
  server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oauth = { OAUTH_ISSUER: issuer, OAUTH_AUDIENCE: "https://agent.example/mcp" };
  [seller, buyer] = await Promise.all([startSeller(oauth), startBuyer(oauth)]);
});
afterAll(async () => {
  await Promise.all([seller.close(), buyer.close()]);
  await new Promise((resolve) => server.close(resolve));
});

interface Made {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string;
  readonly key?: CryptoKey;
}

const tokenOf = ({ claims = {}, key, expires = "1h", ...made }: Made = {}): Promise<string> =>
  new SignJWT({ sub: "client-7", ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setIssuer(made.issuer ?? issuer)
    .setAudience(made.audience ?? "https://agent.example/mcp")
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key ?? keys.privateKey);

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

const whoIs = async (agent: Started, token: string) =>
  (await agent.ask("POST", "/mcp/call", { headers: bearer(token), body: { name: "get_caller", arguments: {} } })).body;

describe("an access token of the configured issuer", () => {
  test("is a verified identity, at its tier", async () => {
    const token = await tokenOf({ claims: { agency_id: "ag-9", seat_id: "s-9" } });
    expect(await whoIs(seller, token)).toMatchObject({
      result: { principal: "token:client-7", owner: "agency:ag-9", tier: "agency", role: "buyer" },
    });
  });

  test.each([
    ["operator", "operator"],
    ["profile senior operator", "senior"],
    ["viewer", "viewer"],
    ["superuser", "buyer"],
  ])("with the scopes %s has the role %s", async (scope, role) => {
    expect(await whoIs(seller, await tokenOf({ claims: { scope } }))).toMatchObject({ result: { role } });
  });

  test("with the scope edge lists active deals, and calls nothing else", async () => {
    const edge = await tokenOf({ claims: { scope: "edge" } });
    const deals = await seller.ask("GET", "/api/v1/deals?status=active", { headers: bearer(edge) });
    expect([deals.status, deals.body]).toMatchObject([200, { deals: [] }]);
    expect(await whoIs(seller, edge)).toMatchObject({ error: { message: expect.stringContaining("key of an edge") } });
    expect((await buyer.ask("GET", "/bookings", { headers: bearer(edge) })).status).toBe(403);
  });

  test("works on every door, and a buyer's is refused where operators alone may call", async () => {
    const operator = bearer(await tokenOf({ claims: { scope: "operator" } }));
    const plain = bearer(await tokenOf({ claims: { seat_id: "s-1" } }));
    const rpc = { jsonrpc: "2.0", id: 1, method: "list_orders", params: {} };
    expect((await seller.ask("GET", "/api/v1/orders", { headers: operator })).status).toBe(200);
    expect((await seller.ask("POST", "/rpc", { headers: operator, body: rpc })).body).toHaveProperty("result");
    expect((await buyer.ask("GET", "/bookings", { headers: operator })).status).toBe(200);
    expect((await buyer.ask("GET", "/bookings", { headers: plain })).status).toBe(403);
  });

  test("with scopes of operation groups calls those alone, on every door, and learns what it lacks", async () => {
    const claims = { agency_id: "ag-3", scope: "products:read orders:write" };
    const narrow = bearer(await tokenOf({ claims }));
    const rpc = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: {} });
    expect((await seller.ask("GET", "/products", { headers: narrow })).status).toBe(200);
    expect((await seller.ask("GET", "/api/v1/orders", { headers: narrow })).status).toBe(200);
    const refused = [
      ["portfolio:read", await seller.ask("GET", "/api/v1/deals", { headers: narrow })],
      ["portfolio:read", await seller.ask("POST", "/rpc", { headers: narrow, body: rpc("list_deals") })],
      ["portfolio:read", await seller.ask("POST", "/mcp/call", { headers: narrow, body: { name: "list_deals" } })],
      ["events:read", await seller.ask("GET", "/events/stream", { headers: narrow })],
      ["deals:write", await seller.ask("POST", "/api/v1/deals", { headers: narrow, body: { quote_id: "none" } })],
    ] as const;
    for (const [scope, { status, text, headers }] of refused) {
      expect([status, text], scope).toEqual([403, expect.stringContaining("insufficient_scope")]);
      expect(headers.get("www-authenticate")).toBe(
        `Bearer error="insufficient_scope", scope="${scope}", ` +
          `resource_metadata="${seller.url}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
    const all = bearer(await tokenOf({ claims: { agency_id: "ag-3", scope: "read" } }));
    expect((await seller.ask("GET", "/api/v1/deals", { headers: all })).status).toBe(200);
    expect((await seller.ask("POST", "/api/v1/deals", { headers: all, body: {} })).status).toBe(403);
  });

  test.each<[string, Made | "foreign", string]>([
    ["has expired", { expires: "-1h" }, "api_key_expired"],
    ["is of another issuer", { issuer: "https://evil.example" }, "invalid_api_key"],
    ["is for another agent", { audience: "https://other.example" }, "invalid_api_key"],
    ["is signed by another key", "foreign", "invalid_api_key"],
    ["has no subject", { claims: { sub: undefined } }, "invalid_api_key"],
    ["has a subject that is too long", { claims: { sub: "x".repeat(300) } }, "invalid_api_key"],
  ])("that %s is refused with 401, and where to get one", async (_name, made, code) => {
    const token = await tokenOf(made === "foreign" ? { key: (await generateKeyPair("ES256")).privateKey } : made);
    const { status, headers, body } = await seller.ask("GET", "/api/v1/orders", { headers: bearer(token) });
    expect([status, body["error"]]).toEqual([401, code]);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="${seller.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  test("that is not signed at all, or by a secret, is refused", async () => {
    const [header, payload] = [{ alg: "none" }, { sub: "x", iss: issuer, aud: "https://agent.example/mcp", exp: 4e9 }];
    const encoded = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    const symmetric = await new SignJWT(payload)
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode("a secret of more than thirty two characters"));
    for (const token of [`${encoded.join(".")}.x`, symmetric]) {
      expect((await seller.ask("GET", "/api/v1/orders", { headers: bearer(token) })).status).toBe(401);
    }
  });
});

describe("a client of MCP", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
  };
  const accept = { accept: "application/json, text/event-stream" };

  const called = async (name: string, token: string | null) => {
    const headers = { ...accept, ...(token === null ? {} : bearer(token)) };
    const opened = await seller.ask("POST", "/mcp", { headers, body: initialize });
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const params = { name, arguments: {} };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    return seller.ask("POST", "/mcp", { headers: { ...headers, ...session }, body });
  };

  test("learns from the metadata of the resource which issuer and scopes there are", async () => {
    for (const path of ["", "/mcp"]) {
      const { status, body } = await seller.ask("GET", `/.well-known/oauth-protected-resource${path}`);
      expect([status, body]).toMatchObject([
        200,
        {
          resource: `${seller.url}${path}`,
          authorization_servers: [issuer],
          scopes_supported: expect.arrayContaining([
            "senior",
            "operator",
            "viewer",
            "edge",
            "deals:read",
            "orders:write",
          ]) as string[],
        },
      ]);
    }
  });

  test("is a security scheme of the agent cards and of every operation of the OpenAPI document", async () => {
    const description = `An OAuth 2.1 access token of ${issuer}; /.well-known/oauth-protected-resource (RFC 9728) tells its scopes.`;
    const scheme = { scheme: "bearer", bearerFormat: "JWT", description };
    for (const agent of [seller, buyer]) {
      const cardOf = async (version: string) =>
        (await agent.ask("GET", "/.well-known/agent-card.json", { headers: { "a2a-version": version } })).body;
      expect(await cardOf("0.3")).toMatchObject({ securitySchemes: { oauth: { type: "http", ...scheme } } });
      expect(await cardOf("1.0")).toMatchObject({
        securitySchemes: { oauth: { httpAuthSecurityScheme: { ...scheme, scheme: "Bearer" } } },
      });
      const { body } = await agent.ask("GET", "/openapi.json");
      const { paths, components } = body as unknown as OpenApiDocument;
      expect(components["securitySchemes"]).toMatchObject({
        apiKey: {},
        bearer: {},
        oauth: { type: "http", ...scheme },
      });
      const operations = Object.values(paths).flatMap((path) => Object.values(path));
      expect(operations.length).toBeGreaterThan(10);
      for (const { security } of operations) expect(security).toContainEqual({ oauth: [] });
    }
  });

  test("without a token is led to one by the tool that needs it, and reads the public ones", async () => {
    expect((await called("list_products", null)).status).toBe(200);
    const { status, headers, body } = await called("get_caller", null);
    expect([status, body["id"]]).toEqual([401, 1]);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer resource_metadata="/);
  });

  test("whose token lacks a scope learns which", async () => {
    const { status, headers } = await called("get_desk_status", await tokenOf());
    expect(status).toBe(403);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer error="insufficient_scope", scope="operator", resource_/);
    const operator = await tokenOf({ claims: { scope: "operator" } });
    expect((await called("get_desk_status", operator)).status).toBe(200);
  });
});

test("while the issuer's keys cannot be read the answer is 503, and API keys go on", async () => {
  const lone = await startSeller({ OAUTH_ISSUER: "http://127.0.0.1:9", OAUTH_AUDIENCE: "https://agent.example/mcp" });
  const token = await tokenOf({ issuer: "http://127.0.0.1:9" });
  expect((await lone.ask("GET", "/api/v1/orders", { headers: bearer(token) })).status).toBe(503);
  const { api_key: key } = await lone.host("create_operator_key", { label: "op" });
  const headers = { "x-api-key": String(key) };
  expect((await lone.ask("GET", "/api/v1/orders", { headers })).status).toBe(200);
  await lone.close();
});
