import { lowestPrice, type Reply, type RoundAction, type Standing, replyTo, shownConcession } from "./engine.ts";
import type { NegotiationLimits } from "./limits.ts";

/** One round as it is stored and shown. Money in micros, time in milliseconds, concessions as fractions of the base. */
export interface Round {
  readonly roundNumber: number;
  readonly buyerMicros: number;
  readonly sellerMicros: number;
  readonly action: RoundAction;
  readonly concession: number;
  readonly cumulativeConcession: number;
  readonly rationale: string;
  readonly atMs: number;
}

/** A round with the total concession after it, which the next one starts from. */
export interface Outcome {
  readonly round: Round;
  readonly conceded: number;
}

/** A seller's move that waits for an approval: shown to nobody before the decision (decision 56). */
interface HeldOffer {
  readonly approvalId: string;
  readonly outcome: Outcome;
}

/**
 * A negotiation about one product and one buyer. Money in micros. `ceilingMicros` is the buyer's computed price, which
 * no agreed price passes. `lifetimeMs` is the time that each message adds; null where the negotiation ends with its
 * quote (decision 62).
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
}

/** The seller's last price, or the base before the first round. */
export const lastSellerMicros = (context: NegotiationContext): number =>
  context.rounds.at(-1)?.sellerMicros ?? context.baseMicros;

const standingOf = (context: NegotiationContext): Standing => ({
  limits: context.limits,
  baseMicros: context.baseMicros,
  floorMicros: context.floorMicros,
  lastSellerMicros: context.rounds.at(-1)?.sellerMicros ?? null,
  conceded: context.conceded,
  roundsDone: context.rounds.length,
});

/** What the seller's rules make of an offer now. It decides nothing: a gate may look at it first (decision 56). */
export const offerOutcome = (context: NegotiationContext, offerMicros: number, nowMs: number): Outcome => {
  const reply = replyTo(standingOf(context), offerMicros);
  return outcomeOf(context, reply, offerMicros, reasonOf(context, reply), nowMs);
};

/** The lowest price that the seller may come to. */
export const lowestOffer = (context: NegotiationContext): number => lowestPrice(context);

/** Why the seller answers so, without a figure: of a counter, whether it moved. */
const reasonOf = (context: NegotiationContext, { action, sellerMicros }: Reply): string => {
  if (action !== "counter") return rationaleOf[action];
  return sellerMicros < lastSellerMicros(context)
    ? "The offer is lower than the seller can agree to; it lowers its own price."
    : "The offer is too low for the seller to move; its price stands.";
};

/** The round that ends a negotiation by the buyer's word: the seller's last price stands. */
export const closingOutcome = (context: NegotiationContext, action: "accept" | "reject", nowMs: number): Outcome => {
  const sellerMicros = lastSellerMicros(context);
  const reply = { action, sellerMicros, conceded: context.conceded };
  return outcomeOf(context, reply, sellerMicros, `The buyer ${action}ed.`, nowMs);
};

/** A counter at a price that is not the engine's: the one last shown while an approval waits, or a human's own. */
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

/** Texts that a buyer reads: none names a limit of the seller. */
const rationaleOf: Readonly<Record<RoundAction, string>> = {
  accept: "The offer is accepted.",
  counter: "The seller makes a counter-offer.",
  final_offer: "This is the seller's final offer.",
  reject: "The offer is not accepted, and no further rounds follow.",
};

const outcomeOf = (
  context: NegotiationContext,
  reply: Reply,
  buyerMicros: number,
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
