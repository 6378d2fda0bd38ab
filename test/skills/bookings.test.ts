import { afterEach, describe, expect, test } from "vitest";
import { defaultAudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";
import { anonymousCaller } from "../../protocol/seam/caller.ts";
import { recordMeta } from "../../protocol/seam/operation.ts";
import { type DealRow, settledDeal } from "../../skills/seller/deals/record.ts";
import { dealView } from "../../skills/seller/deals/view.ts";
import { quoteView } from "../../skills/seller/pricing/view.ts";
import { type QuoteRow } from "../../skills/seller/pricing/record.ts";
import { covers } from "../requirements.ts";
import { openWorld, type Reply, type World } from "./world.ts";

const worlds: World[] = [];
const open = async (...options: Parameters<typeof openWorld>): Promise<World> => {
  const world = await openWorld(...options);
  worlds.push(world);
  return world;
};

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const march = { product_id: "prod-53e78a97", deal_type: "PG", flight_start: "2027-03-01", flight_end: "2027-03-31" };

const quoteFor = async (world: World, caller: string, impressions: number): Promise<string> => {
  const reply = await world.send({ caller, operation: "request_quote", input: { ...march, impressions } });
  expect(reply.code).toBeNull();
  return String(reply.body["quote_id"]);
};

const book = (world: World, caller: string, quoteId: string, idempotencyKey?: string): Promise<Reply> =>
  world.send({
    caller,
    operation: "book_deal",
    input: { quote_id: quoteId },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });

const rowsOf = async (world: World, kind: string): Promise<readonly Record<string, unknown>[]> => {
  const rows = await world.store.list({ kind, terms: [], order: "oldest", limit: 500 });
  return rows.map((row) => row.body as Record<string, unknown>);
};

describe("rows of quotes and deals", () => {
  test("what is not set is not stored, and is read like the nulls of older rows", async () => {
    const world = await open();
    await book(world, "agency", await quoteFor(world, "agency", 100_000));
    const [quote] = (await rowsOf(world, "quote")) as unknown as [QuoteRow];
    const [deal] = (await rowsOf(world, "deal")) as unknown as [DealRow];
    const buyer = anonymousCaller("127.0.0.1");
    const unset = { status_reason: null, dialect: null, proposal_id: null, notes: null };
    const olderQuote = { ...quote, ...unset };
    const olderDeal = { ...deal, ...unset, audience_plan: null, approval: null, wadomain: [] };
    for (const name of Object.keys(unset)) expect({ ...quote, ...deal }).not.toHaveProperty(name);
    expect(JSON.stringify(quoteView(quote))).toBe(JSON.stringify(quoteView(olderQuote)));
    expect(quoteView(quote)).toMatchObject({ status_reason: null });
    expect(JSON.stringify(dealView(deal, buyer))).toBe(JSON.stringify(dealView(olderDeal, buyer)));
    expect(dealView(deal, buyer)).toMatchObject({ proposal_id: null, notes: null, approval_id: null });
    expect(recordMeta(deal)).toEqual(recordMeta(olderDeal));
    const { expiresAtMs } = deal.life.context;
    expect(settledDeal(olderDeal, expiresAtMs).life).toEqual(settledDeal(deal, expiresAtMs).life);
  });

  test("a quote without a cap stores none and says so", async () => {
    const world = await open();
    const input = { product_id: "prod-15ba2543", deal_type: "PD" };
    const reply = await world.send({ caller: "agency", operation: "request_quote", input });
    const [quote] = (await rowsOf(world, "quote")) as unknown as [QuoteRow];
    expect(quote).not.toHaveProperty("available_impressions");
    expect(reply.body["availability"]).toMatchObject({ available_impressions: null });
    expect(quoteView({ ...quote, available_impressions: null })).toEqual(reply.body);
  });
});

describe("bookings that meet", () => {
  test("deal: of 16 simultaneous bookings of one quote one gives a deal and 15 answer quote_already_booked", async () => {
    const world = await open();
    for (let round = 0; round < 10; round += 1) {
      const quoteId = await quoteFor(world, "agency", 100_000);
      const replies = await Promise.all(Array.from({ length: 16 }, () => book(world, "agency", quoteId)));
      const won = replies.filter((reply) => reply.code === null);
      expect(won).toHaveLength(1);
      expect(replies.filter((reply) => reply.code === "quote_already_booked")).toHaveLength(15);
      for (const lost of replies.filter((reply) => reply.code !== null)) {
        expect(lost.status).toBe(409);
        expect(lost.body["deal_id"]).toBe(won[0]?.body["deal_id"]);
      }
    }
    expect(await world.store.count("deal", null)).toBe(10);
  });

  test("deal: one idempotency key sent 64 times at once gives one deal, equal answers or 409 in flight", async () => {
    const world = await open();
    const quoteId = await quoteFor(world, "agency", 100_000);
    const replies = await Promise.all(Array.from({ length: 64 }, () => book(world, "agency", quoteId, "one-key")));
    const answered = replies.filter((reply) => reply.code === null);
    expect(new Set(answered.map((reply) => reply.body["deal_id"])).size).toBe(1);
    expect(replies.filter((reply) => reply.code !== null && reply.code !== "idempotency_in_flight")).toStrictEqual([]);
    const late = await book(world, "agency", quoteId, "one-key");
    expect(late).toStrictEqual({ ...answered[0], replayed: true });
    expect(await world.store.count("deal", null)).toBe(1);
  });

  test("deal: simultaneous guaranteed bookings never sell more than the cap on any day", async () => {
    const world = await open();
    const volumes = Array.from({ length: 40 }, (_, index) => 700_000 + index * 10_000);
    const quotes = await Promise.all(volumes.map((impressions) => quoteFor(world, "agency", impressions)));
    const replies = await Promise.all(quotes.map((quoteId) => book(world, "agency", quoteId)));
    const sold = replies.reduce((sum, reply, index) => (reply.code === null ? sum + (volumes[index] ?? 0) : sum), 0);
    expect(sold).toBeLessThanOrEqual(20_000_000);
    expect(sold).toBeGreaterThan(20_000_000 - 1_090_000);
    const refused = replies.filter((reply) => reply.code !== null);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map((reply) => reply.code))).toStrictEqual(new Set(["inventory_unavailable"]));
    const firstOfMarch = Date.UTC(2027, 2, 1) / 86_400_000;
    const held = (from: number, to: number) => world.store.reserved("inventory/prod-53e78a97", from, to);
    expect(await held(firstOfMarch, firstOfMarch)).toBe(sold);
    expect(await held(firstOfMarch + 30, firstOfMarch + 30)).toBe(sold);
    expect(await held(firstOfMarch - 30, firstOfMarch - 1)).toBe(0);
    expect(await held(firstOfMarch + 31, firstOfMarch + 60)).toBe(0);
    const quotesLeft = await rowsOf(world, "quote");
    expect(quotesLeft.filter((row) => (row["life"] as { value: string }).value === "declined")).toHaveLength(
      refused.length,
    );
  });

  test("deal: of a booking and a decline of one quote exactly one wins", async () => {
    const world = await open();
    for (let round = 0; round < 10; round += 1) {
      const quoteId = await quoteFor(world, "agency", 100_000);
      const decline = { caller: "operator", operation: "decline_quote", input: { quote_id: quoteId } };
      const [booked, declined] = await Promise.all([book(world, "agency", quoteId), world.send(decline)]);
      expect([booked.code, declined.code]).toContain(null);
      expect(booked.code === null).not.toBe(declined.code === null);
    }
  });

  test("operator key: of 8 simultaneous creations with one label one gets it", async () => {
    const world = await open();
    const request = { caller: "senior", operation: "create_operator_key", input: { label: "Front desk" } };
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.send(request)));
    expect(replies.map((reply) => reply.code).filter((code) => code === null)).toHaveLength(1);
    expect(replies.map((reply) => reply.code).filter((code) => code === "label_in_use")).toHaveLength(7);
  });
});

