import type { ChangeRequestInstance, ChangeRequestStatus } from "../../../machines/change-request/machine.ts";
import type { ChangeType, Diff } from "../../../machines/change-request/proposal.ts";
import type { Kind } from "../../../storage/store.ts";

/**
 * A change request. Who asked, reviewed and applied is kept twice: as it was said, and as the proven credential.
 * `rollback` is the order, and the terms of its deal, as they were before the values were written.
 */
export interface ChangeRequestRow {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly deal_id: string | null;
  readonly owner: string;
  readonly change_type: ChangeType;
  readonly diffs: readonly Diff[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly requested_by: string;
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

/** The states that a stored change request can have: the two before them pass within its creation. */
export const shownStatuses = [
  "pending",
  "validating",
  "pending_approval",
  "approved",
  "rejected",
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

/** The one term that means all members of a filter at once; null: every change request. */
export const changeRequestTerm = ({ owner, orderId, status }: ChangeRequestFilter): string | null =>
  owner === null && orderId === null && status === null ? null : `of=${JSON.stringify([owner, orderId, status])}`;

const termsOf = (row: ChangeRequestRow): string[] =>
  [row.owner, null].flatMap((owner) =>
    [row.order_id, null].flatMap((orderId) =>
      [row.life.value, null].flatMap((status) => changeRequestTerm({ owner, orderId, status }) ?? []),
    ),
  );

export const changeRequestKind: Kind<ChangeRequestRow> = {
  name: "change_request",
  terms: termsOf,
  dueAtMs: () => null,
  owner: (request) => request.owner,
};
