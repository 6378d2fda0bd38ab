import { approvalKind, type ApprovalRow } from "../../../skills/seller/approvals/record.ts";
import { changeRequestKind, type ChangeRequestRow } from "../../../skills/seller/change-requests/record.ts";
import { bookedCounts } from "../../../skills/seller/deals/counters.ts";
import { dealKind, type DealRow, settledDeal } from "../../../skills/seller/deals/record.ts";
import { mediaBuyKind, type MediaBuyRow } from "../../../skills/seller/media-buys/record.ts";
import { standingCounts } from "../../../skills/seller/orders/counters.ts";
import { orderKind, type OrderRow, type TransitionRecord } from "../../../skills/seller/orders/record.ts";
import { quoteKind } from "../../../skills/seller/pricing/record.ts";
import type { AddChange } from "../../../storage/store.ts";
import {
  type Forgetting,
  type ForgetRule,
  isMoneyField,
  isOwn,
  keeping,
  removedWords,
  withoutWords,
  wordless,
} from "../../host/forget-rules.ts";

/** What the owner of before added is taken back. */
const movedSums = (before: readonly AddChange[], after: readonly AddChange[]): readonly AddChange[] => [
  ...before.map((change) => ({ ...change, amounts: change.amounts.map((amount) => -amount) })),
  ...after,
];

const deals = keeping<DealRow>(dealKind, {
  replaced: (deal, { pseudonym }) => {
    const { notes: _notes, audience_plan: _plan, ...kept } = deal;
    const { context } = deal.life;
    const life = { ...deal.life, context: { ...context, statusReason: wordless(context.statusReason) } };
    return { ...kept, owner: pseudonym, wseat: [], life };
  },
  sums: (before, after) => movedSums(bookedCounts(before), bookedCounts(after)),
  keeps: (deal) => [deal.quote_id],
  standing: (deal, { nowMs }) => {
    const { value, context } = settledDeal(deal, nowMs).life;
    if (value !== "proposed" && value !== "active") return null;
    const { flightEnd } = context.terms;
    return `deal ${deal.deal_id} is ${value}${value === "active" ? ` until ${flightEnd}` : ""}: cancel it, or wait`;
  },
});

const isSystem = (actor: string): boolean => actor === "system" || actor.startsWith("system:");

const actorIn = (actor: string, { pseudonym }: Forgetting): string => (isSystem(actor) ? actor : pseudonym);

/** Of an operator too: no name in a claim is proven. */
const movedBy = (of: Forgetting, move: TransitionRecord): TransitionRecord => ({
  ...move,
  actor: actorIn(move.actor, of),
  principal: of.subject.keyIds.has(move.principal.replace(/^key:/, "")) ? of.pseudonym : move.principal,
  reason: wordless(move.reason),
  metadata: {},
});

const orders = keeping<OrderRow>(orderKind, {
  replaced: (order, of) => ({
    ...order,
    owner: of.pseudonym,
    metadata: {},
    transitions: order.transitions.map((move) => movedBy(of, move)),
    created_by: actorIn(order.created_by, of),
  }),
  sums: (before, after) => movedSums(standingCounts(before), standingCounts(after)),
});

const mediaBuys = keeping<MediaBuyRow>(mediaBuyKind, {
  replaced: (buy, of) => {
    const { context } = buy.life;
    const cancellation =
      context.cancellation === null ? null : { ...context.cancellation, reason: wordless(context.cancellation.reason) };
    const life = {
      ...buy.life,
      context: { ...context, cancellation, rejectionReason: wordless(context.rejectionReason) },
    };
    return {
      ...buy,
      life,
      owner: of.pseudonym,
      account_id: removedWords,
      brand_domain: removedWords,
      plan_id: null,
      wseat: [],
      packages: buy.packages.map((one) => ({ ...one, details: {}, creative_ids: [] })),
      history: buy.history.map((move) => ({
        ...move,
        actor: actorIn(move.actor, of),
        summary: wordless(move.summary),
      })),
    };
  },
  standing: ({ quotes, media_buy_id: id }) =>
    quotes === null ? null : `media buy ${id} waits for approval: decide it`,
});

const changeRequests = keeping<ChangeRequestRow>(changeRequestKind, {
  replaced: (request, of) => {
    const { context } = request.life;
    const withdrawal =
      context.withdrawal == null
        ? (context.withdrawal ?? null)
        : { ...context.withdrawal, by: of.pseudonym, reason: wordless(context.withdrawal.reason) };
    const life = {
      ...request.life,
      context: { ...context, withdrawal, rejectionReason: wordless(context.rejectionReason) },
    };
    const { on_behalf_of: _behalf, ...kept } = request;
    return {
      ...kept,
      life,
      owner: of.pseudonym,
      diffs: request.diffs.map(diffOf),
      proposed_values: withoutWords(request.proposed_values),
      rollback: withoutWords(request.rollback),
      reason: wordless(request.reason),
      requested_by: actorIn(request.requested_by, of),
      principals: { ...request.principals, requested: of.pseudonym },
    };
  },
});

/** A change of a term of the sale stays. */
const diffOf = ({ field, old_value, new_value }: ChangeRequestRow["diffs"][number]) => ({
  field: isMoneyField(field) ? field : removedWords,
  old_value: withoutWords(old_value, field),
  new_value: withoutWords(new_value, field),
});

/** Who let a sale through, and when. One that nobody decided goes. */
const approvals = keeping<ApprovalRow>(approvalKind, {
  belongs: (row, of) => isOwn(row, of) || of.subject.keyIds.has((row.body as ApprovalRow).subject_id),
  goes: ({ life, owner }, { subject, pseudonym }) =>
    life.value === "pending" || (owner !== pseudonym && !subject.owners.has(owner)),
  replaced: (approval, { pseudonym }) => {
    const { context } = approval.life;
    const record =
      context.record === null
        ? null
        : {
            ...context.record,
            reason: wordless(context.record.reason),
            modifications: withoutWords(context.record.modifications),
          };
    const life = { ...approval.life, context: { ...context, record } };
    return { ...approval, life, owner: pseudonym, context: {}, snapshot: {} };
  },
});

/** Those that a deal was booked from, which the deals before it name. */
const quotes = keeping(quoteKind, {
  goes: ({ quote_id: id }, { kept }) => !kept.has(id),
  replaced: (quote, { pseudonym }) => ({
    ...quote,
    owner: pseudonym,
    ...(quote.status_reason == null ? {} : { status_reason: wordless(quote.status_reason) }),
  }),
});

/** Contracts and what was decided about them: law asks to keep these for years. */
export const salesRules: readonly ForgetRule[] = [deals, orders, mediaBuys, changeRequests, approvals, quotes];
