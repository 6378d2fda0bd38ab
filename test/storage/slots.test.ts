import { describe, expect, it } from "vitest";
import { Slots } from "../../storage/lowdb/rows/slots.ts";

const inOrder = (slots: Iterable<readonly [number, number]>): readonly (readonly [number, number])[] =>
  [...slots].toSorted(([left], [right]) => left - right);

describe("slots", () => {
  it("hold what a map would, on both sides of zero and far apart", () => {
    const slots = new Slots();
    const model = new Map<number, number>();
    for (let step = 0; step < 4_000; step += 1) {
      const slot = (((step * 7_919) % 331) - 165) * (step % 3 === 0 ? 1_000_003 : 1);
      const amount = step % 4 === 0 ? 0 : (step * 104_729) % 1_000_003;
      slots.set(slot, amount);
      if (amount === 0) model.delete(slot);
      else model.set(slot, amount);
      expect(slots.get(slot)).toBe(amount);
    }
    expect(inOrder(slots)).toEqual(inOrder(model));
    expect(inOrder(new Slots(slots))).toEqual(inOrder(model));
  });

  it("are empty once every amount is zero again", () => {
    const slots = new Slots([
      [31, 5],
      [32, 6],
    ]);
    slots.set(31, 0);
    expect([slots.get(31), slots.get(32), [...slots]]).toEqual([0, 6, [[32, 6]]]);
    slots.set(32, 0);
    slots.set(33, 0);
    expect([slots.isEmpty, [...slots]]).toEqual([true, []]);
  });

  it("of a span are added to and looked through as one by one", () => {
    const slots = new Slots();
    const model = new Map<number, number>();
    for (let step = 0; step < 600; step += 1) {
      const from = ((step * 7_919) % 211) - 105;
      const to = from + ((step * 31) % 97);
      const amount = ((step * 104_729) % 1_001) - 450;
      slots.add(from, to, amount);
      const added = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      for (const slot of added) model.set(slot, Math.max(0, (model.get(slot) ?? 0) + amount));
      const [first, last] = [from - (step % 50), to + (step % 3 === 0 ? 1_000_000 : -(step % 40))];
      const seen = [...model].filter(([slot]) => slot >= first && slot <= last).map(([, held]) => held);
      expect(slots.largest(first, last)).toBe(Math.max(0, ...seen));
    }
    expect(inOrder(slots)).toEqual(inOrder([...model].filter(([, held]) => held !== 0)));
  });
});
