import { expect, onTestFinished, test } from "vitest";
import type { Agent } from "../../agents/server/agent.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import { keyFor, sellerHere, type SellerHere } from "./seller-here.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob, until } from "./world.ts";

type Line = Job["booked_lines"][number] & {
  readonly order_id: string;
  readonly booking_status: string;
  readonly status_text: string;
  readonly status_reason: string | null;
  readonly is_booked: boolean;
  readonly cancellation: { readonly state: string; readonly error: string | null } | null;
};

interface Market {
  readonly seller: SellerHere;
  readonly world: BuyerWorld;
  readonly jobId: string;
  /** In the order of their booking. */
  readonly lines: readonly Line[];
}

const jobOf = async (buyer: Agent, jobId: string): Promise<Job> =>
  (await callAgent(buyer, "get_booking", { job_id: jobId })).output as unknown as Job;

const done = async (agent: Agent, operation: string, input: unknown): Promise<Readonly<Record<string, unknown>>> => {
  const reply = await callAgent(agent, operation, input, `${operation}-${Math.random()}`);
  expect(reply, operation).toMatchObject({ code: null });
  return reply.output;
};

const openMarket = async (more: Parameters<typeof sellerHere>[0] = {}): Promise<Market> => {
  const seller = await sellerHere(more);
  onTestFinished(() => seller.close());
  const key = await keyFor(seller, { seat_id: "s1", agency_id: "a1" });
  const world = await openBuyer({ sellers: [{ url: seller.url, key, headerType: "api_key" }] });
  onTestFinished(() => world.close());
  const created = await done(world.buyer, "create_booking", { brief: sampleBrief, auto_approve: true });
  const jobId = String(created["job_id"]);
  const job = await settledJob(world.buyer, jobId);
  return { seller, world, jobId, lines: job.booked_lines as unknown as readonly Line[] };
};

const lineWhen = ({ world, jobId }: Market, dealId: string, isMet: (line: Line) => boolean): Promise<Line> =>
  until(async () => {
    const { booked_lines: lines } = await jobOf(world.buyer, jobId);
    const line = (lines as unknown as readonly Line[]).find(({ deal_id: id }) => id === dealId);
    return line !== undefined && isMet(line) ? line : null;
  });

const firstOf = ({ lines }: Market): Line => {
  const [line] = lines;
  if (line === undefined) throw new Error("nothing is booked");
  return line;
};

const talked = async ({ world }: Market, text: string): Promise<string> =>
  String((await done(world.buyer, "converse", { text }))["text"]);

test("a rejected deal gives its money back, with the seller's reason, and is planned again", async () => {
  const market = await openMarket();
  const { seller, world, jobId } = market;
  const line = firstOf(market);
  const before = await jobOf(world.buyer, jobId);
  await done(seller.agent, "transition_deal", {
    deal_id: line.deal_id,
    to_status: "rejected",
    reason: "The advertiser's category is closed in March",
  });
  const heard = await lineWhen(market, line.deal_id, ({ booking_status }) => booking_status === "rejected");
  expect(heard).toMatchObject({ is_booked: false, status_reason: "The advertiser's category is closed in March" });
  expect(heard.status_text).toContain("closed in March");
  const job = await jobOf(world.buyer, jobId);
  expect(job.totals.booked).toBeCloseTo(before.totals.booked - line.cost, 2);
  expect(job.totals.unspent).toBeCloseTo(before.totals.unspent + line.cost, 2);
  expect(job.errors.join(" ")).toContain("closed in March");
  await until(async () => {
    const { output } = await callAgent(world.buyer, "list_deals", { q: line.deal_id, status: "rejected" });
    return output["total"] === 1 ? true : null;
  });
  const kept = (await done(world.buyer, "list_deals", { q: line.deal_id }))["deals"];
  expect(kept).toMatchObject([{ status: "rejected", seller_status: "rejected" }]);
  const events = (await world.events()).filter(({ event_type: type }) => type === "deal.cancelled");
  expect(events).toMatchObject([
    { deal_id: line.deal_id, payload: { reason: expect.stringContaining("March") as string } },
  ]);
  expect(await talked(market, `status of ${jobId}`)).toMatch(/No longer booked:[^]*closed in March/);
  const again = await callAgent(world.buyer, "cancel_booked_line", { job_id: jobId, line_id: line.deal_id });
  expect(again).toMatchObject({ code: "invalid_status", message: expect.stringContaining("March") as string });
  await done(world.buyer, "replan_booking", { job_id: jobId });
});

