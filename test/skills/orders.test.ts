import { afterEach, describe, expect, test } from "vitest";
import type { EventRow } from "../../protocol/seam/events.ts";
import type { Loaded } from "../../protocol/seam/operation.ts";
import { openPostgresStore } from "../../storage/postgres/driver.ts";
import { nextOf } from "../machines/deals/order-table.ts";
import { covers } from "../requirements.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";
import { gatedDeals, openRaces, raceForApprovals } from "./races/approval-races.ts";
import { openWorld, type Reply, type World } from "./world.ts";

const opened: World[] = [];
const open = async (...options: Parameters<typeof openWorld>): Promise<World> => {
  const world = await openWorld(...options);
  opened.push(world);
  return world;
};
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

const call = (world: World, caller: string, operation: string, input: unknown): Promise<Reply> =>
  world.send({ caller, operation, input });

const idOf = (reply: Reply, member: string): string => {
  expect(reply.code).toBeNull();
  return String(reply.body[member]);
};

const wish = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 5_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

const newDeal = async (world: World): Promise<string> => {
  const quoteId = idOf(await call(world, "agency", "request_quote", wish), "quote_id");
  return idOf(await call(world, "agency", "book_deal", { quote_id: quoteId }), "deal_id");
};

const newOrder = async (world: World, input: unknown = {}): Promise<string> =>
  idOf(await call(world, "agency", "create_order", input), "order_id");

const move = (world: World, orderId: string, toStatus: string): Promise<Reply> =>
  call(world, "operator", "transition_order", { order_id: orderId, to_status: toStatus });

/** A success has no code. */
const codesOf = (replies: readonly Reply[]): string[] =>
  replies.map((reply) => reply.code ?? "").sort((one, other) => one.localeCompare(other));

const ways: Readonly<Record<string, readonly string[]>> = {
  draft: [],
  submitted: ["submitted"],
  pending_approval: ["submitted", "pending_approval"],
  approved: ["submitted", "approved"],
  rejected: ["submitted", "pending_approval", "rejected"],
  in_progress: ["submitted", "approved", "in_progress"],
  syncing: ["submitted", "approved", "in_progress", "syncing"],
  completed: ["submitted", "approved", "in_progress", "syncing", "booked", "completed"],
  failed: ["submitted", "failed"],
  cancelled: ["cancelled"],
  booked: ["submitted", "approved", "in_progress", "syncing", "booked"],
  unbooked: ["submitted", "approved", "in_progress", "syncing", "booked", "unbooked"],
};

const eventRowsOf = async (world: World) =>
  (await world.store.list({ kind: "event", terms: [], order: "oldest", limit: 500 })) as readonly Loaded<EventRow>[];

const eventsOf = async (world: World): Promise<EventRow[]> => (await eventRowsOf(world)).map(({ body }) => body);

