import { describe, expect, onTestFinished, test } from "vitest";
import { createEventBus, type EventBus, joinRecord } from "../../agents/buyer/event-bus.ts";
import { serve } from "../../agents/server/serve.ts";
import { eventTypes } from "../../skills/buyer/events/event-types.ts";
import { covers } from "../requirements.ts";
import { startFakeSeller } from "./fake-seller.ts";
import {
  type BuyerWorld,
  callAgent,
  eventsOf,
  logTo,
  movableClock,
  openBuyer,
  sampleBrief,
  settledJob,
  until,
} from "./world.ts";

const busWith = (lines: string[] = []): EventBus => createEventBus({ clock: movableClock(), log: logTo(lines) });

const buyerWorld = async (settings: Parameters<typeof openBuyer>[0] = {}): Promise<BuyerWorld> => {
  const world = await openBuyer(settings);
  onTestFinished(() => world.close());
  return world;
};

describe("the event bus", () => {
  test("an event is kept first, then goes to its type's subscribers, then to those of *", () => {
    covers("buyer.bus.order", "buyer.bus.append-only");
    const bus = busWith();
    const seen: string[] = [];
    bus.subscribe("*", (event) => void seen.push(`all ${event.event_type} ${bus.getEvent(event.event_id) !== null}`));
    bus.subscribe("deal.booked", () => void seen.push("typed"));
    const event = bus.emitNow("deal.booked", { deal_id: "D-1", payload: { product_id: "p" } });
    bus.emitNow("session.created");
    expect(seen).toEqual(["typed", "all deal.booked true", "all session.created true"]);
    expect(Object.isFrozen(event)).toBe(true);
    if (event !== null) bus.publish({ ...event, deal_id: "D-2" });
    expect(bus.getEvent(event?.event_id ?? "")?.deal_id).toBe("D-1");
  });

  test("a subscriber that fails is logged, and the others still run", () => {
    covers("buyer.bus.failing-subscriber");
    const lines: string[] = [];
    const bus = busWith(lines);
    const seen: string[] = [];
    bus.subscribe("deal.booked", () => {
      throw new Error("no more");
    });
    bus.subscribe("deal.booked", (event) => void seen.push(event.event_type));
    const end = bus.subscribe("*", (event) => void seen.push(`all ${event.event_type}`));
    expect(bus.emitNow("deal.booked")).not.toBeNull();
    end();
    bus.emitNow("deal.booked");
    expect(seen).toEqual(["deal.booked", "all deal.booked", "deal.booked"]);
    expect(lines.join()).toContain("a subscriber of events failed");
  });

  test("the bus lists by flow, type and session, 50 unless it is told otherwise, and finds by id", () => {
    covers("buyer.bus.list", "buyer.bus.get");
    const bus = busWith();
    for (let index = 0; index < 60; index += 1) bus.emitNow("quote.requested", { flow_id: `flow-${index % 2}` });
    const last = bus.emitNow("session.created", { session_id: "s-1" });
    expect(bus.listEvents()).toHaveLength(50);
    expect(bus.listEvents({ limit: 500 })).toHaveLength(61);
    expect(bus.listEvents({ flow_id: "flow-0", event_type: "quote.requested" })).toHaveLength(30);
    expect(bus.listEvents({ session_id: "s-1" })).toEqual([last]);
    expect(bus.getEvent(last?.event_id ?? "")).toEqual(last);
    expect(bus.getEvent("none")).toBeNull();
  });

  test("an emission has its defaults, its further members are metadata, and it need not be waited for", async () => {
    covers("buyer.bus.emit-metadata", "buyer.bus.emit-sync", "buyer.events.record.event-id");
    covers("buyer.events.record.timestamp", "buyer.events.record.metadata", "buyer.events.record.payload");
    covers("buyer.events.record.flow-id", "buyer.events.record.flow-type", "buyer.events.record.deal-id");
    covers("buyer.events.record.session-id", "buyer.events.record.event-type");
    const bus = busWith();
    const event = await bus.emit("quote.requested", { flow_id: "f", payload: { a: 1 }, agent: "desk", attempt: 2 });
    expect(event).toMatchObject({ event_type: "quote.requested", flow_id: "f", payload: { a: 1 } });
    expect(event?.metadata).toEqual({ agent: "desk", attempt: 2 });
    expect(event?.event_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(event?.timestamp).toMatch(/^2027-01-15T12:00.*Z$/);
    expect(bus.emitNow("deal.booked")).toMatchObject({
      flow_id: "",
      flow_type: "",
      deal_id: "",
      session_id: "",
      payload: {},
      metadata: {},
    });
  });

  test("an emission that fails warns and returns nothing", async () => {
    covers("buyer.bus.never-breaks");
    const lines: string[] = [];
    const clock = {
      nowMs: (): number => {
        throw new Error("no time");
      },
    };
    const bus = createEventBus({ clock, log: logTo(lines) });
    expect(await bus.emit("deal.booked")).toBeNull();
    expect(bus.emitNow("deal.booked")).toBeNull();
    expect(lines.join()).toContain("an event could not be emitted");
  });

  test("what is emitted is stored, what is stored is published, and a store that fails breaks nothing", async () => {
    covers("buyer.bus.persisted");
    const world = await buyerWorld({ identity: { seat_id: "s" } });
    const lines: string[] = [];
    const clock = movableClock();
    const bus = createEventBus({ clock, log: logTo(lines) });
    const joined = joinRecord({ bus, store: world.store, clock, log: logTo(lines) });
    const event = bus.emitNow("inventory.discovered", { payload: { query: "ctv" }, note: "x" });
    await callAgent(world.buyer, "create_booking", { brief: { ...sampleBrief, channels: ["ctv"] } });
    await until(async () => (bus.listEvents({ event_type: "campaign.created" }).length > 0 ? true : null));
    await joined.stop();
    const rows = await eventsOf(world.store);
    expect(rows.filter((row) => row["event_type"] === "inventory.discovered")).toHaveLength(1);
    const { output } = await callAgent(world.buyer, "get_event", { event_id: event?.event_id });
    expect(output).toMatchObject({
      event_type: "inventory.discovered",
      payload: { query: "ctv" },
      metadata: { note: "x" },
    });

    const broken = { ...world.store, commit: () => Promise.reject(new Error("disk full")) };
    const other = createEventBus({ clock, log: logTo(lines) });
    const failing = joinRecord({ bus: other, store: broken, clock, log: logTo(lines) });
    expect(other.emitNow("deal.booked")).not.toBeNull();
    await failing.stop();
    expect(lines.join()).toContain("an event could not be recorded");
  });
});

describe("the durable record", () => {
  test("a booking leaves its events, which outlive a restart of the process", async () => {
    covers("buyer.events.type.campaign-created", "buyer.events.type.budget-allocated");
    covers("buyer.events.type.inventory-discovered", "buyer.events.type.quote-requested");
    covers("buyer.events.type.quote-received", "buyer.events.type.deal-booked");
    covers("buyer.events.type.booking-submitted", "buyer.events.bus-only", "buyer.events.persisted.fields");
    const seller = await startFakeSeller();
    onTestFinished(() => seller.close());
    const world = await buyerWorld({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    const brief = { ...sampleBrief, channels: ["ctv"], flights: null };
    const made = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    const jobId = String(made.output["job_id"]);
    expect((await settledJob(world.buyer, jobId)).status).toBe("completed");
    const { output } = await callAgent(world.buyer, "list_events", { flow_id: jobId });
    const events = output["events"] as readonly Record<string, unknown>[];
    const types = new Set(events.map((event) => event["event_type"]));
    for (const type of ["campaign.created", "budget.allocated", "inventory.discovered", "quote.requested"] as const) {
      expect(types, type).toContain(type);
    }
    for (const type of ["quote.received", "booking.submitted", "deal.booked"] as const)
      expect(types, type).toContain(type);
    expect([...types].every((type) => eventTypes.includes(type as never))).toBe(true);
    expect(Object.keys(events[0] ?? {}).sort()).toEqual([
      "deal_id",
      "event_id",
      "event_type",
      "flow_id",
      "flow_type",
      "metadata",
      "payload",
      "session_id",
      "timestamp",
    ]);
    const booked = events.find((event) => event["event_type"] === "deal.booked");
    expect(booked).toMatchObject({
      flow_id: jobId,
      flow_type: "deal_booking",
      deal_id: "D-1",
      payload: { deal_id: "D-1" },
    });
    const byDeal = await callAgent(world.buyer, "list_events", { deal_id: "D-1", event_type: "deal.booked" });
    expect(byDeal.output).toMatchObject({ total: 1, events: [{ event_id: booked?.["event_id"] }] });
  });

  test("the stream sends events as they are committed, and wants a key", async () => {
    const world = await buyerWorld({ identity: { seat_id: "s" } });
    const served = await serve(world.buyer, { host: "127.0.0.1", port: 0, log: logTo([]) });
    onTestFinished(() => served.close());
    expect((await fetch(`${served.url}/events/stream`)).status).toBe(401);
    const key = await callAgent(world.buyer, "create_operator_key", { label: "desk" });
    const stop = new AbortController();
    const headers = { "x-api-key": String(key.output["api_key"]) };
    const response = await fetch(`${served.url}/events/stream`, { headers, signal: stop.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await callAgent(world.buyer, "create_booking", { brief: sampleBrief });
    let text = "";
    while (!text.includes("event: campaign.created")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain('"event_type":"campaign.created"');
    stop.abort();
  });
});
