/** `availableImpressions` null: no limit. */
export interface ProposalQuestion {
  readonly priceMicros: number;
  readonly impressions: number;
  readonly availableImpressions: number | null;
  readonly lowestMicros: number;
  /** Public proposals are never countered. */
  readonly mayCounter: boolean;
}

export type Recommendation = "accept" | "counter" | "reject";

/** Impressions null: the proposal's own stand. */
export interface ProposalDecision {
  readonly recommendation: Recommendation;
  readonly offeredImpressions: number | null;
}

/** A price of zero is never countered: the negotiation would end at once. */
export const decideProposal = (question: ProposalQuestion): ProposalDecision => {
  const { priceMicros, impressions, lowestMicros } = question;
  const available = question.availableImpressions ?? impressions;
  const hasVolume = impressions <= available;
  if (priceMicros >= lowestMicros && hasVolume) return { recommendation: "accept", offeredImpressions: null };
  const isCounterable = priceMicros > 0 && (hasVolume || available > 0);
  if (!isCounterable || !question.mayCounter) return { recommendation: "reject", offeredImpressions: null };
  return { recommendation: "counter", offeredImpressions: hasVolume ? null : available };
};
