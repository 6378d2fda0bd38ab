import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sellerTools } from "../../agents/seller/tool-lists.ts";
import { compactSchema } from "../../tools/listing.ts";
import { type Started, startSeller } from "../spec/launched.ts";

let seller: Started;
let operatorKey: string;
beforeAll(async () => {
  seller = await startSeller();
  operatorKey = String((await seller.host("create_operator_key", { label: "lists" }))["api_key"]);
});
afterAll(() => seller.close());

interface Listed {
  readonly names: readonly string[];
  readonly bytes: number;
}

const withClient = async <T>(path: string, key: string | null, use: (client: Client) => Promise<T>): Promise<T> => {
  const requestInit = key === null ? {} : { headers: { "x-api-key": key } };
  const client = new Client({ name: "lists", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(path, seller.url), { requestInit }) as Transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
};

const listOf = (path: string, key: string | null): Promise<Listed> =>
  withClient(path, key, async (client) => {
    const { tools } = await client.listTools();
    return { names: tools.map(({ name }) => name), bytes: Buffer.byteLength(JSON.stringify({ tools })) };
  });

describe("the tools that MCP lists", () => {
  test("a buyer gets at most 20 tools and 24 kB, none of which it may not call", async () => {
    const { names, bytes } = await listOf("/mcp", null);
    expect(names.length).toBeLessThanOrEqual(20);
    expect(bytes).toBeLessThanOrEqual(24_000);
    expect(names).toEqual(expect.arrayContaining(["list_products", "request_quote", "book_deal", "list_deals"]));
    expect(names).not.toContain("approve_or_reject");
  });

  test("a buyer with a key stays within it too", async () => {
    const { api_key: key } = await seller.host("create_api_key", { label: "buyer", agency_id: "ag-1" });
    const { names, bytes } = await listOf("/mcp", String(key));
    expect(names).toEqual(expect.arrayContaining(["get_caller", "request_handover", "list_handovers"]));
    expect(names.length).toBeLessThanOrEqual(20);
    expect(bytes).toBeLessThanOrEqual(24_000);
  });

  test("an operator gets at most 40 tools and 64 kB, a buyer's among them", async () => {
    const { names, bytes } = await listOf("/mcp", operatorKey);
    expect(names.length).toBeLessThanOrEqual(40);
    expect(bytes).toBeLessThanOrEqual(64_000);
    expect([...names].sort()).toEqual([...sellerTools.everyone, ...sellerTools.operators].sort());
  });

  test("tool sets are operation groups; all is everything that the caller may call", async () => {
    const orders = await listOf("/mcp?toolset=orders", null);
    expect(orders.names).toEqual(expect.arrayContaining(["create_order", "get_order"]));
    expect(orders.names).not.toContain("book_deal");
    const all = await listOf("/mcp?toolset=all", null);
    expect(all.names).toEqual(expect.arrayContaining(["create_order", "book_deal"]));
    expect(all.names).not.toContain("transition_order");
    expect((await listOf("/mcp?toolset=all", operatorKey)).names).toContain("transition_order");
  });

  test("read_only leaves out what changes anything", async () => {
    const { names } = await listOf("/mcp?read_only=true", null);
    expect(names).toContain("list_products");
    expect(names).not.toContain("book_deal");
  });

  test("a tool set that does not exist is refused with those that do", async () => {
    const asked = listOf("/mcp?toolset=ordres", null);
    await expect(asked).rejects.toThrow(/No tool set ordres\. Use all, default, or any of .*orders/);
  });

  test("a tool that is not listed can be called", async () => {
    const { structuredContent } = await withClient("/mcp", null, (client) =>
      client.callTool({ name: "get_supply_chain", arguments: {} }),
    );
    expect(structuredContent).toMatchObject({ seller_id: expect.any(String) as string });
  });
});

test("a compact schema keeps type, enum, description and what is required, and drops null and bounds of length", () => {
  const schema = {
    $schema: "x",
    type: "object",
    required: ["day"],
    properties: {
      day: { type: "string", format: "date", pattern: "^long$", description: "First day." },
      kind: { anyOf: [{ type: "string", enum: ["PG", "PD"] }, { type: "null" }], description: "Deal type." },
      count: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      deep: { type: "object", properties: { inner: { type: "object", properties: { x: { type: "string" } } } } },
    },
  };
  expect(compactSchema(schema)).toEqual({
    type: "object",
    required: ["day"],
    properties: {
      day: { type: "string", format: "date", description: "First day." },
      kind: { type: "string", enum: ["PG", "PD"], description: "Deal type." },
      count: { type: "integer", minimum: 1 },
      deep: { type: "object", properties: { inner: { type: "object" } } },
    },
  });
});
