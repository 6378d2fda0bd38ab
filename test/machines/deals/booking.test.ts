import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocateBudget } from "../../../machines/booking/allocation.ts";
import {
  bookingMachine,
  bookingProgress,
  newBooking,
  researchProgress,
  type BookingEvent,
  type BookingInstance,
} from "../../../machines/booking/machine.ts";
import { step } from "../../../machines/step.ts";
import { checkedTable, expectPlainJson, walkBothWays } from "../walks.ts";

const nowMs = 1;
const events: readonly BookingEvent[] = [
  { type: "START", nowMs },
  { type: "ALLOCATED", nowMs },
  { type: "ADVANCE", nowMs, progress: 0.5, errors: [] },
  { type: "ADVANCE", nowMs, progress: 0.2, errors: ["ctv research failed"] },
  { type: "RESEARCHED", nowMs },
  { type: "NEGOTIATED", nowMs },
  { type: "RECOMMEND", nowMs, recommendationCount: 2 },
  { type: "RECOMMEND", nowMs, recommendationCount: 0 },
  { type: "APPROVE", nowMs },
  { type: "WAIT", nowMs, waitingCount: 1 },
  { type: "WAIT", nowMs, waitingCount: 0 },
  { type: "REPLAN", nowMs, freeMicros: 10_000 },
  { type: "REPLAN", nowMs, freeMicros: 0 },
  { type: "COMPLETE", nowMs, errors: [] },
  { type: "FAIL", nowMs, errors: ["seller unreachable"] },
  { type: "CANCEL", nowMs },
];
const send = (at: BookingInstance, ...sent: readonly BookingEvent[]): BookingInstance =>
  sent.reduce((before, event) => {
    const next = step(bookingMachine, before, event);
    if (next === null) throw new Error(`expected ${event.type} to be allowed`);
    return next;
  }, at);
const job = newBooking();
const allocating = send(job, { type: "START", nowMs });
const researching = send(allocating, { type: "ALLOCATED", nowMs });
const negotiating = send(researching, { type: "RESEARCHED", nowMs });
const choosing = send(negotiating, { type: "NEGOTIATED", nowMs });
const waiting = send(choosing, { type: "RECOMMEND", nowMs, recommendationCount: 1 });
const booking = send(waiting, { type: "APPROVE", nowMs });
const completed = send(booking, { type: "COMPLETE", nowMs, errors: [] });
const failed = send(booking, { type: "FAIL", nowMs, errors: ["sold out"] });
const before = [job, allocating, researching, negotiating, choosing, waiting];

