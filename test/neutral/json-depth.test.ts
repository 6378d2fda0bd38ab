import { describe, expect, test } from "vitest";
import { isNestedDeeper } from "../../protocol/neutral/json-input.ts";

describe("JSON depth", () => {
  test.each([
    ["[[]]", 2, false],
    ["[[]]", 1, true],
    ['{"a":[{}],"b":[{}]}', 3, false],
    ['"[[[[["', 0, false],
    ['["\\"[[[", "\\\\", []]', 2, false],
    ['["\\\\[[["]', 1, false],
    ['["open [[[', 1, false],
    ["]]]][[", 1, false],
  ])("%s deeper than %s: %s", (text, most, expected) => expect(isNestedDeeper(text, most)).toBe(expected));

  test("a million escapes are counted once", () => {
    expect(isNestedDeeper(`["${'\\"'.repeat(500_000)}"]`, 1)).toBe(false);
    expect(isNestedDeeper(`["${"\\\\".repeat(500_000)}"]`, 1)).toBe(false);
  });
});
