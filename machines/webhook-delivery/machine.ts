import { assign, setup } from "xstate";
import { begin, type InstanceOf } from "../step.ts";

/** Three days in all. */
const retryDelaysMs: readonly number[] = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 72_000_000,
];

/** So that what failed together is not retried together. */
const mostJitter = 0.1;

interface DeliveryContext {
  /** Over all rounds. */
  readonly attempts: number;
  /** Since creation or replay. */
  readonly failures: number;
  /** While claimed: when the claim expires. */
  readonly nextAttemptAtMs: number | null;
  readonly claimedUntilMs: number | null;
  readonly finishedAtMs: number | null;
}

type DeliveryEvent =
  /** If the sender dies, the delivery is due again after the lease. */
  | { readonly type: "CLAIM"; readonly nowMs: number; readonly leaseMs: number }
  | { readonly type: "POSTPONE"; readonly nowMs: number; readonly delayMs: number }
  /** The sender stops without an attempt that counts. */
  | { readonly type: "RELEASE"; readonly nowMs: number }
  | { readonly type: "SUCCEED"; readonly nowMs: number }
  | { readonly type: "FAIL"; readonly nowMs: number; readonly jitter: number }
  /** The receiver is gone, or may not receive it any more. */
  | { readonly type: "GIVE_UP"; readonly nowMs: number }
  | { readonly type: "REPLAY"; readonly nowMs: number };

const finished = (nowMs: number) => ({ nextAttemptAtMs: null, claimedUntilMs: null, finishedAtMs: nowMs });

const delayAfter = (failures: number, jitter: number): number =>
  Math.round((retryDelaysMs[failures] ?? 0) * (1 + mostJitter * jitter));

/** Can be replayed in any state. */
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
        RELEASE: { actions: assign(({ event }) => ({ nextAttemptAtMs: event.nowMs, claimedUntilMs: null })) },
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

export const newDelivery = (nowMs: number): DeliveryInstance => begin(deliveryMachine, { nextAttemptAtMs: nowMs });