describe("booking job: machine", () => {
  it("moves stage by stage, and from completed and failed only to be planned again", () => {
    expect(checkedTable(bookingMachine, [...before, booking, completed, failed], events)).toEqual({
      pending: ["allocating", "failed"],
      allocating: ["researching", "failed"],
      researching: ["negotiating", "awaiting_approval", "completed", "failed"],
      negotiating: ["choosing", "failed"],
      choosing: ["awaiting_approval", "completed", "failed"],
      awaiting_approval: ["booking", "researching", "failed"],
      booking: ["awaiting_approval", "completed", "failed"],
      completed: ["researching"],
      failed: ["researching"],
    });
  });

  it("nothing recommended is not held for approval", () => {
    expect(step(bookingMachine, choosing, { type: "RECOMMEND", nowMs, recommendationCount: 0 })).toBeNull();
    const ended = send(choosing, { type: "FAIL", nowMs, errors: ["no bookable inventory for channel ctv"] });
    expect(ended).toMatchObject({
      value: "failed",
      context: { progress: 0.85, errors: ["no bookable inventory for channel ctv"] },
    });
  });

  it("is cancelled only until booking starts, and a cancelled job is not planned again", () => {
    for (const at of [booking, completed, failed])
      expect(step(bookingMachine, at, { type: "CANCEL", nowMs })).toBeNull();
    const again = send(booking, { type: "WAIT", nowMs, waitingCount: 1 });
    expect(step(bookingMachine, again, { type: "CANCEL", nowMs })).toBeNull();
    for (const at of before) {
      const cancelled = send(at, { type: "CANCEL", nowMs });
      expect(cancelled).toMatchObject({ value: "failed", context: { errors: ["cancelled"] } });
      expect(step(bookingMachine, cancelled, { type: "REPLAN", nowMs, freeMicros: 1 })).toBeNull();
    }
  });

  it("several approvals in turn are possible while lines wait, and money that is free is planned again", () => {
    const again = send(booking, { type: "WAIT", nowMs, waitingCount: 1 }, { type: "APPROVE", nowMs });
    expect(again).toMatchObject({ value: "booking", context: { progress: 0.95 } });
    for (const at of [waiting, completed, failed]) {
      expect(send(at, { type: "REPLAN", nowMs, freeMicros: 1 }).value).toBe("researching");
      expect(step(bookingMachine, at, { type: "REPLAN", nowMs, freeMicros: 0 })).toBeNull();
    }
    const replanned = send(completed, { type: "REPLAN", nowMs, freeMicros: 1 });
    expect(send(replanned, { type: "COMPLETE", nowMs, errors: [] }).value).toBe("completed");
  });

  it("progress has its anchors and never goes back", () => {
    const seen = [...before, booking, completed].map((at) => at.context.progress);
    expect(seen).toEqual([0, 0.1, 0.4, 0.8, 0.85, 0.9, 0.95, 1]);
    expect(bookingProgress).toMatchObject({ prepared: 0.2, allocated: 0.4, researched: 0.8, done: 1 });
    const later = send(researching, { type: "ADVANCE", nowMs, progress: 0.5, errors: ["one seller failed"] });
    expect(later.context).toMatchObject({ progress: 0.5, errors: ["one seller failed"] });
    for (const progress of [0.49, 0.86, Number.NaN]) {
      expect(step(bookingMachine, later, { type: "ADVANCE", nowMs, progress, errors: [] })).toBeNull();
    }
    const steps = [researchProgress(0, 4), researchProgress(1, 4), researchProgress(3, 4), researchProgress(4, 4)];
    expect(steps).toEqual([0.4, 0.5, 0.7, 0.8]);
    expect([researchProgress(1, 3), researchProgress(0, 0)]).toEqual([0.53, 0.8]);
  });

  it("pure steps equal a live actor; progress and errors only grow", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 16 }), (sequence) => {
        for (const stride of walkBothWays(bookingMachine, job, sequence)) {
          if (stride.after === null) continue;
          const [from, to] = [stride.before.context, stride.after.context];
          expectPlainJson(stride.after);
          expect(to.progress).toBeGreaterThanOrEqual(from.progress);
          expect(to.errors.slice(0, from.errors.length)).toEqual(from.errors);
          if (from.bookingStarted) expect(to.bookingStarted).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("booking job: allocation", () => {
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
    [
      100,
      ["reach"],
      [" TV ", "Streaming", "display", "video"],
      { ctv: [44.44, 44.44], display: [27.78, 27.78], video: [27.78, 27.78] },
    ],
    [100, ["reach"], ["dooh", "audio"], { dooh: [50, 50], audio: [50, 50] }],
    [100, ["reach"], ["dooh", "ctv"], { ctv: [44.44, 44.44], dooh: [55.56, 55.56] }],
    [100, ["conversions"], ["ctv", "branding"], { branding: [90, 90], ctv: [10, 10] }],
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

describe("booking job: limits of channels", () => {
  const split = (budget: number, bounds: Readonly<Record<string, readonly [least: number, most: number]>>) => {
    const given = Object.entries(bounds).map(([channel, [least, most]]) => [channel, { least, most }] as const);
    const brief = { budgetMicros: budget * 1_000_000, objectives: ["brand_awareness"], channels: null };
    const parts = allocateBudget({ ...brief, bounds: new Map(given) });
    return Object.fromEntries(parts.map(({ channel, budgetMicros }) => [channel, budgetMicros / 10_000]));
  };

  it("what a limited channel may not take goes to the others by their weights", () => {
    expect(split(100, { ctv: [0, 1_000] })).toEqual({ branding: 7_500, ctv: 1_000, mobile_app: 1_500 });
    expect(split(100, { mobile_app: [4_600, Infinity] })).toEqual({ branding: 3_000, ctv: 2_400, mobile_app: 4_600 });
    expect(split(100, { performance: [1, 1] })).toMatchObject({ performance: 1 });
  });

  it("every part keeps its bounds, and the whole budget is split unless no channel may take the rest", () => {
    const names = ["branding", "performance", "ctv", "mobile_app"];
    const cents = fc.nat({ max: 10_000 });
    const bound = fc.tuple(cents, fc.option(cents, { nil: Infinity }));
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 1_000 }), fc.tuple(bound, bound, bound, bound), (budget, drawn) => {
        const bounds = drawn.map(([least, above]) => [least, least + above] as const);
        const parts = split(budget, Object.fromEntries(names.map((name, at) => [name, bounds[at] ?? [0, 0]])));
        const all = names.map((name) => parts[name] ?? 0);
        const isWithin = all.every((part, at) => part >= (bounds[at]?.[0] ?? 0) && part <= (bounds[at]?.[1] ?? 0));
        const sum = all.reduce((total, part) => total + part, 0);
        const takers = bounds.filter((_one, at) => names[at] !== "performance");
        const room = takers.reduce((total, [, most]) => total + most, bounds[1]?.[0] ?? 0);
        return isWithin && sum === Math.min(budget * 100, room);
      }),
    );
  });
});
