import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideProposal, type ProposalQuestion } from "../../../machines/proposal/decision.ts";
import {
  newProposal,
  proposalDeadline,
  proposalMachine,
  type ProposalEvent,
  type ProposalInstance,
} from "../../../machines/proposal/machine.ts";
import { checkPricing } from "../../../machines/proposal/pricing-check.ts";
import { settle, step } from "../../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "../walks.ts";

describe("proposal: the rule that decides without a model", () => {
  const question: ProposalQuestion = {
    priceMicros: 30_000_000,
    impressions: 1_000_000,
    availableImpressions: 5_000_000,
    ownMicros: 30_000_000,
    mayCounter: true,
    answer: "counter",
  };

  it.each<[string, Partial<ProposalQuestion>, string, number | null]>([
    ["price and volume fine", {}, "accept", null],
    ["a lower price that the engine takes", { priceMicros: 28_000_000, answer: "accept" }, "accept", null],
    ["the same and volume short", { priceMicros: 1, answer: "accept", impressions: 6_000_000 }, "counter", 5_000_000],
    ["all that is left", { impressions: 5_000_000 }, "accept", null],
    ["no limit on volume", { availableImpressions: null, impressions: 9e12 }, "accept", null],
    ["price too low", { priceMicros: 29_999_999 }, "counter", null],
    ["a price of next to nothing", { priceMicros: 1, answer: "final_offer" }, "counter", null],
    ["volume short", { impressions: 6_000_000 }, "counter", 5_000_000],
    ["both short", { priceMicros: 1, impressions: 6_000_000 }, "counter", 5_000_000],
    ["nothing left", { availableImpressions: 0 }, "reject", null],
    ["price too low and nothing left", { priceMicros: 1, availableImpressions: 0 }, "reject", null],
    ["a price that the engine rejects", { priceMicros: 0, answer: "reject" }, "reject", null],
    ["rejected and volume short", { priceMicros: -5, answer: "reject", impressions: 6_000_000 }, "reject", null],
    ["public, fine", { mayCounter: false, answer: null }, "accept", null],
    ["public, price too low", { mayCounter: false, answer: null, priceMicros: 29_999_999 }, "reject", null],
    ["public, volume short", { mayCounter: false, answer: null, impressions: 6_000_000 }, "reject", null],
  ])("%s", (_title, changes, recommendation, offeredImpressions) => {
    expect(decideProposal({ ...question, ...changes })).toEqual({ recommendation, offeredImpressions });
  });
});

describe("proposal: is the price one that was quoted", () => {
  const quote = { quoteId: "qt-1", priceMicros: 30_000_000, expiresAtMs: 1_000 };

  it.each([
    [30_000_000, true, "Proposed CPM $30.00 matches quote qt-1 ($30.00, 0.00% difference)."],
    [30_300_000, true, "Proposed CPM $30.30 matches quote qt-1 ($30.00, 1.00% difference)."],
    [29_700_000, true, "Proposed CPM $29.70 matches quote qt-1 ($30.00, 1.00% difference)."],
    [30_300_001, false, "Proposed CPM $30.300001 is outside tolerance of all active quotes."],
    [29_699_999, false, "Proposed CPM $29.699999 is outside tolerance of all active quotes."],
    [4e15, false, "Proposed CPM $4000000000.00 is outside tolerance of all active quotes."],
  ])("%d micros: %s", (priceMicros, verified, reason) => {
    expect(checkPricing(priceMicros, "USD", [quote], 0)).toEqual({ verified, reason });
  });

  it("the nearest live quote is named; without one the reason says why", () => {
    const other = { quoteId: "qt-2", priceMicros: 30_100_000, expiresAtMs: 2_000 };
    expect(checkPricing(30_100_000, "USD", [quote, other], 0).reason).toContain("qt-2");
    expect(checkPricing(30_000_000, "USD", [quote, other], 1_000).reason).toContain("qt-2");
    expect(checkPricing(30_000_000, "USD", [], 0)).toEqual({
      verified: false,
      reason: "No matching quote found for this buyer and product.",
    });
    expect(checkPricing(30_000_000, "USD", [quote], 1_000)).toEqual({
      verified: false,
      reason: "All quotes for this buyer and product have expired.",
    });
  });
});

