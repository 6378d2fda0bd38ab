import { decimalText } from "../../../machines/money.ts";
import { proposalDeadline, proposalMachine, type ProposalInstance } from "../../../machines/proposal/machine.ts";
import { settle, step } from "../../../machines/step.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import type { PackagePart } from "../inventory.ts";
import type { DealType } from "../products/record.ts";
import type { AwaitedApproval } from "../approvals/record.ts";
import { digestOf, type IfSet, type PricingRecord, type ProductSummary } from "../terms.ts";

/** The stage, a code for programs, words for people. */
export interface EvaluationError {
  readonly stage: string;
  readonly code: string;
  readonly detail: string;
}

/**
 * `base_micros` is the buyer's tier price, where a negotiation starts. `impressions` is what the buyer asked for; what
 * can be agreed stands in `life`.
 */
export interface ProposalRow {
  readonly proposal_id: string;
  readonly owner: string;
  readonly quote_id: string | null;
  readonly negotiation_id: string | null;
  readonly approval: AwaitedApproval | null;
  readonly product: ProductSummary;
  /** Of a package; each holds its share. */
  readonly parts?: IfSet<readonly PackagePart[]>;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
  readonly base_micros: number;
  readonly impressions: number;
  readonly flight_start: string;
  readonly flight_end: string;
  /** First day asked for, where it was past. */
  readonly begun_on?: IfSet<string>;
  readonly tier: Tier;
  readonly seller_id: string;
  readonly recommendation: "accept" | "counter" | "reject";
  readonly pricing_verified: boolean;
  readonly pricing_verification_reason: string;
  readonly errors: readonly EvaluationError[];
  readonly audience_plan: AudiencePlan | null;
  readonly created_at_ms: number;
  readonly terms_digest: string;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly life: ProposalInstance;
}

export const proposalKind: Kind<ProposalRow> = {
  name: "proposal",
  terms: ({ owner, life, product }) => selectionTerms([owner, life.value, product.product_id]),
  dueAtMs: (proposal) => proposalDeadline(proposal.life)?.atMs ?? null,
  owner: (proposal) => proposal.owner,
  facts: ({ life }) => ({
    status: life.value,
    impressions: life.context.impressions,
    seller_price: decimalText(life.context.sellerMicros),
    agreed_price: decimalText(life.context.agreedMicros),
    reason: life.context.closedReason,
  }),
};

/** The agreed price, before that the offered one. */
export const proposalPrice = ({ life }: Pick<ProposalRow, "life">): number =>
  life.context.agreedMicros ?? life.context.offeredMicros;

/** The digest follows price and volume. */
export const withLife = (row: ProposalRow, life: ProposalInstance, more: Partial<ProposalRow> = {}): ProposalRow => {
  const moved = { ...row, ...more, life, revision: row.revision + 1 };
  return { ...moved, terms_digest: proposalDigest(moved) };
};

const proposalDigest = (row: Omit<ProposalRow, "terms_digest">): string =>
  digestOf(row, {
    priceMicros: proposalPrice(row),
    impressions: row.life.context.impressions,
    flightStart: row.flight_start,
    flightEnd: row.flight_end,
  });

/** At the approval's timeout. */
const refusedByTime = ({ approval, life }: ProposalRow, nowMs: number): ProposalInstance => {
  if (life.value !== "pending_approval" || approval === null || approval.expires_at_ms > nowMs) return life;
  const event = { type: "REJECT", nowMs: approval.expires_at_ms, reason: "Not approved in time" } as const;
  return step(proposalMachine, life, event) ?? life;
};

export const settledProposal = (row: ProposalRow, nowMs: number): ProposalRow => {
  const life = settle(proposalMachine, proposalDeadline, refusedByTime(row, nowMs), nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};
