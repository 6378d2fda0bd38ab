import { decimalText } from "../../../machines/money.ts";
import type { AgreedFlight } from "../../../machines/change-request/severity.ts";
import { type DealInstance, dealDeadline, dealMachine } from "../../../machines/deal/machine.ts";
import { settle, step } from "../../../machines/step.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import type { AwaitedApproval } from "../approvals/record.ts";
import type { PackagePart } from "../inventory.ts";
import type { DealType } from "../products/record.ts";
import type { IfSet, PricingRecord, ProductSummary } from "../terms.ts";

/** `wseat`: whom OpenRTB shall admit. */
export interface DealRow {
  readonly deal_id: string;
  readonly owner: string;
  /** Empty where the deal's proposal named none. */
  readonly quote_id: string;
  readonly proposal_id?: IfSet<string>;
  readonly product: ProductSummary;
  /** Of a package; each holds its share. */
  readonly parts?: IfSet<readonly PackagePart[]>;
  /** First day asked for, where it was past: the flight was sold from the next day that could be. */
  readonly begun_on?: IfSet<string>;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
  readonly tier: Tier;
  readonly seller_id: string;
  readonly wseat: readonly string[];
  readonly notes?: IfSet<string>;
  /** Never changes, not even when the seller's capabilities do. */
  readonly audience_plan?: IfSet<AudiencePlan>;
  /** Holds the deal back while `life` waits. */
  readonly approval?: IfSet<AwaitedApproval>;
  /** What small moves are measured from, once there was one: the flight as booked or last reviewed. */
  readonly agreed_flight?: IfSet<AgreedFlight>;
  readonly created_at_ms: number;
  readonly terms_digest: string;
  readonly revision: number;
  readonly sandbox: boolean;
  /** As its quote's. */
  readonly trial?: IfSet<true>;
  readonly dialect?: IfSet<string>;
  readonly life: DealInstance;
}

export const dealKind: Kind<DealRow> = {
  name: "deal",
  terms: (deal) => selectionTerms([deal.owner, deal.life.value, deal.product.product_id]),
  dueAtMs: (deal) => dealDeadline(deal.life)?.atMs ?? null,
  owner: (deal) => deal.owner,
  facts: ({ life, notes }) => {
    const { terms, statusReason, awaitingApproval } = life.context;
    return {
      status: life.value,
      status_reason: statusReason,
      waits_for_approval: awaitingApproval,
      final_cpm: decimalText(terms.priceMicros),
      impressions: terms.impressions,
      flight_start: terms.flightStart,
      flight_end: terms.flightEnd,
      notes: notes ?? null,
    };
  },
};

export const agreedFlight = ({ agreed_flight: agreed, life }: DealRow): AgreedFlight => agreed ?? life.context.terms;

/** At the approval's timeout, before any later deadline. */
const refusedByTime = (row: DealRow, nowMs: number): DealInstance => {
  const { approval, life } = row;
  if (approval == null || !life.context.awaitingApproval || approval.expires_at_ms > nowMs) return life;
  const event = { type: "REJECT", nowMs: approval.expires_at_ms, reason: "Not approved in time" } as const;
  return step(dealMachine, life, event) ?? life;
};

export const settledDeal = (row: DealRow, nowMs: number): DealRow => {
  const life: DealInstance = settle(dealMachine, dealDeadline, refusedByTime(row, nowMs), nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

/** Of a settled row. */
export const isAwaitingApproval = ({ life }: DealRow): boolean =>
  life.value === "proposed" && life.context.awaitingApproval;

const isOpen = ({ life }: DealRow): boolean => life.value === "proposed" || life.value === "active";

/** Of a settled row: for an approval, its activation or a change; one that has ended waits for nothing. */
export const isWaitingDeal = (row: DealRow, isChanging: boolean): boolean =>
  row.life.value === "proposed" || (isChanging && isOpen(row));
