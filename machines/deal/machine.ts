import { assign, setup } from "xstate";
import { completionMs } from "../inventory/flight.ts";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

export interface DealTerms {
  readonly priceMicros: number;
  readonly impressions: number | null;
  readonly flightStart: string;
  readonly flightEnd: string;
}

/** `expiresAtMs`: when a proposed deal lapses. `awaitingApproval` keeps it from becoming active. */
export interface DealContext {
  readonly terms: DealTerms;
  readonly expiresAtMs: number;
  readonly awaitingApproval: boolean;
  readonly statusReason: string | null;
  /** Rejected by a cancellation. */
  readonly isCancelled?: boolean;
}

interface Reasoned {
  readonly nowMs: number;
  readonly reason: string;
}

export type DealEvent =
  | ({ readonly type: "ACTIVATE" } & Reasoned)
  | ({ readonly type: "REJECT" } & Reasoned)
  | ({ readonly type: "CANCEL" } & Reasoned)
  | ({ readonly type: "UNBOOK"; readonly expiresAtMs: number } & Reasoned)
  | { readonly type: "APPROVE"; readonly nowMs: number }
  | { readonly type: "AMEND"; readonly nowMs: number; readonly terms: DealTerms }
  | { readonly type: "EXPIRE"; readonly nowMs: number }
  | { readonly type: "COMPLETE"; readonly nowMs: number };

/** Seller spec, States, Deal. UNBOOK gives a new time to be activated again. */
export const dealMachine = setup({
  types: { context: {} as DealContext, events: {} as DealEvent, input: {} as DealContext },
  guards: {
    isLive: ({ context, event }) => event.nowMs < context.expiresAtMs,
    isOver: ({ context, event }) => event.nowMs >= context.expiresAtMs,
    isActivable: ({ context, event }) => event.nowMs < context.expiresAtMs && !context.awaitingApproval,
    isAwaitingApproval: ({ context, event }) => event.nowMs < context.expiresAtMs && context.awaitingApproval,
    isFlightOver: ({ context, event }) => event.nowMs >= completionMs(context.terms.flightEnd),
    isInFlight: ({ context, event }) => event.nowMs < completionMs(context.terms.flightEnd),
  },
}).createMachine({
  id: "deal",
  context: ({ input }) => input,
  initial: "proposed",
  states: {
    proposed: {
      on: {
        ACTIVATE: {
          guard: "isActivable",
          target: "active",
          actions: assign({ statusReason: ({ event }) => event.reason }),
        },
        REJECT: {
          guard: "isLive",
          target: "rejected",
          actions: assign({ statusReason: ({ event }) => event.reason, awaitingApproval: false }),
        },
        CANCEL: {
          guard: "isLive",
          target: "rejected",
          actions: assign({
            statusReason: ({ event }) => event.reason,
            awaitingApproval: false,
            isCancelled: true,
          }),
        },
        APPROVE: { guard: "isAwaitingApproval", actions: assign({ awaitingApproval: false }) },
        AMEND: { guard: "isLive", actions: assign({ terms: ({ event }) => event.terms }) },
        EXPIRE: {
          guard: "isOver",
          target: "expired",
          actions: assign({ statusReason: "Not activated in time", awaitingApproval: false }),
        },
      },
    },
    active: {
      on: {
        COMPLETE: {
          guard: "isFlightOver",
          target: "completed",
          actions: assign({ statusReason: "Flight ended" }),
        },
        CANCEL: {
          guard: "isInFlight",
          target: "rejected",
          actions: assign({ statusReason: ({ event }) => event.reason, isCancelled: true }),
        },
        UNBOOK: {
          guard: "isInFlight",
          target: "proposed",
          actions: assign({
            statusReason: ({ event }) => event.reason,
            expiresAtMs: ({ event }) => event.expiresAtMs,
          }),
        },
        AMEND: { guard: "isInFlight", actions: assign({ terms: ({ event }) => event.terms }) },
      },
    },
    rejected: { type: "final" },
    expired: { type: "final" },
    completed: { type: "final" },
  },
});

export type DealInstance = InstanceOf<typeof dealMachine>;
export type DealStatus = DealInstance["value"];

export const newDeal = (booking: Pick<DealContext, "terms" | "expiresAtMs" | "awaitingApproval">): DealInstance =>
  begin(dealMachine, {
    terms: booking.terms,
    expiresAtMs: booking.expiresAtMs,
    awaitingApproval: booking.awaitingApproval,
    statusReason: null,
  });

/** An active deal completes at 00:00 UTC after its flight end. */
export const dealDeadline = (deal: DealInstance): Deadline<"EXPIRE" | "COMPLETE"> | null => {
  if (deal.value === "proposed") return { atMs: deal.context.expiresAtMs, type: "EXPIRE" };
  if (deal.value === "active") return { atMs: completionMs(deal.context.terms.flightEnd), type: "COMPLETE" };
  return null;
};
