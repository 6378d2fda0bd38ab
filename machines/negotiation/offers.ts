import { dayMs } from "../inventory/dates.ts";
import { ceilToCent } from "../money.ts";
import { askedMicros, lastSellerMicros, type NegotiationContext, stateOf } from "./rounds.ts";

/** A price for terms whose computed price is `ofMicros`. */
interface Share {
  readonly micros: number;
  readonly ofMicros: number;
}

/**
 * What one buyer offered for one product since `sinceMs`, and how far the seller came, over all its negotiations and
 * proposals.
 */
export interface OffersSoFar {
  readonly sinceMs: number;
  readonly rounds: number;
  readonly best: Share;
  readonly asked: Share;
  readonly isFinal: boolean;
}

const inForce = (offers: OffersSoFar | null, nowMs: number): OffersSoFar | null =>
  offers === null || nowMs - offers.sinceMs >= dayMs ? null : offers;

const exactly = ({ micros, ofMicros }: Share, here: number): number =>
  ofMicros === here ? micros : micros * (here / ofMicros);

/** Before the offer is answered, looked at by a gate, or shown in a dry run. */
export const withElsewhere = (
  context: NegotiationContext,
  offers: OffersSoFar | null,
  nowMs: number,
): NegotiationContext => {
  const { elsewhere: _before, ...own } = context;
  const live = inForce(offers, nowMs);
  if (live === null) return own;
  const asked = Math.ceil(exactly(live.asked, own.ceilingMicros));
  const lowestMicros = ceilToCent(own.floorMicros);
  const elsewhere = {
    rounds: Math.max(0, live.rounds - own.rounds.length),
    bestOfferMicros: Math.floor(exactly(live.best, own.ceilingMicros)),
    sellerMicros: Math.max(live.asked.ofMicros === own.ceilingMicros ? asked : ceilToCent(asked), lowestMicros),
    isFinal: live.isFinal,
  };
  return { ...own, elsewhere };
};

/**
 * After the answer to an offer in `before`; null where it changed nothing: the buyer met the seller's price, or the
 * negotiation was over. A held answer counts as a round that moved nothing, since nobody was told.
 */
export const offersAfter = (
  offers: OffersSoFar | null,
  before: NegotiationContext,
  after: NegotiationContext,
  how: { readonly nowMs: number; readonly isHeld: boolean },
): OffersSoFar | null => {
  const round = after.rounds.at(-1);
  const state = stateOf(before);
  const wasAsked = askedMicros(before);
  if (round?.buyerMicros == null || round.action === "reject" || round.buyerMicros >= wasAsked) return null;
  const live = inForce(offers, how.nowMs);
  const ofMicros = before.ceilingMicros;
  const sellerMicros = how.isHeld ? wasAsked : lastSellerMicros(after);
  const bestMicros = state.bestOfferMicros ?? 0;
  return {
    sinceMs: live?.sinceMs ?? how.nowMs,
    rounds: state.roundsDone + 1,
    best:
      round.buyerMicros > bestMicros || live === null
        ? { micros: Math.max(round.buyerMicros, bestMicros), ofMicros }
        : live.best,
    asked: sellerMicros < wasAsked || live === null ? { micros: sellerMicros, ofMicros } : live.asked,
    isFinal: state.isFinal || (!how.isHeld && round.action === "final_offer"),
  };
};
