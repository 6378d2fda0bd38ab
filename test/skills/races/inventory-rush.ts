import { expect } from "vitest";
import { pruneEvents } from "../../../agents/seller/background/event-pruning.ts";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { parseCatalog } from "../../../agents/seller/catalog/load.ts";
import { startSweeper } from "../../../agents/server/sweeper.ts";
import { sellerDueWork } from "../../../skills/seller/due-work.ts";
import { withExpiry } from "../../../agents/server/expiry.ts";
import type { DealRow } from "../../../skills/seller/deals/record.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { type DoorName, type OpenDoors, openDoors } from "../../doors/doors.ts";
import { type Random, seededRandom } from "../../storage/crash/random.ts";
import { runSql } from "../../storage/postgres/database.ts";
import { createHeldDays, expectLedgerFits, heldStore } from "./inventory-days.ts";
import { openWorld, plainSettings, type Reply, type World } from "../world.ts";

const capImpressions = 10_000;

const productIds = ["p-1", "p-2"] as const;
const season = { flight_start: "2030-02-26", flight_end: "2030-03-16" };
const dayMs = 86_400_000;

/** Proposals expire and are pruned while the clock runs at 20 s an attempt. */
const settings = { ...plainSettings, dealProposalTtlDays: 1, eventRetentionDays: 1 };
const msPerAttempt = 20_000;

const product = (productId: string) => ({
  product_id: productId,
  name: `Run of ${productId}`,
  inventory_type: "display",
  deal_types: ["PG"],
  base_cpm: 10,
  floor_cpm: 5,
  minimum_impressions: 1,
  maximum_impressions: capImpressions,
});

/** No commit may book a day beyond its cap. */
export const openRush = (
  openStore = async (): Promise<Store> => heldStore(openMemoryStore(), createHeldDays(capImpressions)),
): Promise<World> =>
  openWorld({
    settings,
    catalog: createCatalog(parseCatalog("rush.json", JSON.stringify(productIds.map(product)), "USD")),
    openStore,
  });

interface Booking {
  readonly dealId: string;
  orderId: string | null;
}

interface Buyer {
  readonly secret: string;
  readonly random: Random;
  readonly bookings: Booking[];
  last: { readonly input: unknown; readonly key: string; readonly dealId: string } | null;
}

interface Rush {
  readonly world: World;
  readonly doors: OpenDoors;
  /** Of a hundred requests; the rest go straight to the runner. */
  readonly throughDoorsPct: number;
  readonly ends: Map<string, number>;
  attempts: number;
}

const attempting = new Set([
  "book_deal",
  "generate_deal",
  "create_change_request",
  "apply_change_request",
  "transition_deal",
  "transition_order",
]);

/** A rival, the clock or a full day causes these. */
const expectedRefusals = new Set([
  "inventory_unavailable",
  "quote_already_booked",
  "quote_declined",
  "proposal_already_booked",
  "idempotency_in_flight",
  "invalid_transition",
  "validation_failed",
  "not_pending_approval",
  "not_approved",
]);

/** No MCP: a session lists all tools, which for 64 buyers takes longer than the rush. */
const buyerDoors: readonly DoorName[] = ["rest", "a2a", "rpc"];
const sellerDoors: readonly DoorName[] = [...buyerDoors, "mcp"];

interface Asked {
  readonly operation: string;
  readonly input: unknown;
  readonly idempotencyKey?: string;
  readonly dryRun?: boolean;
}

const ask = async (rush: Rush, { secret, random }: Pick<Buyer, "secret" | "random">, asked: Asked): Promise<Reply> => {
  const { world, doors, ends } = rush;
  if (attempting.has(asked.operation)) {
    rush.attempts += 1;
    world.advance(msPerAttempt);
  }
  const request = { caller: secret, ...asked };
  const names = ["operator", "senior"].includes(secret) ? sellerDoors : buyerDoors;
  const door = names[random.below(names.length)] ?? "rest";
  const isFromOutside = random.below(100) < rush.throughDoorsPct;
  const reply = await (isFromOutside ? doors.send(door, request, world.secretOf(secret)) : world.send(request));
  const context = `${asked.operation}, last logged: ${JSON.stringify(world.logged.at(-1))}`;
  if (reply.code !== null) expect(expectedRefusals, context).toContain(reply.code);
  const end = `${asked.operation} ${reply.code ?? (reply.replayed ? "replayed" : "done")}`;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  return reply;
};

const date = (day: number): string => new Date(Date.UTC(2030, 2, day)).toISOString().slice(0, 10);

const newWish = (random: Random) => {
  const first = 1 + random.below(8);
  return {
    product_id: productIds[random.below(productIds.length)],
    deal_type: "PG",
    impressions: 1 + random.below(capImpressions / 5),
    flight_start: date(first),
    flight_end: date(first + random.below(4)),
  };
};

const newQuote = async (rush: Rush, buyer: Buyer): Promise<{ readonly quote_id: string }> => {
  const { body } = await ask(rush, buyer, { operation: "request_quote", input: newWish(buyer.random) });
  return { quote_id: String(body["quote_id"]) };
};

