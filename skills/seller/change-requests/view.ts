import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import { type Caller, isOperator } from "../../../protocol/seam/caller.ts";
import type { changeRequest } from "./contract.ts";
import type { ChangeRequestRow, PriceImpact } from "./record.ts";
import { totalCost } from "../words.ts";
import { changeRequestWords } from "./words.ts";
import { isoTimeOrNull } from "../../../protocol/neutral/iso-time.ts";

const principalsView = ({ requested, reviewed, applied }: ChangeRequestRow["principals"]) => ({
  requested_by_principal: requested,
  reviewed_by_principal: reviewed,
  applied_by_principal: applied,
});

const pricedView = ({ price_micros: price, impressions }: PriceImpact["before"]) => ({
  final_cpm: fromMicros(price),
  impressions,
  total_cost: totalCost(price, impressions),
});

const impactView = ({ currency, before, after }: PriceImpact) => ({
  currency,
  before: pricedView(before),
  after: pricedView(after),
});

/** Proven credentials are for operators alone. */
export const changeRequestView = (
  row: ChangeRequestRow,
  caller: Caller,
  others: readonly ChangeRequestRow[] = [],
): z.input<typeof changeRequest> => {
  const { severity, validationErrors, approvedBy, approvedAtMs, rejectionReason, appliedAtMs, appliedBy, withdrawal } =
    row.life.context;
  return {
    change_request_id: row.change_request_id,
    order_id: row.order_id,
    deal_id: row.deal_id ?? "",
    change_type: row.change_type,
    severity: severity ?? "material",
    status: row.life.value,
    ...changeRequestWords(row, caller, others),
    diffs: row.diffs.map((diff) => ({ ...diff })),
    proposed_values: { ...row.proposed_values },
    reason: row.reason,
    requested_by: row.requested_by,
    on_behalf_of: row.on_behalf_of ?? null,
    requested_at: new Date(row.requested_at_ms).toISOString(),
    validation_errors: [...validationErrors],
    pricing_impact: row.impact == null ? null : impactView(row.impact),
    availability_check: null,
    approved_by: approvedBy,
    approved_at: isoTimeOrNull(approvedAtMs),
    rejection_reason: rejectionReason,
    withdrawn_by: withdrawal?.by ?? null,
    withdrawn_at: isoTimeOrNull(withdrawal?.atMs ?? null),
    withdrawal_reason: withdrawal?.reason ?? null,
    applied_at: isoTimeOrNull(appliedAtMs),
    applied_by: appliedBy,
    rollback_snapshot: row.rollback,
    revision: row.revision,
    ...(isOperator(caller) ? principalsView(row.principals) : {}),
  };
};
