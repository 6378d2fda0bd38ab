import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { isOperator, ownersOf } from "../../../protocol/seam/caller.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { momentsBetween, type TimeSpan } from "../../date-filter.ts";

/** Null: nobody's. Another buyer's name is refused alike whether there is such a buyer or not. */
export const ownersShown = (
  { caller }: Pick<Context, "caller">,
  buyer: string | null | undefined,
): { readonly owners: readonly string[] | null } | null | Refusal => {
  if (isOperator(caller)) return { owners: buyer == null ? null : [buyer] };
  const owners = caller.kind === "anonymous" ? null : ownersOf(caller);
  if (buyer != null && owners?.includes(buyer) !== true) {
    return fieldRefusal("buyer", "Only the seller's operators look at other buyers. Leave buyer out to see your own.");
  }
  return owners === null ? null : { owners };
};

export const only = (value: string | null | undefined): readonly string[] | null => (value == null ? null : [value]);

export const isFoundIn = (text: string, others: readonly (string | null | undefined)[]): boolean => {
  const wanted = text.toLowerCase();
  return others.some((other) => other?.toLowerCase().includes(wanted) === true);
};

/** Null: open on that side. */
export interface DaySpan {
  readonly fromSlot: number | null;
  readonly toSlot: number | null;
}

const dayOf = (member: string, text: string | null | undefined): number | null | Refusal =>
  text == null || text === "" ? null : (slotOfDate(text) ?? fieldRefusal(member, "Send a day as YYYY-MM-DD."));

export const readDays = (
  members: { readonly from: string; readonly to: string },
  from: string | null | undefined,
  to: string | null | undefined,
): DaySpan | Refusal => {
  const fromSlot = dayOf(members.from, from);
  if (isRefusal(fromSlot)) return fromSlot;
  const toSlot = dayOf(members.to, to);
  if (isRefusal(toSlot)) return toSlot;
  if (fromSlot !== null && toSlot !== null && toSlot < fromSlot) {
    return fieldRefusal(members.to, `${members.to} lies before ${members.from}.`);
  }
  return { fromSlot, toSlot };
};

export const createdBetween = (input: {
  readonly created_from?: string | null | undefined;
  readonly created_to?: string | null | undefined;
}): TimeSpan | Refusal =>
  momentsBetween({ from: "created_from", to: "created_to" }, input.created_from, input.created_to);
