import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apiKeyDeadline, apiKeyMachine, newApiKey, type ApiKeyEvent } from "../../machines/api-key/machine.ts";
import { settle, step } from "../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "./walks.ts";

const key = newApiKey({ expiresAtMs: 1_000, verified: false });
const lasting = newApiKey({ expiresAtMs: null, verified: false });

const events: readonly ApiKeyEvent[] = [
  { type: "VERIFY", nowMs: 500 },
  { type: "REVOKE", nowMs: 500 },
  { type: "EXPIRE", nowMs: 1_000 },
];

describe("api key: transition table", () => {
  it("active becomes revoked or expired, and neither ends", () => {
    expect(checkedTable(apiKeyMachine, [key, lasting], events)).toEqual({
      active: ["revoked", "expired"],
      revoked: [],
      expired: [],
    });
    expect(pathMoves(apiKeyMachine, key, events)).toEqual(["active EXPIRE expired", "active REVOKE revoked"]);
    expect(pathMoves(apiKeyMachine, lasting, events)).toEqual(["active REVOKE revoked"]);
  });

  it("api key: without an end it never expires, with one at its very moment", () => {
    expect(apiKeyDeadline(lasting)).toBeNull();
    expect(settle(apiKeyMachine, apiKeyDeadline, lasting, 9e15).value).toBe("active");
    expect(settle(apiKeyMachine, apiKeyDeadline, key, 999).value).toBe("active");
    expect(settle(apiKeyMachine, apiKeyDeadline, key, 1_000).value).toBe("expired");
    expect(step(apiKeyMachine, key, { type: "REVOKE", nowMs: 1_000 })).toBeNull();
  });

  it("api key: verified once, and not after its end", () => {
    const verified = step(apiKeyMachine, key, { type: "VERIFY", nowMs: 1 });
    expect(verified).toEqual({ value: "active", context: { expiresAtMs: 1_000, verified: true } });
    if (verified === null) throw new Error("expected a verified key");
    expect(step(apiKeyMachine, verified, { type: "VERIFY", nowMs: 2 })).toBeNull();
    expect(step(apiKeyMachine, key, { type: "VERIFY", nowMs: 1_000 })).toBeNull();
  });

  it("pure steps equal a live actor; a key never comes back to life", () => {
    const anyEvent = fc.record({
      type: fc.constantFrom("VERIFY" as const, "REVOKE" as const, "EXPIRE" as const),
      nowMs: fc.nat(2_000),
    });
    fc.assert(
      fc.property(fc.constantFrom(key, lasting), fc.array(anyEvent, { maxLength: 8 }), (start, sequence) => {
        for (const { before, after } of walkBothWays(apiKeyMachine, start, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          expect(before.value).toBe("active");
          expect(after.context.expiresAtMs).toBe(start.context.expiresAtMs);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
