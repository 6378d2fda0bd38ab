import { describe, expect, test } from "vitest";
import { safeRequestId } from "../../protocol/neutral/request-id.ts";

describe("request id", () => {
  test.each(["a", "req-1", "A.b_c:d@e=f+g/h", "x".repeat(128)])("%s is kept", (given) => {
    expect(safeRequestId(given)).toBe(given);
  });

  test.each(["", "-a", "x".repeat(129), "a b", "a\nb", 'a"b', "ä", null, undefined, ["a"]])(
    "%j is replaced",
    (given) => {
      expect(safeRequestId(given)).toBeNull();
    },
  );
});
