import { afterEach, beforeEach, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { dispatchEvents } from "../../agents/seller/webhooks/dispatch.ts";
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

const bundle = { name: "Sports", base_price: 30, floor_price: 22.5, product_ids: ["prod-53e78a97"] };
const terms = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 1_000_000,
  start_date: "2027-03-01",
  end_date: "2027-03-31",
};
const native = { entries: [{ inventory_type: "native", base_cpm: 9 }] };
const hook = "https://hooks.example/parley";

const newPackage = () => idOf("operator", "create_package", bundle, "package_id");
const newSession = () => idOf("agency", "create_session", {}, "session_id");
const newProposal = (price: number) => idOf("agency", "submit_proposal", { ...terms, price }, "proposal_id");
const newWebhook = () => idOf("agency", "create_webhook", { url: hook, event_types: ["quote.created"] }, "webhook_id");
const newCtvQuote = () =>
  idOf("agency", "request_quote", { product_id: "prod-53e78a97", deal_type: "PG", impressions: 1_000_000 }, "quote_id");
const newAgentUrl = (): string => `http://agent-${randomUUID().slice(0, 8)}.agents.example`;
const newAgent = async (): Promise<unknown> => {
  const agent = await idOf("operator", "register_buyer_agent", { agent_url: newAgentUrl() }, "agent");
  return (agent as { agent_id: string }).agent_id;
};

const mutations: Readonly<Record<string, Mutation>> = {
  request_quote: {
    caller: "agency",
    input: async () => ({ ...product }),
    other: { deal_type: "PG", impressions: 1_000_000 },
  },
  book_deal: { caller: "agency", input: async () => ({ quote_id: await newQuote() }), other: { notes: "another" } },
  decline_quote: {
    caller: "operator",
    input: async () => ({ quote_id: await newQuote() }),
    other: { reason: "another" },
  },
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
  create_package: { caller: "operator", input: async () => ({ ...bundle }), other: { name: "Another" } },
  update_package: {
    caller: "operator",
    input: async () => ({ package_id: await newPackage(), base_price: 40 }),
    other: { base_price: 41 },
  },
  archive_package: {
    caller: "operator",
    input: async () => ({ package_id: await newPackage() }),
    other: { package_id: "pkg-00000000" },
  },
  assemble_package: {
    caller: "operator",
    input: async () => ({ name: "Screens", product_ids: ["prod-53e78a97", "prod-91ddc363"] }),
    other: { name: "Another" },
  },
  update_rate_card: {
    caller: "operator",
    input: async () => {
      // There is one card: it is there before, so that every update finds it.
      await world.send({ caller: "operator", operation: "update_rate_card", input: native });
      return { entries: [{ inventory_type: "ctv", base_cpm: 40.5 }] };
    },
    other: native,
  },
  create_session: { caller: "agency", input: async () => ({ name: "A buyer" }), other: { seat_id: "another" } },
  send_session_message: {
    caller: "agency",
    input: async () => ({ session_id: await newSession(), message: "What is the price of prod-53e78a97?" }),
    other: { message: "Another" },
  },
  close_session: {
    caller: "agency",
    input: async () => ({ session_id: await newSession() }),
    other: { session_id: "none-such" },
  },
  submit_proposal: { caller: "agency", input: async () => ({ ...terms, price: 20 }), other: { price: 21 } },
  counter_proposal: {
    caller: "agency",
    input: async () => ({ proposal_id: await newProposal(20), buyer_price: 27 }),
    other: { buyer_price: 28 },
  },
  negotiate: {
    caller: "agency",
    input: async () => ({ action: "counter", buyer_price: 25, quote_id: await newCtvQuote() }),
    other: { buyer_price: 26 },
  },
  generate_deal: {
    caller: "agency",
    input: async () => ({ proposal_id: await newProposal(35) }),
    other: { proposal_id: "prop-00000000" },
  },
  create_webhook: {
    caller: "agency",
    input: async () => ({ url: hook, event_types: ["quote.created"] }),
    other: { event_types: ["deal.created"] },
  },
  delete_webhook: {
    caller: "agency",
    input: async () => ({ webhook_id: await newWebhook() }),
    other: { webhook_id: "none-such" },
  },
  replay_webhook_delivery: {
    caller: "agency",
    input: async () => {
      const webhook_id = await newWebhook();
      await newQuote();
      await dispatchEvents({ store: world.store, clock: world }, () => false);
      const listed = await idOf("agency", "list_webhook_deliveries", { webhook_id }, "deliveries");
      return { webhook_id, delivery_id: (listed as { delivery_id: string }[])[0]?.delivery_id };
    },
    other: { delivery_id: "none-such" },
  },
  register_buyer_agent: {
    caller: "operator",
    input: async () => ({ agent_url: newAgentUrl() }),
    other: { agent_url: "http://another.agents.example" },
  },
  set_agent_trust: {
    caller: "operator",
    input: async () => ({ agent_id: await newAgent(), trust_status: "approved" }),
    other: { trust_status: "preferred" },
  },
  remove_buyer_agent: {
    caller: "operator",
    input: async () => ({ agent_id: await newAgent() }),
    other: { agent_id: "agent-00000000" },
  },
  revoke_api_key: {
    caller: "operator",
    input: async () => ({ key_id: await idOf("operator", "create_api_key", {}, "key_id") }),
    other: { key_id: "key-00000000" },
  },
};

const countedKinds = [
  ..."quote deal api_key approval operator_label order change_request event idempotency".split(" "),
  ..."package rate_card session session_message proposal negotiation webhook webhook_delivery agent".split(" "),
];

/** How many rows there are that any of these operations makes. */
const rowCounts = async (): Promise<readonly number[]> => {
  const counts: number[] = [];
  for (const kind of countedKinds) {
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
const shown = ({ body }: Reply): unknown => ({
  ...body,
  ...("api_key" in body ? { api_key: null } : {}),
  ...("secret" in body ? { secret: null } : {}),
});

test("key: the list of mutations under test is the operation list's", () => {
  const writes = world.runner.contracts.filter((contract) => contract.effect === "write");
  const closed = writes.filter((contract) => threeDoors.some((door) => contract.closedDoors?.[door] !== undefined));
  // An import of packages reads the ad server, and a second one finds nothing to change: its own tests repeat it.
  const listed = writes.filter((contract) => !closed.includes(contract) && contract.name !== "sync_packages");
  expect(listed.map((contract) => contract.name).sort()).toEqual(Object.keys(mutations).sort());
  expect(closed.map((contract) => contract.name)).toEqual(["converse"]);
});

test.each(Object.keys(mutations))(
  "key: %s sent 64 times at once through three doors is done once",
  async (operation) => {
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
  },
);
