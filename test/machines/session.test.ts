import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newSession, sessionDeadline, sessionMachine, type SessionEvent } from "../../machines/session/machine.ts";
import { settle, step } from "../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "./walks.ts";

const session = newSession(1_000);
const events: readonly SessionEvent[] = [
  { type: "EXCHANGE", nowMs: 1, stage: "pricing" },
  { type: "EXCHANGE", nowMs: 1, stage: null },
  { type: "CLOSE", nowMs: 1 },
  { type: "EXPIRE", nowMs: 1_000 },
];

describe("session: active, then expired or closed", () => {
  it("moves as the spec says", () => {
    expect(checkedTable(sessionMachine, [session], events)).toEqual({
      active: ["closed", "expired"],
      expired: [],
      closed: [],
    });
    expect(pathMoves(sessionMachine, session, events)).toEqual(["active CLOSE closed", "active EXPIRE expired"]);
  });

  it("an exchange counts two messages and may move the stage; it never prolongs the session", () => {
    const priced = step(sessionMachine, session, { type: "EXCHANGE", nowMs: 999, stage: "pricing" });
    expect(priced).toEqual({
      value: "active",
      context: { expiresAtMs: 1_000, messageCount: 2, stage: "pricing" },
    });
    if (priced === null) throw new Error("expected an exchange");
    expect(step(sessionMachine, priced, { type: "EXCHANGE", nowMs: 999, stage: null })?.context).toEqual({
      expiresAtMs: 1_000,
      messageCount: 4,
      stage: "pricing",
    });
    expect(step(sessionMachine, priced, { type: "EXCHANGE", nowMs: 1_000, stage: null })).toBeNull();
    expect(settle(sessionMachine, sessionDeadline, priced, 1_000).value).toBe("expired");
  });

  it("a closed session takes no message and does not expire", () => {
    const closed = step(sessionMachine, session, { type: "CLOSE", nowMs: 5 });
    if (closed === null) throw new Error("expected a close");
    expect(closed.context.stage).toBe("closed");
    for (const event of events) expect(step(sessionMachine, closed, event)).toBeNull();
    expect(sessionDeadline(closed)).toBeNull();
  });

  it("pure steps equal a live actor", () => {
    const anyEvent = fc.tuple(fc.constantFrom(...events), fc.nat(2_000)).map(([event, nowMs]) => ({ ...event, nowMs }));
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 10 }), (sequence) => {
        for (const { before, after } of walkBothWays(sessionMachine, session, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          expect(after.context.messageCount).toBeGreaterThanOrEqual(before.context.messageCount);
          expect(after.context.expiresAtMs).toBe(1_000);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
