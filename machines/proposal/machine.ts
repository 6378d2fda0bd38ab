import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

type HeldRecommendation = "accept" | "counter";

/**
 * No agreed price exceeds `ceilingMicros`, the buyer's computed price. An accepted proposal can be booked once, until
 * `bookableUntilMs`.
 */
export interface ProposalContext {
  readonly offeredMicros: number;
  readonly impressions: number;
  readonly ceilingMicros: number;
  readonly lowestMicros: number;
  readonly sellerMicros: number | null;
  readonly agreedMicros: number | null;
  readonly heldFor: HeldRecommendation | null;
  readonly expiresAtMs: number;
  readonly bookableUntilMs: number | null;
  readonly dealId: string | null;
  readonly closedReason: string | null;
}

interface Priced {
  readonly nowMs: number;
  readonly priceMicros: number;
}

export type ProposalEvent =
  | ({ readonly type: "ACCEPT"; readonly bookableUntilMs: number } & Priced)
  | ({ readonly type: "COUNTER"; readonly impressions: number; readonly expiresAtMs: number } & Priced)
  | ({ readonly type: "HOLD"; readonly heldFor: HeldRecommendation; readonly impressions: number } & Priced)
  | { readonly type: "RELEASE"; readonly nowMs: number; readonly expiresAtMs: number }
  | { readonly type: "REJECT"; readonly nowMs: number; readonly reason: string }
  | { readonly type: "FAIL"; readonly nowMs: number }
  | { readonly type: "EXPIRE"; readonly nowMs: number }
  | { readonly type: "BOOK"; readonly nowMs: number; readonly dealId: string };

type Input = { readonly context: ProposalContext; readonly event: ProposalEvent };

/** A price above the ceiling is agreed at the ceiling. */
const isEnough = ({ context, event }: Input): boolean =>
  "priceMicros" in event && event.priceMicros >= context.lowestMicros;

/** Not below the limit, not above what the buyer would pay anyway. */
const isFair = (input: Input): boolean =>
  isEnough(input) && "priceMicros" in input.event && input.event.priceMicros <= input.context.ceilingMicros;

const isLive = ({ context, event }: Input): boolean => event.nowMs < context.expiresAtMs;

/** RELEASE carries on what the approval held back. */
export const proposalMachine = setup({
  types: { context: {} as ProposalContext, events: {} as ProposalEvent, input: {} as ProposalContext },
  guards: {
    isEnough: (input) => isEnough(input),
    isEnoughAndLive: (input) => isEnough(input) && isLive(input),
    isFair: (input) => isFair(input),
    isFairAndLive: (input) => isFair(input) && isLive(input),
    isLive: (input) => isLive(input),
    isOver: (input) => !isLive(input),
    releasesAcceptance: ({ context }) => context.heldFor === "accept",
    releasesCounter: ({ context }) => context.heldFor === "counter",
    isBookable: ({ context, event }) =>
      context.dealId === null && context.bookableUntilMs !== null && event.nowMs < context.bookableUntilMs,
  },
  actions: {
    close: assign({
      closedReason: ({ event }) => (event.type === "REJECT" ? event.reason : null),
      heldFor: null,
    }),
    strike: assign(({ context, event }) =>
      event.type === "ACCEPT"
        ? {
            agreedMicros: Math.min(event.priceMicros, context.ceilingMicros),
            bookableUntilMs: event.bookableUntilMs,
            sellerMicros: null,
          }
        : {},
    ),
    offer: assign(({ event }) =>
      event.type === "COUNTER"
        ? {
            sellerMicros: event.priceMicros,
            impressions: event.impressions,
            expiresAtMs: event.expiresAtMs,
            heldFor: null,
          }
        : {},
    ),
  },
}).createMachine({
  id: "proposal",
  context: ({ input }) => input,
  initial: "initialized",
  states: {
    initialized: {
      on: {
        ACCEPT: { guard: "isEnough", target: "accepted", actions: "strike" },
        COUNTER: { guard: "isFair", target: "counter_pending", actions: "offer" },
        HOLD: {
          guard: "isEnough",
          target: "pending_approval",
          actions: assign({
            heldFor: ({ event }) => event.heldFor,
            sellerMicros: ({ context, event }) => Math.min(event.priceMicros, context.ceilingMicros),
            impressions: ({ event }) => event.impressions,
          }),
        },
        REJECT: { target: "rejected", actions: "close" },
        FAIL: { target: "failed" },
      },
    },
    pending_approval: {
      on: {
        RELEASE: [
          {
            guard: "releasesAcceptance",
            target: "accepted",
            actions: assign({
              agreedMicros: ({ context }) => context.sellerMicros,
              sellerMicros: null,
              heldFor: null,
              bookableUntilMs: ({ event }) => event.expiresAtMs,
            }),
          },
          {
            guard: "releasesCounter",
            target: "counter_pending",
            actions: assign({ heldFor: null, expiresAtMs: ({ event }) => event.expiresAtMs }),
          },
        ],
        COUNTER: { guard: "isFair", target: "counter_pending", actions: "offer" },
        REJECT: { target: "rejected", actions: "close" },
      },
    },
    counter_pending: {
      on: {
        ACCEPT: { guard: "isEnoughAndLive", target: "accepted", actions: "strike" },
        COUNTER: { guard: "isFairAndLive", actions: "offer" },
        REJECT: { guard: "isLive", target: "rejected", actions: "close" },
        EXPIRE: { guard: "isOver", target: "rejected", actions: assign({ closedReason: "Not answered in time" }) },
      },
    },
    accepted: {
      on: { BOOK: { guard: "isBookable", actions: assign({ dealId: ({ event }) => event.dealId }) } },
    },
    rejected: { type: "final" },
    failed: { type: "final" },
  },
});

export type ProposalInstance = InstanceOf<typeof proposalMachine>;
export const newProposal = (
  terms: Pick<ProposalContext, "offeredMicros" | "impressions" | "ceilingMicros" | "lowestMicros" | "expiresAtMs">,
): ProposalInstance =>
  begin(proposalMachine, {
    ...terms,
    sellerMicros: null,
    agreedMicros: null,
    heldFor: null,
    bookableUntilMs: null,
    dealId: null,
    closedReason: null,
  });

/** A held proposal has the deadline of its approval instead. */
export const proposalDeadline = (proposal: ProposalInstance): Deadline<"EXPIRE"> | null =>
  proposal.value === "counter_pending" ? { atMs: proposal.context.expiresAtMs, type: "EXPIRE" } : null;
