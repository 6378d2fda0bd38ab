import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  newQuote,
  quoteDeadline,
  quoteForgetAtMs,
  quoteMachine,
  type QuoteEvent,
} from "../../../machines/quote/machine.ts";
import { step } from "../../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "../walks.ts";

const expiresAtMs = 1_000;
const quote = newQuote({ expiresAtMs, priceMicros: 29_920_000, ceilingMicros: 31_500_000 });
const negotiated = step(quoteMachine, quote, { type: "OPEN_NEGOTIATION", nowMs: 0, negotiationId: "neg-1" });
if (negotiated === null) throw new Error("a fresh quote is negotiable");

const events: readonly QuoteEvent[] = [
  { type: "BOOK", nowMs: 500, dealId: "DEMO-1" },
  { type: "EXPIRE", nowMs: 1_000 },
  { type: "DECLINE", nowMs: 500, cause: "operator" },
  { type: "DECLINE", nowMs: 500, cause: "inventory_unavailable" },
  { type: "OPEN_NEGOTIATION", nowMs: 500, negotiationId: "neg-1" },
  { type: "CLOSE_NEGOTIATION", nowMs: 600, agreedMicros: 29_000_000 },
  { type: "CLOSE_NEGOTIATION", nowMs: 600, agreedMicros: null },
];

describe("quote: transition table", () => {
  it("moves as the spec says, and from booked, expired and declined nowhere", () => {
    expect(checkedTable(quoteMachine, [quote, negotiated], events)).toEqual({
      available: ["booked", "expired", "declined"],
      booked: [],
      expired: [],
      declined: [],
    });
  });

  it("every path of the model is walked by pure steps", () => {
    expect(pathMoves(quoteMachine, quote, events)).toEqual([
      "available BOOK booked",
      "available DECLINE declined",
      "available EXPIRE expired",
    ]);
  });
});

describe("quote: guards", () => {
  it.each([
    [0, "booked"],
    [999, "booked"],
    [1_000, null],
    [1_001, null],
    [9e15, null],
  ])("quote: booked at %d ms of 1000 it is %s", (nowMs, state) => {
    expect(step(quoteMachine, quote, { type: "BOOK", nowMs, dealId: "DEMO-1" })?.value ?? null).toBe(state);
    expect(step(quoteMachine, quote, { type: "EXPIRE", nowMs })?.value ?? null).toBe(state === null ? "expired" : null);
  });

  it("quote: a booked quote names its deal and is not booked twice", () => {
    const booked = step(quoteMachine, quote, { type: "BOOK", nowMs: 1, dealId: "DEMO-1" });
    expect(booked?.context.dealId).toBe("DEMO-1");
    if (booked === null) throw new Error("expected a booking");
    for (const event of [...events, { type: "BOOK", nowMs: 2, dealId: "DEMO-2" } as const]) {
      expect(step(quoteMachine, booked, event)).toBeNull();
    }
  });

  it("quote: a declined quote keeps the cause", () => {
    const declined = step(quoteMachine, quote, { type: "DECLINE", nowMs: 1, cause: "inventory_unavailable" });
    expect(declined).toMatchObject({ value: "declined", context: { declinedFor: "inventory_unavailable" } });
  });

  it("quote: an open negotiation keeps it from being booked, its close lets it", () => {
    expect(step(quoteMachine, negotiated, { type: "BOOK", nowMs: 1, dealId: "DEMO-1" })).toBeNull();
    expect(step(quoteMachine, negotiated, { type: "OPEN_NEGOTIATION", nowMs: 1, negotiationId: "neg-2" })).toBeNull();
    const closed = step(quoteMachine, negotiated, { type: "CLOSE_NEGOTIATION", nowMs: 1, agreedMicros: null });
    expect(closed?.context).toMatchObject({ priceMicros: 29_920_000, openNegotiationId: null });
    if (closed === null) throw new Error("expected a close");
    expect(step(quoteMachine, closed, { type: "BOOK", nowMs: 2, dealId: "DEMO-1" })?.value).toBe("booked");
  });

  it("quote: the agreed price is written, never above the computed one", () => {
    const close = (agreedMicros: number) =>
      step(quoteMachine, negotiated, { type: "CLOSE_NEGOTIATION", nowMs: 1, agreedMicros });
    expect(close(29_000_000)?.context.priceMicros).toBe(29_000_000);
    expect(close(31_500_000)?.context.priceMicros).toBe(31_500_000);
    expect(close(31_500_001)).toBeNull();
    expect(step(quoteMachine, quote, { type: "CLOSE_NEGOTIATION", nowMs: 1, agreedMicros: 1 })).toBeNull();
  });
});

describe("quote: deadlines", () => {
  it("an available quote is due at its expiry, an expired one is forgotten after 30 days", () => {
    expect(quoteDeadline(quote)).toEqual({ atMs: 1_000, type: "EXPIRE" });
    expect(quoteForgetAtMs(quote)).toBeNull();
    const expired = step(quoteMachine, quote, { type: "EXPIRE", nowMs: 7_000 });
    if (expired === null) throw new Error("expected an expiry");
    expect(quoteDeadline(expired)).toBeNull();
    expect(quoteForgetAtMs(expired)).toBe(2_592_001_000);
  });
});

describe("quote: random walks", () => {
  const anyEvent = fc.oneof(
    fc.record({ type: fc.constant("BOOK" as const), nowMs: fc.nat(2_000), dealId: fc.string() }),
    fc.record({ type: fc.constant("EXPIRE" as const), nowMs: fc.nat(2_000) }),
    fc.record({
      type: fc.constant("DECLINE" as const),
      nowMs: fc.nat(2_000),
      cause: fc.constantFrom("operator" as const, "inventory_unavailable" as const),
    }),
    fc.record({
      type: fc.constant("OPEN_NEGOTIATION" as const),
      nowMs: fc.nat(2_000),
      negotiationId: fc.string(),
    }),
    fc.record({
      type: fc.constant("CLOSE_NEGOTIATION" as const),
      nowMs: fc.nat(2_000),
      agreedMicros: fc.option(fc.integer({ min: 1, max: 50_000_000 }), { nil: null }),
    }),
  );

  it("pure steps equal a live actor; only a closed negotiation moves the price, never past the ceiling", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (sequence) => {
        for (const { before, event, after } of walkBothWays(quoteMachine, quote, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          const { priceMicros, ceilingMicros } = after.context;
          if (priceMicros !== before.context.priceMicros) expect(event.type).toBe("CLOSE_NEGOTIATION");
          expect(priceMicros).toBeLessThanOrEqual(ceilingMicros);
          expect(after.context.expiresAtMs).toBe(expiresAtMs);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
