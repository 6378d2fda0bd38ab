import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dealDeadline,
  dealMachine,
  newDeal,
  type DealEvent,
  type DealInstance,
} from "../../../machines/deal/machine.ts";
import { moveDeal, operatorTargets } from "../../../machines/deal/operator-moves.ts";
import { settle, step } from "../../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "../walks.ts";

const terms = { priceMicros: 29_920_000, impressions: 5_000_000, flightStart: "2027-03-01", flightEnd: "2027-03-31" };
const otherTerms = { ...terms, impressions: 4_000_000, flightEnd: "2027-04-15" };
/** 2027-03-02T00:00Z: the proposal expires inside the flight. */
const expiresAtMs = 1_803_945_600_000;
/** 2027-04-01T00:00Z: the first moment after the flight. */
const flightOverMs = 1_806_537_600_000;
const deal = newDeal({ terms, expiresAtMs, awaitingApproval: false });
const gated = newDeal({ terms, expiresAtMs, awaitingApproval: true });
const earlyMs = expiresAtMs - 1;

const moved = (from: DealInstance, event: DealEvent): DealInstance => {
  const next = step(dealMachine, from, event);
  if (next === null) throw new Error(`expected ${event.type} to be allowed`);
  return next;
};
const active = moved(deal, { type: "ACTIVATE", nowMs: earlyMs, reason: "Order booked" });

const events: readonly DealEvent[] = [
  { type: "ACTIVATE", nowMs: earlyMs, reason: "Order booked" },
  { type: "REJECT", nowMs: earlyMs, reason: "Operator" },
  { type: "CANCEL", nowMs: earlyMs, reason: "Order cancelled" },
  { type: "UNBOOK", nowMs: earlyMs, reason: "Ad server", expiresAtMs: expiresAtMs + 5 },
  { type: "APPROVE", nowMs: earlyMs },
  { type: "AMEND", nowMs: earlyMs, terms: otherTerms },
  { type: "EXPIRE", nowMs: expiresAtMs },
  { type: "COMPLETE", nowMs: flightOverMs },
];

describe("deal: transition table", () => {
  it("moves as decided, and from rejected, expired and completed nowhere", () => {
    expect(checkedTable(dealMachine, [deal, gated, active], events)).toEqual({
      proposed: ["active", "rejected", "expired"],
      active: ["completed", "rejected", "proposed"],
      rejected: [],
      expired: [],
      completed: [],
    });
  });

  it("every path of the model is walked by pure steps", () => {
    expect(pathMoves(dealMachine, deal, events)).toEqual([
      "active CANCEL rejected",
      "active COMPLETE completed",
      "proposed ACTIVATE active",
      "proposed CANCEL rejected",
      "proposed EXPIRE expired",
      "proposed REJECT rejected",
    ]);
  });
});

