import fc from "fast-check";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dateOfSlot, slotOfDate, slotOfTime, startOfSlotMs } from "../../../machines/inventory/dates.ts";
import {
  completionMs,
  isFlightProblem,
  isOverFlight,
  overFlight,
  resolveFlight,
} from "../../../machines/inventory/flight.ts";
import { holdsInventory, impressionsLeft } from "../../../machines/inventory/holds.ts";
import { termsDigest, termsText, type DigestTerms } from "../../../machines/terms-digest/digest.ts";

/** 2026-11-21T23:59:59.999Z */
const nowMs = 1_795_305_599_999;

describe("dates: ISO days as slots", () => {
  it.each([
    ["1970-01-01", 0],
    ["1969-12-31", -1],
    ["2026-11-21", 20_778],
    ["2028-02-29", 21_243],
    ["0001-01-01", -719_162],
    ["9999-12-31", 2_932_896],
  ])("%s is day %d", (date, slot) => {
    expect(slotOfDate(date)).toBe(slot);
    expect(dateOfSlot(slot)).toBe(date);
  });

  it.each([
    "2026-02-30",
    "2027-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-1-1",
    "26-01-01",
    "2026-01-01T00:00:00Z",
    "2026-01-01 ",
    "2026-01-01\n",
    "+02026-01-01",
    "２０２６-01-01",
    "",
    "today",
  ])("%j is no date", (text) => {
    expect(slotOfDate(text)).toBeNull();
  });

  it("every day comes back, and beyond the year 9999 there is none", () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (slot) => {
        const date = dateOfSlot(slot);
        expect(date === null ? null : slotOfDate(date)).toBe(slot);
        expect(slotOfTime(startOfSlotMs(slot))).toBe(slot);
        expect(slotOfTime(startOfSlotMs(slot) - 1)).toBe(slot - 1);
      }),
      { numRuns: 5_000 },
    );
    expect(dateOfSlot(2_932_897)).toBeNull();
  });
});

describe("flight: which dates two optional dates mean", () => {
  it.each([
    [null, null, "2026-11-21", "2026-12-21", 30],
    ["2027-03-01", "2027-03-31", "2027-03-01", "2027-03-31", 30],
    ["2027-03-01", null, "2027-03-01", "2027-03-31", 30],
    [null, "2026-11-21", "2026-11-21", "2026-11-21", 0],
    ["2026-11-10", "2026-11-30", "2026-11-21", "2026-11-30", 9],
    ["2026-11-10", "2026-11-21", "2026-11-21", "2026-11-21", 0],
    ["2027-01-01", "2028-12-31", "2027-01-01", "2028-12-31", 730],
  ])("%s to %s is %s to %s", (start, end, flightStart, flightEnd, lastDay) => {
    const flight = resolveFlight({ flightStart: start, flightEnd: end }, nowMs);
    expect(flight).toMatchObject({ flightStart, flightEnd });
    if (isFlightProblem(flight) || isOverFlight(flight)) throw new Error("This flight can be sold.");
    expect(flight.begunOn).toBe(start !== null && start < "2026-11-21" ? start : undefined);
    expect(flight.toSlot - flight.fromSlot).toBe(lastDay);
  });

  it.each([
    ["2027-02-29", null, "impossible_date", "flight_start"],
    [null, "2027-02-29", "impossible_date", "flight_end"],
    ["9999-12-31", null, "impossible_date", "flight_end"],
    ["2027-03-02", "2027-03-01", "end_before_start", "flight_end"],
    ["2027-01-01", "2029-01-01", "too_long", "flight_end"],
    ["0001-01-01", "9999-12-31", "too_long", "flight_end"],
  ])("%s to %s is refused: %s at %s", (start, end, problem, field) => {
    expect(resolveFlight({ flightStart: start, flightEnd: end }, nowMs)).toMatchObject({ problem, field });
  });

  it.each([
    ["2020-01-01", "2020-01-01"],
    ["2026-11-01", "2026-11-20"],
    [null, "2026-11-20"],
    ["2026-10-01", null],
  ])("%s to %s is over", (flightStart, flightEnd) => {
    expect(resolveFlight({ flightStart, flightEnd }, nowMs)).toMatchObject({ isOver: true, today: "2026-11-21" });
  });

  it("on its last day a flight is not over, one millisecond after it is", () => {
    expect(overFlight({ toSlot: 20_778 }, nowMs)).toBeNull();
    expect(overFlight({ toSlot: 20_778 }, nowMs + 1)).toMatchObject({ today: "2026-11-22" });
  });

  it("a flight ends at 00:00 UTC after its last day", () => {
    expect(completionMs("2027-03-31")).toBe(1_806_537_600_000);
    expect(() => completionMs("soon")).toThrow(RangeError);
  });
});

describe("inventory: what is held and what is left", () => {
  it.each([
    ["PG", "proposed", true],
    ["PG", "active", true],
    ["PG", "rejected", false],
    ["PG", "expired", false],
    ["PG", "completed", false],
    ["PD", "active", false],
    ["PA", "proposed", false],
  ] as const)("a %s deal that is %s holds inventory: %s", (dealType, status, holds) => {
    expect(holdsInventory(dealType, status)).toBe(holds);
  });

  it.each([
    [20_000_000, 0, 20_000_000],
    [20_000_000, 15_000_000, 5_000_000],
    [20_000_000, 20_000_000, 0],
    [20_000_000, 25_000_000, 0],
    [null, 25_000_000, null],
  ])("of %s with %d held, %s are left", (capImpressions, heldImpressions, left) => {
    expect(impressionsLeft({ capImpressions, heldImpressions })).toBe(left);
  });
});

describe("terms digest", () => {
  const terms: DigestTerms = {
    productId: "prod-53e78a97",
    priceMicros: 29_920_000,
    impressions: 5_000_000,
    flightStart: "2027-03-01",
    flightEnd: "2027-03-31",
    dealType: "PG",
    currency: "USD",
  };
  const sha256Hex = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

  it("text and digest are those of the decision", () => {
    expect(termsText(terms)).toBe(
      '{"currency":"USD","deal_type":"PG","flight_end":"2027-03-31","flight_start":"2027-03-01",' +
        '"impressions":5000000,"price_micros":29920000,"product_id":"prod-53e78a97"}',
    );
    expect(termsDigest(terms, sha256Hex)).toBe(
      "sha256:8cfa0308e2f9b770073e3df919640cb278525ef6ff223811d180c4fffefec912",
    );
  });

  it("impressions may be null, and any changed term changes the digest", () => {
    expect(termsText({ ...terms, impressions: null })).toContain('"impressions":null');
    const others: readonly Partial<DigestTerms>[] = [
      { productId: "prod-1" },
      { priceMicros: 29_920_001 },
      { impressions: null },
      { flightStart: "2027-03-02" },
      { flightEnd: "2027-04-01" },
      { dealType: "PD" },
      { currency: "EUR" },
    ];
    const all = [terms, ...others.map((other) => ({ ...terms, ...other }))];
    const digests = all.map((one) => termsDigest(one, sha256Hex));
    expect(new Set(digests).size).toBe(8);
  });
});
