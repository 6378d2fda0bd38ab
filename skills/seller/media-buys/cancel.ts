import { cancellationTarget } from "../../../machines/order/effects.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { dealKind, settledDeal } from "../deals/record.ts";
import { movedCounts } from "../orders/counters.ts";
import { orderMoved } from "../orders/events.ts";
import { orderKind, type OrderRow } from "../orders/record.ts";
import { dealMove, movedOrder } from "../orders/rules.ts";
import type { BoughtPackage } from "./record.ts";

export interface CanceledPackage {
  readonly bought: BoughtPackage;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

/** While nothing of it ran, its buyer may end it; the deal gives back what it held. */
export const canceledPackage = async (
  context: SellerContext,
  bought: BoughtPackage,
  order: Loaded<OrderRow>,
  reason: string,
): Promise<CanceledPackage | Refusal> => {
  const { nowMs } = context;
  const target = cancellationTarget(order.body.life.value);
  const deal = await context.load(dealKind, bought.deal_id);
  const runs = deal !== null && settledDeal(deal.body, nowMs).life.value === "active" && nowMs >= bought.start_ms;
  if (target === null || runs) {
    const message = `The package ${bought.package_id} runs. Ask with cancel_deal for the deal ${bought.deal_id}.`;
    return refuse("not_cancellable", { message });
  }
  const why = reason === "" ? "Cancelled by the buyer" : reason;
  const moved = movedOrder(context, order.body, target, { actor: "system", reason: why, metadata: {} });
  if (moved === null) return refuse("not_cancellable");
  const ended = deal === null ? null : await dealMove(context, deal, "CANCEL", why);
  return {
    bought: { ...bought, canceled_at_ms: nowMs },
    changes: [
      update(orderKind, order, moved.order),
      ...movedCounts(moved.order, moved.move),
      ...(ended?.changes ?? []),
    ],
    events: [...orderMoved(moved.order, moved.move), ...(ended?.events ?? [])],
  };
};
