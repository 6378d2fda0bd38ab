import { describe, expect, test } from "vitest";
import { buyerAtSeller, smallBrief as brief, waiting } from "./waiting.ts";
import { callAgent, type Job, settledJob } from "./world.ts";

type Listed = Job & { readonly not_chosen: readonly object[] };

describe("a replan that finds nothing", () => {
  test("replan: it keeps what the search before it heard of the seller", async () => {
    const { world, job } = await waiting({}, { ...brief, kpis: { max_cpm: 15 } });
    await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    const before = await settledJob(world.buyer, job.job_id);
    expect(before).toMatchObject({ sellers: [{ name: "fake", tier: "agency", products: 2 }] });
    await callAgent(world.buyer, "replan_booking", { job_id: job.job_id });
    const after = await settledJob(world.buyer, job.job_id);
    expect(after).toMatchObject({ status: "completed", sellers: [{ name: "fake", tier: "agency", products: 2 }] });
  });

  test("replan: it keeps what was not chosen before", async () => {
    const { world } = await buyerAtSeller({ seat_id: "s1" });
    const given = { ...brief, channels: ["display"], budget: 20_000 };
    const { output } = await callAgent(world.buyer, "create_booking", { brief: given, auto_approve: true });
    const { not_chosen: before } = (await settledJob(world.buyer, String(output["job_id"]))) as Listed;
    expect(before.length).toBeGreaterThan(0);
    const replanned = await callAgent(world.buyer, "replan_booking", { job_id: output["job_id"] });
    expect(replanned.code).toBeNull();
    const after = (await settledJob(world.buyer, String(output["job_id"]))) as Listed;
    expect(after).toMatchObject({ status: "completed", not_chosen: before });
  });

  test("replan: its warning does not send the caller into another", async () => {
    const { world, job } = await waiting();
    await callAgent(world.buyer, "approve_booking", { job_id: job.job_id, approved_product_ids: ["p-ctv"] });
    const free = "555.56 USD of 555.56 USD for display are in no line";
    const rejected = await settledJob(world.buyer, job.job_id);
    expect(rejected).toMatchObject({ next_step: expect.stringContaining("replan_booking") as string });
    expect(rejected.warnings).toContainEqual({ field: "budget", message: `${free}; they can be planned again` });
    await callAgent(world.buyer, "replan_booking", { job_id: job.job_id });
    const after = await settledJob(world.buyer, job.job_id);
    const message = `${free}: the last search found nothing for them`;
    expect(after.warnings).toContainEqual({ field: "budget", message });
    expect(after).toMatchObject({ next_step: expect.not.stringContaining("replan_booking") as string });
  });
});
