import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HashIndex, hashOf } from "../../storage/lowdb/hash-index.ts";

/** Values stand for themselves, and many share a hash. */
const overloaded = (hashes: number) => ({
  index: new HashIndex<number>((value, key) => value === key),
  hash: (value: number): number => hashOf(String(value % hashes), 7),
});

describe("a hash index", () => {
  it("finds what a map would hold, whatever is added, replaced and removed, under crowded hashes too", () => {
    const step = fc.record({ do: fc.constantFrom("add", "replace", "remove"), value: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.constantFrom(1, 3, 1_000), (steps, hashes) => {
        const { index, hash } = overloaded(hashes);
        const known = new Set<number>();
        for (const { do: what, value } of steps) {
          if (what === "add" && !known.has(value)) {
            index.add(hash(value), value);
            known.add(value);
          }
          const other = value + 1_000 * hashes;
          if (what === "replace" && known.has(value) && !known.has(other)) {
            index.replace(hash(value), value, other);
            known.delete(value);
            known.add(other);
          }
          if (what === "remove" && known.has(value)) {
            index.remove(hash(value), value);
            known.delete(value);
          }
          for (let key = 0; key <= 60; key += 1) {
            for (const one of [key, key + 1_000 * hashes]) {
              expect(index.find(hash(one), one)).toBe(known.has(one) ? one : -1);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("holds 200,000 values, and none once they are gone", () => {
    const { index, hash } = overloaded(1_000_000);
    for (let value = 0; value < 200_000; value += 1) index.add(hash(value), value);
    for (let value = 0; value < 200_000; value += 1)
      if (index.find(hash(value), value) !== value) expect(value).toBe(-1);
    for (let value = 0; value < 200_000; value += 2) index.remove(hash(value), value);
    for (let value = 0; value < 200_000; value += 1) {
      if (index.find(hash(value), value) !== (value % 2 === 0 ? -1 : value)) expect(value).toBe(-1);
    }
    expect(() => index.remove(hash(0), 0)).toThrow("no value 0");
  });

  it("hashes spread over all bits, and depend on the seed", () => {
    const hashes = Array.from({ length: 4_096 }, (_, place) => hashOf(`qt-${place}`, 7));
    expect(new Set(hashes).size).toBeGreaterThan(4_090);
    for (let bit = 0; bit < 32; bit += 1) {
      const ones = hashes.filter((hash) => ((hash >>> bit) & 1) === 1).length;
      expect(ones).toBeGreaterThan(1_800);
      expect(ones).toBeLessThan(2_300);
    }
    expect(hashOf("qt-1", 7)).not.toBe(hashOf("qt-1", 8));
  });
});