/** Null where no request made one. */
const oneDeal = (buyer: Buyer, replies: readonly Reply[]): string | null => {
  const dealIds = new Set(replies.flatMap(({ code, body }) => (code === null ? String(body["deal_id"]) : [])));
  expect(dealIds.size).toBeLessThanOrEqual(1);
  const [dealId = null] = dealIds;
  if (dealId !== null) buyer.bookings.push({ dealId, orderId: null });
  return dealId;
};

type Act = (rush: Rush, buyer: Buyer) => Promise<void>;

const bookWithKey: Act = async (rush, buyer) => {
  const input = await newQuote(rush, buyer);
  const asked = { operation: "book_deal", input, idempotencyKey: `book ${input.quote_id}` };
  const times = Array.from({ length: 1 + buyer.random.below(3) }, () => ask(rush, buyer, asked));
  const dealId = oneDeal(buyer, await Promise.all(times));
  if (dealId !== null) buyer.last = { input, key: asked.idempotencyKey, dealId };
};

const bookTwice: Act = async (rush, buyer) => {
  const asked = { operation: "book_deal", input: await newQuote(rush, buyer) };
  oneDeal(buyer, await Promise.all([ask(rush, buyer, asked), ask(rush, buyer, asked)]));
};

const bookAgain: Act = async (rush, buyer) => {
  if (buyer.last === null) return bookWithKey(rush, buyer);
  const { input, key, dealId } = buyer.last;
  const reply = await ask(rush, buyer, { operation: "book_deal", input, idempotencyKey: key });
  if (reply.code === null) expect(reply.body["deal_id"]).toBe(dealId);
};

const bookDry: Act = async (rush, buyer) => {
  const input = await newQuote(rush, buyer);
  const reply = await ask(rush, buyer, { operation: "book_deal", input, dryRun: true });
  if (reply.code === null) expect([reply.body["dry_run"], reply.body["deal_id"]]).toEqual([true, null]);
};

const bookProposal: Act = async (rush, buyer) => {
  const { flight_start: start_date, flight_end: end_date, ...wish } = newWish(buyer.random);
  const offer = { ...wish, start_date, end_date, price: 10 };
  const { body } = await ask(rush, buyer, { operation: "submit_proposal", input: offer });
  if (body["status"] !== "accepted") return;
  const asked = { operation: "generate_deal", input: { proposal_id: body["proposal_id"] } };
  oneDeal(buyer, await Promise.all([ask(rush, buyer, asked), ask(rush, buyer, asked)]));
};

const operator = ({ random }: Buyer) => ({ secret: "operator", random });
const senior = ({ random }: Buyer) => ({ secret: "senior", random });

const orderOf = async (rush: Rush, buyer: Buyer, booking: Booking): Promise<string> => {
  if (booking.orderId === null) {
    const made = await ask(rush, buyer, { operation: "create_order", input: { deal_id: booking.dealId } });
    booking.orderId = String(made.body["order_id"]);
  }
  return booking.orderId;
};

/** Applied twice at once. */
const change = async (rush: Rush, buyer: Buyer, booking: Booking, wanted: object): Promise<void> => {
  const input = { order_id: await orderOf(rush, buyer, booking), ...wanted };
  const { code, body } = await ask(rush, buyer, { operation: "create_change_request", input });
  if (code !== null) return;
  const named = { cr_id: body["change_request_id"] };
  if (body["status"] === "pending_approval") {
    const decided = { ...named, decision: "approve" };
    await ask(rush, senior(buyer), { operation: "review_change_request", input: decided });
  }
  const apply = { operation: "apply_change_request", input: named };
  await Promise.all([ask(rush, operator(buyer), apply), ask(rush, operator(buyer), apply)]);
};

const resize: Act = async (rush, buyer) => {
  const booking = buyer.bookings[buyer.random.below(buyer.bookings.length)];
  if (booking === undefined) return bookWithKey(rush, buyer);
  const impressions = 1 + buyer.random.below(capImpressions / 3);
  await change(rush, buyer, booking, { change_type: "impressions", proposed_values: { impressions } });
};

const move: Act = async (rush, buyer) => {
  const booking = buyer.bookings[buyer.random.below(buyer.bookings.length)];
  if (booking === undefined) return bookTwice(rush, buyer);
  const first = 1 + buyer.random.below(8);
  const flight = { flight_start: date(first), flight_end: date(first + buyer.random.below(5)) };
  await change(rush, buyer, booking, { change_type: "flight_dates", proposed_values: flight });
};

const activate: Act = async (rush, buyer) => {
  const booking = buyer.bookings.at(-1);
  if (booking === undefined) return bookWithKey(rush, buyer);
  const input = { deal_id: booking.dealId, to_status: "active" };
  await ask(rush, operator(buyer), { operation: "transition_deal", input });
};

