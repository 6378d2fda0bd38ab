import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HashIndex, hashOf } from "../../storage/lowdb/hash-index.ts";

/** Values stand for what is left of them over so many keys, and many keys share a hash. */
const overloaded = (hashes: number, keys: number) => ({
  index: new HashIndex<number>((value, key) => value % keys === key),
  hash: (value: number): number => hashOf(String((value % keys) % hashes), 7),
});

describe("a hash index", () => {
  it("finds what a map would hold, whatever is added and removed, under crowded hashes and keys too", () => {
    const keys = 20;
    const step = fc.record({ isRemoval: fc.boolean(), value: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.constantFrom(1, 3, 1_000), (steps, hashes) => {
        const { index, hash } = overloaded(hashes, keys);
        const known = new Set<number>();
        for (const { isRemoval, value } of steps) {
          if (isRemoval === known.has(value)) {
            if (isRemoval) index.remove(hash(value), value);
            else index.add(hash(value), value);
            if (!known.delete(value)) known.add(value);
          }
          for (let key = 0; key < keys; key += 1) {
            const expected = [...known].filter((one) => one % keys === key).toSorted((one, other) => one - other);
            const found = index.findAll(hash(key), key);
            expect(index.find(hash(key), key)).toBe(found[0] ?? -1);
            expect(found.toSorted((one, other) => one - other)).toEqual(expected);
            expect(index.count(hash(key))).toBe([...known].filter((one) => hash(one) === hash(key)).length);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("holds 200,000 values, and none once they are gone", () => {
    const { index, hash } = overloaded(1_000_000, 1_000_000);
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
