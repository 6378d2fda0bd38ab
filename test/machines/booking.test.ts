import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocateBudget } from "../../machines/booking/allocation.ts";
import {
  bookingMachine,
  bookingProgress,
  newBooking,
  researchProgress,
  type BookingEvent,
  type BookingInstance,
} from "../../machines/booking/machine.ts";
import { step } from "../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "./walks.ts";

const events: readonly BookingEvent[] = [
  { type: "START", nowMs: 1 },
  { type: "ADVANCE", nowMs: 1, progress: 0.4, errors: [] },
  { type: "ADVANCE", nowMs: 1, progress: 0.2, errors: ["ctv research failed"] },
  { type: "RECOMMEND", nowMs: 1, recommendationCount: 2 },
  { type: "RECOMMEND", nowMs: 1, recommendationCount: 0 },
  { type: "APPROVE", nowMs: 1 },
  { type: "COMPLETE", nowMs: 1, errors: [] },
  { type: "FAIL", nowMs: 1, errors: ["seller unreachable"] },
  { type: "CANCEL", nowMs: 1 },
];
const send = (at: BookingInstance, event: BookingEvent): BookingInstance => {
  const next = step(bookingMachine, at, event);
  if (next === null) throw new Error(`expected ${event.type} to be allowed`);
  return next;
};
const job = newBooking();
const running = send(job, { type: "START", nowMs: 1 });
const waiting = send(running, { type: "RECOMMEND", nowMs: 1, recommendationCount: 1 });
const booking = send(waiting, { type: "APPROVE", nowMs: 1 });

