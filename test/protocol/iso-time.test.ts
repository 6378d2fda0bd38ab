import { expect, it } from "vitest";
import { isoTime } from "../../protocol/neutral/iso-time.ts";

it("iso time: a moment reads the same however often and behind whatever other moment it is asked for", () => {
  const firstMs = Date.UTC(2027, 2, 1, 9, 30, 15, 7);
  for (let round = 0; round < 3; round += 1) {
    for (let atMs = firstMs; atMs < firstMs + 600; atMs += 1) expect(isoTime(atMs)).toBe(new Date(atMs).toISOString());
  }
  for (const atMs of [0, -1, -86_400_000, 253_402_300_799_999])
    expect(isoTime(atMs)).toBe(new Date(atMs).toISOString());
});

it("iso time: what is no moment throws each time, and spoils no other", () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(() => isoTime(8.64e15 + 251)).toThrow(RangeError);
  expect(() => isoTime(8.64e15 + 251)).toThrow(RangeError);
  expect(isoTime(8.64e15)).toBe("+275760-09-13T00:00:00.000Z");
});
