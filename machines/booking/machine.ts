import { assign, setup } from "xstate";
import type { InstanceOf } from "../step.ts";

/** `progress` from 0 to 1, never back. Once `bookingStarted`, sellers have lines, so the job cannot be cancelled. */
export interface BookingContext {
  readonly progress: number;
  readonly bookingStarted: boolean;
  readonly errors: readonly string[];
}

interface Timed {
  readonly nowMs: number;
}

export type BookingEvent =
  | ({ readonly type: "START" | "ALLOCATED" | "RESEARCHED" | "NEGOTIATED" | "APPROVE" | "CANCEL" } & Timed)
  | ({ readonly type: "ADVANCE"; readonly progress: number; readonly errors: readonly string[] } & Timed)
  | ({ readonly type: "RECOMMEND"; readonly recommendationCount: number } & Timed)
  | ({ readonly type: "WAIT"; readonly waitingCount: number } & Timed)
  /** The money of rejected and failed lines is offered anew. */
  | ({ readonly type: "REPLAN"; readonly freeMicros: number } & Timed)
  | ({ readonly type: "COMPLETE"; readonly errors: readonly string[] } & Timed)
  | ({ readonly type: "FAIL"; readonly errors: readonly string[] } & Timed);

export const bookingProgress = {
  pending: 0,
  started: 0.1,
  prepared: 0.2,
  allocated: 0.4,
  researched: 0.8,
  negotiated: 0.85,
  awaitingApproval: 0.9,
  booking: 0.95,
  done: 1,
} as const;

export const researchProgress = (sellersDone: number, sellerCount: number): number =>
  sellerCount === 0
    ? bookingProgress.researched
    : Math.min(bookingProgress.researched, (40 + Math.floor((40 * sellersDone) / sellerCount)) / 100);

const atLeast =
  (progress: number) =>
  ({ context }: { readonly context: BookingContext }): number =>
    Math.max(context.progress, progress);

const cancel = { target: "failed", actions: "cancel" } as const;
const fail = { target: "failed", actions: "blame" } as const;
const recommend = { guard: "hasRecommendations", target: "awaiting_approval", actions: "present" } as const;
const advance = { guard: "isForward", actions: "advance" } as const;

/** `allocating` to `choosing` and `booking` are the spec's `running`. Only a replan leaves `completed` and `failed`. */
export const bookingMachine = setup({
  types: { context: {} as BookingContext, events: {} as BookingEvent, input: {} as BookingContext },
  guards: {
    isForward: ({ context, event }) =>
      event.type === "ADVANCE" &&
      event.progress >= context.progress &&
      event.progress <= Math.max(context.progress, bookingProgress.negotiated),
    hasRecommendations: ({ event }) => event.type === "RECOMMEND" && event.recommendationCount > 0,
    hasWaiting: ({ event }) => event.type === "WAIT" && event.waitingCount > 0,
    hasFreeMoney: ({ event }) => event.type === "REPLAN" && event.freeMicros > 0,
    mayRetry: ({ context, event }) => context.bookingStarted && event.type === "REPLAN" && event.freeMicros > 0,
    isUndecided: ({ context }) => !context.bookingStarted,
    isBooking: ({ context }) => context.bookingStarted,
  },
  actions: {
    advance: assign(({ context, event }) =>
      event.type === "ADVANCE" ? { progress: event.progress, errors: [...context.errors, ...event.errors] } : {},
    ),
    end: assign(({ context, event }) =>
      event.type === "COMPLETE" ? { progress: bookingProgress.done, errors: [...context.errors, ...event.errors] } : {},
    ),
    blame: assign(({ context, event }) =>
      event.type === "FAIL" ? { errors: [...context.errors, ...event.errors] } : {},
    ),
    present: assign({ progress: atLeast(bookingProgress.awaitingApproval) }),
    cancel: assign({ errors: ({ context }) => [...context.errors, "cancelled"] }),
  },
}).createMachine({
  id: "booking",
  context: ({ input }) => input,
  initial: "pending",
  states: {
    pending: {
      on: {
        START: { target: "allocating", actions: assign({ progress: atLeast(bookingProgress.started) }) },
        CANCEL: cancel,
      },
    },
    allocating: {
      on: {
        ADVANCE: advance,
        ALLOCATED: { target: "researching", actions: assign({ progress: atLeast(bookingProgress.allocated) }) },
        FAIL: fail,
        CANCEL: cancel,
      },
    },
    researching: {
      on: {
        ADVANCE: advance,
        RESEARCHED: { target: "negotiating", actions: assign({ progress: atLeast(bookingProgress.researched) }) },
        RECOMMEND: recommend,
        COMPLETE: { guard: "isBooking", target: "completed", actions: "end" },
        FAIL: fail,
        CANCEL: { ...cancel, guard: "isUndecided" },
      },
    },
    negotiating: {
      on: {
        ADVANCE: advance,
        NEGOTIATED: { target: "choosing", actions: assign({ progress: atLeast(bookingProgress.negotiated) }) },
        FAIL: fail,
        CANCEL: { ...cancel, guard: "isUndecided" },
      },
    },
    choosing: {
      on: {
        ADVANCE: advance,
        RECOMMEND: recommend,
        COMPLETE: { guard: "isBooking", target: "completed", actions: "end" },
        FAIL: fail,
        CANCEL: { ...cancel, guard: "isUndecided" },
      },
    },
    awaiting_approval: {
      on: {
        APPROVE: {
          target: "booking",
          actions: assign({ bookingStarted: true, progress: atLeast(bookingProgress.booking) }),
        },
        REPLAN: { guard: "hasFreeMoney", target: "researching" },
        CANCEL: { ...cancel, guard: "isUndecided" },
      },
    },
    booking: {
      on: {
        WAIT: { guard: "hasWaiting", target: "awaiting_approval" },
        COMPLETE: { target: "completed", actions: "end" },
        FAIL: fail,
      },
    },
    completed: { on: { REPLAN: { guard: "hasFreeMoney", target: "researching" } } },
    failed: { on: { REPLAN: { guard: "mayRetry", target: "researching" } } },
  },
});

export type BookingInstance = InstanceOf<typeof bookingMachine>;
export type BookingState = BookingInstance["value"];

export const bookingStatuses = ["pending", "running", "awaiting_approval", "completed", "failed"] as const;

export type BookingStatus = (typeof bookingStatuses)[number];

export const newBooking = (): BookingInstance => ({
  value: "pending",
  context: { progress: bookingProgress.pending, bookingStarted: false, errors: [] },
});
