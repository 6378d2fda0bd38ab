import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ceilToCent,
  computedPriceMicros,
  costMicros,
  formatMoney,
  fromMicros,
  roundHalfEven,
  toMicros,
} from "../../../machines/money.ts";
import { halfEvenInteger } from "./rational.ts";

const finiteDouble = fc.double({ noNaN: true, noDefaultInfinity: true });

describe("money: rounding of the exact binary value, half-even", () => {
  it.each([
    [0.125, 2, 0.12],
    [0.375, 2, 0.38],
    [0.625, 2, 0.62],
    [0.875, 2, 0.88],
    [2.5, 0, 2],
    [3.5, 0, 4],
    [-2.5, 0, -2],
    [-0.125, 2, -0.12],
    [26.775, 2, 26.77],
    [29.925, 2, 29.93],
    [1.005, 2, 1],
    [2.675, 2, 2.67],
    [14.399999999999999, 0, 14],
    [9.600000000000001, 0, 10],
    [0.5, 0, 0],
    [1.5, 0, 2],
    [5e-324, 2, 0],
    [-5e-324, 2, 0],
    [1e21, 2, 1e21],
    [9007199254740992, 2, 9007199254740992],
    [2251799813685249.5, 0, 2251799813685250],
    [2251799813685248.5, 0, 2251799813685248],
    [1.7976931348623157e308, 2, 1.7976931348623157e308],
    [0.1, 15, 0.1],
  ])("%d at %d decimals is %d", (value, decimals, expected) => {
    expect(Object.is(roundHalfEven(value, decimals), expected)).toBe(true);
  });

  it("zero is never negative, and what is not finite is refused", () => {
    expect(Object.is(roundHalfEven(-0, 2), 0)).toBe(true);
    expect(Object.is(roundHalfEven(-0.001, 2), 0)).toBe(true);
    for (const value of [Number.NaN, Infinity, -Infinity]) expect(() => roundHalfEven(value, 2)).toThrow(RangeError);
  });

  it("agrees with exact rationals for doubles of every magnitude", () => {
    fc.assert(
      fc.property(finiteDouble, fc.integer({ min: 0, max: 6 }), (value, decimals) => {
        expect(roundHalfEven(value, decimals)).toBe(Number(`${halfEvenInteger(value, decimals)}e-${decimals}`));
      }),
      { numRuns: 20_000 },
    );
  });

  it("agrees with exact rationals near every tie of a thousandth", () => {
    for (let thousandths = 5; thousandths < 60_000; thousandths += 10) {
      const value = thousandths / 1000;
      expect(roundHalfEven(value, 2)).toBe(Number(`${halfEvenInteger(value, 2)}e-2`));
    }
  });
});

describe("money: a price that arrives is kept to the micro", () => {
  it.each([
    [29.92, 29_920_000],
    [0.000001, 1],
    [28, 28_000_000],
    [0, 0],
    [-1.5, -1_500_000],
    [0.1, 100_000],
    [4_000_000_000, 4_000_000_000_000_000],
    [3_999_999_999.999999, 3_999_999_999_999_999],
  ])("%d is %d micros", (amount, micros) => {
    expect(Object.is(toMicros(amount), micros)).toBe(true);
    expect(fromMicros(micros)).toBe(amount);
  });

  it.each([0.0000001, 29.9200001, 1.0000005, 4_000_000_000.1, 1e300, Number.NaN, Infinity, -Infinity, 0.1 + 0.2])(
    "%d is finer than a micro or too large, and refused",
    (amount) => {
      expect(toMicros(amount)).toBeNull();
    },
  );

  it("every number of micros comes back from the wire as it left", () => {
    fc.assert(
      fc.property(fc.integer({ min: -4e15, max: 4e15 }), (micros) => {
        expect(toMicros(fromMicros(micros))).toBe(micros + 0);
      }),
      { numRuns: 20_000 },
    );
  });

  it("what is no safe integer of micros is a bug, not an amount", () => {
    for (const micros of [0.5, Number.NaN, 2 ** 53, Infinity]) {
      expect(() => fromMicros(micros)).toThrow(RangeError);
      expect(() => formatMoney(micros, "USD")).toThrow(RangeError);
      expect(() => ceilToCent(micros)).toThrow(RangeError);
      expect(() => costMicros(micros, 1)).toThrow(RangeError);
      expect(() => costMicros(1, micros)).toThrow(RangeError);
    }
  });
});

describe("money: amounts in integers, half away from zero at the cent", () => {
  it.each([
    [29_920_000, 5_000_000, 149_600_000_000],
    [35_000_000, 0, 0],
    [10_000_000, 1, 10_000],
    [5_000_000, 1, 10_000],
    [4_999_999, 1, 0],
    [15_000_000, 1, 20_000],
    [-5_000_000, 1, -10_000],
    [28_260_000, 333_333, 9_419_990_000],
  ])("CPM of %d micros for %d impressions costs %d micros", (cpm, impressions, cost) => {
    expect(Object.is(costMicros(cpm, impressions), cost)).toBe(true);
  });

  it("a cost beyond the safe integers is refused, never inexact", () => {
    expect(costMicros(35_000_000, Number.MAX_SAFE_INTEGER)).toBeNull();
    expect(costMicros(9_007_199_254_740_991, 1001)).toBeNull();
    expect(costMicros(9_007_199_254_730_000, 1000)).toBe(9_007_199_254_730_000);
  });

  it("a computed price is whole cents, and a floor is rounded up to them", () => {
    expect(computedPriceMicros(35 * 0.9 * 0.95)).toBe(29_920_000);
    expect(computedPriceMicros(0.125)).toBe(120_000);
    expect(ceilToCent(28_000_000)).toBe(28_000_000);
    expect(ceilToCent(28_000_001)).toBe(28_010_000);
  });
});

describe("money: dollars as text", () => {
  it.each([
    [29_920_000, "$29.92"],
    [35_000_000, "$35.00"],
    [0, "$0.00"],
    [100_000, "$0.10"],
    [1, "$0.000001"],
    [29_925_000, "$29.925"],
    [-1_500_000, "-$1.50"],
    [1_234_567_890_000, "$1234567.89"],
  ])("%d micros are written %s", (micros, text) => {
    expect(formatMoney(micros, "USD")).toBe(text);
  });

  it.each([
    ["EUR", "€29.92"],
    ["GBP", "£29.92"],
    ["CHF", "CHF 29.92"],
    ["JPY", "¥29.92"],
    ["CAD", "CA$29.92"],
    ["XXX", "XXX 29.92"],
  ])("an amount in %s is written %s", (currency, text) => {
    expect(formatMoney(29_920_000, currency)).toBe(text);
  });
});
