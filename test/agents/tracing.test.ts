import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const traceId = "0af7651916cd43dd8448eb211c80319c";
const callersSpan = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${callersSpan}-01`;

const received: IncomingHttpHeaders[] = [];
const receiver = createServer((request, response) => {
  received.push(request.headers);
  request.resume();
  response.end();
});

let seller: Started;
let buyer: Started;
let key = "";

beforeAll(async () => {
  provider.register();
  await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
  seller = await startSeller({ OUTBOUND_ALLOW: "127.0.0.1" });
  buyer = await startBuyer({ SELLER_ENDPOINTS: seller.url });
  key = String((await buyer.host("create_operator_key", { label: "trace", role: "operator" }))["api_key"]);
  const { port } = receiver.address() as AddressInfo;
  await seller.host("create_webhook", { url: `http://127.0.0.1:${port}/`, event_types: ["deal.created"] });
});

afterAll(async () => {
  await buyer.close();
  await seller.close();
  receiver.close();
  await provider.shutdown();
  // Other files of this process start without an SDK.
  trace.disable();
  context.disable();
  propagation.disable();
});

const spans = (): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);

/** From a span to the one that the caller's header named. */
const namesUpFrom = (span: ReadableSpan): readonly string[] => {
  const names: string[] = [];
  for (let at: ReadableSpan | undefined = span; at !== undefined;) {
    names.push(at.name);
    const parentId: string | undefined = at.parentSpanContext?.spanId;
    if (parentId === callersSpan) names.push("the caller");
    at = spans().find((other) => other.spanContext().spanId === parentId);
  }
  return names;
};

const trailsOf = (name: string): readonly string[] =>
  spans()
    .filter((span) => span.name === name)
    .map((span) => namesUpFrom(span).join(" < "));

const brief = {
  name: "Traced",
  objectives: ["reach"],
  budget: 20_000,
  start_date: "2027-03-01",
  end_date: "2027-03-31",
  target_audience: { geography: ["US"] },
  channels: ["ctv"],
};

describe("with an SDK of the operator", () => {
  test("one trace goes from the buyer's call over its job to the seller's commit and its webhook", async () => {
    const started = await buyer.ask("POST", "/bookings", {
      headers: { authorization: `Bearer ${key}`, traceparent, baggage: "canary=1" },
      body: { brief, auto_approve: true },
    });
    expect(started.headers.get("traceparent")).toBe(traceparent);
    const asked = { headers: { authorization: `Bearer ${key}` } };
    const path = `/bookings/${String(started.body["job_id"])}`;
    await expect.poll(async () => (await buyer.ask("GET", path, asked)).body["status"]).toBe("completed");
    await expect.poll(() => received.length).toBeGreaterThan(0);

    const atBuyer = "booking job < create_booking < POST /bookings < the caller";
    expect(trailsOf("booking job")).toEqual([atBuyer]);
    expect(trailsOf("commit")).toContain(`commit < ${atBuyer.slice("booking job < ".length)}`);
    expect(trailsOf("commit")).toContain(`commit < ${atBuyer}`);
    const booked = `book_deal < POST /api/v1/deals < POST < ${atBuyer}`;
    expect(trailsOf("book_deal")[0]).toBe(booked);
    expect(trailsOf("commit")).toContain(`commit < ${booked}`);
    // The delivery's request goes on from the call that caused the event.
    expect(trailsOf("POST")).toContain(`POST < ${booked}`);
    expect(received[0]?.["traceparent"]).toMatch(new RegExp(`^00-${traceId}-(?!${callersSpan})[0-9a-f]{16}-01$`));
    expect(received.every((headers) => headers["baggage"] === undefined)).toBe(true);
  });

  test("spans say what was called, by which door and how it ended, and nothing that was sent", async () => {
    const sent = { product_id: "canary-product", deal_type: "PD" };
    await seller.ask("POST", "/api/v1/quotes?canary=1", {
      headers: { traceparent, "request-id": "traced" },
      body: sent,
    });
    const [door] = spans().filter(({ attributes }) => attributes["http.response.status_code"] === 404);
    expect(door).toMatchObject({
      name: "POST /api/v1/quotes",
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      attributes: { "http.request.method": "POST", "http.route": "/api/v1/quotes", "http.response.status_code": 404 },
    });
    const called = spans().find(({ parentSpanContext }) => parentSpanContext?.spanId === door?.spanContext().spanId);
    expect(called).toMatchObject({
      name: "request_quote",
      attributes: { "parley.door": "rest", "parley.outcome": "product_not_found" },
    });
    const line = seller.logged.find(({ fields }) => (fields as { request_id?: string }).request_id === "traced");
    expect(seller.logged.map(({ fields }) => fields)).toContainEqual(expect.objectContaining({ trace_id: traceId }));
    expect(line).toBeDefined();
    const told = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
    expect(JSON.stringify(told)).not.toContain("canary");
  });

  test("a request that fails is an error by its kind, and a broken traceparent starts a trace of its own", async () => {
    await seller.ask("GET", "/products", { headers: { traceparent: "00-broken", "request-id": "own-trace" } });
    const own = exporter
      .getFinishedSpans()
      .filter(({ name }) => name === "GET /products")
      .at(-1);
    expect(own?.parentSpanContext).toBeUndefined();
    const lost = await startBuyer({ SELLER_ENDPOINTS: "http://127.0.0.1:9" });
    await lost.host("list_sellers", {});
    await lost.host("search_products", {}).catch(() => undefined);
    await lost.close();
    const failed = exporter
      .getFinishedSpans()
      .filter(({ kind, status }) => kind === SpanKind.CLIENT && status.code === 2);
    expect(failed.map(({ status, attributes }) => [status.message, attributes["server.address"]])).toContainEqual([
      "unreachable",
      "127.0.0.1:9",
    ]);
  });
});
