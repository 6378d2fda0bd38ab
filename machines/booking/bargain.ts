import { assign, setup } from "xstate";
import type { InstanceOf } from "../step.ts";
import { microsPerCent } from "../money.ts";

/**
 * Offers rise to `walkAwayMicros` over `rounds`: by `stepMicros` where set, else along a curve; an `exponent` above 1
 * gives in late, below 1 early.
 */
export interface BargainStrategy {
  readonly name: string;
  readonly targetMicros: number;
  readonly openingMicros: number;
  readonly walkAwayMicros: number;
  readonly rounds: number;
  readonly stepMicros: number | null;
  readonly exponent: number;
  readonly takes: "limit" | "plan";
}

export interface BargainRound {
  readonly round_number: number;
  readonly buyer_micros: number;
  readonly seller_micros: number;
  readonly action: string;
  readonly rationale: string;
  readonly at_ms: number;
}

export type BargainMove =
  | { readonly type: "offer"; readonly micros: number }
  | { readonly type: "accept" }
  | { readonly type: "walk"; readonly why: string };

export interface BargainContext {
  readonly strategy: BargainStrategy;
  readonly quotedMicros: number;
  readonly rounds: readonly BargainRound[];
  /** Stored with the round before it, so that a restart sends the same move. */
  readonly next: BargainMove;
  readonly agreedMicros: number | null;
  readonly reason: string | null;
}

export type BargainEvent =
  | {
      readonly type: "ANSWER";
      readonly nowMs: number;
      readonly sellerMicros: number;
      readonly action: string;
      /** The best price that another seller asks now. */
      readonly leverageMicros: number | null;
    }
  | { readonly type: "AGREE"; readonly nowMs: number; readonly micros: number }
  | { readonly type: "WALK" | "DECLINE" | "BREAK"; readonly nowMs: number; readonly reason: string };

const wholeCents = (micros: number): number =>
  Math.max(microsPerCent, Math.floor(micros / microsPerCent) * microsPerCent);

export const plannedOffer = (strategy: BargainStrategy, round: number): number => {
  const { openingMicros, walkAwayMicros, rounds, stepMicros, exponent } = strategy;
  if (round <= 1) return Math.min(openingMicros, walkAwayMicros);
  const rise =
    stepMicros === null
      ? (walkAwayMicros - openingMicros) * Math.min(1, (round - 1) / Math.max(1, rounds - 1)) ** exponent
      : stepMicros * (round - 1);
  return Math.min(walkAwayMicros, Math.max(openingMicros, wholeCents(openingMicros + rise)));
};

/** A final price is taken or left; a seller who does not move gets no further offer. */
const moveAfter = (
  strategy: BargainStrategy,
  rounds: readonly BargainRound[],
  leverageMicros: number | null,
): BargainMove => {
  const last = rounds.at(-1);
  if (last === undefined) return { type: "offer", micros: plannedOffer(strategy, 1) };
  const { seller_micros: asked } = last;
  const planned = plannedOffer(strategy, rounds.length + 1);
  const offer = Math.max(last.buyer_micros, leverageMicros === null ? planned : Math.min(planned, leverageMicros));
  const isWithin = asked <= strategy.walkAwayMicros;
  if (isWithin && (strategy.takes === "limit" || asked <= offer)) return { type: "accept" };
  const before = rounds.at(-2);
  const stands = before !== undefined && asked >= before.seller_micros;
  if (last.action === "final_offer" || stands || rounds.length >= strategy.rounds) {
    return isWithin ? { type: "accept" } : { type: "walk", why: `${asked / 1_000_000} is above the walk-away price` };
  }
  return { type: "offer", micros: offer };
};

export const bargainMachine = setup({
  types: { context: {} as BargainContext, events: {} as BargainEvent, input: {} as BargainContext },
  guards: {
    isPrice: ({ event }) =>
      event.type === "ANSWER" && Number.isSafeInteger(event.sellerMicros) && event.sellerMicros > 0,
    isWithinLimit: ({ context, event }) =>
      event.type === "AGREE" && event.micros > 0 && event.micros <= context.strategy.walkAwayMicros,
  },
  actions: {
    answer: assign(({ context, event }) => {
      if (event.type !== "ANSWER" || context.next.type !== "offer") return {};
      const round: BargainRound = {
        round_number: context.rounds.length + 1,
        buyer_micros: context.next.micros,
        seller_micros: event.sellerMicros,
        action: event.action,
        rationale: rationaleOf(context.strategy, context.rounds.length + 1, event.leverageMicros),
        at_ms: event.nowMs,
      };
      const rounds = [...context.rounds, round];
      return { rounds, next: moveAfter(context.strategy, rounds, event.leverageMicros) };
    }),
    end: assign(({ event }) => ("reason" in event ? { reason: event.reason } : {})),
  },
}).createMachine({
  id: "bargain",
  context: ({ input }) => input,
  initial: "open",
  states: {
    open: {
      on: {
        ANSWER: { guard: "isPrice", actions: "answer" },
        AGREE: {
          guard: "isWithinLimit",
          target: "accepted",
          actions: assign(({ event }) => (event.type === "AGREE" ? { agreedMicros: event.micros } : {})),
        },
        WALK: { target: "walked_away", actions: "end" },
        DECLINE: { target: "declined", actions: "end" },
        BREAK: { target: "error", actions: "end" },
      },
    },
    accepted: { type: "final" },
    walked_away: { type: "final" },
    declined: { type: "final" },
    error: { type: "final" },
  },
});

const rationaleOf = (strategy: BargainStrategy, round: number, leverageMicros: number | null): string => {
  const planned = `${strategy.name}: round ${round} of ${strategy.rounds}`;
  return leverageMicros === null ? planned : `${planned}, another seller asks ${leverageMicros / 1_000_000}`;
};

export type BargainInstance = InstanceOf<typeof bargainMachine>;

export const newBargain = (strategy: BargainStrategy, quotedMicros: number): BargainInstance => ({
  value: "open",
  context: {
    strategy,
    quotedMicros,
    rounds: [],
    next: moveAfter(strategy, [], null),
    agreedMicros: null,
    reason: null,
  },
});
