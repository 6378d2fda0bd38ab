import { type Caller, hostCaller, ownersOf } from "../../../protocol/seam/caller.ts";
import { isRefusal, missing, type Refusal } from "../../../protocol/neutral/refusals.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, Kind } from "../../../storage/store.ts";
import { approvalKind } from "../approvals/record.ts";
import { changeRequestKind } from "../change-requests/record.ts";
import type { SellerContext } from "../context.ts";
import { dealKind } from "../deals/record.ts";
import { sellerDueWork } from "../due-work.ts";
import { handoverKind } from "../handovers/record.ts";
import { negotiationKind } from "../negotiation/record.ts";
import { orderKind } from "../orders/record.ts";
import { planKind } from "../plans/record.ts";
import { quoteKind } from "../pricing/record.ts";
import { proposalKind } from "../proposals/record.ts";
import { sessionKind } from "../sessions/record.ts";
import type { OperatorsMove, TimedRecord } from "./contract.ts";

type Owned = Kind<{ readonly owner: string | null }>;

/** By operation, which record of the buyer it moves, and the member of its input that names it. */
const moves: Readonly<Record<OperatorsMove, { readonly kind: unknown; readonly id: string }>> = {
  decline_quote: { kind: quoteKind, id: "quote_id" },
  transition_deal: { kind: dealKind, id: "deal_id" },
  transition_order: { kind: orderKind, id: "order_id" },
  approve_or_reject: { kind: approvalKind, id: "approval_id" },
  review_change_request: { kind: changeRequestKind, id: "change_request_id" },
  apply_change_request: { kind: changeRequestKind, id: "change_request_id" },
  answer_handover: { kind: handoverKind, id: "handover_id" },
};

const timed: Readonly<Record<TimedRecord, unknown>> = {
  quote: quoteKind,
  deal: dealKind,
  proposal: proposalKind,
  negotiation: negotiationKind,
  approval: approvalKind,
  session: sessionKind,
  plan: planKind,
};

/** Of the buyer that tests: others' records are as absent as anywhere. */
const ownRow = async (
  context: SellerContext,
  kind: unknown,
  id: string,
): Promise<Loaded<{ readonly owner: string | null }> | Refusal> => {
  const loaded = await context.load(kind as Owned, id);
  const isOwn = loaded !== null && ownersOf(context.caller).includes(loaded.body.owner ?? "");
  return isOwn ? loaded : missing("not_found", id, "Record");
};

const standIn: Caller = { ...hostCaller, principal: "test:operator" };

/** What an operator of the seller would do with a record of the buyer. It commits by itself. */
export const actAsOperator = async (
  context: SellerContext,
  operation: OperatorsMove,
  input: Readonly<Record<string, unknown>>,
): Promise<{ readonly result: unknown } | Refusal> => {
  const { kind, id } = moves[operation];
  const own = await ownRow(context, kind, String(input[id]));
  if (isRefusal(own)) return own;
  const outcome = await context.call(operation, input, { as: standIn });
  if (outcome.kind === "refused") return outcome.refusal;
  if (outcome.kind === "bug") throw new Error(`${operation} of a test failed`);
  return { result: outcome.output };
};

/** The deadline of the record has come. */
export const passTime = async (
  context: SellerContext,
  record: TimedRecord,
  id: string,
): Promise<{ readonly changes: readonly Change[]; readonly events: readonly EventDraft[] } | Refusal> => {
  const kind = timed[record] as Owned;
  const own = await ownRow(context, kind, id);
  if (isRefusal(own)) return own;
  const atMs = kind.dueAtMs(own.body);
  const work = atMs === null ? null : await sellerDueWork(context.ports.settings)(own, atMs + 1, context.ports.store);
  return work ?? missing("not_found", id, "Deadline");
};
