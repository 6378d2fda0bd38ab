import { assign, setup } from "xstate";
import { begin, type InstanceOf } from "../step.ts";

/**
 * How long after each failed attempt the next one is made: the first within ten seconds, then further and further
 * apart, over three days in all (decision 90).
 */
const retryDelaysMs: readonly number[] = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 72_000_000,
];

/** A delay grows by up to a tenth, so that what failed together is not tried again together. */
const mostJitter = 0.1;

interface DeliveryContext {
  /** Attempts made, over all rounds. */
  readonly attempts: number;
  /** Failed attempts since the delivery was made or replayed. */
  readonly failures: number;
  /** When it is sent next; while it is claimed, when the claim has run out. Null: never. */
  readonly nextAttemptAtMs: number | null;
  /** Until when one sender has it to itself; null: nobody has. */
  readonly claimedUntilMs: number | null;
  readonly finishedAtMs: number | null;
}

type DeliveryEvent =
  /** A sender takes it; if the sender dies, it is due again after the lease. */
  | { readonly type: "CLAIM"; readonly nowMs: number; readonly leaseMs: number }
  /** No sender has room for it now. */
  | { readonly type: "POSTPONE"; readonly nowMs: number; readonly delayMs: number }
  | { readonly type: "SUCCEED"; readonly nowMs: number }
  /** `jitter` from 0 to 1. */
  | { readonly type: "FAIL"; readonly nowMs: number; readonly jitter: number }
  /** Trying again is of no use: the receiver is gone, or may not be told any more. */
  | { readonly type: "GIVE_UP"; readonly nowMs: number }
  | { readonly type: "REPLAY"; readonly nowMs: number };

const finished = (nowMs: number) => ({ nextAttemptAtMs: null, claimedUntilMs: null, finishedAtMs: nowMs });

const delayAfter = (failures: number, jitter: number): number =>
  Math.round((retryDelaysMs[failures] ?? 0) * (1 + mostJitter * jitter));

/**
 * A webhook delivery's life: pending until the receiver takes it or the last attempt fails, then delivered or dead. An
 * operator or its buyer can replay it in any state (decisions 71 and 90).
 */
export const deliveryMachine = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as DeliveryEvent,
    input: {} as Pick<DeliveryContext, "nextAttemptAtMs">,
  },
}).createMachine({
  id: "webhook-delivery",
  context: ({ input }) => ({ attempts: 0, failures: 0, ...input, claimedUntilMs: null, finishedAtMs: null }),
  initial: "pending",
  states: {
    pending: {
      on: {
        CLAIM: {
          guard: ({ context, event }) => context.claimedUntilMs === null || context.claimedUntilMs <= event.nowMs,
          actions: assign(({ event }) => {
            const untilMs = event.nowMs + event.leaseMs;
            return { nextAttemptAtMs: untilMs, claimedUntilMs: untilMs };
          }),
        },
        POSTPONE: {
          guard: ({ context, event }) => context.claimedUntilMs === null || context.claimedUntilMs <= event.nowMs,
          actions: assign(({ event }) => ({ nextAttemptAtMs: event.nowMs + event.delayMs, claimedUntilMs: null })),
        },
        SUCCEED: {
          target: "delivered",
          actions: assign(({ context, event }) => ({ attempts: context.attempts + 1, ...finished(event.nowMs) })),
        },
        FAIL: [
          {
            guard: ({ context }) => context.failures < retryDelaysMs.length,
            actions: assign(({ context, event }) => ({
              attempts: context.attempts + 1,
              failures: context.failures + 1,
              nextAttemptAtMs: event.nowMs + delayAfter(context.failures, event.jitter),
              claimedUntilMs: null,
            })),
          },
          {
            target: "dead",
            actions: assign(({ context, event }) => ({
              attempts: context.attempts + 1,
              failures: context.failures + 1,
              ...finished(event.nowMs),
            })),
          },
        ],
        GIVE_UP: { target: "dead", actions: assign(({ event }) => finished(event.nowMs)) },
      },
    },
    delivered: {},
    dead: {},
  },
  on: {
    REPLAY: {
      target: ".pending",
      actions: assign(({ event }) => ({
        failures: 0,
        nextAttemptAtMs: event.nowMs,
        claimedUntilMs: null,
        finishedAtMs: null,
      })),
    },
  },
});

export type DeliveryInstance = InstanceOf<typeof deliveryMachine>;

/** A delivery as it is made: due at once. */
export const newDelivery = (nowMs: number): DeliveryInstance => begin(deliveryMachine, { nextAttemptAtMs: nowMs });