const fresh = newProposal({
  offeredMicros: 29_000_000,
  impressions: 1_000_000,
  ceilingMicros: 31_500_000,
  lowestMicros: 28_000_000,
  expiresAtMs: 1_000,
});
const events: readonly ProposalEvent[] = [
  { type: "ACCEPT", nowMs: 1, priceMicros: 29_000_000, bookableUntilMs: 2_000 },
  { type: "COUNTER", nowMs: 1, priceMicros: 30_000_000, impressions: 900_000, expiresAtMs: 1_500 },
  { type: "HOLD", nowMs: 1, heldFor: "accept", priceMicros: 29_000_000, impressions: 1_000_000 },
  { type: "HOLD", nowMs: 1, heldFor: "counter", priceMicros: 30_000_000, impressions: 1_000_000 },
  { type: "RELEASE", nowMs: 1, expiresAtMs: 1_700 },
  { type: "REJECT", nowMs: 1, reason: "no" },
  { type: "FAIL", nowMs: 1 },
  { type: "EXPIRE", nowMs: 1_500 },
  { type: "BOOK", nowMs: 1, dealId: "DEMO-1" },
];
const send = (at: ProposalInstance, event: ProposalEvent | undefined): ProposalInstance => {
  const next = event === undefined ? null : step(proposalMachine, at, event);
  if (next === null) throw new Error(`expected ${event?.type} to be allowed`);
  return next;
};
const [accept, counter, holdAcceptance, holdCounter, release] = events;