describe("what a booking leaves behind", () => {
  test("deal: a booking commits deal, booked quote, reservation and both events together, under one audit entry", async () => {
    const world = await open();
    const quoteId = await quoteFor(world, "agency", 5_000_000);
    const deal = await book(world, "agency", quoteId);
    const events = (await rowsOf(world, "event")).filter((event) => event["flow_id"] === quoteId);
    expect(events.map((event) => [event["event_type"], event["deal_id"] ?? "", event["owner"]])).toStrictEqual([
      ["quote.created", "", "agency:agency-2"],
      ["quote.booked", "", "agency:agency-2"],
      ["deal.created", deal.body["deal_id"], "agency:agency-2"],
    ]);
    expect(events[2]?.["payload"]).toStrictEqual({
      deal_id: deal.body["deal_id"],
      quote_id: quoteId,
      product_id: "prod-53e78a97",
      deal_type: "PG",
      final_cpm: 29.92,
      currency: "USD",
      impressions: 5_000_000,
      status: "proposed",
      status_reason: null,
    });
    const trail = [];
    for await (const record of world.store.auditTrail()) trail.push(record);
    expect(trail.at(-1)).toMatchObject({ operation: "book_deal", request_id: "test-request", door: "rest" });
    expect(trail.filter((record) => record.operation === "book_deal")).toHaveLength(1);
  });

  test("a refused request stores nothing but the declined quote of decision 58", async () => {
    const world = await open();
    const quoteId = await quoteFor(world, "agency", 5_000_000);
    const before = await Promise.all(
      ["quote", "deal", "event", "idempotency"].map((kind) => world.store.count(kind, null)),
    );
    await book(world, "advertiser", quoteId, "k-1");
    await book(world, "anonymous", "qt-000000000000", "k-2");
    await world.send({ caller: "agency", operation: "request_quote", input: { ...march, deal_type: "PA" } });
    await world.send({ caller: "agency", operation: "request_quote", input: { ...march, impressions: 1 } });
    const after = await Promise.all(
      ["quote", "deal", "event", "idempotency"].map((kind) => world.store.count(kind, null)),
    );
    expect(after).toStrictEqual(before);
  });

  test("no secret of a key is in any row, event or log line", async () => {
    const world = await open();
    const created = await world.send({
      caller: "operator",
      operation: "create_api_key",
      input: { seat_id: "seat-9" },
      idempotencyKey: "secret-key-test",
    });
    const secret = String(created.body["api_key"]);
    expect(secret).toMatch(/^ask_live_[A-Za-z0-9_-]{43}$/);
    const kept = await Promise.all(
      ["api_key", "event", "idempotency", "approval", "operator_label"].map((kind) => rowsOf(world, kind)),
    );
    expect(JSON.stringify([kept, world.logged])).not.toContain(secret.slice(12));
  });

  test("anonymous keys: the request for approval is a row that operators will decide on, with its event", async () => {
    const world = await open();
    const input = { advertiser_id: "advertiser-9", agency_id: "agency-9", label: "Nine" };
    const created = await world.send({ caller: "anonymous", operation: "create_api_key", input });
    const [approval] = await rowsOf(world, "approval");
    expect(approval).toMatchObject({
      approval_id: created.body["approval_id"],
      flow_type: "api_key",
      subject_id: created.body["key_id"],
      life: { value: "pending", context: { expiresAtMs: Date.UTC(2027, 0, 16, 12) } },
    });
    const requested = (await rowsOf(world, "event")).find((event) => event["event_type"] === "approval.requested");
    expect(requested).toMatchObject({
      flow_id: created.body["key_id"],
      owner: `key:${String(created.body["key_id"])}`,
    });
  });
});