describe("booking job: machine (buyer spec, Booking job; decisions 74 and 84)", () => {
  it("moves as the spec says, and from completed and failed nowhere", () => {
    expect(checkedTable(bookingMachine, [job, running, waiting, booking], events)).toEqual({
      pending: ["running", "failed"],
      running: ["awaiting_approval", "failed"],
      awaiting_approval: ["completed", "failed"],
      completed: [],
      failed: [],
    });
    expect(pathMoves(bookingMachine, job, events, (context) => context.bookingStarted)).toEqual([
      "awaiting_approval APPROVE awaiting_approval",
      "awaiting_approval CANCEL failed",
      "awaiting_approval COMPLETE completed",
      "awaiting_approval FAIL failed",
      "pending CANCEL failed",
      "pending START running",
      "running CANCEL failed",
      "running FAIL failed",
      "running RECOMMEND awaiting_approval",
    ]);
  });

  it("nothing recommended is not held for approval", () => {
    expect(step(bookingMachine, running, { type: "RECOMMEND", nowMs: 1, recommendationCount: 0 })).toBeNull();
    const failed = send(running, { type: "FAIL", nowMs: 1, errors: ["no bookable inventory for channel ctv"] });
    expect(failed).toMatchObject({
      value: "failed",
      context: { progress: 0.1, errors: ["no bookable inventory for channel ctv"] },
    });
  });

  it("is approved once, and cancelled only until booking starts", () => {
    expect(step(bookingMachine, booking, { type: "APPROVE", nowMs: 2 })).toBeNull();
    expect(step(bookingMachine, booking, { type: "CANCEL", nowMs: 2 })).toBeNull();
    expect(step(bookingMachine, waiting, { type: "COMPLETE", nowMs: 2, errors: [] })).toBeNull();
    for (const at of [job, running, waiting]) {
      expect(send(at, { type: "CANCEL", nowMs: 2 })).toMatchObject({
        value: "failed",
        context: { errors: ["cancelled"] },
      });
    }
  });

  it("progress has its anchors and never goes back", () => {
    const seen = [job, running, waiting, booking].map((at) => at.context.progress);
    expect(seen).toEqual([0, 0.1, 0.9, 0.95]);
    expect(bookingProgress).toMatchObject({ prepared: 0.2, allocated: 0.4, researched: 0.8, done: 1 });
    const later = send(running, { type: "ADVANCE", nowMs: 1, progress: 0.4, errors: ["one seller failed"] });
    expect(later.context).toMatchObject({ progress: 0.4, errors: ["one seller failed"] });
    expect(step(bookingMachine, later, { type: "ADVANCE", nowMs: 1, progress: 0.39, errors: [] })).toBeNull();
    expect(step(bookingMachine, later, { type: "ADVANCE", nowMs: 1, progress: 0.81, errors: [] })).toBeNull();
    expect(step(bookingMachine, later, { type: "ADVANCE", nowMs: 1, progress: Number.NaN, errors: [] })).toBeNull();
    const steps = [researchProgress(0, 4), researchProgress(1, 4), researchProgress(3, 4), researchProgress(4, 4)];
    expect(steps).toEqual([0.4, 0.5, 0.7, 0.8]);
    expect([researchProgress(1, 3), researchProgress(0, 0)]).toEqual([0.53, 0.8]);
  });

  it("pure steps equal a live actor; progress and errors only grow", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (sequence) => {
        for (const { before, after } of walkBothWays(bookingMachine, job, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          expect(after.context.progress).toBeGreaterThanOrEqual(before.context.progress);
          expect(after.context.errors.slice(0, before.context.errors.length)).toEqual(before.context.errors);
          if (before.context.bookingStarted) expect(after.context.bookingStarted).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("booking job: allocation (buyer's wire contract 3.4)", () => {
  const allocate = (budget: number, objectives: readonly string[], channels: readonly string[] | null = null) =>
    Object.fromEntries(
      allocateBudget({ budgetMicros: Math.round(budget * 1_000_000), objectives, channels }).map((part) => [
        part.channel,
        [part.budgetMicros / 1_000_000, part.percentage],
      ]),
    );

  it.each<[number, readonly string[], readonly string[] | null, Record<string, [number, number]>]>([
    [25_000, ["brand_awareness"], null, { branding: [12_500, 50], ctv: [10_000, 40], mobile_app: [2_500, 10] }],
    [
      25_000,
      ["brand_awareness", "conversions"],
      null,
      { branding: [7_500, 30], performance: [8_750, 35], ctv: [5_000, 20], mobile_app: [3_750, 15] },
    ],
    [10_000, ["reach"], ["ctv", "branding"], { branding: [5_555.56, 55.56], ctv: [4_444.44, 44.44] }],
    [333.33, ["reach"], null, { branding: [166.67, 50], ctv: [133.33, 40], mobile_app: [33.33, 10] }],
    [1_000, ["conversions"], ["ctv"], { ctv: [1_000, 100] }],
    [
      0.05,
      ["brand_awareness", "conversions"],
      null,
      { branding: [0.01, 30], performance: [0.02, 35], ctv: [0.01, 20], mobile_app: [0.01, 15] },
    ],
    [100, ["app_installs"], null, { branding: [10, 10], performance: [20, 20], mobile_app: [70, 70] }],
    [100, ["App"], null, { branding: [10, 10], performance: [20, 20], mobile_app: [70, 70] }],
    [100, ["happiness"], null, { branding: [40, 40], performance: [40, 40], ctv: [20, 20] }],
    [100, ["reach"], [" TV ", "Streaming", "display", "video"], { branding: [55.56, 55.56], ctv: [44.44, 44.44] }],
    [100, ["reach"], ["dooh", "audio"], { dooh: [50, 50], audio: [50, 50] }],
    [100, ["reach"], ["dooh", "ctv"], { ctv: [100, 100] }],
    [100, ["reach"], ["__proto__", "constructor"], JSON.parse('{"__proto__":[50,50],"constructor":[50,50]}')],
    [100, ["reach"], [], { branding: [50, 50], ctv: [40, 40], mobile_app: [10, 10] }],
    [100, ["reach"], [" "], { branding: [50, 50], ctv: [40, 40], mobile_app: [10, 10] }],
    [0.01, ["reach"], null, { branding: [0.01, 50] }],
    [0.009999, ["reach"], null, {}],
  ])("%d for %j over %j", (budget, objectives, channels, expected) => {
    expect(allocate(budget, objectives, channels)).toEqual(expected);
  });

  it("the parts are whole cents and sum up to the budget's whole cents", () => {
    const words = fc.constantFrom("reach", "sales", "app", "installs", "x");
    const names = fc.constantFrom("branding", "ctv", "mobile", "performance", "dooh", "audio");
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e15 }),
        fc.array(words, { minLength: 1, maxLength: 6 }),
        fc.option(fc.array(names, { maxLength: 6 }), { nil: null }),
        (budgetMicros, objectives, channels) => {
          const parts = allocateBudget({ budgetMicros, objectives, channels });
          const sum = parts.reduce((total, part) => total + part.budgetMicros, 0);
          expect(sum).toBe(Math.floor(budgetMicros / 10_000) * 10_000);
          for (const part of parts) expect(part.budgetMicros % 10_000).toBe(0);
          expect(new Set(parts.map((part) => part.channel)).size).toBe(parts.length);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
