import { describe, expect, it } from "vitest";
import { assign, createMachine, initialTransition } from "xstate";
import { newQuote, quoteDeadline, quoteMachine } from "../../machines/quote/machine.ts";
import { begin, settle, step } from "../../machines/step.ts";
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

  it("the functions of one assign all see the context before it, those of the next the context after it", () => {
    const machine = createMachine({
      id: "counting",
      context: { count: 1, before: 0, after: 0 },
      initial: "open",
      states: {
        open: {
          on: {
            COUNT: {
              actions: [
                assign({ count: ({ context }) => context.count + 1, before: ({ context }) => context.count }),
                assign(({ context }) => ({ after: context.count })),
              ],
            },
            PASS: {},
          },
        },
      },
    });
    const open = { value: "open", context: { count: 1, before: 0, after: 0 } };
    expect(step(machine, open, { type: "COUNT" })).toEqual({
      value: "open",
      context: { count: 2, before: 1, after: 2 },
    });
    expect(step(machine, open, { type: "PASS" })).toBeNull();
  });

  it("a machine that is more than flat states and assignments is refused, not stepped wrongly", () => {
    const nested = createMachine({ id: "nested", initial: "a", states: { a: { initial: "b", states: { b: {} } } } });
    expect(() => begin(nested, undefined)).toThrow("states within states");
    const greeting = createMachine({ id: "greeting", initial: "a", states: { a: { entry: () => undefined } } });
    expect(() => begin(greeting, undefined)).toThrow("does more than assign");
    const doing = createMachine({
      id: "doing",
      initial: "a",
      states: { a: { on: { GO: { actions: () => undefined } } } },
    });
    expect(() => step(doing, { value: "a", context: {} }, { type: "GO" })).toThrow("does more than assign");
  });

  it("a new instance is the machine's own initial state", () => {
    const machine = createMachine({ id: "plain", context: { count: 1 }, initial: "a", states: { a: {}, b: {} } });
    expect(begin(machine, undefined)).toEqual({ value: "a", context: { count: 1 } });
    const [first] = initialTransition(quoteMachine, quote.context);
    expect(begin(quoteMachine, quote.context)).toEqual({ value: first.value, context: first.context });
  });

  it("a machine that moves or assigns before its first event is refused: a first state is found once for all records", () => {
    const eager = createMachine({ id: "eager", initial: "a", states: { a: { always: "b" }, b: {} } });
    expect(() => begin(eager, undefined)).toThrow("does more than begin");
    const assigning = createMachine({
      id: "sum",
      context: { count: 1 },
      initial: "a",
      states: { a: { entry: assign({ count: 2 }) } },
    });
    expect(() => begin(assigning, undefined)).toThrow("does more than begin");
    const perInput = createMachine({
      id: "per input",
      types: { input: {} as { early: boolean } | undefined },
      context: ({ input }) => ({ early: input?.early ?? false }),
      initial: "a",
      states: { a: { always: { guard: ({ context }) => context.early, target: "b" } }, b: {} },
    });
    expect(() => begin(perInput, { early: false })).toThrow("does more than begin");
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
