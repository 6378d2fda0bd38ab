import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../agents/log.ts";
import { type Started, startSeller } from "../spec/launched.ts";

let seller: Started;
beforeAll(async () => {
  seller = await startSeller();
});
afterAll(() => seller.close());

const linesOf = (requestId: string): readonly unknown[] =>
  seller.logged
    .filter(({ level, fields }) => level === "debug" && (fields as { request_id: string }).request_id === requestId)
    .map(({ fields }) => fields);

const send = (id: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  seller.ask("POST", path, { headers: { "request-id": id, ...headers }, body });

describe("a line of level debug for every call", () => {
  const durationMs = expect.any(Number) as number;

  test("says what was called, through which door, and how it ended", async () => {
    await send("log-1", "/api/v1/quotes", { product_id: "none", deal_type: "PD" });
    await send("log-2", "/mcp/call", { name: "list_products", arguments: {} });
    await send("log-3", "/pricing", { product_id: "none" }, { "x-api-key": "ask_live_nobody" });
    expect(["log-1", "log-2", "log-3"].flatMap(linesOf)).toStrictEqual([
      {
        request_id: "log-1",
        operation: "request_quote",
        door: "rest",
        outcome: "product_not_found",
        status: 404,
        duration_ms: durationMs,
      },
      {
        request_id: "log-2",
        operation: "list_products",
        door: "mcp",
        outcome: "done",
        status: 200,
        duration_ms: durationMs,
      },
      {
        request_id: "log-3",
        operation: "get_pricing",
        door: "rest",
        outcome: "invalid_api_key",
        status: 401,
        duration_ms: durationMs,
      },
    ]);
  });

  test("a name that no operation has is the caller's own text, and is not logged", async () => {
    const message = { messageId: "m-1", role: "user", parts: [{ kind: "data", data: { operation: "canary\n{}" } }] };
    await send("log-4", "/a2a/seller/jsonrpc", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    expect(linesOf("log-4")).toMatchObject([{ operation: null, door: "a2a", outcome: "unknown_operation" }]);
  });

  test("is put together only where the level asks for it", () => {
    expect(createLog("seller", "debug").debug).toBeTypeOf("function");
    expect(createLog("seller", "info").debug).toBeUndefined();
  });
});
