import { slotOfDate, startOfSlotMs } from "../machines/inventory/dates.ts";
import { type Refusal } from "../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../protocol/neutral/validation.ts";

/** Both ends included; null: open. */
export interface TimeSpan {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

const momentForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** A whole day (UTC) or an instant, UTC without an offset. In a query string `+` arrives as a blank. */
const momentsOf = (text: string): { readonly firstMs: number; readonly lastMs: number } | null => {
  const slot = slotOfDate(text);
  if (slot !== null) return { firstMs: startOfSlotMs(slot), lastMs: startOfSlotMs(slot + 1) - 1 };
  const written = text.replace(/ (\d{2}:\d{2})$/, "+$1");
  const match = momentForm.exec(written);
  if (match === null || slotOfDate(match[1] ?? "") === null) return null;
  const timeMs = Date.parse(match[4] === undefined ? `${written}Z` : written);
  return Number.isNaN(timeMs) ? null : { firstMs: timeMs, lastMs: timeMs };
};

const wrongForm = (member: string): Refusal =>
  fieldRefusal(member, "Send a day as YYYY-MM-DD or an instant such as 2027-03-01T09:00:00+01:00.");

type Given = string | null | undefined;

export const momentsBetween = (
  members: { readonly from: string; readonly to: string },
  given: Given,
  until: Given,
): TimeSpan | Refusal => {
  const from = given == null || given === "" ? null : momentsOf(given);
  const to = until == null || until === "" ? null : momentsOf(until);
  if (from === null && given) return wrongForm(members.from);
  if (to === null && until) return wrongForm(members.to);
  const span = { fromMs: from?.firstMs ?? null, toMs: to?.lastMs ?? null };
  if (span.fromMs !== null && span.toMs !== null && span.toMs < span.fromMs) {
    return fieldRefusal(members.to, `${members.to} lies before ${members.from}.`);
  }
  return span;
};

export const readTimeSpan = (filter: { readonly from_date?: Given; readonly to_date?: Given }): TimeSpan | Refusal =>
  momentsBetween({ from: "from_date", to: "to_date" }, filter.from_date, filter.to_date);

export const isWithin = (timeMs: number, span: TimeSpan): boolean =>
  (span.fromMs === null || timeMs >= span.fromMs) && (span.toMs === null || timeMs <= span.toMs);
