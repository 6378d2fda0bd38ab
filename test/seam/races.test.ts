import { afterEach, beforeEach, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { type DoorName, type OpenDoors, openDoors } from "../doors/doors.ts";
import { openWorld, type Reply, type Request, startMs, type World } from "../skills/world.ts";
import { loseAnswers, raceForQuotes } from "./races.ts";

let world: World;
let doors: OpenDoors;
beforeEach(async () => {
  world = await openWorld();
  doors = await openDoors(world.runner, () => startMs);
});
afterEach(async () => {
  await doors.close();
  await world.close();
});

test("race: 500 quotes booked twice at once are 500 deals and 500 times 409", () => raceForQuotes(world, 500));

test("lost answer: 50 bookings whose connection was cut are found again by their key", () =>
  loseAnswers(world, doors, 50));

/** One mutation: who makes it, its input on fresh records, and the members to change for another request. */
interface Mutation {
  readonly caller: string;
  input(): Promise<Record<string, unknown>>;
  readonly other: Readonly<Record<string, unknown>>;
}

const product = { product_id: "prod-91ddc363", deal_type: "PD" };

const idOf = async (caller: string, operation: string, input: unknown, member: string): Promise<unknown> =>
  (await world.send({ caller, operation, input })).body[member];

const newQuote = () => idOf("agency", "request_quote", product, "quote_id");
const newDeal = async () => idOf("agency", "book_deal", { quote_id: await newQuote() }, "deal_id");
const newOrder = () => idOf("agency", "create_order", {}, "order_id");
const newApproval = () => idOf("anonymous", "create_api_key", { seat_id: "seat-79" }, "approval_id");
const newChange = async (changeType: string) =>
  idOf("agency", "create_change_request", { order_id: await newOrder(), change_type: changeType }, "change_request_id");

const mutations: Readonly<Record<string, Mutation>> = {
  request_quote: { caller: "agency", input: async () => ({ ...product }), other: { deal_type: "PG", impressions: 1_000_000 } },
  book_deal: { caller: "agency", input: async () => ({ quote_id: await newQuote() }), other: { notes: "another" } },
  decline_quote: { caller: "operator", input: async () => ({ quote_id: await newQuote() }), other: { reason: "another" } },
  transition_deal: {
    caller: "operator",
    input: async () => ({ deal_id: await newDeal(), to_status: "active" }),
    other: { to_status: "rejected" },
  },
  create_api_key: { caller: "agency", input: async () => ({ seat_id: "seat-77" }), other: { seat_id: "seat-78" } },
  create_operator_key: {
    caller: "senior",
    input: async () => ({ label: `label ${randomUUID()}` }),
    other: { label: "another" },
  },
  create_order: { caller: "agency", input: async () => ({ deal_id: await newDeal() }), other: { metadata: { a: 1 } } },
  transition_order: {
    caller: "operator",
    input: async () => ({ order_id: await newOrder(), to_status: "submitted" }),
    other: { to_status: "cancelled" },
  },
  create_change_request: {
    caller: "agency",
    input: async () => ({ order_id: await newOrder(), change_type: "creative" }),
    other: { change_type: "targeting" },
  },
  review_change_request: {
    caller: "operator",
    input: async () => ({ cr_id: await newChange("targeting"), decision: "approve" }),
    other: { decision: "reject" },
  },
  apply_change_request: {
    caller: "operator",
    input: async () => ({ cr_id: await newChange("creative") }),
    other: { cr_id: "CR-000000000000" },
  },
  approve_or_reject: {
    caller: "operator",
    input: async () => ({ approval_id: await newApproval(), decision: "approve" }),
    other: { decision: "reject" },
  },
  resume_approval: {
    caller: "operator",
    input: async () => {
      const input = { approval_id: await newApproval(), decision: "reject" };
      return { approval_id: await idOf("operator", "approve_or_reject", input, "approval_id") };
    },
    other: { approval_id: "none-such" },
  },
  revoke_api_key: {
    caller: "operator",
    input: async () => ({ key_id: await idOf("operator", "create_api_key", {}, "key_id") }),
    other: { key_id: "key-00000000" },
  },
};

/** How many rows there are that any of these operations makes. */
const rowCounts = async (): Promise<readonly number[]> => {
  const counts: number[] = [];
  for (const kind of ["quote", "deal", "api_key", "approval", "operator_label", "order", "change_request", "event", "idempotency"]) {
    counts.push(await world.store.count(kind, null));
  }
  return counts;
};

const grownBy = async (body: () => Promise<void>): Promise<readonly number[]> => {
  const before = await rowCounts();
  await body();
  return (await rowCounts()).map((count, index) => count - (before[index] ?? 0));
};

const threeDoors: readonly DoorName[] = ["rest", "mcp", "a2a"];

const sendThrough = (door: DoorName, request: Request): Promise<Reply> =>
  doors.send(door, request, world.secretOf(request.caller));

/** What all answers have in common: a secret is in the first one only (decision 78). */
const shown = ({ body }: Reply): unknown => ({ ...body, ...("api_key" in body ? { api_key: null } : {}) });

test("key: the list of mutations under test is the operation list's", () => {
  const writes = world.runner.contracts.filter((contract) => contract.effect === "write");
  const closed = writes.filter((contract) => threeDoors.some((door) => contract.closedDoors?.[door] !== undefined));
  expect(writes.filter((contract) => !closed.includes(contract)).map((contract) => contract.name).sort()).toEqual(
    Object.keys(mutations).sort(),
  );
  expect(closed.map((contract) => contract.name)).toEqual(["converse"]);
});

test.each(Object.keys(mutations))("key: %s sent 64 times at once through three doors is done once", async (operation) => {
  const { caller, input, other } = mutations[operation] as Mutation;
  const lone = { caller, operation, input: await input(), idempotencyKey: randomUUID() };
  const once = await grownBy(async () => {
    expect((await world.send(lone)).code).toBeNull();
  });
  const request = { caller, operation, input: await input(), idempotencyKey: randomUUID() };
  const replies: Reply[] = [];
  const grown = await grownBy(async () => {
    const sent = Array.from({ length: 64 }, (_, index) => sendThrough(threeDoors[index % 3] as DoorName, request));
    replies.push(...(await Promise.all(sent)));
  });
  expect(grown).toEqual(once);
  const done = replies.filter((reply) => reply.code === null);
  const waiting = replies.filter((reply) => reply.code !== null);
  expect(new Set(waiting.map(({ status, code }) => `${status} ${code}`)).size).toBeLessThanOrEqual(1);
  for (const reply of waiting) expect([reply.status, reply.code]).toEqual([409, "idempotency_in_flight"]);
  expect(done.filter((reply) => !reply.replayed)).toHaveLength(1);
  expect(done.filter((reply) => typeof reply.body["api_key"] === "string").length).toBeLessThanOrEqual(1);
  const first = done.find((reply) => !reply.replayed) as Reply;
  for (const door of threeDoors) done.push(await sendThrough(door, request));
  for (const reply of done) expect(shown(reply)).toEqual(shown(first));
  const quiet = await grownBy(async () => {
    for (const door of threeDoors) {
      const changed = { ...request, input: { ...request.input, ...other } };
      const { status, code } = await sendThrough(door, changed);
      expect([status, code]).toEqual([409, "idempotency_conflict"]);
    }
  });
  expect(quiet.every((count) => count === 0)).toBe(true);
});
