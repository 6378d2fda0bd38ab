import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cancellableStatuses, cancellationTarget, dealEventOf } from "../../../machines/order/effects.ts";
import { allowedNext, moveOrder, newOrder, orderMachine, type OrderInstance } from "../../../machines/order/machine.ts";
import { isOrderStatus, orderMoves, orderStatuses, type OrderEventType } from "../../../machines/order/moves.ts";
import { nextOf } from "./order-table.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "../walks.ts";

const moves: readonly [string, string, string][] = [
  ["draft", "submitted", "Order submitted for review"],
  ["submitted", "pending_approval", "Awaiting human approval"],
  ["submitted", "approved", "Auto-approved (no gate)"],
  ["pending_approval", "approved", "Human approved"],
  ["pending_approval", "rejected", "Human rejected"],
  ["approved", "in_progress", "Execution started"],
  ["in_progress", "syncing", "Syncing to ad server"],
  ["syncing", "booked", "Ad server confirmed booking"],
  ["booked", "completed", "Order fulfilled"],
  ["booked", "unbooked", "Booking reversed by ad server"],
  ["draft", "cancelled", "Cancelled before submission"],
  ["submitted", "cancelled", "Cancelled after submission"],
  ["submitted", "failed", "Submission processing failed"],
  ["pending_approval", "cancelled", "Cancelled during approval"],
  ["approved", "cancelled", "Cancelled after approval"],
  ["in_progress", "failed", "Execution failed"],
  ["in_progress", "cancelled", "Cancelled during execution"],
  ["syncing", "failed", "Ad server sync failed"],
  ["rejected", "draft", "Returned to draft for revision"],
  ["failed", "draft", "Reset to draft after failure"],
];

const eventTypes: readonly OrderEventType[] = [
  "SUBMIT",
  "REQUEST_APPROVAL",
  "APPROVE",
  "REJECT",
  "EXECUTE",
  "SYNC",
  "BOOK",
  "COMPLETE",
  "UNBOOK",
  "CANCEL",
  "FAIL",
  "REOPEN",
];
const events = eventTypes.map((type) => ({ type, nowMs: 1 }));
const at = (value: OrderInstance["value"]): OrderInstance => ({ value, context: { transitionCount: 0 } });

describe("order: the 12 states and 20 transitions", () => {
  it("has exactly these moves, with these reasons", () => {
    expect(orderMoves.map((move) => [move.from, move.to, move.reason])).toEqual(moves);
    expect(orderStatuses).toEqual(Object.keys(nextOf).sort((a, b) => orderIndex(a) - orderIndex(b)));
    expect(checkedTable(orderMachine, orderStatuses.map(at), events)).toEqual(nextOf);
  });

  const orderIndex = (status: string): number => (orderStatuses as readonly string[]).indexOf(status);

  it("of all 144 pairs of states those 20 are allowed and no other", () => {
    const allowed = orderStatuses.flatMap((from) =>
      orderStatuses.filter((to) => moveOrder(at(from), to, 1) !== null).map((to) => `${from} ${to}`),
    );
    expect(allowed.sort()).toEqual(moves.map(([from, to]) => `${from} ${to}`).sort());
  });

  it.each(Object.entries(nextOf))("allowed_next of %s is %j, in this order", (status, next) => {
    if (!isOrderStatus(status)) throw new Error(status);
    expect(allowedNext(status)).toEqual(next);
  });

  it("a move gives its default reason and is counted, a refused one changes nothing", () => {
    const draft = newOrder();
    const submitted = moveOrder(draft, "submitted", 1);
    expect(submitted).toEqual({
      order: { value: "submitted", context: { transitionCount: 1 } },
      defaultReason: "Order submitted for review",
    });
    expect(moveOrder(draft, "booked", 1)).toBeNull();
    expect(moveOrder(draft, "draft", 1)).toBeNull();
    expect(draft).toEqual({ value: "draft", context: { transitionCount: 0 } });
  });

  it("no other word is a state", () => {
    for (const word of ["", "Draft", "constructor", "__proto__", "live"]) expect(isOrderStatus(word)).toBe(false);
  });

  it("every path of the model is walked by pure steps, over every move", () => {
    const walked = pathMoves(orderMachine, newOrder(), events).map((move) => move.split(" "));
    const seen = new Set(walked.map(([from, , to]) => `${from} ${to}`));
    const back = new Set(["rejected draft", "failed draft"]);
    const expected = moves.map(([from, to]) => `${from} ${to}`).filter((move) => !back.has(move));
    expect([...seen].sort()).toEqual(expected.sort());
  });

  it("pure steps equal a live actor, and the count is that of the moves", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (sequence) => {
        const strides = walkBothWays(orderMachine, newOrder(), sequence);
        const done = strides.filter(({ after }) => after !== null);
        for (const { before, after } of done) {
          if (after === null) continue;
          expectPlainJson(after);
          expect(nextOf[before.value]).toContain(after.value);
        }
        expect(done.at(-1)?.after?.context.transitionCount ?? 0).toBe(done.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("order: what it does to its deal", () => {
  it.each([
    ["booked", "ACTIVATE"],
    ["cancelled", "CANCEL"],
    ["unbooked", "UNBOOK"],
    ["failed", null],
    ["rejected", null],
    ["completed", null],
    ["submitted", null],
  ] as const)("an order that is %s gives its deal %s", (status, event) => {
    expect(dealEventOf(status)).toBe(event);
  });

  it.each([
    ["draft", "cancelled"],
    ["submitted", "cancelled"],
    ["pending_approval", "cancelled"],
    ["approved", "cancelled"],
    ["in_progress", "cancelled"],
    ["booked", "unbooked"],
    ["syncing", null],
    ["unbooked", null],
    ["completed", null],
  ] as const)("a cancellation takes an order that is %s to %s", (status, target) => {
    expect(cancellationTarget(status)).toBe(target);
  });

  it("may be asked for in six states", () => {
    expect(cancellableStatuses).toEqual([
      "draft",
      "submitted",
      "pending_approval",
      "approved",
      "in_progress",
      "booked",
    ]);
  });
});
