import { type DealInstance, dealDeadline, dealMachine } from "../../../machines/deal/machine.ts";
import { holdsInventory } from "../../../machines/inventory/holds.ts";
import { settle, step } from "../../../machines/step.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import { reserve } from "../../../protocol/seam/changes.ts";
import type { Kind, ReserveChange } from "../../../storage/store.ts";
import type { AwaitedApproval } from "../approvals/record.ts";
import { inventoryLedger, spanOf } from "../inventory.ts";
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
  terms: () => [],
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

/** Whether the deal, as it stands, keeps impressions from being sold again. */
const isHolding = (deal: DealRow): boolean => holdsInventory(deal.deal_type, deal.life.value);

/** Gives a deal's impressions back where a move from `before` to `after` ends its hold. */
export const releaseChanges = (before: DealRow, after: DealRow): readonly ReserveChange[] => {
  const { impressions, flightStart, flightEnd } = before.life.context.terms;
  if (!isHolding(before) || isHolding(after) || impressions === null) return [];
  return [reserve(inventoryLedger(before.product.product_id), spanOf(flightStart, flightEnd), -impressions, null)];
};
