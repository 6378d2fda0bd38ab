import { expect, onTestFinished, test } from "vitest";
import { sellerHere } from "./seller-here.ts";
import { callAgent, movableClock, openBuyer, sampleBrief, settledJob } from "./world.ts";

const dayMs = 86_400_000;

test("delivery: what sellers have counted stands beside an even plan, by line, by channel and in all", async () => {
  const clock = movableClock();
  const seller = await sellerHere({ clock });
  onTestFinished(() => seller.close());
  const world = await openBuyer(
    { sellers: [{ url: seller.url, key: null, headerType: "api_key" }], identity: { agency_id: "a1" } },
    { clock },
  );
  onTestFinished(() => world.close());
  const brief = { ...sampleBrief, flights: undefined, start_date: "2027-01-17", end_date: "2027-01-26" };
  const { output: made } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
  const job = await settledJob(world.buyer, String(made["job_id"]));
  const [line] = job.booked_lines;
  clock.move(7 * dayMs);
  const rows = [{ deal_id: line?.deal_id, date: "2027-01-18", impressions: 1000, spend: 12.5 }];
  await callAgent(seller.agent, "report_delivery", { source: "gam", rows });
  const { output } = await callAgent(world.buyer, "get_booking_delivery", { job_id: job.job_id });
  const told = output as unknown as {
    lines: { deal_id: string; planned_impressions: number; booked_impressions: number; spent: number | null }[];
    channels: { channel: string }[];
    total: { spent: number | null; delivered_impressions: number | null; chosen: number };
  };
  expect(told.lines).toHaveLength(job.booked_lines.length);
  expect(told.lines[0]).toMatchObject({
    deal_id: line?.deal_id,
    spent: 12.5,
    delivered_impressions: 1000,
    error: null,
  });
  const share = (told.lines[0]?.planned_impressions ?? 0) / (told.lines[0]?.booked_impressions ?? 1);
  expect(share).toBeCloseTo(0.55, 1);
  expect(told.total).toMatchObject({ spent: 12.5, delivered_impressions: 1000, chosen: job.totals.booked });
  expect(told.channels.length).toBeGreaterThan(1);
  await seller.close();
  const { output: after } = await callAgent(world.buyer, "get_booking_delivery", { job_id: job.job_id });
  expect((after["lines"] as { error: string | null }[]).every(({ error }) => error !== null)).toBe(true);
  expect(after["total"]).toMatchObject({ spent: null, delivered_impressions: null });
});
