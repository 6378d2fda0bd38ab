import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { needsApproval, readFlows } from "../../machines/approval/gate.ts";
import {
  approvalDeadline,
  approvalMachine,
  newApproval,
  type ApprovalEvent,
  type Decision,
} from "../../machines/approval/machine.ts";
import { settle, step } from "../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "./walks.ts";

const pending = newApproval(1_000);
const decide = (decision: Decision, nowMs = 1): ApprovalEvent => ({
  type: "DECIDE",
  nowMs,
  decision,
  decidedBy: "anna",
  principal: "key:key-1",
  reason: "fine",
  modifications: { price: 30 },
});
const events: readonly ApprovalEvent[] = [
  decide("approve"),
  decide("reject"),
  decide("counter"),
  { type: "TIME_OUT", nowMs: 1_000 },
];

describe("approval: decided once or timed out", () => {
  it("pending ends approved, rejected or timed out", () => {
    expect(checkedTable(approvalMachine, [pending], events)).toEqual({
      pending: ["approved", "rejected", "timed_out"],
      approved: [],
      rejected: [],
      timed_out: [],
    });
    expect(pathMoves(approvalMachine, pending, events)).toEqual([
      "pending DECIDE approved",
      "pending DECIDE rejected",
      "pending TIME_OUT timed_out",
    ]);
  });

  it.each([
    ["approve", "approved"],
    ["reject", "rejected"],
    ["counter", "rejected"],
  ] as const)("a decision to %s makes it %s and is kept", (decision, status) => {
    expect(step(approvalMachine, pending, decide(decision))).toEqual({
      value: status,
      context: {
        expiresAtMs: 1_000,
        record: {
          decision,
          decidedBy: "anna",
          principal: "key:key-1",
          reason: "fine",
          modifications: { price: 30 },
          decidedAtMs: 1,
        },
      },
    });
  });

  it("a word that is no decision decides nothing", () => {
    for (const word of ["", "ok", "APPROVE", "constructor"]) {
      expect(step(approvalMachine, pending, decide(word as Decision))).toBeNull();
    }
  });

  it("of a decision and the timeout exactly one holds, at every moment", () => {
    for (const nowMs of [0, 999, 1_000, 1_001, 9e15]) {
      const decided = step(approvalMachine, pending, decide("approve", nowMs));
      const timedOut = step(approvalMachine, pending, { type: "TIME_OUT", nowMs });
      expect((decided === null) !== (timedOut === null)).toBe(true);
    }
    expect(settle(approvalMachine, approvalDeadline, pending, 999).value).toBe("pending");
    expect(settle(approvalMachine, approvalDeadline, pending, 1_000)).toEqual({
      value: "timed_out",
      context: { expiresAtMs: 1_000, record: null },
    });
  });

  it("pure steps equal a live actor; at most one decision is ever kept", () => {
    const anyEvent = fc.tuple(fc.constantFrom(...events), fc.nat(2_000)).map(([event, nowMs]) => ({ ...event, nowMs }));
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 6 }), (sequence) => {
        const done = walkBothWays(approvalMachine, pending, sequence).filter(({ after }) => after !== null);
        expect(done.length).toBeLessThanOrEqual(1);
        for (const { after } of done) if (after !== null) expectPlainJson(after);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("approval: the gate", () => {
  const gate = { enabled: true, flows: ["deal"], aboveMicros: 50_000_000_000 } as const;
  const terms = (price: number, impressions: number | null, currency = "USD") => ({
    priceMicros: price * 1_000_000,
    impressions,
    currency,
  });

  it.each([
    ["all three hold, exactly", gate, "deal", terms(50, 1_000_000), true],
    ["the value is a cent short", gate, "deal", terms(49.99999, 1_000_000), false],
    ["the switch is off", { ...gate, enabled: false }, "deal", terms(50, 1_000_000), false],
    ["the flow is not listed", gate, "proposal", terms(50, 1_000_000), false],
    ["nothing is listed", { ...gate, flows: [] }, "deal", terms(50, 1_000_000), false],
    ["every value", { ...gate, aboveMicros: 0 }, "deal", terms(1, 1), true],
    ["every value, without impressions", { ...gate, aboveMicros: 0 }, "deal", terms(1, null), true],
    ["a value, without impressions", gate, "deal", terms(1_000, null), false],
    ["another currency, whatever the value", gate, "deal", terms(1, 1, "EUR"), true],
    ["another currency, where the flow is not listed", gate, "proposal", terms(50, 1_000_000, "EUR"), false],
    ["a cost beyond measure", gate, "deal", terms(1_000, Number.MAX_SAFE_INTEGER), true],
  ] as const)("%s", (_title, settings, flow, about, needed) => {
    expect(needsApproval(settings, flow, about)).toBe(needed);
  });

  it.each([
    ["", { flows: [] }],
    [" , ,", { flows: [] }],
    ["deal, proposal ,negotiation,api_key", { flows: ["deal", "proposal", "negotiation", "api_key"] }],
    ["proposal_decision,proposal", { flows: ["proposal"] }],
    ["deal,deals", { unknown: "deals" }],
    ["constructor", { unknown: "constructor" }],
  ])("APPROVAL_REQUIRED_FLOWS of %j is read as %j", (text, reading) => {
    expect(readFlows(text)).toEqual(reading);
  });
});
