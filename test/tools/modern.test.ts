import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Members } from "../conformance/wire.ts";
import { type Started, startSeller } from "../spec/launched.ts";

/** Revision 2026-07-28, message by message: what a client of the SDK would hide. */

let seller: Started;
let buyerKey: string;
beforeAll(async () => {
  seller = await startSeller({ MCP_CONFIRM_ABOVE_VALUE: "10000" });
  buyerKey = String((await seller.host("create_api_key", { label: "buyer", agency_id: "ag-1" }))["api_key"]);
});
afterAll(() => seller.close());

const meta = (capabilities: Members): Members => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});

const asking = { elicitation: { form: {} } };

const request = (method: string, params: Members, key: string | null, capabilities: Members = asking): RequestInit => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
    ...(key === null ? {} : { "x-api-key": key }),
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta(capabilities) } }),
});

interface Answered {
  readonly status: number;
  readonly result: Members;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

const send = async (...of: Parameters<typeof request>): Promise<Answered> => {
  const response = await fetch(new URL("/mcp", seller.url), request(...of));
  const { result, error } = (await response.json()) as Answered;
  return { status: response.status, result, error };
};

const call = (name: string, args: Members, more: Members = {}, capabilities: Members = asking): Promise<Answered> =>
  send("tools/call", { name, arguments: args, ...more }, buyerKey, capabilities);

const contentOf = ({ result }: Answered): Members => {
  const [{ text }] = result["content"] as [{ text: string }];
  return JSON.parse(text) as Members;
};

const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
const quoteFor = async (impressions: number): Promise<string> => {
  const quote = await call("request_quote", { product_id: "prod-53e78a97", deal_type: "PG", impressions, ...flight });
  return String(contentOf(quote)["quote_id"]);
};

const accepted = { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } };
const statusOf = async (quoteId: string): Promise<unknown> =>
  contentOf(await call("get_quote", { quote_id: quoteId }))["status"];

describe("a booking that a person confirms", () => {
  test("is made by the second call, which brings the answer", async () => {
    const quoteId = await quoteFor(500_000);
    const first = await call("book_deal", { quote_id: quoteId });
    expect(first.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { confirm: { method: "elicitation/create" } },
    });
    expect(await statusOf(quoteId)).toBe("available");
    const again = { ...accepted, requestState: first.result["requestState"] };
    expect(contentOf(await call("book_deal", { quote_id: quoteId }, again))).toMatchObject({ status: "proposed" });
    expect(await statusOf(quoteId)).toBe("booked");
  });

  test("an answer to other terms, or without what was asked, asks again", async () => {
    const [shown, dearer] = [await quoteFor(500_000), await quoteFor(900_000)];
    const { result } = await call("book_deal", { quote_id: shown });
    const again = { ...accepted, requestState: result["requestState"] };
    expect((await call("book_deal", { quote_id: dearer }, again)).result).toMatchObject({
      resultType: "input_required",
    });
    expect((await call("book_deal", { quote_id: dearer }, accepted)).result["resultType"]).toBe("input_required");
    expect(await statusOf(dearer)).toBe("available");
  });

  test("a changed state is refused, and so is another caller's", async () => {
    const quoteId = await quoteFor(500_000);
    const { result } = await call("book_deal", { quote_id: quoteId });
    const state = String(result["requestState"]);
    const changed = `${state.slice(0, -2)}${state.endsWith("AA") ? "BB" : "AA"}`;
    const params = { name: "book_deal", arguments: { quote_id: quoteId }, ...accepted };
    expect((await call("book_deal", params.arguments, { ...accepted, requestState: changed })).error?.code).toBe(
      -32602,
    );
    expect((await send("tools/call", { ...params, requestState: state }, null)).error?.code).toBe(-32602);
    expect(await statusOf(quoteId)).toBe("available");
  });

  test("a client that cannot ask is refused, with the cure", async () => {
    const refused = await call("book_deal", { quote_id: await quoteFor(500_000) }, {}, {});
    expect(contentOf(refused)).toMatchObject({ error: "confirmation_required" });
  });
});

/** Messages of a listening stream, one by one. */
const listening = async (uris: readonly string[], key: string) => {
  const stop = new AbortController();
  const params = { notifications: { resourceSubscriptions: uris } };
  const init = { ...request("subscriptions/listen", params, key), signal: stop.signal };
  const { body } = await fetch(new URL("/mcp", seller.url), init);
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Members> => {
    for (;;) {
      const found = /^data: (.*)$/m.exec(text);
      if (found !== null && text.includes("\n\n")) {
        text = text.slice(text.indexOf("\n\n") + 2);
        return JSON.parse(String(found[1])) as Members;
      }
      const { done, value } = await reader.read();
      if (done) return { ended: true };
      text += value;
    }
  };
  return { next, stop: () => stop.abort() };
};

describe("listening to resources", () => {
  test("tells of the caller's own, and does not acknowledge a foreign one", async () => {
    const quoteId = await quoteFor(20_000);
    const uri = `parley://quote/${quoteId}`;
    const own = await listening([uri, "parley://quote/none"], buyerKey);
    expect(await own.next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourceSubscriptions: [uri] } },
    });
    await call("book_deal", { quote_id: quoteId });
    expect(await own.next()).toMatchObject({ method: "notifications/resources/updated", params: { uri } });
    own.stop();
    const other = String((await seller.host("create_api_key", { label: "other", agency_id: "ag-2" }))["api_key"]);
    const foreign = await listening([uri], other);
    expect(JSON.stringify(await foreign.next())).not.toContain(quoteId);
  });
});

describe("one address, two revisions", () => {
  test("both are offered: one by discover, one by initialize", async () => {
    const { result } = await send("server/discover", {}, null);
    expect(result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: { resources: { subscribe: true } },
    });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const opened = await seller.ask("POST", "/mcp", {
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "initialize", params },
    });
    expect(opened.body).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  });

  test("a bad key is 401, an unknown tool and bad params are the protocol's errors in our words", async () => {
    expect(await send("tools/list", {}, "parley_nobody")).toMatchObject({ status: 401 });
    expect((await call("no_such_tool", {})).error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool/) as string,
    });
    const malformed = await send("resources/read", { uri: 5 }, null);
    expect(malformed).toMatchObject({ status: 400, error: { code: -32602 } });
  });
});
