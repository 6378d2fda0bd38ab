import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  bookBrief,
  type BookingReport,
  briefOfText,
  type BuyerDoor,
  unfinishedBookings,
} from "../../agents/buyer/jobs/book.ts";
import { renderBookingTable } from "../../agents/buyer/jobs/booking-table.ts";
import { sampleBrief } from "./world.ts";

const deal = {
  deal_id: "DEMO-1",
  product_name: "CTV\u001b[31m",
  channel: "ctv",
  deal_type: "PG",
  buyer_tier: "advertiser",
  impressions: 2_016_806,
  cpm: 29.75,
  cost: 59_999.98,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

const report: BookingReport = {
  job_id: "job-1",
  status: "completed",
  deals: [deal, { ...deal, deal_id: "DEMO-22", cpm: 8, cost: 0.1, impressions: 12 }],
  recommended: 2,
  budget: 60_000.1,
  spent: 60_000.08,
  errors: ["no bookable inventory for channel branding"],
  warnings: [{ field: "kpis.ctr", message: "is kept\u001b but not used" }],
};

describe("booking from the command line", () => {
  test("table: columns are aligned, money is grouped, and what a seller wrote cannot move the cursor", () => {
    expect(renderBookingTable(report)).toBe(
      [
        "deal     product   channel  flight                    type  tier        impressions  CPM USD   cost USD",
        "-------  --------  -------  ------------------------  ----  ----------  -----------  -------  ---------",
        "DEMO-1   CTV?[31m  ctv      2027-03-01 to 2027-03-31  PG    advertiser    2,016,806    29.75  59,999.98",
        "DEMO-22  CTV?[31m  ctv      2027-03-01 to 2027-03-31  PG    advertiser           12     8.00       0.10",
        "",
        "booking job-1: completed, 2 deals, budget 60,000.10 USD, spent 60,000.08, left 0.02",
        "~ kpis.ctr: is kept? but not used",
        "! no bookable inventory for channel branding",
      ].join("\n"),
    );
  });

  test("table: a waiting job says how many recommendations wait", () => {
    const text = renderBookingTable({
      ...report,
      status: "awaiting_approval",
      deals: [],
      errors: [],
      warnings: [],
      spent: 0,
    });
    expect(text).toBe(
      "booking job-1: awaiting_approval, 0 deals, budget 60,000.10 USD, spent 0.00, left 60,000.10\n" +
        "2 recommendations wait for approval",
    );
  });

  test("brief: a file holds the brief or a whole request; anything else tells the cure", async () => {
    const read = { brief: sampleBrief, waits: false };
    expect(briefOfText(JSON.stringify(sampleBrief))).toEqual(read);
    expect(briefOfText(JSON.stringify({ brief: sampleBrief, auto_approve: true }))).toEqual(read);
    expect(briefOfText(JSON.stringify({ brief: sampleBrief }))).toEqual(read);
    expect(() => briefOfText("{")).toThrow("The brief is not valid JSON. test/examples/brief.json shows one.");
    expect(() => briefOfText(`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`)).toThrow("nested deeper than 32 levels");
    expect(() => briefOfText(JSON.stringify(["x".repeat(1_100_000)]))).toThrow("larger than 1048576 bytes");
    const sample = await readFile(new URL("../examples/brief.json", import.meta.url), "utf8");
    const channels = ["branding", "ctv", "mobile_app"];
    expect(briefOfText(sample)).toMatchObject({ brief: { budget: 250_000, channels }, waits: false });
  });

  test("brief: a request that does not approve by itself is not booked unseen", () => {
    const text = JSON.stringify({ brief: sampleBrief, auto_approve: false });
    expect(briefOfText(text)).toEqual({ brief: sampleBrief, waits: true });
  });

  test("book: bookings that are not finished are named by their jobs", async () => {
    const door: BuyerDoor = async (_contract, input) => {
      const { status } = input as { status: "running" | "pending" };
      const job = { job_id: `job-${status}`, status, campaign_name: "Spring", budget: 1, created_at: "" };
      return { ok: true, output: { jobs: [job], total: 1 } };
    };
    const named = await unfinishedBookings(door);
    expect(named.map(({ job_id, campaign_name }) => [job_id, campaign_name])).toEqual([
      ["job-running", "Spring"],
      ["job-pending", "Spring"],
    ]);
  });

  test("book: a refusal ends with the buyer's own words", async () => {
    const door: BuyerDoor = async () => ({ ok: false, text: "invalid_brief: budget must be greater than 0" });
    await expect(bookBrief(door, {}, { autoApprove: true })).rejects.toThrow(
      "The buyer refused: invalid_brief: budget must be greater than 0",
    );
  });

  test("book: a job that does not end in time tells where to look", async () => {
    const door: BuyerDoor = async (contract) =>
      contract.name === "create_booking"
        ? { ok: true, output: { job_id: "job-1", status: "pending", message: "", next_step: "" } }
        : {
            ok: true,
            output: {
              job_id: "job-1",
              status: "running",
              booked_lines: [],
              recommendations: [],
              budget_allocations: {},
              errors: [],
            },
          };
    await expect(bookBrief(door, {}, { autoApprove: true, pollMs: 1, deadlineMs: 3 })).rejects.toThrow(
      "Booking job-1 still goes on.",
    );
  });
});
