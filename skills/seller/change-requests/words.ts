import { costMicros, fromMicros } from "../../../machines/money.ts";
import { type Caller, isOperator } from "../../../protocol/seam/caller.ts";
import { because, byOperator, type Words } from "../words.ts";
import { count, money } from "../talk/wording.ts";
import type { ChangeRequestRow } from "./record.ts";

const again = ({ deal_id: dealId }: ChangeRequestRow): string =>
  dealId === null ? "create_change_request" : "reschedule_deal, change_deal or cancel_deal";

const done = "Nothing is left to do for this change.";

/** `others`: what else waits for the same deal. */
export const changeRequestWords = (
  row: ChangeRequestRow,
  caller: Caller | null,
  others: readonly ChangeRequestRow[] = [],
): Words => {
  const own = ownWords(row, caller);
  const words = { ...own, status_text: `${own.status_text}${impactText(row)}` };
  if (others.length === 0) return words;
  const ids = others.map(({ change_type: type, change_request_id: id }) => `${id} (${type})`);
  return { ...words, next_step: `${words.next_step} Of the same deal still waits: ${ids.join(", ")}.` };
};

const unchanged: readonly string[] = ["rejected", "withdrawn", "failed"];

const withdrawnText = ({ life, owner }: ChangeRequestRow): string => {
  const { by, reason } = life.context.withdrawal ?? { by: owner, reason: "" };
  return `Withdrawn by the ${by === owner ? "buyer" : "seller"}${because(reason)}`;
};

const ends: Readonly<Record<string, string>> = { flight_start: "start", flight_end: "end" };

/** A move with its days: "a move of its flight" alone tells a buyer nothing to check. */
const moveText = ({ change_type: type, diffs }: ChangeRequestRow): string => {
  const moved = diffs.flatMap(({ field, old_value: old, new_value: now }) =>
    ends[field] === undefined || old === now ? [] : [`the ${ends[field]} from ${String(old)} to ${String(now)}`],
  );
  return type !== "flight_dates" || moved.length === 0 ? "" : ` It moves ${moved.join(" and ")}.`;
};

const impactText = (row: ChangeRequestRow): string => {
  const { impact, life } = row;
  if (unchanged.includes(life.value)) return "";
  if (impact == null) return moveText(row);
  const { currency, before, after } = impact;
  const text = ({ price_micros: price, impressions }: typeof before): string => {
    const cost = impressions === null ? null : costMicros(price, impressions);
    const volume =
      cost === null ? "" : ` for ${count(impressions ?? 0)} impressions, ${money(fromMicros(cost), currency)} in all`;
    return `${money(fromMicros(price), currency)} CPM${volume}`;
  };
  return ` Before: ${text(before)}. With the change: ${text(after)}.`;
};

/** To an operator the seller is "you", and what an operator asked for itself waits for nobody else's sake. */
const reviewer = ({ life }: ChangeRequestRow, caller: Caller | null): string => {
  if (caller === null || !isOperator(caller)) return "the seller's review";
  return life.context.severity === "critical" ? "a senior operator's yes" : "your review";
};

const ownWords = (row: ChangeRequestRow, caller: Caller | null): Words => {
  const { life } = row;
  const { appliedAtMs, rejectionReason, severity, validationErrors } = life.context;
  switch (life.value) {
    case "pending":
    case "validating":
      return { status_text: "Is being checked.", next_step: "Ask again with get_change_request." };
    case "pending_approval": {
      const who = severity === "critical" ? "A senior operator" : "An operator";
      return {
        status_text:
          `A ${severity ?? "material"} change; it waits for ${reviewer(row, caller)} ` + "and nothing is changed yet.",
        next_step:
          `${who} of the seller decides${byOperator(caller, " with review_change_request")}; ` +
          "withdraw_change_request takes it back.",
      };
    }
    case "approved":
      if (appliedAtMs !== null) {
        return {
          status_text: "Approved at once, and written to the order and its deal.",
          next_step: done,
        };
      }
      return {
        status_text: "Approved, and not written yet.",
        next_step: `An operator of the seller writes it${byOperator(caller, " with apply_change_request")}.`,
      };
    case "applied":
      return { status_text: "Written to the order and its deal.", next_step: done };
    case "rejected":
      return {
        status_text: `Rejected${because(rejectionReason)}`,
        next_step: `Ask for another change with ${again(row)}.`,
      };
    case "withdrawn":
      return { status_text: withdrawnText(row), next_step: `Ask for another change with ${again(row)}.` };
    case "failed":
      return {
        status_text: `Not valid${because(validationErrors.join(" "))}`,
        next_step: `Correct it and send it again with ${again(row)}.`,
      };
  }
};
