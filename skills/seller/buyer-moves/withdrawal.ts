import type { EventDraft } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { withdrawnApproval } from "../approvals/withdrawn.ts";
import { effectsOf } from "../negotiation/effects.ts";
import { findSubject, say } from "../negotiation/rules.ts";
import type { SellerContext } from "../context.ts";
import { carryProposalOn } from "../proposals/approval.ts";
import { proposalKind, type ProposalRow, settledProposal } from "../proposals/record.ts";

interface Withdrawn {
  readonly row: ProposalRow;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const writtenIn = (changes: readonly Change[], id: string): ProposalRow => {
  const written = changes.find((change) => change.op === "put" && change.kind === proposalKind.name);
  if (written?.op !== "put") throw new Error(`The proposal ${id} was not withdrawn.`);
  return written.body as ProposalRow;
};

const withQuestion = async (
  context: SellerContext,
  approvalId: string,
  reason: string,
): Promise<Withdrawn | Refusal> => {
  const closing = await withdrawnApproval(context, approvalId, reason);
  if (closing === null) throw new Error(`The approval ${approvalId} of a waiting proposal could not be closed.`);
  const { decided, change, event } = closing;
  const verdict = { decision: "reject", reason, modifications: {} } as const;
  const { caller, nowMs, ports } = context;
  const flow = { nowMs, caller, settings: ports.settings, seller: context, load: context.load.bind(context) };
  const carried = await carryProposalOn(flow, decided, verdict);
  if (isRefusal(carried)) return carried;
  return {
    row: writtenIn(carried.changes, decided.subject_id),
    changes: [change, ...carried.changes],
    events: [event, ...carried.events],
  };
};

const closed = (message: string, status = "counter_pending"): Refusal =>
  refuse("invalid_transition", { message, extras: { current_status: status, allowed_transitions: [] } });

const withNegotiation = async (context: SellerContext, proposalId: string): Promise<Withdrawn | Refusal> => {
  const subject = await findSubject(context, { negotiationId: null, proposalId, quoteId: null });
  if (isRefusal(subject)) return closed(subject.message);
  const message = { action: "reject", price: null, currency: null, roundNumber: null, words: "" } as const;
  const said = await say(context, subject, message);
  if (isRefusal(said)) return closed(said.message);
  const ttlMs = Math.round(context.ports.settings.quoteTtlSeconds * 1000);
  const { changes, events } = effectsOf(subject, said.after, context.nowMs, ttlMs);
  return { row: writtenIn(changes, proposalId), changes, events };
};

export const withdrawal = async (
  context: SellerContext,
  proposalId: string,
  reason: string,
): Promise<Withdrawn | Refusal> => {
  const loaded = await context.own(proposalKind, proposalId, "proposal_not_found");
  const row = settledProposal(loaded.body, context.nowMs);
  context.matchRevision(row.revision);
  const status = row.life.value;
  if (status === "counter_pending") return withNegotiation(context, proposalId);
  if (status === "pending_approval" && row.approval !== null) {
    const why = reason === "" ? "Withdrawn by the buyer" : `Withdrawn by the buyer: ${reason}`;
    return withQuestion(context, row.approval.approval_id, why);
  }
  return closed(`The proposal is ${status} and cannot be withdrawn.`, status);
};