describe("orders", () => {
  test("of the 144 moves between twelve states exactly the twenty of the table are made", async () => {
    covers("seller.orders.move.twenty", "seller.orders.move.refused-409", "seller.orders.move.recorded");
    const world = await open();
    let made = 0;
    for (const [from, way] of Object.entries(ways)) {
      for (const to of Object.keys(ways)) {
        const orderId = await newOrder(world);
        for (const state of way) expect((await move(world, orderId, state)).code).toBeNull();
        const reply = await move(world, orderId, to);
        const isAllowed = nextOf[from]?.includes(to) ?? false;
        expect([from, to, reply.code]).toEqual([from, to, isAllowed ? null : "invalid_transition"]);
        if (isAllowed) expect(reply.body["allowed_next"]).toEqual(nextOf[to]);
        else expect(reply.body["allowed_transitions"]).toEqual(nextOf[from]);
        const history = await call(world, "agency", "get_order_history", { order_id: orderId });
        expect(history.body["transition_count"]).toBe(way.length + (isAllowed ? 1 : 0));
        made += isAllowed ? 1 : 0;
      }
    }
    expect(made).toBe(20);
  });

  test("of 16 simultaneous moves of one order one wins, and the others are told the state that it left", async () => {
    const world = await open();
    const orderId = await newOrder(world);
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => move(world, orderId, index % 2 === 0 ? "submitted" : "cancelled")),
    );
    const codes = replies.map((reply) => reply.code);
    const won = codes.filter((code) => code === null).length;
    const shown = await call(world, "agency", "get_order_history", { order_id: orderId });
    const made = (shown.body["transitions"] as { to_status: string }[]).map((one) => one.to_status);
    expect(made).toHaveLength(won);
    expect([["cancelled"], ["submitted", "cancelled"]]).toContainEqual(made);
    expect(new Set(codes.filter((code) => code !== null))).toEqual(new Set(["invalid_transition"]));
    const report = await call(world, "agency", "get_order_report", {});
    expect(report.body).toMatchObject({ total_orders: 1, status_counts: { cancelled: 1 }, total_transitions: won });
  });

  test("a new order of a deal and the cancellation of the one before it meet: the newest alone ends the deal", async () => {
    const world = await open();
    for (let round = 0; round < 20; round += 1) {
      const dealId = await newDeal(world);
      const first = await newOrder(world, { deal_id: dealId });
      const [second] = await Promise.all([newOrder(world, { deal_id: dealId }), move(world, first, "cancelled")]);
      const deal = await call(world, "agency", "get_deal", { deal_id: dealId });
      expect(["proposed", "rejected"]).toContain(deal.body["status"]);
      await move(world, second, "cancelled");
      const after = await call(world, "agency", "get_deal", { deal_id: dealId });
      expect([after.body["status"], after.body["revision"]]).toEqual(["rejected", 2]);
    }
    const day = Date.UTC(2027, 2, 1) / 86_400_000;
    expect(await world.store.reserved("inventory/prod-53e78a97", day, day + 30)).toBe(0);
  });

  test("a move commits order, deal, inventory, counts and events together, under one audit entry", async () => {
    const world = await open();
    const dealId = await newDeal(world);
    const orderId = await newOrder(world, { deal_id: dealId });
    const before = (await eventsOf(world)).length;
    const links = async () => {
      let count = 0;
      for await (const _ of world.store.auditTrail()) count += 1;
      return count;
    };
    const linksBefore = await links();
    await move(world, orderId, "cancelled");
    const events = (await eventsOf(world)).slice(before);
    expect(events.map((event) => [event.event_type, event.owner, event.deal_id])).toEqual([
      ["order.transitioned", "agency:agency-2", dealId],
      ["deal.rejected", "agency:agency-2", dealId],
    ]);
    expect(events[0]?.payload).toMatchObject({ order_id: orderId, from_status: "draft", to_status: "cancelled" });
    expect(await links()).toBe(linksBefore + 1);
  });

  test("the audit log of an order has an end: after 500 moves it takes no more", async () => {
    const world = await open();
    const orderId = await newOrder(world);
    for (let round = 0; round < 166; round += 1) {
      for (const state of ["submitted", "failed", "draft"]) await move(world, orderId, state);
    }
    for (const state of ["submitted", "failed"]) expect((await move(world, orderId, state)).code).toBeNull();
    const refused = await move(world, orderId, "draft");
    expect(refused.body).toMatchObject({
      error: "invalid_transition",
      current_status: "failed",
      allowed_transitions: [],
    });
    expect(refused.body["message"]).toMatch(/audit log holds 500 moves; create a new order$/);
  });
});

