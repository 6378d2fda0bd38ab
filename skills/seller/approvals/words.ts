import { toMicros } from "../../../machines/money.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { because, byOperator, timeText, totalCost, type Words } from "../words.ts";
import type { ApprovalRow } from "./record.ts";

const microsAt = (context: ApprovalRow["context"], names: readonly string[]): number | null => {
  const value = names.map((name) => context[name]).find((one) => typeof one === "number");
  return typeof value === "number" ? toMicros(value) : null;
};

export const approvalCost = ({ context }: ApprovalRow): number | null => {
  const price = microsAt(context, ["final_cpm", "price", "buyer_price"]);
  const { impressions } = context;
  return price === null || typeof impressions !== "number" ? null : totalCost(price, impressions);
};

const how = " with approve_or_reject";

export const approvalWords = (row: ApprovalRow, caller: Caller | null): Words => {
  const { expiresAtMs, record } = row.life.context;
  switch (row.life.value) {
    case "pending":
      return {
        status_text: `The ${row.flow_type} ${row.subject_id} waits for a decision.`,
        next_step: `An operator decides${byOperator(caller, how)} before ${timeText(expiresAtMs)}.`,
      };
    case "approved":
      return { status_text: "Approved.", next_step: "resume_approval says what became of it." };
    case "rejected":
      return { status_text: `Not approved${because(record?.reason)}`, next_step: "Nothing is left to do." };
    case "timed_out":
      return {
        status_text: `Nobody decided before ${timeText(expiresAtMs)}, so the ${row.flow_type} was refused.`,
        next_step: "It can no longer be decided: the buyer asks again. resume_approval says what became of it.",
      };
  }
};