describe("audience plans of a booking", () => {
  const primary = {
    type: "standard",
    identifier: "3-7",
    taxonomy: "iab-audience",
    version: "1.1",
    source: "explicit",
  };
  const id = "sha256:f89f65f8005246db4575538f167a218b870ad70b59dd0d9fe7d3f6de5d3a80d2";

  test("the plan's computed id is logged with deal and quote, and a wrong given one is warned of with both", async () => {
    covers("seller.plan.hash-logged", "seller.plan.hash.left-out");
    const world = await open();
    const quoteId = await quoteFor(world, "agency", 100_000);
    const input = { quote_id: quoteId, audience_plan: { primary, audience_plan_id: "sha256:wrong" } };
    const dry = await world.send({ caller: "agency", operation: "book_deal", input, dryRun: true });
    expect([dry.code, world.logged]).toStrictEqual([null, []]);
    const deal = await world.send({ caller: "agency", operation: "book_deal", input });
    const ids = { deal_id: deal.body["deal_id"], audience_plan_id: id, quote_id: quoteId };
    expect(world.logged).toStrictEqual([
      { level: "warn", fields: { ...ids, given_plan_id: "sha256:wrong" }, message: "audience_plan_id_mismatch" },
      { level: "info", fields: ids, message: "deal_booking" },
    ]);
  });

  test("a role that is switched on and agentic references are taken as the capabilities say", async () => {
    covers("seller.plan.validation.cardinality", "seller.plan.validation.role");
    const audience = {
      ...defaultAudienceCapabilities,
      agentic: { supported: true },
      supports_exclusions: true,
      max_refs_per_role: { ...defaultAudienceCapabilities.max_refs_per_role, exclusions: 1 },
    };
    const world = await open({ settings: { audience } });
    const compliance_context = { jurisdiction: "EU", consent_framework: "IAB-TCFv2" };
    const agentic = { ...primary, type: "agentic", taxonomy: "agentic-audiences", compliance_context };
    const plan = { primary: { ...agentic, version: "draft-2026-01" }, exclusions: [primary] };
    const quoteId = await quoteFor(world, "agency", 100_000);
    const input = { quote_id: quoteId, audience_plan: plan };
    const deal = await world.send({ caller: "agency", operation: "book_deal", input });
    expect(deal.code).toBeNull();
    expect(deal.body["audience_plan_snapshot"]).toMatchObject(plan);
  });
});
