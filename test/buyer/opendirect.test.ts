import { describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import { buyerSettingsOf, buyerSettingTable } from "../../agents/buyer/config.ts";
import type { BuyerSettings } from "../../agents/buyer/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import type { Store } from "../../storage/store.ts";
import { answerJson } from "../client/loopback.ts";
import { type LineBends, type OpenDirectSeller, startOpenDirectSeller } from "./opendirect-seller.ts";
import { keyFor, sellerHere } from "./seller-here.ts";
import {
  type BuyerWorld,
  callAgent,
  eventsOf,
  type Job,
  logTo,
  openBuyer,
  plainBuyer,
  sampleBrief,
  settledJob,
  until,
} from "./world.ts";

const brief = { ...sampleBrief, channels: ["branding", "ctv"], budget: 1000, flights: null };

const settingsFor = (url: string, key: string | null = null, brandId: string | null = null): BuyerSettings => ({
  ...plainBuyer,
  sellers: [{ url, key, headerType: "api_key" }],
  openDirect: { ...plainBuyer.openDirect, account: { accountId: "acc-1", brandId } },
});

const opened = async (bends: LineBends = {}): Promise<OpenDirectSeller> => {
  const seller = await startOpenDirectSeller(bends);
  onTestFinished(() => seller.close());
  return seller;
};

const bookAt = async (
  settings: BuyerSettings,
  more: object = {},
): Promise<{ readonly job: Job; readonly world: BuyerWorld }> => {
  const world = await openBuyer(settings);
  onTestFinished(() => world.close());
  const input = { brief: { ...brief, ...more }, auto_approve: true };
  const { output } = await callAgent(world.buyer, "create_booking", input);
  return { job: await settledJob(world.buyer, String(output["job_id"])), world };
};

/** Each line at the server is one of the job, at its money and dates. */
const expectEqual = (seller: OpenDirectSeller, job: Job): void => {
  expect(
    seller
      .sold()
      .map(({ id }) => String(id))
      .toSorted(),
  ).toEqual(job.booked_lines.map((line) => line.deal_id).toSorted());
  for (const line of job.booked_lines) {
    expect(seller.lines.get(line.deal_id)).toMatchObject({
      productid: line["product_id"],
      rate: line["cpm"],
      qty: line["impressions"],
      cost: line.cost,
      startdate: `${String(line["flight_start"])}T00:00:00Z`,
      enddate: `${String(line["flight_end"])}T23:59:59Z`,
      orderid: line["order_id"],
    });
    expect(seller.orders.get(String(line["order_id"]))).toMatchObject({ accountid: "acc-1", budget: line.cost });
  }
};

describe("BOOKING_PROTOCOL=opendirect", () => {
  test("settings: it needs the buyer's account, and the default books by deals", () => {
    const read = (environment: Record<string, string>) => buyerSettingsOf(readSettings(buyerSettingTable, environment));
    expect(read({}).openDirect.account).toBeNull();
    expect(() => read({ BOOKING_PROTOCOL: "opendirect" })).toThrow("OPENDIRECT_ACCOUNT_ID");
    const account = read({ BOOKING_PROTOCOL: "opendirect", OPENDIRECT_ACCOUNT_ID: "acc-1" }).openDirect.account;
    expect(account).toEqual({ accountId: "acc-1", brandId: null });
    expect(() => read({ BOOKING_PROTOCOL: "email" })).toThrow("BOOKING_PROTOCOL");
  });

  test("opendirect: each line is ordered, reserved and booked once, with the ids of the server", async () => {
    const seller = await opened();
    const { job, world } = await bookAt(settingsFor(seller.url));
    expect(job).toMatchObject({ status: "completed", errors: [], totals: { booked: 1000, unspent: 0 } });
    expect(job.booked_lines).toHaveLength(2);
    expectEqual(seller, job);
    const types = (await world.events()).map((event) => event["event_type"]);
    expect(types.filter((type) => type === "deal.booked")).toHaveLength(2);
    expect(types.filter((type) => type === "booking.submitted")).toHaveLength(2);
    expect(types).not.toContain("negotiation.started");
  });

  test("opendirect: with a brand availability is asked for in the form of 2.1, and shorter where that is refused", async () => {
    for (const spec of [true, false]) {
      const seller = await opened({ spec });
      const { job } = await bookAt(settingsFor(seller.url, null, "brand-1"));
      expect(job).toMatchObject({ status: "completed", errors: [] });
      const asked = seller.server.seen.filter(({ path }) => path === "/products/avails").map(({ body }) => body);
      expect(asked.some((body) => body.includes('"advertiserbrandid":"brand-1"'))).toBe(true);
      expect(asked.some((body) => body.includes('"requestedImpressions"'))).toBe(!spec);
    }
  });

  test("opendirect: the catalog and the prices of a Parley seller become lines of the server beside it", async () => {
    const parley = await sellerHere();
    onTestFinished(() => parley.close());
    const key = await keyFor(parley, { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" });
    const seller = await opened({
      elsewhere: async (request, response) => {
        const headers = { "x-api-key": String(request.headers["x-api-key"]), "content-type": "application/json" };
        const sent = request.method === "POST" ? { body: request.body } : {};
        const answer = await fetch(new URL(request.path, parley.url), { method: request.method, headers, ...sent });
        answerJson(response, answer.status, await answer.text());
      },
    });
    const { job } = await bookAt({ ...settingsFor(seller.url, key), sellerTimeoutSeconds: 20 }, { budget: 50_000 });
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(job.booked_lines.length).toBeGreaterThanOrEqual(2);
    expectEqual(seller, job);
    for (const line of job.booked_lines) {
      const { startdate, enddate, qty } = seller.lines.get(line.deal_id) ?? {};
      const asked = { productid: line["product_id"], startdate, enddate, requestedImpressions: qty };
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const sent = { method: "POST", headers, body: JSON.stringify(asked) };
      const avails = await fetch(new URL("/products/avails", parley.url), sent);
      expect(await avails.json()).toMatchObject({
        estimatedCpm: line["cpm"],
        availableImpressions: line["impressions"],
      });
    }
  });

  test("opendirect: a server that never answers a booking leaves the line unconfirmed and its money bound", async () => {
    const seller = await opened({
      before: (step, response) => {
        if (step !== "book") return false;
        response.socket?.destroy();
        return true;
      },
    });
    const { job } = await bookAt(settingsFor(seller.url), { channels: ["branding"] });
    expect(job).toMatchObject({ status: "failed", booked_lines: [], totals: { booked: 0, unconfirmed: 1000 } });
    expect(job.errors[0]).toContain("Booking not confirmed for Product p-display, ask the seller: ");
    expect(seller.orders.size).toBe(1);
    expect(seller.lines.size).toBe(1);
  });

  test("opendirect: a booked line is cancelled at the server, and its money is free", async () => {
    const seller = await opened();
    const { job, world } = await bookAt(settingsFor(seller.url), { channels: ["branding"] });
    const [line] = job.booked_lines;
    const input = { job_id: job.job_id, line_id: line?.deal_id };
    const { output } = await callAgent(world.buyer, "cancel_booked_line", input);
    expect(output).toMatchObject({ cancellation: { state: "done" } });
    expect(seller.lines.get(String(line?.deal_id))?.["bookingstatus"]).toBe("Canceled");
    expect((await settledJob(world.buyer, job.job_id)).totals).toMatchObject({ booked: 0, unspent: 1000 });
  });
});

describe("BOOKING_PROTOCOL=opendirect: a server that is not to be trusted", () => {
  const lies: readonly [string, Record<string, unknown>, string][] = [
    ["a higher rate", { rate: 10.01 }, "rate 10010000 instead of 10000000"],
    ["another quantity", { qty: 99_999 }, "quantity 99999 instead of 100000"],
    ["another cost", { cost: 1000.01 }, "cost 100001 instead of 100000"],
    ["other days", { enddate: "2027-06-30T00:00:00Z" }, "last day 2027-06-30 instead of 2027-05-31"],
    ["another product", { productid: "p-other" }, "product p-other instead of p-display"],
    ["a price per click", { ratetype: "CPC" }, "rate null instead of 10000000"],
  ];
  test.each(lies)("opendirect: a line with %s is not booked", async (_name, change, defect) => {
    const seller = await opened({ keeps: (line) => ({ ...line, ...change }) });
    const { job } = await bookAt(settingsFor(seller.url), { channels: ["branding"] });
    expect(job).toMatchObject({ status: "failed", booked_lines: [], totals: { booked: 0, unconfirmed: 0 } });
    expect(job.errors[0]).toContain(`line_differs - The line has ${defect}; it was not booked.`);
    expect(seller.sold()).toEqual([]);
  });

  test("opendirect: a line that changes while it is booked is named, and is no booking of the job", async () => {
    const seller = await opened({
      after: (step, response, line) => {
        if (step === "book") line["rate"] = 12;
        answerJson(response, 200, line);
        return true;
      },
    });
    const { job } = await bookAt(settingsFor(seller.url), { channels: ["branding"] });
    expect(job).toMatchObject({ status: "failed", booked_lines: [] });
    expect(job.errors[0]).toContain("its price is $12.00 CPM instead of the quoted $10.00");
  });

  test("opendirect: a line that waits for the publisher is proposed, one that is declined is a failed line", async () => {
    const turned = (status: string): LineBends => ({
      after: (step, response, line) => {
        if (step === "book") line["bookingstatus"] = status;
        answerJson(response, 200, line);
        return true;
      },
    });
    const waits = await bookAt(settingsFor((await opened(turned("PendingBooking"))).url), { channels: ["branding"] });
    expect(waits.job).toMatchObject({ status: "completed", booked_lines: [{ booking_status: "proposed" }] });
    const declined = await bookAt(settingsFor((await opened(turned("Declined"))).url), { channels: ["branding"] });
    expect(declined.job).toMatchObject({ status: "failed", booked_lines: [], totals: { unconfirmed: 0 } });
    expect(declined.job.errors[0]).toContain("line_not_booked - The line l-1 is Declined.");
  });

  const steps = ["order", "line", "reserve", "book"] as const;
  test.each(steps)("opendirect: an answer to the %s that is lost after its effect buys nothing twice", async (lost) => {
    let isLost = false;
    const seller = await opened({
      after: (step, response) => {
        if (step !== lost || isLost) return false;
        isLost = true;
        response.socket?.destroy();
        return true;
      },
    });
    const { job } = await bookAt(settingsFor(seller.url), { channels: ["branding"] });
    expect(isLost).toBe(true);
    expect(seller.sold()).toHaveLength(1);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expectEqual(seller, job);
  });
});

describe("BOOKING_PROTOCOL=opendirect: a buyer that dies", () => {
  /** The process ends at the n-th answer of the server: what was done is done, and nothing is recorded any more. */
  const points = Array.from({ length: 8 }, (_none, index) => index + 1);
  test.each(points)("opendirect: killed at move %i, a restart finds its order and buys nothing twice", async (at) => {
    let moves = 0;
    let isDead = false;
    const seller = await opened({
      after: () => {
        moves += 1;
        if (moves !== at) return false;
        isDead = true;
        return true;
      },
    });
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    const parts = {
      settings: { ...settingsFor(seller.url), sellerTimeoutSeconds: 60 },
      clock: world.clock,
      log: logTo([]),
    };
    await world.buyer.stop();
    const created = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    const jobId = String(created.output["job_id"]);
    const commit: Store["commit"] = async (commitment) => {
      if (isDead) throw new Error("killed");
      return world.store.commit(commitment);
    };
    const first = createBuyer({ ...parts, store: { ...world.store, commit }, worker: { leaseMs: 60_000 } });
    await until(async () => (isDead ? true : null));
    await first.stop();
    world.clock.move(120_000);
    const second = createBuyer({ ...parts, store: world.store });
    onTestFinished(() => second.stop());
    const job = await settledJob(second, jobId);
    expect(job).toMatchObject({ status: "completed", errors: [], totals: { booked: 1000, unspent: 0 } });
    expect(seller.sold()).toHaveLength(2);
    expectEqual(seller, job);
    const types = (await eventsOf(world.store)).map((event) => event["event_type"]);
    expect(types.filter((type) => type === "deal.booked")).toHaveLength(2);
  });
});