describe("deal: guards", () => {
  it.each<[string, DealInstance, DealEvent, string | null]>([
    ["activated in time", deal, { type: "ACTIVATE", nowMs: earlyMs, reason: "r" }, "active"],
    ["activated too late", deal, { type: "ACTIVATE", nowMs: expiresAtMs, reason: "r" }, null],
    ["activated while it waits for approval", gated, { type: "ACTIVATE", nowMs: earlyMs, reason: "r" }, null],
    ["approved without a gate", deal, { type: "APPROVE", nowMs: earlyMs }, null],
    ["rejected while it waits for approval", gated, { type: "REJECT", nowMs: earlyMs, reason: "r" }, "rejected"],
    ["rejected when lapsed", deal, { type: "REJECT", nowMs: expiresAtMs, reason: "r" }, null],
    ["expired too early", deal, { type: "EXPIRE", nowMs: earlyMs }, null],
    ["expired in time", gated, { type: "EXPIRE", nowMs: expiresAtMs }, "expired"],
    ["completed before the flight is over", active, { type: "COMPLETE", nowMs: flightOverMs - 1 }, null],
    ["completed at 00:00 UTC after the flight", active, { type: "COMPLETE", nowMs: flightOverMs }, "completed"],
    ["rejected by an operator when active", active, { type: "REJECT", nowMs: earlyMs, reason: "r" }, null],
    ["cancelled when active", active, { type: "CANCEL", nowMs: flightOverMs - 1, reason: "r" }, "rejected"],
    ["cancelled after the flight", active, { type: "CANCEL", nowMs: flightOverMs, reason: "r" }, null],
    ["expired when active", active, { type: "EXPIRE", nowMs: flightOverMs }, null],
    ["unbooked when proposed", deal, { type: "UNBOOK", nowMs: earlyMs, reason: "r", expiresAtMs: 1 }, null],
    ["amended after the flight", active, { type: "AMEND", nowMs: flightOverMs, terms: otherTerms }, null],
  ])("deal: %s", (_title, from, event, state) => {
    expect(step(dealMachine, from, event)?.value ?? null).toBe(state);
  });

  it("deal: an approved deal can become active", () => {
    const approved = moved(gated, { type: "APPROVE", nowMs: earlyMs });
    expect(approved).toMatchObject({ value: "proposed", context: { awaitingApproval: false } });
    expect(moved(approved, { type: "ACTIVATE", nowMs: earlyMs, reason: "Order booked" }).context.statusReason).toBe(
      "Order booked",
    );
  });

  it("deal: unbooked by the ad server it is proposed again, with new time to be activated", () => {
    const lateMs = expiresAtMs + 10;
    const again = moved(active, { type: "UNBOOK", nowMs: lateMs, reason: "Ad server", expiresAtMs: lateMs + 100 });
    expect(again).toMatchObject({ value: "proposed", context: { statusReason: "Ad server", terms } });
    expect(dealDeadline(again)).toEqual({ atMs: lateMs + 100, type: "EXPIRE" });
    expect(moved(again, { type: "ACTIVATE", nowMs: lateMs + 50, reason: "Order booked" }).value).toBe("active");
  });

  it("deal: amended terms move its completion", () => {
    const amended = moved(active, { type: "AMEND", nowMs: earlyMs, terms: otherTerms });
    expect(amended.context.terms).toEqual(otherTerms);
    expect(dealDeadline(amended)).toEqual({ atMs: 1_807_833_600_000, type: "COMPLETE" });
  });
});

describe("deal: time", () => {
  it("a read applies what is due, and no more", () => {
    expect(settle(dealMachine, dealDeadline, deal, earlyMs)).toBe(deal);
    expect(settle(dealMachine, dealDeadline, deal, expiresAtMs).value).toBe("expired");
    expect(settle(dealMachine, dealDeadline, active, expiresAtMs).value).toBe("active");
    const completed = settle(dealMachine, dealDeadline, active, flightOverMs + 9e9);
    expect(completed.value).toBe("completed");
    expect(dealDeadline(completed)).toBeNull();
  });
});

describe("deal: what an operator may ask for by state", () => {
  it("activates and rejects a proposed deal, and nothing else", () => {
    expect(operatorTargets(deal, earlyMs)).toEqual(["active", "rejected"]);
    expect(operatorTargets(gated, earlyMs)).toEqual(["rejected"]);
    expect(operatorTargets(active, earlyMs)).toEqual([]);
    expect(moveDeal(deal, "active", earlyMs, "Operator")).toMatchObject({
      value: "active",
      context: { statusReason: "Operator" },
    });
    for (const target of ["completed", "expired", "proposed", "", "constructor", "__proto__"]) {
      expect(moveDeal(deal, target, earlyMs, "Operator")).toBeNull();
    }
  });
});

describe("deal: random walks", () => {
  const nowMs = fc.integer({ min: expiresAtMs - 1_000_000, max: flightOverMs + 1_000_000 });
  const reason = fc.constantFrom("one", "other");
  const anyEvent = fc.oneof(
    fc.record({ type: fc.constantFrom("ACTIVATE" as const, "REJECT" as const, "CANCEL" as const), nowMs, reason }),
    fc.record({ type: fc.constant("UNBOOK" as const), nowMs, reason, expiresAtMs: nowMs }),
    fc.record({ type: fc.constantFrom("APPROVE" as const, "EXPIRE" as const, "COMPLETE" as const), nowMs }),
    fc.record({ type: fc.constant("AMEND" as const), nowMs, terms: fc.constantFrom(terms, otherTerms) }),
  );

  it("pure steps equal a live actor; terms move by AMEND alone; no gate is passed unapproved", () => {
    fc.assert(
      fc.property(fc.constantFrom(deal, gated), fc.array(anyEvent, { maxLength: 14 }), (start, sequence) => {
        for (const { before, event, after } of walkBothWays(dealMachine, start, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          if (event.type !== "AMEND") expect(after.context.terms).toEqual(before.context.terms);
          if (after.value === "active") expect(after.context.awaitingApproval).toBe(false);
          if (before.context.awaitingApproval && !after.context.awaitingApproval) {
            expect(["APPROVE", "REJECT", "CANCEL", "EXPIRE"]).toContain(event.type);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
