import { begunText } from "../../../machines/inventory/flight.ts";
import type { ChangeType } from "../../../machines/change-request/proposal.ts";
import type { ChangeRequestRow } from "../change-requests/record.ts";
import { changeRequestWords } from "../change-requests/words.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { because, byOperator, inSandbox, timeText, type Words } from "../words.ts";
import { type DealRow, isAwaitingApproval, isWaitingDeal } from "./record.ts";

const proposedWords = (row: DealRow, caller: Caller | null): Words => {
  const { awaitingApproval, expiresAtMs, terms } = row.life.context;
  if (awaitingApproval && row.approval != null) {
    const until = timeText(row.approval.expires_at_ms);
    return {
      status_text: "Booked, and waits for an operator of the seller to approve it.",
      next_step:
        `The seller decides${byOperator(caller, " with approve_or_reject")} before ${until}; ` +
        "without a decision the deal is rejected.",
    };
  }
  const until = timeText(expiresAtMs);
  const begun = row.begun_on == null ? "" : `${begunText(row.begun_on, terms.flightStart)} `;
  const how = byOperator(caller, ": transition_deal to active, or its order to booked");
  return {
    status_text:
      `${begun}Booked, and not active yet: it expires at ${until} ` + "unless the seller activates it (expires_at).",
    next_step: `The seller activates it before ${until}${how}.`,
  };
};

const changeNames: Readonly<Partial<Record<ChangeType, string>>> = {
  cancellation: "cancellation",
  flight_dates: "move of its flight",
  impressions: "change of its volume",
};

const changeName = ({ change_type: type }: ChangeRequestRow): string => changeNames[type] ?? `change (${type})`;

const bookingSteps = (row: DealRow): readonly string[] => {
  if (row.life.value !== "proposed") return [];
  return isAwaitingApproval(row)
    ? ["an operator of the seller to approve the booking"]
    : [`an operator of the seller to activate it before ${timeText(row.life.context.expiresAtMs)}`];
};

/** One clause for each step of the seller that is open; null where nothing waits. */
export const waitingFor = (row: DealRow, waiting: readonly ChangeRequestRow[]): string | null => {
  if (!isWaitingDeal(row, waiting.length > 0)) return null;
  const changes = waiting.map((change) => {
    const { change_request_id: id, life } = change;
    if (life.value === "approved")
      return `an operator of the seller to write the approved ${changeName(change)} (${id})`;
    const who = life.context.severity === "critical" ? "a senior operator" : "an operator";
    return `${who} of the seller to decide about the ${changeName(change)} (${id})`;
  });
  return [...bookingSteps(row), ...changes].join("; ");
};

/** What waits comes first: a deal that shall be cancelled is not one to target. */
export const dealWords = (row: DealRow, caller: Caller | null, waiting: readonly ChangeRequestRow[] = []): Words => {
  const isStanding = row.life.value !== "rejected" && row.life.value !== "expired";
  const words = inSandbox(standingWords(row, caller), row.sandbox && isStanding);
  const [newest] = waiting;
  if (newest === undefined || !isWaitingDeal(row, true)) return words;
  const { change_request_id: id } = newest;
  return {
    status_text: `A ${changeName(newest)} is asked for and not done yet (${id}). ${words.status_text}`,
    next_step: `${changeRequestWords(newest, caller).next_step} ${words.next_step}`,
  };
};

/** `expires_at` of a proposed deal is the last moment of its activation. */
const standingWords = (row: DealRow, caller: Caller | null): Words => {
  const { statusReason, terms, isCancelled } = row.life.context;
  switch (row.life.value) {
    case "proposed":
      return proposedWords(row, caller);
    case "active":
      return {
        status_text: `Active: it runs from ${terms.flightStart} to ${terms.flightEnd} (UTC).`,
        next_step: "The buyer targets the deal id in its DSP, see activation_instructions.",
      };
    case "completed":
      return { status_text: `Completed: its flight ended on ${terms.flightEnd}.`, next_step: "Nothing is left to do." };
    case "rejected":
      return {
        status_text:
          isCancelled === true
            ? `Cancelled${because(statusReason?.replace(/^Cancelled /, ""))}`
            : `Rejected${because(statusReason)}`,
        next_step: "Ask for a new price with request_quote.",
      };
    case "expired":
      return { status_text: `Expired${because(statusReason)}`, next_step: "Ask for a new price with request_quote." };
  }
};
