import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";
import { dayMs } from "../inventory/dates.ts";

export type DeclineCause = "operator" | "inventory_unavailable";

/**
 * No agreed price exceeds `ceilingMicros`, the buyer's computed price. `openNegotiationId` keeps the quote from being
 * booked.
 */
export interface QuoteContext {
  readonly expiresAtMs: number;
  readonly priceMicros: number;
  readonly ceilingMicros: number;
  readonly openNegotiationId: string | null;
  readonly dealId: string | null;
  readonly declinedFor: DeclineCause | null;
}

export type QuoteEvent =
  | { readonly type: "BOOK"; readonly nowMs: number; readonly dealId: string }
  | { readonly type: "EXPIRE"; readonly nowMs: number }
  | { readonly type: "DECLINE"; readonly nowMs: number; readonly cause: DeclineCause }
  | { readonly type: "OPEN_NEGOTIATION"; readonly nowMs: number; readonly negotiationId: string }
  | { readonly type: "CLOSE_NEGOTIATION"; readonly nowMs: number; readonly agreedMicros: number | null };

/** Seller spec, States, Quote. Only the end of a negotiation changes the price. */
export const quoteMachine = setup({
  types: { context: {} as QuoteContext, events: {} as QuoteEvent, input: {} as QuoteContext },
  guards: {
    isLive: ({ context, event }) => event.nowMs < context.expiresAtMs,
    isOver: ({ context, event }) => event.nowMs >= context.expiresAtMs,
    isFree: ({ context, event }) => event.nowMs < context.expiresAtMs && context.openNegotiationId === null,
    closesRightly: ({ context, event }) =>
      event.type === "CLOSE_NEGOTIATION" &&
      context.openNegotiationId !== null &&
      (event.agreedMicros === null || event.agreedMicros <= context.ceilingMicros),
  },
}).createMachine({
  id: "quote",
  context: ({ input }) => input,
  initial: "available",
  states: {
    available: {
      on: {
        BOOK: {
          guard: "isFree",
          target: "booked",
          actions: assign({ dealId: ({ event }) => event.dealId }),
        },
        EXPIRE: { guard: "isOver", target: "expired" },
        DECLINE: {
          guard: "isLive",
          target: "declined",
          actions: assign({ declinedFor: ({ event }) => event.cause }),
        },
        OPEN_NEGOTIATION: {
          guard: "isFree",
          actions: assign({ openNegotiationId: ({ event }) => event.negotiationId }),
        },
        CLOSE_NEGOTIATION: {
          guard: "closesRightly",
          actions: assign({
            openNegotiationId: null,
            priceMicros: ({ context, event }) => event.agreedMicros ?? context.priceMicros,
          }),
        },
      },
    },
    booked: { type: "final" },
    expired: { type: "final" },
    declined: { type: "final" },
  },
});

export type QuoteInstance = InstanceOf<typeof quoteMachine>;
export const newQuote = (terms: Pick<QuoteContext, "expiresAtMs" | "priceMicros" | "ceilingMicros">): QuoteInstance =>
  begin(quoteMachine, {
    expiresAtMs: terms.expiresAtMs,
    priceMicros: terms.priceMicros,
    ceilingMicros: terms.ceilingMicros,
    openNegotiationId: null,
    dealId: null,
    declinedFor: null,
  });

export const quoteDeadline = (quote: QuoteInstance): Deadline<"EXPIRE"> | null =>
  quote.value === "available" ? { atMs: quote.context.expiresAtMs, type: "EXPIRE" } : null;

/** 410 for 30 days, then 404. */
export const quoteForgetAtMs = (quote: QuoteInstance): number | null =>
  quote.value === "expired" ? quote.context.expiresAtMs + 30 * dayMs : null;
