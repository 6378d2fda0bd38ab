import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";
import {
  closingOutcome,
  counterOutcome,
  lastBuyerMicros,
  lastSellerMicros,
  lowestOffer,
  madeFinalOffer,
  type NegotiationContext,
  offerOutcome,
  type Outcome,
  roundsUsed,
} from "./rounds.ts";

export type NegotiationEvent =
  | { readonly type: "OFFER"; readonly nowMs: number; readonly priceMicros: number; readonly approvalId: string | null }
  | { readonly type: "ACCEPT"; readonly nowMs: number }
  | { readonly type: "REJECT"; readonly nowMs: number }
  | { readonly type: "RELEASE"; readonly nowMs: number }
  | { readonly type: "REFUSE"; readonly nowMs: number }
  | { readonly type: "COUNTER"; readonly nowMs: number; readonly priceMicros: number }
  | { readonly type: "EXPIRE"; readonly nowMs: number };

type Input = { readonly context: NegotiationContext; readonly event: NegotiationEvent };

const isLive = ({ context, event }: Input): boolean => event.nowMs < context.expiresAtMs;

const offered = (input: Input): Outcome | null => {
  const { context, event } = input;
  if (event.type !== "OFFER" || context.held !== null || !isLive(input)) return null;
  return Number.isSafeInteger(event.priceMicros) ? offerOutcome(context, event.priceMicros, event.nowMs) : null;
};

const isGated = (input: Input): boolean => {
  const action = offered(input)?.round.action;
  const approvalId = input.event.type === "OFFER" ? input.event.approvalId : null;
  return approvalId !== null && (action === "accept" || action === "final_offer");
};

/** A human's counter lies between the floor and the buyer's computed price. */
const isFair = ({ context, event }: Input): boolean =>
  event.type === "COUNTER" &&
  Number.isSafeInteger(event.priceMicros) &&
  event.priceMicros >= context.floorMicros &&
  event.priceMicros <= context.ceilingMicros;

const struck = (context: NegotiationContext, sellerMicros: number): number =>
  Math.min(sellerMicros, context.ceilingMicros);

/** A message prolongs a negotiation that has its own lifetime. */
const withRound = (context: NegotiationContext, outcome: Outcome, nowMs: number): Partial<NegotiationContext> => ({
  rounds: [...context.rounds, outcome.round],
  conceded: outcome.conceded,
  agreedMicros: outcome.round.action === "accept" ? struck(context, outcome.round.sellerMicros) : null,
  expiresAtMs: context.lifetimeMs === null ? context.expiresAtMs : nowMs + context.lifetimeMs,
});

/** The round that was shown gives way to the decided one. */
const withHeld = (context: NegotiationContext, outcome: Outcome, nowMs: number): Partial<NegotiationContext> => ({
  ...withRound({ ...context, rounds: context.rounds.slice(0, -1) }, outcome, nowMs),
  held: null,
});

const shownOf = (context: NegotiationContext): { readonly buyerMicros: number; readonly sellerMicros: number } => ({
  buyerMicros: lastBuyerMicros(context) ?? context.baseMicros,
  sellerMicros: lastSellerMicros(context),
});

/**
 * What an approval holds back shows as a counter at the last price until RELEASE, REFUSE or COUNTER.
 */
