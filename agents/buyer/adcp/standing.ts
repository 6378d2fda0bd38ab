import { boundedText } from "../../../protocol/client/client-result.ts";
import type { TaskAnswer } from "../../../skills/buyer/adcp-tasks.ts";
import type { AnsweredCancellation, BookingCallResult, DealNews } from "../../../skills/buyer/bookings/flow/ports.ts";
import { isCancelled } from "../../../skills/buyer/seller-deals/contract.ts";
import { askTask, buyStatus, buyWord, isTaskOpen, type BuyPlace, readBuy } from "./buys.ts";
import type { Ask } from "../jobs/asking.ts";

/** What a seller waits for, where its word for the state says it. */
const reasons: Readonly<Record<string, string>> = {
  pending_creatives: "It waits for creatives.",
  paused: "It is paused.",
};

export const buyNews = (answer: TaskAnswer): DealNews => {
  const said = answer.cancellation?.reason ?? answer.rejection_reason ?? reasons[buyWord(answer, true) ?? ""] ?? null;
  return {
    status: buyStatus(answer, true),
    reason: said === null ? null : boundedText(said).slice(0, 500),
    awaitsApproval: false,
    cpm_micros: null,
    impressions: null,
    flight_start: answer.start_time?.slice(0, 10) ?? null,
    flight_end: answer.end_time?.slice(0, 10) ?? null,
  };
};

const taskPrefix = "task:";

/** Of a seller that decides later it is known by the task. */
export const cancellationOf = (buyId: string, answer: TaskAnswer): AnsweredCancellation => {
  if (answer.media_buy_id == null && answer.task_id != null) {
    return { changeRequestId: `${taskPrefix}${answer.task_id}`, status: "pending", reason: null };
  }
  return { changeRequestId: buyId, status: "applied", reason: null };
};

export const readCancellation = async (
  ask: Ask,
  at: Pick<BuyPlace, "url" | "link" | "of">,
  changeRequestId: string,
): Promise<BookingCallResult<AnsweredCancellation>> => {
  const answered = (status: string, reason: string | null = null) =>
    ({ ok: true, value: { changeRequestId, status, reason } }) as const;
  if (!changeRequestId.startsWith(taskPrefix)) {
    const read = await readBuy(ask, at, changeRequestId);
    return read.ok ? answered(isCancelled(buyStatus(read.value, true)) ? "applied" : "pending") : read;
  }
  const task = await askTask(ask, at, changeRequestId.slice(taskPrefix.length));
  if (!task.ok) return task;
  if (isTaskOpen(task.value.status)) return answered("pending");
  if (task.value.status === "completed") return answered("applied");
  return answered("rejected", boundedText(task.value.error?.message ?? task.value.message ?? task.value.status));
};