describe("proposal: machine", () => {
  it("moves as decided, and from rejected and failed nowhere", () => {
    const states = [fresh, send(fresh, accept), send(fresh, counter), send(fresh, holdAcceptance)];
    expect(checkedTable(proposalMachine, states, events)).toEqual({
      initialized: ["accepted", "counter_pending", "pending_approval", "rejected", "failed"],
      pending_approval: ["accepted", "counter_pending", "rejected"],
      counter_pending: ["accepted", "rejected"],
      accepted: [],
      rejected: [],
      failed: [],
    });
    const aspect = (context: ProposalInstance["context"]) => [context.heldFor, context.expiresAtMs];
    expect(pathMoves(proposalMachine, fresh, events, aspect)).toEqual([
      "counter_pending ACCEPT accepted",
      "counter_pending COUNTER counter_pending",
      "counter_pending EXPIRE rejected",
      "counter_pending REJECT rejected",
      "initialized ACCEPT accepted",
      "initialized COUNTER counter_pending",
      "initialized FAIL failed",
      "initialized HOLD pending_approval",
      "initialized REJECT rejected",
      "pending_approval COUNTER counter_pending",
      "pending_approval REJECT rejected",
      "pending_approval RELEASE accepted",
      "pending_approval RELEASE counter_pending",
    ]);
  });

  it.each([
    [28_000_000, 28_000_000, 28_000_000],
    [31_500_000, 31_500_000, 31_500_000],
    [27_999_999, null, null],
    [31_500_001, 31_500_000, null],
  ])("a price of %d is struck or held at %s and asked at %s", (priceMicros, struck, asked) => {
    const priced = (event: ProposalEvent | undefined) =>
      event === undefined ? null : step(proposalMachine, fresh, { ...event, priceMicros } as ProposalEvent);
    expect(priced(accept)?.context.agreedMicros ?? null).toBe(struck);
    expect(priced(holdAcceptance)?.context.sellerMicros ?? null).toBe(struck);
    expect(priced(counter)?.context.sellerMicros ?? null).toBe(asked);
  });

  it("an accepted proposal is booked once and in time", () => {
    const accepted = send(fresh, accept);
    expect(accepted.context).toMatchObject({ agreedMicros: 29_000_000, bookableUntilMs: 2_000, dealId: null });
    const booked = send(accepted, { type: "BOOK", nowMs: 1_999, dealId: "DEMO-1" });
    expect(booked).toMatchObject({ value: "accepted", context: { dealId: "DEMO-1" } });
    expect(step(proposalMachine, booked, { type: "BOOK", nowMs: 1_999, dealId: "DEMO-2" })).toBeNull();
    expect(step(proposalMachine, accepted, { type: "BOOK", nowMs: 2_000, dealId: "DEMO-1" })).toBeNull();
    expect(step(proposalMachine, send(fresh, counter), { type: "BOOK", nowMs: 1, dealId: "DEMO-1" })).toBeNull();
  });

  it("an approval carries on what it held back", () => {
    expect(send(send(fresh, holdAcceptance), release)).toMatchObject({
      value: "accepted",
      context: { agreedMicros: 29_000_000, heldFor: null, bookableUntilMs: 1_700 },
    });
    expect(send(send(fresh, holdCounter), release)).toMatchObject({
      value: "counter_pending",
      context: { agreedMicros: null, heldFor: null, sellerMicros: 30_000_000, expiresAtMs: 1_700 },
    });
    expect(send(send(fresh, holdAcceptance), counter)).toMatchObject({
      value: "counter_pending",
      context: { heldFor: null, sellerMicros: 30_000_000, impressions: 900_000, expiresAtMs: 1_500 },
    });
    expect(send(send(fresh, holdAcceptance), { type: "REJECT", nowMs: 2, reason: "Approval refused" })).toMatchObject({
      value: "rejected",
      context: { closedReason: "Approval refused", agreedMicros: null, heldFor: null },
    });
  });

  it("an open counter lapses", () => {
    const countered = send(fresh, counter);
    expect(proposalDeadline(countered)).toEqual({ atMs: 1_500, type: "EXPIRE" });
    expect(step(proposalMachine, countered, { ...accept, nowMs: 1_500 } as ProposalEvent)).toBeNull();
    expect(settle(proposalMachine, proposalDeadline, countered, 1_499)).toBe(countered);
    expect(settle(proposalMachine, proposalDeadline, countered, 1_500)).toMatchObject({
      value: "rejected",
      context: { closedReason: "Not answered in time" },
    });
    expect(proposalDeadline(send(fresh, holdAcceptance))).toBeNull();
  });

  it("pure steps equal a live actor; an agreed price is fair, once, and its own", () => {
    const priceMicros = fc.integer({ min: 27_000_000, max: 33_000_000 });
    const nowMs = fc.nat(2_500);
    const anyEvent = fc.oneof(
      fc.constantFrom(...events),
      fc.record({ type: fc.constant("ACCEPT" as const), nowMs, priceMicros, bookableUntilMs: nowMs }),
      fc.record({
        type: fc.constant("COUNTER" as const),
        nowMs,
        priceMicros,
        impressions: fc.nat(),
        expiresAtMs: nowMs,
      }),
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 10 }), (sequence) => {
        for (const { before, event, after } of walkBothWays(proposalMachine, fresh, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          const { agreedMicros, offeredMicros, impressions } = after.context;
          expect(agreedMicros !== null).toBe(after.value === "accepted");
          if (agreedMicros !== null) {
            expect(agreedMicros).toBeGreaterThanOrEqual(28_000_000);
            expect(agreedMicros).toBeLessThanOrEqual(31_500_000);
          }
          if (before.context.agreedMicros !== null) expect(agreedMicros).toBe(before.context.agreedMicros);
          expect(offeredMicros).toBe(29_000_000);
          if (impressions !== before.context.impressions) expect(["COUNTER", "HOLD"]).toContain(event.type);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
