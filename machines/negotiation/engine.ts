import { ceilToCent, computedPriceMicros, fromMicros, roundHalfEven } from "../money.ts";
import type { NegotiationLimits } from "./limits.ts";

/** `ceilingMicros` is the buyer's computed price: what is conceded in all counts from it, wherever the talk opened. */
export interface NegotiationState {
  readonly limits: NegotiationLimits;
  readonly baseMicros: number;
  readonly ceilingMicros: number;
  readonly floorMicros: number;
  readonly lastSellerMicros: number | null;
  readonly bestOfferMicros: number | null;
  readonly conceded: number;
  readonly roundsDone: number;
  /** The seller's last answer was its final offer. */
  readonly isFinal: boolean;
  /** This negotiation has had all its rounds. */
  readonly isOver: boolean;
}

export type RoundAction = "accept" | "counter" | "final_offer" | "reject";

export interface Reply {
  readonly action: RoundAction;
  readonly sellerMicros: number;
  readonly conceded: number;
}

/**
 * Never below the floor or the buyer's offer, never above its own last price. Whole cents, but for a finer opening
 * price. An offer under the floor is answered as any other that is too low, or one answer would tell the floor.
 */
export const replyTo = (state: NegotiationState, offerMicros: number): Reply => {
  const { limits, baseMicros, conceded } = state;
  const lastMicros = state.lastSellerMicros ?? baseMicros;
  const round = state.roundsDone + 1;
  if (offerMicros >= baseMicros || offerMicros >= lastMicros) return accepted(state, offerMicros);
  if (offerMicros <= 0 || state.isOver) return { action: "reject", sellerMicros: baseMicros, conceded };
  if (state.isFinal || round > limits.maxRounds) {
    return { action: "final_offer", sellerMicros: lastMicros, conceded };
  }
  if (state.bestOfferMicros !== null && offerMicros <= state.bestOfferMicros) {
    const action = round === limits.maxRounds ? "final_offer" : "counter";
    return { action, sellerMicros: lastMicros, conceded };
  }
  const counterMicros = counterTo(state, lastMicros, offerMicros);
  const increment = Math.max(0, concession(baseMicros, counterMicros) - conceded);
  const isLast = increment >= 0.8 * (limits.totalCapPct / 100 - conceded) || round === limits.maxRounds;
  if (!isLast) return { action: "counter", sellerMicros: counterMicros, conceded: conceded + increment };
  const finalMicros = Math.min(lastMicros, lowestPrice(state));
  if (offerMicros >= finalMicros) return accepted(state, offerMicros);
  return { action: "final_offer", sellerMicros: finalMicros, conceded: concededBy(state, finalMicros) };
};

/** Part of the gap within both caps, in doubles and rounded once. */
const counterTo = (state: NegotiationState, lastMicros: number, offerMicros: number): number => {
  const { limits, baseMicros, floorMicros } = state;
  const last = fromMicros(lastMicros);
  const byGap = last - limits.gapShare * (last - fromMicros(offerMicros));
  const byRound = last - (limits.roundCapPct / 100) * fromMicros(baseMicros);
  const asked = computedPriceMicros(Math.max(byGap, byRound, lowestAsk(state)));
  return Math.min(lastMicros, Math.max(asked, ceilToCent(floorMicros), ceilToCent(offerMicros)));
};

/** The seller's secret. */
export const lowestPrice = (state: Pick<NegotiationState, "limits" | "ceilingMicros" | "floorMicros">): number =>
  Math.max(ceilToCent(state.floorMicros), computedPriceMicros(lowestAsk(state)));

const lowestAsk = (state: Pick<NegotiationState, "limits" | "ceilingMicros">): number =>
  fromMicros(state.ceilingMicros) * (1 - state.limits.totalCapPct / 100);

const accepted = (state: NegotiationState, offerMicros: number): Reply => ({
  action: "accept",
  sellerMicros: offerMicros,
  conceded: concededBy(state, offerMicros),
});

export const concession = (baseMicros: number, sellerMicros: number): number =>
  Math.max(0, (baseMicros - sellerMicros) / baseMicros);

const concededBy = (state: NegotiationState, sellerMicros: number): number =>
  Math.max(state.conceded, concession(state.baseMicros, sellerMicros));

/** 0.0397 for 3.97 percent. */
export const shownConcession = (fraction: number): number => roundHalfEven(fraction, 4);
