/** What the seller's rule looks at. Money in micros; `availableImpressions` null: no limit. */
export interface ProposalQuestion {
  readonly priceMicros: number;
  readonly impressions: number;
  readonly availableImpressions: number | null;
  readonly lowestMicros: number;
  /** Public proposals are accepted or rejected, never countered (decision 62). */
  readonly mayCounter: boolean;
}

export type Recommendation = "accept" | "counter" | "reject";

/** The decision, and for a counter the impressions that can be offered; null where the proposal's own stand. */
export interface ProposalDecision {
  readonly recommendation: Recommendation;
  readonly offeredImpressions: number | null;
}

/**
 * Decides a proposal without any model (wire contract 3.12): accepted when price and volume are fine; countered when
 * only the price is too low, or when part of the volume is there; else rejected. A price of zero is never countered,
 * as the negotiation that a counter opens would break off at once.
 */
export const decideProposal = (question: ProposalQuestion): ProposalDecision => {
  const { priceMicros, impressions, lowestMicros } = question;
  const available = question.availableImpressions ?? impressions;
  const hasVolume = impressions <= available;
  if (priceMicros >= lowestMicros && hasVolume) return { recommendation: "accept", offeredImpressions: null };
  const isCounterable = priceMicros > 0 && (hasVolume || available > 0);
  if (!isCounterable || !question.mayCounter) return { recommendation: "reject", offeredImpressions: null };
  return { recommendation: "counter", offeredImpressions: hasVolume ? null : available };
};
