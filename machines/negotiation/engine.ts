import { ceilToCent, computedPriceMicros, fromMicros, roundHalfEven } from "../money.ts";
import type { NegotiationLimits } from "./limits.ts";

/** `ceilingMicros` is the buyer's computed price: what is conceded in all counts from it, wherever the talk opened. */
export interface Standing {
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
export const replyTo = (standing: Standing, offerMicros: number): Reply => {
  const { limits, baseMicros, conceded } = standing;
  const lastMicros = standing.lastSellerMicros ?? baseMicros;
  const round = standing.roundsDone + 1;
  if (offerMicros >= baseMicros || offerMicros >= lastMicros) return accepted(standing, offerMicros);
  if (offerMicros <= 0 || standing.isOver) return { action: "reject", sellerMicros: baseMicros, conceded };
  if (standing.isFinal || round > limits.maxRounds) {
    return { action: "final_offer", sellerMicros: lastMicros, conceded };
  }
  if (standing.bestOfferMicros !== null && offerMicros <= standing.bestOfferMicros) {
    const action = round === limits.maxRounds ? "final_offer" : "counter";
    return { action, sellerMicros: lastMicros, conceded };
  }
  const counterMicros = counterTo(standing, lastMicros, offerMicros);
  const increment = Math.max(0, concession(baseMicros, counterMicros) - conceded);
  const isLast = increment >= 0.8 * (limits.totalCapPct / 100 - conceded) || round === limits.maxRounds;
  if (!isLast) return { action: "counter", sellerMicros: counterMicros, conceded: conceded + increment };
  const finalMicros = Math.min(lastMicros, lowestPrice(standing));
  if (offerMicros >= finalMicros) return accepted(standing, offerMicros);
  return { action: "final_offer", sellerMicros: finalMicros, conceded: concededBy(standing, finalMicros) };
};

/** Part of the gap within both caps, in doubles and rounded once. */
const counterTo = (standing: Standing, lastMicros: number, offerMicros: number): number => {
  const { limits, baseMicros, floorMicros } = standing;
  const last = fromMicros(lastMicros);
  const byGap = last - limits.gapShare * (last - fromMicros(offerMicros));
  const byRound = last - (limits.roundCapPct / 100) * fromMicros(baseMicros);
  const asked = computedPriceMicros(Math.max(byGap, byRound, lowestAsk(standing)));
  return Math.min(lastMicros, Math.max(asked, ceilToCent(floorMicros), ceilToCent(offerMicros)));
};

/** The seller's secret. */
export const lowestPrice = (standing: Pick<Standing, "limits" | "ceilingMicros" | "floorMicros">): number =>
  Math.max(ceilToCent(standing.floorMicros), computedPriceMicros(lowestAsk(standing)));

const lowestAsk = (standing: Pick<Standing, "limits" | "ceilingMicros">): number =>
  fromMicros(standing.ceilingMicros) * (1 - standing.limits.totalCapPct / 100);

const accepted = (standing: Standing, offerMicros: number): Reply => ({
  action: "accept",
  sellerMicros: offerMicros,
  conceded: concededBy(standing, offerMicros),
});

export const concession = (baseMicros: number, sellerMicros: number): number =>
  Math.max(0, (baseMicros - sellerMicros) / baseMicros);

const concededBy = (standing: Standing, sellerMicros: number): number =>
  Math.max(standing.conceded, concession(standing.baseMicros, sellerMicros));

/** 0.0397 for 3.97 percent. */
export const shownConcession = (fraction: number): number => roundHalfEven(fraction, 4);
