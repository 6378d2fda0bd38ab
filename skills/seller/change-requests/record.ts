import type { ChangeRequestInstance, ChangeRequestStatus } from "../../../machines/change-request/machine.ts";
import type { ChangeType, Diff } from "../../../machines/change-request/proposal.ts";
import type { Kind } from "../../../storage/store.ts";
import type { IfSet } from "../terms.ts";

/** In force when the change was asked for, and with the change. */
export interface PriceImpact {
  readonly currency: string;
  readonly before: PricedVolume;
  readonly after: PricedVolume;
}

interface PricedVolume {
  readonly price_micros: number;
  readonly impressions: number | null;
}

/**
 * Who acted is kept twice: as claimed, and as the proven credential. `rollback` is order and terms before the change.
 */
export interface ChangeRequestRow {
  /** Of the deal; where price or volume changes. */
  readonly impact?: IfSet<PriceImpact>;
  readonly change_request_id: string;
  readonly order_id: string;
  readonly deal_id: string | null;
  readonly owner: string;
  readonly change_type: ChangeType;
  readonly diffs: readonly Diff[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Verified, or `system`; in rows of earlier builds what the body said. */
  readonly requested_by: string;
  readonly on_behalf_of?: IfSet<string>;
  readonly requested_at_ms: number;
  readonly principals: {
    readonly requested: string;
    readonly reviewed: string | null;
    readonly applied: string | null;
  };
  readonly rollback: Readonly<Record<string, unknown>> | null;
  readonly revision: number;
  readonly life: ChangeRequestInstance;
}

/** The two before them pass within the creation. */
export const shownStatuses = [
  "pending",
  "validating",
  "pending_approval",
  "approved",
  "rejected",
  "withdrawn",
  "applied",
  "failed",
] as const satisfies readonly ChangeRequestStatus[];

export const isChangeRequestStatus = (text: string): text is ChangeRequestStatus =>
  (shownStatuses as readonly string[]).includes(text);

interface ChangeRequestFilter {
  readonly owner: string | null;
  readonly orderId: string | null;
  readonly status: ChangeRequestStatus | null;
}

export const changeRequestTerm = ({ owner, orderId, status }: ChangeRequestFilter): string | null =>
  owner === null && orderId === null && status === null ? null : `of=${JSON.stringify([owner, orderId, status])}`;

/** Approved by a person, and for a person to write with `apply_change_request`. */
export const unwrittenTerm = "unwritten";

/** A deal says what waits for it. */
export const waitingTerm = (dealId: string): string => `waits=${dealId}`;

const isUnwritten = ({ life }: ChangeRequestRow): boolean =>
  life.value === "approved" && life.context.appliedAtMs === null;

export const isWaiting = (row: ChangeRequestRow): boolean => row.life.value === "pending_approval" || isUnwritten(row);

const changeRequestTerms = (row: ChangeRequestRow): string[] => [
  ...[row.owner, null].flatMap((owner) =>
    [row.order_id, null].flatMap((orderId) =>
      [row.life.value, null].flatMap((status) => changeRequestTerm({ owner, orderId, status }) ?? []),
    ),
  ),
  ...(isUnwritten(row) ? [unwrittenTerm] : []),
  ...(row.deal_id !== null && isWaiting(row) ? [waitingTerm(row.deal_id)] : []),
];

export const changeRequestKind: Kind<ChangeRequestRow> = {
  name: "change_request",
  terms: changeRequestTerms,
  dueAtMs: () => null,
  owner: (request) => request.owner,
  facts: ({ life }) => ({
    status: life.value,
    approved_by: life.context.approvedBy,
    rejection_reason: life.context.rejectionReason,
    withdrawn_by: life.context.withdrawal?.by ?? null,
    applied_by: life.context.appliedBy,
  }),
};