test("an activation and changed terms are heard of, and the money follows the terms", async () => {
  const market = await openMarket();
  const { seller, world, jobId } = market;
  const line = firstOf(market);
  await done(seller.agent, "transition_deal", { deal_id: line.deal_id, to_status: "active" });
  const active = await lineWhen(market, line.deal_id, ({ booking_status }) => booking_status === "active");
  expect(active).toMatchObject({ is_booked: true, status_text: `Deal ${line.deal_id} is active.` });
  const half = Math.floor(Number(line["impressions"]) / 2);
  const asked = await done(seller.agent, "create_change_request", {
    order_id: line.order_id,
    change_type: "impressions",
    proposed_values: { impressions: half },
  });
  const id = String(asked["change_request_id"]);
  if (asked["status"] === "pending_approval") {
    await done(seller.agent, "review_change_request", { cr_id: id, decision: "approve" });
    await done(seller.agent, "apply_change_request", { cr_id: id });
  }
  const changed = await lineWhen(market, line.deal_id, ({ impressions }) => impressions === half);
  expect(changed.cost).toBeLessThan(line.cost);
  const job = await jobOf(world.buyer, jobId);
  expect(job.warnings.map(({ message }) => message).join(" ")).toContain("has changed at its seller");
  const costs = job.booked_lines.reduce((sum, { cost }) => sum + cost, 0);
  expect(job.totals.booked).toBeCloseTo(costs, 2);
});

test("a cancellation is done once the seller carries it out, and one that it refuses says why", async () => {
  const market = await openMarket();
  const { seller, world, jobId } = market;
  const [first, second] = market.lines;
  if (first === undefined || second === undefined) throw new Error("two lines are needed");
  const before = await jobOf(world.buyer, jobId);
  const requests = new Map<string, string>();
  for (const { deal_id: dealId } of [first, second]) {
    const asked = await done(world.buyer, "cancel_booked_line", { job_id: jobId, line_id: dealId, reason: "Cut" });
    requests.set(dealId, String((asked["cancellation"] as Record<string, unknown>)["change_request_id"]));
  }
  const [applied, refused] = [requests.get(first.deal_id), requests.get(second.deal_id)];
  await done(seller.agent, "review_change_request", { cr_id: applied, decision: "approve" });
  await lineWhen(market, first.deal_id, ({ status_text: text }) => text.includes("has approved the cancellation"));
  await done(seller.agent, "apply_change_request", { cr_id: applied });
  await done(seller.agent, "review_change_request", { cr_id: refused, decision: "reject", reason: "It runs already" });
  const gone = await lineWhen(market, first.deal_id, ({ cancellation }) => cancellation?.state === "done");
  expect(gone).toMatchObject({ is_booked: false, status_text: `Deal ${first.deal_id} is cancelled.` });
  const kept = await lineWhen(market, second.deal_id, ({ cancellation }) => cancellation?.state === "refused");
  expect(kept).toMatchObject({
    is_booked: true,
    cancellation: { error: expect.stringContaining("It runs already") as string },
  });
  const job = await jobOf(world.buyer, jobId);
  expect(job.totals.booked).toBeCloseTo(before.totals.booked - first.cost, 2);
  expect(await talked(market, `is deal ${second.deal_id} cancelled?`)).toContain("It runs already");
});

test("what the seller decided while the buyer was down is heard of after its start", async () => {
  const seller = await sellerHere();
  onTestFinished(() => seller.close());
  const store = openMemoryStore();
  onTestFinished(() => store.close());
  const key = await keyFor(seller, { seat_id: "s1", agency_id: "a1" });
  const settings = { sellers: [{ url: seller.url, key, headerType: "api_key" as const }] };
  const lasting = { ...store, close: () => Promise.resolve() };
  const first = await openBuyer(settings, {}, () => Promise.resolve(lasting));
  const created = await done(first.buyer, "create_booking", { brief: sampleBrief, auto_approve: true });
  const jobId = String(created["job_id"]);
  const [line] = (await settledJob(first.buyer, jobId)).booked_lines;
  if (line === undefined) throw new Error("nothing is booked");
  await first.close();
  await done(seller.agent, "transition_deal", { deal_id: line.deal_id, to_status: "rejected", reason: "Sold out" });
  const world = await openBuyer(settings, {}, () => Promise.resolve(lasting));
  onTestFinished(() => world.close());
  const heard = await lineWhen({ seller, world, jobId, lines: [] }, line.deal_id, ({ is_booked: is }) => !is);
  expect(heard.status_text).toContain("Sold out");
});

test("a deal that was booked without a campaign is followed too", async () => {
  const { seller, world } = await openMarket();
  const { output } = await callAgent(world.buyer, "search_products", { channel: "native" });
  const [product] = output["results"] as readonly { readonly product_id: string }[];
  const quoted = await done(world.buyer, "request_quote", {
    seller_url: seller.url,
    product_id: product?.product_id,
    impressions: 300_000,
    flight_start: "2027-03-01",
    flight_end: "2027-03-31",
  });
  const booked = await done(world.buyer, "book_deal", { seller_url: seller.url, quote_id: quoted["quote_id"] });
  await done(seller.agent, "transition_deal", { deal_id: booked["deal_id"], to_status: "rejected", reason: "Blocked" });
  const deal = await until(async () => {
    const listed = await callAgent(world.buyer, "list_deals", { q: booked["deal_id"], status: "rejected" });
    return (listed.output["deals"] as readonly unknown[])[0] ?? null;
  });
  expect(deal).toMatchObject({
    seller_status: "rejected",
    status_reason: expect.stringContaining("Blocked") as string,
  });
});
