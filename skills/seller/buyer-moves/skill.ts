import type { ChangeProposal } from "../../../machines/change-request/proposal.ts";
import type { DealTerms } from "../../../machines/deal/machine.ts";
import { dateOfSlot, slotOfDate } from "../../../machines/inventory/dates.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { raiseChange } from "../change-requests/raise.ts";
import { isWaiting } from "../change-requests/record.ts";
import { changeRequestView } from "../change-requests/view.ts";
import { waitingChanges } from "../change-requests/waiting.ts";
import { dealView } from "../deals/view.ts";
import type { SellerContext } from "../context.ts";
import { proposalView } from "../proposals/view.ts";
import * as contract from "./contract.ts";
import { dealSubject } from "./subject.ts";
import { withdrawal } from "./withdrawal.ts";

interface Move {
  readonly dealId: string;
  readonly reason: string;
}

const moved = async (
  context: SellerContext,
  { dealId, reason }: Move,
  type: ChangeProposal["changeType"],
  wanted: (terms: DealTerms) => Readonly<Record<string, unknown>> | Refusal,
) => {
  const found = await dealSubject(context, dealId, type);
  if (isRefusal(found)) return found;
  const { subject, isNew } = found;
  const row = subject.deal?.row;
  if (row === undefined) throw new Error(`The order of ${dealId} has no deal.`);
  const { terms } = row.life.context;
  const values = wanted(terms);
  if (isRefusal(values)) return values;
  const old: Readonly<Record<string, unknown>> = {
    flight_start: terms.flightStart,
    flight_end: terms.flightEnd,
    impressions: terms.impressions,
  };
  const diffs = Object.entries(values).map(([field, value]) => {
    return { field, old_value: old[field] ?? null, new_value: value };
  });
  const proposal: ChangeProposal = { changeType: type, diffs, proposedValues: values };
  const raised = await raiseChange(context, proposal, { reason, requestedBy: context.caller.owner }, subject);
  if (isRefusal(raised)) return raised;
  const others = await waitingChanges(context, dealId);
  const waiting = isWaiting(raised.row) ? [raised.row, ...others] : others;
  return {
    output: {
      ...changeRequestView(raised.row, context.caller, others),
      deal: dealView(raised.deal ?? row, context.caller, waiting),
      order_created: isNew,
    },
    meta: { revision: raised.row.revision },
    changes: [...raised.changes, ...found.changes],
    events: [...found.events, ...raised.events],
  };
};

const reasonOrEmpty = (reason: string | null | undefined): string => reason ?? "";

export const cancelDeal = defineOperation(contract.cancelDeal, (context: SellerContext, input) =>
  moved(context, { dealId: input.deal_id, reason: reasonOrEmpty(input.reason) }, "cancellation", () => ({})),
);

const dayLater = (date: string, days: number): string | null => {
  const slot = slotOfDate(date);
  return slot === null ? null : dateOfSlot(slot + days);
};

export const rescheduleDeal = defineOperation(contract.rescheduleDeal, (context: SellerContext, input) => {
  const { shift_days: days, flight_start: start, flight_end: end } = input;
  return moved(context, { dealId: input.deal_id, reason: reasonOrEmpty(input.reason) }, "flight_dates", (terms) => {
    if (days == null && start == null && end == null) {
      return fieldRefusal("shift_days", "Send shift_days, or a new flight_start or flight_end.");
    }
    if (days != null && (start != null || end != null)) {
      return fieldRefusal("shift_days", "Send shift_days or new days, not both.");
    }
    if (days === 0) return fieldRefusal("shift_days", "Send a number of days other than 0.");
    if (days == null) {
      return { ...(start == null ? {} : { flight_start: start }), ...(end == null ? {} : { flight_end: end }) };
    }
    const [first, last] = [dayLater(terms.flightStart, days), dayLater(terms.flightEnd, days)];
    return first === null || last === null
      ? fieldRefusal("shift_days", "The flight would leave the calendar.")
      : { flight_start: first, flight_end: last };
  });
});

export const changeDeal = defineOperation(contract.changeDeal, (context: SellerContext, input) =>
  moved(context, { dealId: input.deal_id, reason: reasonOrEmpty(input.reason) }, "impressions", () => ({
    impressions: input.impressions,
  })),
);

export const withdrawProposal = defineOperation(contract.withdrawProposal, async (context: SellerContext, input) => {
  const withdrawn = await withdrawal(context, input.proposal_id, reasonOrEmpty(input.reason));
  if (isRefusal(withdrawn)) return withdrawn;
  const { row, changes, events } = withdrawn;
  return { output: proposalView(context, row, null), meta: { revision: row.revision }, changes, events };
});
