import { allowedNext } from "../../../machines/order/machine.ts";
import type { OrderStatus } from "../../../machines/order/moves.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { byOperator, inSandbox, type Words } from "../words.ts";
import type { OrderRow } from "./record.ts";

const texts: Readonly<Record<OrderStatus, string>> = {
  draft: "A draft that was not submitted yet.",
  submitted: "Submitted, and waits for the seller to take it up.",
  pending_approval: "Waits for the seller's approval.",
  approved: "Approved by the seller, and not booked yet.",
  rejected: "Rejected by the seller.",
  in_progress: "The seller works on it.",
  syncing: "Is being written to the ad server.",
  completed: "Completed.",
  failed: "Failed; its deal is as it was.",
  cancelled: "Cancelled.",
  booked: "Booked; its deal is active.",
  unbooked: "Taken back from the ad server; its deal waits to be activated again.",
};

export const orderWords = ({ life, deal_id: dealId, sandbox }: OrderRow, caller: Caller): Words => {
  const next = allowedNext(life.value);
  const hint = life.value === "booked" && dealId === null ? "Booked." : texts[life.value];
  const step =
    next.length === 0
      ? "Nothing is left to do."
      : `The seller moves it on${byOperator(caller, " with transition_order")}: ${next.join(", ")}.`;
  return inSandbox({ status_text: hint, next_step: step }, sandbox && life.value === "booked");
};
