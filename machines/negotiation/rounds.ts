import {
  concession,
  lowestPrice,
  type Reply,
  type RoundAction,
  type NegotiationState,
  replyTo,
  shownConcession,
} from "./engine.ts";
import type { NegotiationLimits } from "./limits.ts";

/** Concessions are fractions of the base. */
export interface Round {
  readonly roundNumber: number;
  /** Null: rejected before any offer. */
  readonly buyerMicros: number | null;
  readonly sellerMicros: number;
  readonly action: RoundAction;
  readonly concession: number;
  readonly cumulativeConcession: number;
  readonly rationale: string;
  readonly atMs: number;
}

export interface Outcome {
  readonly round: Round;
  readonly conceded: number;
}

/** Shown to nobody before the decision. */
interface HeldOffer {
  readonly approvalId: string;
  readonly outcome: Outcome;
}

/** What the same buyer and the seller said about the product outside this negotiation, in its own terms. */
export interface Elsewhere {
  readonly rounds: number;
  readonly bestOfferMicros: number;
  readonly sellerMicros: number;
  readonly isFinal: boolean;
}

/**
 * No agreed price exceeds `ceilingMicros`, the buyer's computed price. `lifetimeMs` is added by each message; null:
 * ends with its quote.
 */
export interface NegotiationContext {
  readonly limits: NegotiationLimits;
  readonly baseMicros: number;
  readonly floorMicros: number;
  readonly ceilingMicros: number;
  readonly rounds: readonly Round[];
  readonly conceded: number;
  readonly held: HeldOffer | null;
  readonly agreedMicros: number | null;
  readonly expiresAtMs: number;
  readonly lifetimeMs: number | null;
  readonly elsewhere?: Elsewhere;
}

export const lastSellerMicros = (context: NegotiationContext): number =>
  context.rounds.at(-1)?.sellerMicros ?? context.baseMicros;

export const madeFinalOffer = ({ rounds }: Pick<NegotiationContext, "rounds">): boolean =>
  rounds.at(-1)?.action === "final_offer";

/** Of this negotiation and what was said elsewhere, whatever is better for the buyer. */
export const stateOf = (context: NegotiationContext): NegotiationState => {
  const { limits, baseMicros, rounds, elsewhere } = context;
  const own = rounds.at(-1)?.sellerMicros ?? null;
  const offered = rounds.flatMap(({ buyerMicros }) => (buyerMicros === null ? [] : [buyerMicros]));
  const lastMicros = elsewhere === undefined ? own : Math.min(own ?? baseMicros, elsewhere.sellerMicros);
  return {
    limits,
    baseMicros,
    ceilingMicros: context.ceilingMicros,
    floorMicros: context.floorMicros,
    lastSellerMicros: lastMicros,
    bestOfferMicros: highest(elsewhere === undefined ? offered : [...offered, elsewhere.bestOfferMicros]),
    conceded: Math.max(context.conceded, concession(baseMicros, lastMicros ?? baseMicros)),
    roundsDone: roundsUsed(context),
    isFinal: madeFinalOffer(context) || elsewhere?.isFinal === true,
    isOver: rounds.length >= limits.maxRounds,
  };
};

const highest = (prices: readonly number[]): number | null => (prices.length === 0 ? null : Math.max(...prices));

export const roundsUsed = ({ rounds, elsewhere }: NegotiationContext): number =>
  rounds.length + (elsewhere?.rounds ?? 0);

/** The price that the buyer would meet now. */
export const askedMicros = (context: NegotiationContext): number =>
  stateOf(context).lastSellerMicros ?? context.baseMicros;

/** Changes nothing: a gate may look at it first. */
export const offerOutcome = (context: NegotiationContext, offerMicros: number, nowMs: number): Outcome => {
  const reply = replyTo(stateOf(context), offerMicros);
  return outcomeOf(context, reply, offerMicros, reasonOf(context, reply), nowMs);
};

export const lowestOffer = (context: NegotiationContext): number => lowestPrice(context);

/** Without a figure. */
const reasonOf = (context: NegotiationContext, { action, sellerMicros }: Reply): string => {
  if (action !== "counter") return rationaleOf[action];
  return sellerMicros < lastSellerMicros(context)
    ? "The offer is lower than the seller can agree to; it lowers its own price."
    : "The offer is too low for the seller to move; its price stands.";
};

export const lastBuyerMicros = (context: NegotiationContext): number | null =>
  context.rounds.at(-1)?.buyerMicros ?? null;

/** Who accepts takes the seller's price; who rejects has offered nothing new. */
export const closingOutcome = (context: NegotiationContext, action: "accept" | "reject", nowMs: number): Outcome => {
  const sellerMicros = lastSellerMicros(context);
  const buyerMicros = action === "accept" ? sellerMicros : lastBuyerMicros(context);
  const reply = { action, sellerMicros, conceded: context.conceded };
  return outcomeOf(context, reply, buyerMicros, `The buyer ${action}ed.`, nowMs);
};

export const counterOutcome = (
  context: NegotiationContext,
  prices: { readonly buyerMicros: number; readonly sellerMicros: number },
  nowMs: number,
): Outcome => {
  const given = (context.baseMicros - prices.sellerMicros) / context.baseMicros;
  const conceded = Math.max(context.conceded, given);
  const reply: Reply = { action: "counter", sellerMicros: prices.sellerMicros, conceded };
  return outcomeOf(context, reply, prices.buyerMicros, rationaleOf.counter, nowMs);
};

/** Buyers read these: none names a limit of the seller. */
const rationaleOf: Readonly<Record<RoundAction, string>> = {
  accept: "The offer is accepted.",
  counter: "The seller makes a counter-offer.",
  final_offer: "This is the seller's final offer.",
  reject: "The offer is not accepted, and no further rounds follow.",
};

const outcomeOf = (
  context: NegotiationContext,
  reply: Reply,
  buyerMicros: number | null,
  rationale: string,
  atMs: number,
): Outcome => ({
  conceded: reply.conceded,
  round: {
    roundNumber: context.rounds.length + 1,
    buyerMicros,
    sellerMicros: reply.sellerMicros,
    action: reply.action,
    concession: shownConcession(Math.max(0, reply.conceded - context.conceded)),
    cumulativeConcession: shownConcession(reply.conceded),
    rationale,
    atMs,
  },
});
