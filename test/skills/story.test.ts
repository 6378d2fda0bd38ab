import { describe, expect, test } from "vitest";
import { type DoorName, openDoors } from "../doors/doors.ts";
import { openWorld } from "./world.ts";

type Members = Readonly<Record<string, unknown>>;

const budgetCents = 10_000_000;
const flight = { flight_start: "2027-03-01", flight_end: "2027-03-30" };
const [first, second] = ["prod-53e78a97", "prod-91ddc363"] as const;

const cents = (amount: unknown): number => Math.round(Number(amount) * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const rowsOf = (body: Members, name: string): readonly Members[] => body[name] as readonly Members[];

const open = async (door: DoorName) => {
  const approvalGate = { enabled: true, flows: ["deal"], aboveMicros: 0 } as const;
  const world = await openWorld({ settings: { approvalGate } });
  const doors = await openDoors(world.runner, world.nowMs);
  const as =
    (caller: string) =>
    async (operation: string, input: Members): Promise<Members> => {
      const reply = await doors.send(door, { caller, operation, input }, world.secretOf(caller));
      expect(reply, `${operation} through ${door}`).toMatchObject({ code: null });
      return reply.body;
    };
  const close = async (): Promise<void> => {
    await doors.close();
    await world.close();
  };
  return { buyer: as("agency"), operator: as("operator"), senior: as("senior"), close };
};

type Send = (operation: string, input: Members) => Promise<Members>;

const negotiated = async (buyer: Send): Promise<Members> => {
  const wish = { product_id: first, deal_type: "PG", budget: 60_000, ...flight };
  const { quote_id } = await buyer("request_quote", wish);
  const talk = await buyer("negotiate", { quote_id, action: "counter", buyer_price: 27 });
  await buyer("negotiate", { negotiation_id: talk["negotiation_id"], action: "accept" });
  return buyer("get_quote", { quote_id });
};

const costOf = (quote: Members): number => {
  const { final_cpm } = quote["pricing"] as Members;
  const { impressions } = quote["terms"] as Members;
  return cents((Number(final_cpm) * Number(impressions)) / 1000);
};

const booked = async (buyer: Send, operator: Send, quotes: readonly Members[]): Promise<readonly Members[]> => {
  const deals: Members[] = [];
  for (const { quote_id } of quotes) deals.push(await buyer("book_deal", { quote_id }));
  const waiting = await buyer("list_approvals", { status: ["pending"] });
  expect(cents((waiting["waiting"] as { values: Members }).values["USD"])).toBe(sum(quotes.map(costOf)));
  for (const { approval_id, deal_id } of deals) {
    await operator("approve_or_reject", { approval_id, decision: "approve" });
    await operator("transition_deal", { deal_id, to_status: "active" });
  }
  return deals;
};

const cancelled = async (buyer: Send, senior: Send, dealId: unknown): Promise<void> => {
  const { change_request_id: cr_id } = await buyer("cancel_deal", { deal_id: dealId, reason: "Plans changed" });
  await senior("review_change_request", { cr_id, decision: "approve" });
  await senior("apply_change_request", { cr_id });
};

describe.each(["rest", "mcp", "a2a"] as const)("a campaign of two products through %s", (door) => {
  test("is negotiated, booked, approved, moved and half cancelled, and every report agrees", async () => {
    const { buyer, operator, senior, close } = await open(door);
    const one = await negotiated(buyer);
    const rest = budgetCents - costOf(one);
    const two = await buyer("request_quote", {
      product_id: second,
      deal_type: "PG",
      budget: rest / 100,
      ...flight,
    });
    const costs = [costOf(one), costOf(two)] as const;
    expect(sum(costs)).toBeLessThanOrEqual(budgetCents);
    const unit = Number((two["pricing"] as Members)["final_cpm"]) / 10;
    expect(budgetCents - sum(costs)).toBeLessThanOrEqual(Math.ceil(unit));

    const [kept, ended] = await booked(buyer, operator, [one, two]);
    const moved = await buyer("reschedule_deal", { deal_id: kept?.["deal_id"], shift_days: 2 });
    expect(moved).toMatchObject({ status: "approved", deal: { terms: { flight_start: "2027-03-03" } } });
    await cancelled(buyer, senior, ended?.["deal_id"]);

    const volumes = [one, two].map((quote) => Number((quote["terms"] as Members)["impressions"]));
    const all = await buyer("list_deals", {});
    expect(rowsOf(all, "deals").map(({ status }) => status)).toStrictEqual(["rejected", "active"]);
    expect(sum(rowsOf(all, "deals").map(({ value }) => cents(value)))).toBe(sum(costs));
    expect(all["totals"]).toMatchObject({ count: 2, impressions: sum(volumes), value: sum(costs) / 100 });
    const live = await buyer("list_deals", { status: ["active"] });
    expect(live["totals"]).toMatchObject({ count: 1, impressions: volumes[0], value: costs[0] / 100 });

    const activity = await buyer("get_activity", {});
    const values = { USD: sum(costs) / 100 };
    expect(activity["totals"]).toStrictEqual({
      quotes: 2,
      negotiated: 1,
      refused: 0,
      deals: 2,
      lost: 1,
      impressions: sum(volumes),
      values,
      standing_values: { USD: (costs[0] ?? 0) / 100 },
    });
    expect(all["totals"]).toMatchObject({ values, standing_values: { USD: (costs[0] ?? 0) / 100 } });
    expect((await operator("get_activity", {}))["totals"]).toStrictEqual(activity["totals"]);
    const input = { product_id: [first, second], from: "2027-03-01", months: 2 };
    const capacity = rowsOf(await operator("get_capacity_report", input), "products");
    const held = capacity.map(({ months }) => (months as readonly Members[]).map((month) => month["held"]));
    expect(held).toStrictEqual([
      [volumes[0], volumes[0]],
      [0, 0],
    ]);
    await close();
  });
});