describe("change requests", () => {
  const ask = (world: World, orderId: string, impressions: number): Promise<Reply> =>
    call(world, "agency", "create_change_request", {
      order_id: orderId,
      change_type: "impressions",
      proposed_values: { impressions },
    });

  const approved = async (world: World, orderId: string, impressions: number): Promise<string> => {
    const requestId = idOf(await ask(world, orderId, impressions), "change_request_id");
    await call(world, "operator", "review_change_request", { cr_id: requestId, decision: "approve" });
    return requestId;
  };

  const apply = (world: World, requestId: string): Promise<Reply> =>
    call(world, "operator", "apply_change_request", { cr_id: requestId });

  test("of 8 simultaneous applications of one request one writes, and the others are refused", async () => {
    const world = await open();
    const orderId = await newOrder(world, { deal_id: await newDeal(world) });
    const requestId = await approved(world, orderId, 6_000_000);
    const replies = await Promise.all(Array.from({ length: 8 }, () => apply(world, requestId)));
    expect(codesOf(replies)).toEqual(["", ...Array<string>(7).fill("not_approved")]);
    const order = await call(world, "agency", "get_order", { order_id: orderId });
    expect(order.body["revision"]).toBe(2);
  });

  test("changes that are applied at once never hold more than the cap on any day", async () => {
    const world = await open();
    const orders = [];
    for (let count = 0; count < 3; count += 1) orders.push(await newOrder(world, { deal_id: await newDeal(world) }));
    const requests = [];
    for (const orderId of orders) requests.push(await approved(world, orderId, 10_000_000));
    const replies = await Promise.all(requests.map((requestId) => apply(world, requestId)));
    expect(codesOf(replies)).toEqual(["", "validation_failed", "validation_failed"]);
    const day = Date.UTC(2027, 2, 1) / 86_400_000;
    expect(await world.store.reserved("inventory/prod-53e78a97", day, day + 30)).toBe(20_000_000);
  });

  test("an applied change emits its own event and the deal's, for their owner, with the new terms", async () => {
    const world = await open();
    const dealId = await newDeal(world);
    const orderId = await newOrder(world, { deal_id: dealId });
    const requestId = await approved(world, orderId, 6_000_000);
    const before = (await eventsOf(world)).length;
    await apply(world, requestId);
    const events = (await eventsOf(world)).slice(before);
    expect(events.map((event) => [event.event_type, event.owner])).toEqual([
      ["change_request.applied", "agency:agency-2"],
      ["deal.changed", "agency:agency-2"],
    ]);
    expect(events[0]?.payload).toMatchObject({ change_request_id: requestId, order_id: orderId, status: "applied" });
    expect(events[1]?.payload).toMatchObject({ deal_id: dealId, impressions: 6_000_000 });
  });

  test("a request that failed emits its creation and its failure, and no figure of a limit", async () => {
    const world = await open();
    const orderId = await newOrder(world, { deal_id: await newDeal(world) });
    const input = { order_id: orderId, change_type: "pricing", proposed_values: { final_cpm: 27.99 } };
    // A buyer's price is held against the floor only when it is applied.
    const reply = await call(world, "operator", "create_change_request", input);
    expect([reply.code, reply.status]).toEqual(["validation_failed", 422]);
    const types = (await eventsOf(world)).map((event) => event.event_type);
    expect(types.slice(-2)).toEqual(["change_request.created", "change_request.failed"]);
    expect(JSON.stringify([reply, await eventsOf(world)])).not.toMatch(/floor|28000000|"28"/);
  });
});

describe("approvals", () => {
  test("500 approvals decided twice, or decided and timed out at once, have one effect each", async () => {
    const world = await openRaces();
    opened.push(world);
    await raceForApprovals(world, 500);
    expect(world.logged.filter((line) => line.level === "error")).toEqual([]);
  });

  test("a held deal emits the question to its owner, without what operators alone may read", async () => {
    const world = await open({ settings: gatedDeals });
    const dealId = await newDeal(world);
    const requested = (await eventRowsOf(world)).find(({ body }) => body.event_type === "approval.requested");
    expect(requested?.body).toMatchObject({
      flow_id: dealId,
      flow_type: "deal",
      deal_id: dealId,
      owner: "agency:agency-2",
    });
    expect(requested?.body.payload).not.toHaveProperty("buyer");
    const list = await call(world, "operator", "list_pending_approvals", {});
    const [approval] = list.body["approvals"] as { event_id: string }[];
    expect(approval?.event_id).toBe(requested?.id);
  });
});

await describeOnPostgres("approvals on PostgreSQL", (url) => {
  test("100 approvals decided twice, or decided and timed out at once, have one effect each", async () => {
    const world = await openRaces({
      openStore: () => openPostgresStore({ url, schema: "races", log: () => undefined }),
    });
    opened.push(world);
    await raceForApprovals(world, 100);
    expect(world.logged.filter((line) => line.level === "error")).toEqual([]);
  });
});
