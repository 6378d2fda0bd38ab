import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

export type CanceledBy = "buyer" | "seller";

interface Cancellation {
  readonly atMs: number;
  readonly by: CanceledBy;
  readonly reason: string;
}

interface MediaBuyContext {
  /** Until when a person may approve it; null: it needed none. */
  readonly decideUntilMs: number | null;
  readonly confirmedAtMs: number | null;
  readonly rejectionReason: string | null;
  readonly cancellation: Cancellation | null;
}

export type MediaBuyEvent =
  | { readonly type: "APPROVE" | "TIME_OUT"; readonly nowMs: number }
  | { readonly type: "REJECT"; readonly nowMs: number; readonly reason: string }
  | { readonly type: "CANCEL"; readonly nowMs: number; readonly by: CanceledBy; readonly reason: string };

/** Whether it is bought. What becomes of what was bought is told by its packages' orders. */
export const mediaBuyMachine = setup({
  types: { context: {} as MediaBuyContext, events: {} as MediaBuyEvent, input: {} as MediaBuyContext },
  guards: {
    isInTime: ({ context, event }) => context.decideUntilMs !== null && event.nowMs < context.decideUntilMs,
    isLate: ({ context, event }) => context.decideUntilMs !== null && event.nowMs >= context.decideUntilMs,
  },
}).createMachine({
  id: "media-buy",
  context: ({ input }) => input,
  initial: "submitted",
  states: {
    submitted: {
      on: {
        APPROVE: {
          guard: "isInTime",
          target: "confirmed",
          actions: assign({ confirmedAtMs: ({ event }) => event.nowMs }),
        },
        REJECT: {
          guard: "isInTime",
          target: "rejected",
          actions: assign({ rejectionReason: ({ event }) => event.reason }),
        },
        TIME_OUT: {
          guard: "isLate",
          target: "rejected",
          actions: assign({ rejectionReason: "Not approved in time" }),
        },
      },
    },
    confirmed: {
      on: {
        CANCEL: {
          target: "canceled",
          actions: assign({ cancellation: ({ event: { nowMs: atMs, by, reason } }) => ({ atMs, by, reason }) }),
        },
      },
    },
    rejected: { type: "final" },
    canceled: { type: "final" },
  },
});

export type MediaBuyInstance = InstanceOf<typeof mediaBuyMachine>;

export const submittedBuy = (decideUntilMs: number): MediaBuyInstance =>
  begin(mediaBuyMachine, { decideUntilMs, confirmedAtMs: null, rejectionReason: null, cancellation: null });

export const confirmedBuy = (nowMs: number): MediaBuyInstance => ({
  value: "confirmed",
  context: { decideUntilMs: null, confirmedAtMs: nowMs, rejectionReason: null, cancellation: null },
});

export const mediaBuyDeadline = (buy: MediaBuyInstance): Deadline<"TIME_OUT"> | null =>
  buy.value === "submitted" && buy.context.decideUntilMs !== null
    ? { atMs: buy.context.decideUntilMs, type: "TIME_OUT" }
    : null;
