import { type DealInstance, dealDeadline, dealMachine } from "../../../machines/deal/machine.ts";
import { settle, step } from "../../../machines/step.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import type { AwaitedApproval } from "../approvals/record.ts";
import type { DealType } from "../ports.ts";
import type { IfSet, PricingRecord, ProductSummary } from "../terms.ts";

/** A deal. `life` holds status, agreed terms and deadline; `wseat` is whom OpenRTB shall admit. */
export interface DealRow {
  readonly deal_id: string;
  readonly owner: string;
  /** The quote that was booked; empty where the deal comes from a proposal that named none. */
  readonly quote_id: string;
  /** The accepted proposal that was booked, if one was. */
  readonly proposal_id?: IfSet<string>;
  readonly product: ProductSummary;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
  readonly tier: Tier;
  readonly seller_id: string;
  readonly wseat: readonly string[];
  readonly notes?: IfSet<string>;
  /** The frozen plan; it never changes, not even when the seller's capabilities do. */
  readonly audience_plan?: IfSet<AudiencePlan>;
  /** The approval that holds the deal back while `life` says that it waits; absent: none was asked. */
  readonly approval?: IfSet<AwaitedApproval>;
  readonly created_at_ms: number;
  readonly terms_digest: string;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly dialect?: IfSet<string>;
  readonly life: DealInstance;
}

export const dealKind: Kind<DealRow> = {
  name: "deal",
  terms: (deal) => selectionTerms([deal.owner, deal.life.value, deal.product.product_id]),
  dueAtMs: (deal) => dealDeadline(deal.life)?.atMs ?? null,
  owner: (deal) => deal.owner,
};

/** A held deal whose approval timed out is refused at that very time, before any later deadline. */
const refusedByTime = (row: DealRow, nowMs: number): DealInstance => {
  const { approval, life } = row;
  if (approval == null || !life.context.awaitingApproval || approval.expires_at_ms > nowMs) return life;
  const event = { type: "REJECT", nowMs: approval.expires_at_ms, reason: "Not approved in time" } as const;
  return step(dealMachine, life, event) ?? life;
};

/** A deal as it is at this time; see `settledQuote`. */
export const settledDeal = (row: DealRow, nowMs: number): DealRow => {
  const life: DealInstance = settle(dealMachine, dealDeadline, refusedByTime(row, nowMs), nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};