/** Three ways, or two of them at once. */
const cancel: Act = async (rush, buyer) => {
  const booking = buyer.bookings.shift();
  if (booking === undefined) return bookWithKey(rush, buyer);
  const ofDeal = { deal_id: booking.dealId, to_status: "rejected" };
  const byOperator = (): Promise<unknown> =>
    ask(rush, operator(buyer), { operation: "transition_deal", input: ofDeal });
  const ofOrder = { order_id: await orderOf(rush, buyer, booking), to_status: "cancelled" };
  const byOrder = (): Promise<unknown> => ask(rush, operator(buyer), { operation: "transition_order", input: ofOrder });
  const byRequest = (): Promise<unknown> => change(rush, buyer, booking, { change_type: "cancellation" });
  const ways = [byOperator, byOrder, byRequest];
  const chosen = ways.filter(() => buyer.random.below(2) === 0);
  await Promise.all((chosen.length === 0 ? [byRequest] : chosen).map((way) => way()));
};

const acts: readonly Act[] = [
  bookWithKey,
  bookWithKey,
  bookWithKey,
  bookTwice,
  bookAgain,
  bookDry,
  bookProposal,
  resize,
  resize,
  move,
  activate,
  cancel,
  cancel,
];

/** Then it only gives back: active deals never expire in this run. */
const mostBookings = 6;

const buy = async (rush: Rush, buyer: Buyer, attempts: number): Promise<void> => {
  while (rush.attempts < attempts) {
    const act = buyer.bookings.length > mostBookings ? cancel : acts[buyer.random.below(acts.length)];
    await act?.(rush, buyer);
  }
};

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** As a served seller's timers do. */
const sweep = async ({ store, nowMs }: World): Promise<void> => {
  const log = { info: () => undefined, warn: () => undefined, error: () => expect.unreachable("a due row was left") };
  const clock = { nowMs };
  const sweeper = startSweeper({ store, clock, log, due: withExpiry(sellerDueWork(settings)) }, dayMs);
  while ((await store.due(nowMs(), 1)).length > 0) await sweeper.sweep();
  await sweeper.stop();
  await pruneEvents({ store, clock, settings }, () => false);
};

/** `dealsNow` reads all deals at one moment, where commits cannot be watched. */
export interface RushPlan {
  readonly attempts: number;
  readonly seed: number;
  readonly throughDoorsPct: number;
  readonly dealsNow?: () => Promise<readonly DealRow[]>;
}

const sweepEvery = 100;

const sweepBeside = async (rush: Rush, { attempts, dealsNow }: RushPlan): Promise<void> => {
  for (let next = 0; rush.attempts < attempts; await nextTurn()) {
    if (rush.attempts < next) continue;
    next = rush.attempts + sweepEvery;
    await sweep(rush.world);
    createHeldDays(capImpressions).take((await dealsNow?.()) ?? []);
  }
};

const newBuyers = (world: World, count: number, seed: number): Promise<Buyer[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const input = { seat_id: `seat-b${place}`, agency_id: `agency-b${place}` };
      const { body } = await world.send({ caller: "host", operation: "create_api_key", input });
      const random = seededRandom(seed + place);
      return { secret: String(body["api_key"]), random, bookings: [], last: null };
    }),
  );

/**
 * 64 buyers and the seller's people: bookings repeated, dry or raced, changes, activations, cancellations, expiry. At
 * the end ledgers hold what deals hold, after the season nothing.
 */
export const rushForInventory = async (world: World, plan: RushPlan): Promise<ReadonlyMap<string, number>> => {
  const doors = await openDoors(world.runner, () => world.nowMs());
  const { throughDoorsPct } = plan;
  const rush: Rush = { world, doors, throughDoorsPct, ends: new Map(), attempts: 0 };
  const buyers = await newBuyers(world, 64, plan.seed);
  await Promise.all([...buyers.map((buyer) => buy(rush, buyer, plan.attempts)), sweepBeside(rush, plan)]);
  await sweep(world);
  await doors.close();
  const held = await expectLedgerFits(world.store, capImpressions, productIds, season);
  expect(Math.max(...held.values())).toBeGreaterThan(capImpressions / 2);
  world.advance(Date.parse(season.flight_end) + 2 * dayMs - world.nowMs());
  await sweep(world);
  expect(await expectLedgerFits(world.store, capImpressions, productIds, season)).toEqual(new Map());
  return rush.ends;
};

/** Commits of several connections end in no known order. */
export const rushOnPostgres = async (url: string, plan: Omit<RushPlan, "dealsNow">): Promise<void> => {
  const world = await openRush(() => openPostgresStore({ url, schema: "rush", log: () => undefined }));
  const dealsNow = async (): Promise<readonly DealRow[]> => {
    const rows = await runSql<{ body: string }>(url, "SELECT body FROM rush.rows WHERE kind = 'deal'");
    return rows.map(({ body }) => JSON.parse(body) as DealRow);
  };
  await rushForInventory(world, { ...plan, dealsNow });
  await world.close();
};
