import { ceilToCent, computedPriceMicros, fromMicros, roundHalfEven } from "../money.ts";
import type { NegotiationLimits } from "./limits.ts";

/** Where a negotiation stands before an offer. Money in micros; `lastSellerMicros` null before the first round. */
export interface Standing {
  readonly limits: NegotiationLimits;
  readonly baseMicros: number;
  readonly floorMicros: number;
  readonly lastSellerMicros: number | null;
  /** What the seller has given up so far, as a fraction of the base. */
  readonly conceded: number;
  readonly roundsDone: number;
}

export type RoundAction = "accept" | "counter" | "final_offer" | "reject";

/** The seller's answer to one offer. `conceded` is the new total. */
export interface Reply {
  readonly action: RoundAction;
  readonly sellerMicros: number;
  readonly conceded: number;
}

/**
 * The seller's answer to an offer, by the six steps of the wire contract 5.3. It never asks for less than the floor
 * or more than it asked for before, and never for less than the buyer just offered. It asks for whole cents, but for an
 * opening price that is finer.
 */
export const replyTo = (standing: Standing, offerMicros: number): Reply => {
  const { limits, baseMicros, floorMicros, conceded } = standing;
  const lastMicros = standing.lastSellerMicros ?? baseMicros;
  const lowestMicros = Math.min(lastMicros, ceilToCent(floorMicros));
  const round = standing.roundsDone + 1;
  if (offerMicros >= baseMicros || offerMicros >= lastMicros) return accepted(standing, offerMicros);
  if (offerMicros <= 0 || round > limits.maxRounds) return { action: "reject", sellerMicros: baseMicros, conceded };
  if (offerMicros < floorMicros) {
    const action = round === limits.maxRounds ? "final_offer" : "counter";
    return { action, sellerMicros: lowestMicros, conceded: concededBy(standing, lowestMicros) };
  }
  const counterMicros = counterTo(standing, lastMicros, offerMicros);
  const increment = Math.max(0, concession(baseMicros, counterMicros) - conceded);
  const isLast = increment >= 0.8 * (limits.totalCapPct / 100 - conceded) || round === limits.maxRounds;
  if (!isLast) return { action: "counter", sellerMicros: counterMicros, conceded: conceded + increment };
  const finalMicros = Math.min(lastMicros, Math.max(lowestMicros, computedPriceMicros(lowestAsk(standing))));
  if (offerMicros >= finalMicros) return accepted(standing, offerMicros);
  return { action: "final_offer", sellerMicros: finalMicros, conceded: concededBy(standing, finalMicros) };
};

/** Step 5: part of the gap, within the caps of the round and of the whole, in doubles and rounded once. */
const counterTo = (standing: Standing, lastMicros: number, offerMicros: number): number => {
  const { limits, baseMicros, floorMicros } = standing;
  const last = fromMicros(lastMicros);
  const byGap = last - limits.gapShare * (last - fromMicros(offerMicros));
  const byRound = last - (limits.roundCapPct / 100) * fromMicros(baseMicros);
  const asked = computedPriceMicros(Math.max(byGap, byRound, lowestAsk(standing)));
  return Math.min(lastMicros, Math.max(asked, ceilToCent(floorMicros), ceilToCent(offerMicros)));
};

/** The lowest price that the seller may come to, by its floor and its own cap; never told as such. */
export const lowestPrice = (standing: Pick<Standing, "limits" | "baseMicros" | "floorMicros">): number =>
  Math.max(ceilToCent(standing.floorMicros), computedPriceMicros(lowestAsk(standing)));

/** The lowest that the seller asks for by its own cap, in units. */
const lowestAsk = (standing: Pick<Standing, "limits" | "baseMicros">): number =>
  fromMicros(standing.baseMicros) * (1 - standing.limits.totalCapPct / 100);

const accepted = (standing: Standing, offerMicros: number): Reply => ({
  action: "accept",
  sellerMicros: offerMicros,
  conceded: concededBy(standing, offerMicros),
});

/** What a seller price gives up, as a fraction of the base; a price above the base gives up nothing. */
const concession = (baseMicros: number, sellerMicros: number): number =>
  Math.max(0, (baseMicros - sellerMicros) / baseMicros);

const concededBy = (standing: Standing, sellerMicros: number): number =>
  Math.max(standing.conceded, concession(standing.baseMicros, sellerMicros));

/** A fraction of the base as a round shows it: four decimals, 0.0397 for 3.97 percent. */
export const shownConcession = (fraction: number): number => roundHalfEven(fraction, 4);
