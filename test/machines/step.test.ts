import { describe, expect, it } from "vitest";
import { newQuote, quoteDeadline, quoteMachine } from "../../machines/quote/machine.ts";
import { allowedEvents, settle, step } from "../../machines/step.ts";
import { compileTable, nextStates } from "../../machines/table.ts";

const quote = newQuote({ expiresAtMs: 1000, priceMicros: 29_920_000, ceilingMicros: 29_920_000 });

describe("step: pure steps over stored instances", () => {
  it("an event that is not allowed gives null and changes nothing", () => {
    const before = JSON.stringify(quote);
    expect(step(quoteMachine, quote, { type: "EXPIRE", nowMs: 999 })).toBeNull();
    expect(JSON.stringify(quote)).toBe(before);
  });

  it("the instance given is left as it was", () => {
    const before = JSON.stringify(quote);
    expect(step(quoteMachine, quote, { type: "BOOK", nowMs: 0, dealId: "DEMO-1" })?.value).toBe("booked");
    expect(JSON.stringify(quote)).toBe(before);
  });

  it("allowed events come in the machine's order and follow time", () => {
    expect(allowedEvents(quoteMachine, quote, 999)).toEqual(["BOOK", "DECLINE", "OPEN_NEGOTIATION"]);
    expect(allowedEvents(quoteMachine, quote, 1000)).toEqual(["EXPIRE"]);
  });

  it("a deadline that has passed is applied before anything is read, one that has not is left", () => {
    expect(settle(quoteMachine, quoteDeadline, quote, 999)).toBe(quote);
    const late = settle(quoteMachine, quoteDeadline, quote, 1000);
    expect(late.value).toBe("expired");
    expect(settle(quoteMachine, quoteDeadline, late, 5000)).toBe(late);
  });
});

describe("table: a machine as plain data", () => {
  it("names every state, event and target in the order of the definition", () => {
    expect(compileTable(quoteMachine)).toEqual({
      available: {
        BOOK: ["booked"],
        EXPIRE: ["expired"],
        DECLINE: ["declined"],
        OPEN_NEGOTIATION: ["available"],
        CLOSE_NEGOTIATION: ["available"],
      },
      booked: {},
      expired: {},
      declined: {},
    });
  });

  it("the next states leave out the state itself", () => {
    expect(nextStates(compileTable(quoteMachine))).toEqual({
      available: ["booked", "expired", "declined"],
      booked: [],
      expired: [],
      declined: [],
    });
  });
});