export const negotiationMachine = setup({
  types: { context: {} as NegotiationContext, events: {} as NegotiationEvent, input: {} as NegotiationContext },
  guards: {
    isHeldBack: (input) => isGated(input),
    strikes: (input) => offered(input)?.round.action === "accept",
    breaksOff: (input) => offered(input)?.round.action === "reject",
    goesOn: (input) => offered(input) !== null,
    isFree: (input) => isLive(input) && input.context.held === null,
    isLive: (input) => isLive(input),
    isOver: (input) => !isLive(input),
    releasesDeal: (input) => isLive(input) && input.context.held?.outcome.round.action === "accept",
    isHeld: (input) => isLive(input) && input.context.held !== null,
    isFairCounter: (input) => isLive(input) && input.context.held !== null && isFair(input),
  },
  actions: {
    answer: assign((input) => {
      const outcome = offered(input);
      return outcome === null ? {} : withRound(input.context, outcome, input.event.nowMs);
    }),
    hold: assign((input) => {
      const { context, event } = input;
      const outcome = offered(input);
      if (outcome === null || event.type !== "OFFER" || event.approvalId === null) return {};
      const prices = { buyerMicros: event.priceMicros, sellerMicros: lastSellerMicros(context) };
      const shown = counterOutcome(context, prices, event.nowMs);
      return { ...withRound(context, shown, event.nowMs), held: { approvalId: event.approvalId, outcome } };
    }),
    release: assign(({ context, event }) =>
      context.held === null ? {} : withHeld(context, context.held.outcome, event.nowMs),
    ),
    drop: assign({ held: null }),
  },
}).createMachine({
  id: "negotiation",
  context: ({ input }) => input,
  initial: "active",
  states: {
    active: {
      on: {
        OFFER: [
          { guard: "isHeldBack", actions: "hold" },
          { guard: "strikes", target: "accepted", actions: "answer" },
          { guard: "breaksOff", target: "rejected", actions: "answer" },
          { guard: "goesOn", actions: "answer" },
        ],
        ACCEPT: {
          guard: "isFree",
          target: "accepted",
          actions: assign(({ context, event }) =>
            withRound(context, closingOutcome(context, "accept", event.nowMs), event.nowMs),
          ),
        },
        REJECT: {
          guard: "isLive",
          target: "rejected",
          actions: assign(({ context, event }) => ({
            ...withRound(context, closingOutcome(context, "reject", event.nowMs), event.nowMs),
            held: null,
          })),
        },
        RELEASE: [
          { guard: "releasesDeal", target: "accepted", actions: "release" },
          { guard: "isHeld", actions: "release" },
        ],
        REFUSE: { guard: "isHeld", target: "rejected", actions: "drop" },
        COUNTER: {
          guard: "isFairCounter",
          actions: assign(({ context, event }) => {
            const prices = { ...shownOf(context), sellerMicros: event.priceMicros };
            const before = { ...context, rounds: context.rounds.slice(0, -1) };
            return withHeld(context, counterOutcome(before, prices, event.nowMs), event.nowMs);
          }),
        },
        EXPIRE: { guard: "isOver", target: "expired", actions: "drop" },
      },
    },
    accepted: { type: "final" },
    rejected: { type: "final" },
    expired: { type: "final" },
  },
});

export type NegotiationInstance = InstanceOf<typeof negotiationMachine>;
/**
 * A floor above the base (one finer than a cent) is lowered to it: the seller never asks for more than it opened with.
 */
export const newNegotiation = (
  start: Pick<
    NegotiationContext,
    "limits" | "baseMicros" | "floorMicros" | "ceilingMicros" | "expiresAtMs" | "lifetimeMs"
  >,
): NegotiationInstance =>
  begin(negotiationMachine, {
    ...start,
    floorMicros: Math.min(start.floorMicros, start.baseMicros),
    rounds: [],
    conceded: 0,
    held: null,
    agreedMicros: null,
  });

/** For an offer fine in price but not in volume, or a price that a human named. */
export const counteredNegotiation = (
  start: Parameters<typeof newNegotiation>[0],
  prices: { readonly buyerMicros: number; readonly sellerMicros: number },
  nowMs: number,
): NegotiationInstance => {
  const { value, context } = newNegotiation(start);
  const { round, conceded } = counterOutcome(context, prices, nowMs);
  return { value, context: { ...context, rounds: [round], conceded } };
};

export const negotiationDeadline = (negotiation: NegotiationInstance): Deadline<"EXPIRE"> | null =>
  negotiation.value === "active" ? { atMs: negotiation.context.expiresAtMs, type: "EXPIRE" } : null;

export const isLastOffer = ({ value, context }: NegotiationInstance): boolean => {
  const last = context.rounds.at(-1);
  if (value !== "active" || last === undefined || context.held !== null) return false;
  const isSpent = madeFinalOffer(context) || roundsUsed(context) >= context.limits.maxRounds;
  return isSpent || last.sellerMicros <= lowestOffer(context);
};

export const roundsRemaining = ({ value, context }: NegotiationInstance): number =>
  value === "active" ? Math.max(0, context.limits.maxRounds - roundsUsed(context)) : 0;
