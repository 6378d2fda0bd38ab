import { describe, expect, onTestFinished, test } from "vitest";
import { callContract, createClient } from "../../protocol/client/client.ts";
import { createDialectMemory, type SellerForm } from "../../protocol/client/dialect-memory.ts";
import { createOutbound } from "../../protocol/client/outbound.ts";
import { readAllowList } from "../../protocol/client/address-guard.ts";
import { quoteEnvelope } from "../../protocol/rest/dialects/quote.ts";
import { getQuote, requestQuote } from "../../skills/seller/pricing/contract.ts";
import { logTo } from "../buyer/world.ts";
import { answerJson, type Loopback, startLoopback } from "./loopback.ts";

const flatQuote = {
  quote_id: "qt-1",
  status: "available",
  product: { product_id: "p-1", name: "One", inventory_type: "display" },
  pricing: {
    base_cpm: 20,
    tier_discount_pct: 0,
    volume_discount_pct: 0,
    final_cpm: 17.55,
    currency: "EUR",
    pricing_model: "cpm",
    rationale: "",
  },
  terms: { impressions: 1000, flight_start: "2027-03-01", flight_end: "2027-03-31", guaranteed: false },
  deal_type: "PD",
  buyer_tier: "agency",
  expires_at: "2099-01-01T00:00:00Z",
  created_at: "2027-01-15T12:00:00Z",
};

const missingKey = {
  detail: [{ type: "missing", loc: ["body", "idempotency_key"], msg: "Field required", input: {} }],
};

/** IAB's reference seller 2.4.2 reads the envelope only. */
const envelopeSeller = async (): Promise<Loopback> => {
  const server = await startLoopback((request, response) => {
    if (request.method === "GET") return answerJson(response, 200, quoteEnvelope.writeAnswer(flatQuote));
    const body = JSON.parse(request.body) as { idempotency_key?: string };
    if (body.idempotency_key === undefined) return answerJson(response, 422, missingKey);
    return answerJson(response, 201, quoteEnvelope.writeAnswer(flatQuote));
  });
  onTestFinished(() => server.close());
  return server;
};

const clientOf = (baseUrl: string, form: SellerForm | "auto") => {
  const outbound = createOutbound({ allow: readAllowList("127.0.0.1"), timeoutMs: 2000 });
  onTestFinished(() => outbound.close());
  return createClient({ target: { baseUrl }, outbound, log: logTo([]), dialects: createDialectMemory(form) });
};

const question = { product_id: "p-1", deal_type: "PD", impressions: 1000, target_cpm: 17.5 };
const bodiesOf = (server: Loopback) =>
  server.seen.map(({ body }) => (body === "" ? null : JSON.parse(body)) as unknown);

describe("the two forms that sellers speak", () => {
  test("a 422 that names idempotency_key makes the client ask once more in the envelope, and remember it", async () => {
    const server = await envelopeSeller();
    const client = clientOf(server.url, "auto");
    const first = await callContract(client, requestQuote, question, { idempotencyKey: "key-1" });
    expect(first).toMatchObject({
      ok: true,
      output: { quote_id: "qt-1", pricing: { final_cpm: 17.55, currency: "EUR" } },
    });
    const money = { amount_micros: 17_500_000, currency: "USD" };
    expect(bodiesOf(server)).toEqual([question, { ...question, target_cpm: money, idempotency_key: "key-1" }]);
    await callContract(client, requestQuote, question, { idempotencyKey: "key-2" });
    expect(bodiesOf(server)).toHaveLength(3);
    expect(bodiesOf(server)[2]).toMatchObject({ idempotency_key: "key-2", target_cpm: money });
  });

  test("an answer is read in the form that it has, whatever was asked in", async () => {
    const server = await envelopeSeller();
    const read = await callContract(clientOf(server.url, "flat"), getQuote, { quote_id: "qt-1" });
    expect(read).toMatchObject({ ok: true, output: { quote_id: "qt-1", pricing: { final_cpm: 17.55 } } });
  });

  test("a pinned form is never changed", async () => {
    const server = await envelopeSeller();
    const flat = await callContract(clientOf(server.url, "flat"), requestQuote, question);
    expect(flat).toMatchObject({ ok: false, status: 422, code: "validation_error" });
    expect(server.seen).toHaveLength(1);
    const enveloped = await callContract(clientOf(server.url, "envelope"), requestQuote, question);
    expect(enveloped.ok).toBe(true);
    expect(server.seen).toHaveLength(2);
  });

  test("a seller that refuses the envelope too is asked twice and no more", async () => {
    const server = await startLoopback((_request, response) => answerJson(response, 422, missingKey));
    onTestFinished(() => server.close());
    expect((await callContract(clientOf(server.url, "auto"), requestQuote, question)).ok).toBe(false);
    expect(server.seen).toHaveLength(2);
  });
});
