import { randomUUID } from "node:crypto";
import type { Approvals } from "../../../protocol/a2a/approvals.ts";
import type { Turn } from "../../../protocol/a2a/turn.ts";
import { type Admission, hostAdmission } from "../../../protocol/seam/admission.ts";
import { type Caller, noIdentity } from "../../../protocol/seam/caller.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import type { Runner } from "../../../protocol/seam/run/run.ts";
import { approvalKind, type ApprovalRow, settledApproval } from "../../../skills/seller/approvals/record.ts";
import { approvalWords } from "../../../skills/seller/approvals/words.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";

export interface ApprovalParts {
  readonly store: Store;
  readonly runner: Pick<Runner, "run">;
  readonly clock: Clock;
}

type Read = readonly [operation: string, input: Readonly<Record<string, string>>];

/** A key works at once, so nobody waits for its approval. */
const readOf = ({ flow_type: flow, subject_id: id }: ApprovalRow): Read | null => {
  switch (flow) {
    case "proposal":
      return ["get_proposal", { proposal_id: id }];
    case "negotiation":
      return ["get_negotiation_status", { negotiation_id: id }];
    case "deal":
      return ["get_deal", { deal_id: id }];
    case "media_buy":
      return ["get_media_buy", { media_buy_id: id }];
    case "api_key":
      return null;
  }
};

/** Whoever owns the record, without a credential and outside the rate limit. */
const ownerAdmission = (owner: string): Admission => {
  const caller: Caller = {
    kind: "key",
    principal: "approval",
    owner,
    limitKey: "approval",
    keyId: null,
    roles: [],
    identity: noIdentity,
    verified: true,
    tier: "public",
    boundAgentUrl: null,
  };
  return { ...hostAdmission, who: () => Promise.resolve(caller) };
};

/** A counter-offer is the buyer's to answer. */
const stateOf = ({ life }: ApprovalRow): Turn["state"] => {
  if (life.value === "approved") return "completed";
  return life.context.record?.decision === "counter" ? "input-required" : "rejected";
};

const outcomeText = (row: ApprovalRow, result: unknown): string => {
  const { status_text: words } = (result ?? {}) as { readonly status_text?: unknown };
  const { status_text: own } = approvalWords(row, null);
  return typeof words === "string" ? `${own} ${words}` : own;
};

/** What the A2A door asks about approvals: a task waits for one, and ends with the record as its owner sees it. */
export const createApprovals = ({ store, runner, clock }: ApprovalParts): Approvals => {
  const find = async (approvalId: string): Promise<ApprovalRow | null> => {
    const loaded = (await store.get(approvalKind.name, approvalId)) as StoredRow<ApprovalRow> | null;
    return loaded?.body ?? null;
  };
  return {
    isPending: async (approvalId) => {
      const row = await find(approvalId);
      return row !== null && readOf(row) !== null && settledApproval(row, clock.nowMs()).life.value === "pending";
    },
    // The stored state: a passed deadline counts once the sweeper has carried the flow on.
    verdict: async (approvalId) => {
      const row = await find(approvalId);
      const read = row === null ? null : readOf(row);
      if (row === null || read === null || row.life.value === "pending") return null;
      const [operation, input] = read;
      const outcome = await runner.run({
        operation,
        door: "a2a",
        admission: ownerAdmission(row.owner),
        requestId: randomUUID(),
        input: () => ({ input }),
      });
      const result = outcome.kind === "done" ? outcome.output : null;
      return { state: stateOf(row), text: outcomeText(row, result), parts: [{ operation, result }] };
    },
    watch: (listener) => store.watch(approvalKind.name, listener),
  };
};
