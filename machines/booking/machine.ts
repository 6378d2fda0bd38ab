import { assign, setup } from "xstate";
import type { InstanceOf } from "../step.ts";

/**
 * What decides about a booking job. `progress` runs from 0 to 1 and never back. `bookingStarted`: the approved lines
 * are being booked, so that nothing else can be decided or cancelled any more.
 */
export interface BookingContext {
  readonly progress: number;
  readonly bookingStarted: boolean;
  readonly errors: readonly string[];
}

export type BookingEvent =
  | { readonly type: "START"; readonly nowMs: number }
  /** Work inside `running`: the progress reached, and errors that do not end the job. */
  | { readonly type: "ADVANCE"; readonly nowMs: number; readonly progress: number; readonly errors: readonly string[] }
  | { readonly type: "RECOMMEND"; readonly nowMs: number; readonly recommendationCount: number }
  | { readonly type: "APPROVE"; readonly nowMs: number }
  | { readonly type: "COMPLETE"; readonly nowMs: number; readonly errors: readonly string[] }
  | { readonly type: "FAIL"; readonly nowMs: number; readonly errors: readonly string[] }
  | { readonly type: "CANCEL"; readonly nowMs: number };

/** Progress at the moments that a poller sees (wire contract of the buyer, 3.2). */
export const bookingProgress = {
  pending: 0,
  started: 0.1,
  prepared: 0.2,
  allocated: 0.4,
  researched: 0.8,
  awaitingApproval: 0.9,
  booking: 0.95,
  done: 1,
} as const;

/** Progress while sellers are researched, in even steps from allocation to the end of research. */
export const researchProgress = (sellersDone: number, sellerCount: number): number =>
  sellerCount === 0
    ? bookingProgress.researched
    : Math.min(bookingProgress.researched, (40 + Math.floor((40 * sellersDone) / sellerCount)) / 100);

/** A booking job (buyer spec, States, Booking job; decisions 74 and 84). */
export const bookingMachine = setup({
  types: { context: {} as BookingContext, events: {} as BookingEvent, input: {} as BookingContext },
  guards: {
    isForward: ({ context, event }) =>
      event.type === "ADVANCE" && event.progress >= context.progress && event.progress <= bookingProgress.researched,
    hasRecommendations: ({ event }) => event.type === "RECOMMEND" && event.recommendationCount > 0,
    isUndecided: ({ context }) => !context.bookingStarted,
    isBooking: ({ context }) => context.bookingStarted,
  },
  actions: {
    end: assign(({ context, event }) =>
      event.type === "COMPLETE" ? { progress: bookingProgress.done, errors: [...context.errors, ...event.errors] } : {},
    ),
    blame: assign(({ context, event }) =>
      event.type === "FAIL" ? { errors: [...context.errors, ...event.errors] } : {},
    ),
    cancel: assign({ errors: ({ context }) => [...context.errors, "cancelled"] }),
  },
}).createMachine({
  id: "booking",
  context: ({ input }) => input,
  initial: "pending",
  states: {
    pending: {
      on: {
        START: { target: "running", actions: assign({ progress: bookingProgress.started }) },
        CANCEL: { target: "failed", actions: "cancel" },
      },
    },
    running: {
      on: {
        ADVANCE: {
          guard: "isForward",
          actions: assign({
            progress: ({ event }) => event.progress,
            errors: ({ context, event }) => [...context.errors, ...event.errors],
          }),
        },
        RECOMMEND: {
          guard: "hasRecommendations",
          target: "awaiting_approval",
          actions: assign({ progress: bookingProgress.awaitingApproval }),
        },
        FAIL: { target: "failed", actions: "blame" },
        CANCEL: { target: "failed", actions: "cancel" },
      },
    },
    awaiting_approval: {
      on: {
        APPROVE: {
          guard: "isUndecided",
          actions: assign({ bookingStarted: true, progress: bookingProgress.booking }),
        },
        COMPLETE: { guard: "isBooking", target: "completed", actions: "end" },
        FAIL: { guard: "isBooking", target: "failed", actions: "blame" },
        CANCEL: { guard: "isUndecided", target: "failed", actions: "cancel" },
      },
    },
    completed: { type: "final" },
    failed: { type: "final" },
  },
});

export type BookingInstance = InstanceOf<typeof bookingMachine>;
export type BookingStatus = BookingInstance["value"];

/** A job as `POST /bookings` leaves it. */
export const newBooking = (): BookingInstance => ({
  value: "pending",
  context: { progress: bookingProgress.pending, bookingStarted: false, errors: [] },
});
