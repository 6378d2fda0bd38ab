import type { RoundAction } from "../negotiation/engine.ts";

/** `availableImpressions` null: no limit. `answer` is the negotiation engine's; null: the buyer does not negotiate. */
export interface ProposalQuestion {
  readonly priceMicros: number;
  /** The seller's own price for these terms: the buyer's computed one, or its quote's. */
  readonly ownMicros: number;
  readonly impressions: number;
  readonly availableImpressions: number | null;
  readonly mayCounter: boolean;
  readonly answer: RoundAction | null;
}

export type Recommendation = "accept" | "counter" | "reject";

/** Impressions null: the proposal's own stand. */
export interface ProposalDecision {
  readonly recommendation: Recommendation;
  readonly offeredImpressions: number | null;
}

const rejected: ProposalDecision = { recommendation: "reject", offeredImpressions: null };

export const decideProposal = (question: ProposalQuestion): ProposalDecision => {
  const { priceMicros, ownMicros, impressions, mayCounter } = question;
  const available = question.availableImpressions ?? impressions;
  const hasVolume = impressions <= available;
  const answer = priceMicros >= ownMicros ? "accept" : question.answer;
  if (answer === null || answer === "reject" || available <= 0) return rejected;
  if (answer === "accept" && hasVolume) return { recommendation: "accept", offeredImpressions: null };
  if (!mayCounter) return rejected;
  return { recommendation: "counter", offeredImpressions: hasVolume ? null : available };
};
