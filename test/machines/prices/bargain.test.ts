import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bargainMachine,
  type BargainInstance,
  type BargainStrategy,
  newBargain,
  plannedOffer,
} from "../../../machines/booking/bargain.ts";
import { bargainStyles, strategyFor } from "../../../machines/booking/strategy.ts";
import { step } from "../../../machines/step.ts";
import { expectPlainJson } from "../walks.ts";

const nowMs = 1;
const usd = (price: number): number => Math.round(price * 1_000_000);

const threshold = (target: number, most: number, by: number, rounds: number): BargainStrategy => ({
  name: "threshold",
  targetMicros: usd(target),
  openingMicros: usd(target),
  walkAwayMicros: usd(most),
  rounds,
  stepMicros: usd(by),
  exponent: 1,
  takes: "limit",
});

/** The last price is repeated. */
const talk = (strategy: BargainStrategy, asked: readonly number[]) => {
  let at = newBargain(strategy, usd(asked[0] ?? 0));
  const offers: number[] = [];
  while (at.context.next.type === "offer") {
    offers.push(at.context.next.micros / 1_000_000);
    const price = asked[Math.min(offers.length, asked.length) - 1] ?? 0;
    const answer = {
      type: "ANSWER",
      nowMs,
      sellerMicros: usd(price),
      action: "counter",
      leverageMicros: null,
    } as const;
    const next = step(bargainMachine, at, answer);
    if (next === null) throw new Error("an answer was not taken");
    at = next;
  }
  return { offers, last: at.context.next.type, rounds: at.context.rounds.length, at };
};

describe("negotiation of the buyer", () => {
  it.each([
    [threshold(20, 30, 2, 5), [32, 28], { offers: [20, 22], last: "accept", rounds: 2 }],
    [threshold(20, 30, 2, 5), [32, 32], { offers: [20, 22], last: "walk", rounds: 2 }],
    [threshold(15, 20, 1, 3), [25, 24, 23], { offers: [15, 16, 17], last: "walk", rounds: 3 }],
  ])("the threshold strategy answers as its vectors say", (strategy, asked, expected) => {
    expect(talk(strategy, asked)).toMatchObject(expected);
  });

  it("a final offer within the limit is taken, one above it is left", () => {
    const answered = (price: number): BargainInstance | null =>
      step(bargainMachine, newBargain({ ...threshold(8, 10, 1, 5), takes: "plan" }, usd(12)), {
        type: "ANSWER",
        nowMs,
        sellerMicros: usd(price),
        action: "final_offer",
        leverageMicros: null,
      });
    expect(answered(10)?.context.next).toEqual({ type: "accept" });
    expect(answered(10.01)?.context.next).toMatchObject({ type: "walk" });
  });

  it("an answer without a price changes nothing, and nothing above the limit is agreed", () => {
    const open = newBargain(threshold(8, 10, 1, 5), usd(12));
    for (const sellerMicros of [0, -1, Number.NaN, 0.5]) {
      const answer = { type: "ANSWER", nowMs, sellerMicros, action: "counter", leverageMicros: null } as const;
      expect(step(bargainMachine, open, answer)).toBeNull();
    }
    expect(step(bargainMachine, open, { type: "AGREE", nowMs, micros: usd(10) + 1 })).toBeNull();
    expect(step(bargainMachine, open, { type: "AGREE", nowMs, micros: usd(10) })?.value).toBe("accepted");
  });

  it("what another seller asks keeps the next offer down, and no offer goes back", () => {
    const open = newBargain({ ...threshold(8, 10, 1, 5), takes: "plan" }, usd(10));
    const answer = { type: "ANSWER", nowMs, sellerMicros: usd(9.9), action: "counter" } as const;
    const next = (leverageMicros: number | null) =>
      step(bargainMachine, open, { ...answer, leverageMicros })?.context.next;
    expect(next(null)).toEqual({ type: "offer", micros: usd(9) });
    expect(next(usd(8.5))).toEqual({ type: "offer", micros: usd(8.5) });
    expect(next(usd(7))).toEqual({ type: "offer", micros: usd(8) });
  });

  it("strategies open below the quoted price, never offer more than the walk-away price, and never less than before", () => {
    const price = fc.option(fc.integer({ min: 1, max: 100_000_000 }), { nil: null });
    const prices = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 12 });
    const style = fc.constantFrom(...bargainStyles);
    const rounds = fc.option(fc.integer({ min: 1, max: 10 }), { nil: null });
    fc.assert(
      fc.property(style, prices, price, price, price, rounds, (name, asked, target, walkAway, leverage, most) => {
        const quotedMicros = asked[0] ?? 1;
        const terms = { quotedMicros, targetMicros: target, walkAwayMicros: walkAway, leverageMicros: leverage };
        const strategy = strategyFor({ style: name, ...terms, rounds: most });
        if (strategy === null) return;
        expect(strategy.openingMicros).toBeLessThanOrEqual(Math.min(quotedMicros, walkAway ?? quotedMicros));
        const planned = Array.from({ length: 12 }, (_none, index) => plannedOffer(strategy, index + 1));
        expect(planned).toEqual(planned.toSorted((left, right) => left - right));
        const {
          offers,
          at,
          rounds: done,
        } = talk(
          strategy,
          asked.map((micros) => micros / 1_000_000),
        );
        expect(offers).toEqual(offers.toSorted((left, right) => left - right));
        expect(Math.max(...offers)).toBeLessThanOrEqual(strategy.walkAwayMicros / 1_000_000);
        expect(done).toBeLessThanOrEqual(strategy.rounds);
        expectPlainJson(at);
      }),
      { numRuns: 3_000 },
    );
  });

  it("there is nothing to talk about where the target is met", () => {
    const none = { style: "patient", walkAwayMicros: null, rounds: null, leverageMicros: null } as const;
    expect(strategyFor({ ...none, quotedMicros: usd(10), targetMicros: usd(10) })).toBeNull();
    expect(strategyFor({ ...none, quotedMicros: usd(10), targetMicros: usd(12) })).toBeNull();
    expect(strategyFor({ ...none, quotedMicros: usd(10), targetMicros: usd(9.99) })).toMatchObject({
      openingMicros: usd(9.99),
      walkAwayMicros: usd(10),
    });
    expect(strategyFor({ ...none, quotedMicros: usd(10), targetMicros: null })).toMatchObject({
      openingMicros: usd(8),
      name: "patient",
    });
  });
});
