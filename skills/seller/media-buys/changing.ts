import type { z } from "zod";
import { mediaBuyMachine } from "../../../machines/media-buy/machine.ts";
import { isOver } from "../../../machines/media-buy/status.ts";
import { step } from "../../../machines/step.ts";
import { isRefusal, missing, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import type { OrderRow } from "../orders/record.ts";
import { canceledPackage } from "./cancel.ts";
import { changedPackage, gateRefusal, type PackageChangeWish } from "./change.ts";
import type { changeMediaBuy } from "./contract.ts";
import { type BoughtPackage, type MediaBuyRow, totalMicros, withMove } from "./record.ts";
import type { BuyNow } from "./state.ts";
import { readTimes } from "./times.ts";

type Input = z.output<typeof changeMediaBuy.input>;
type AskedPackage = NonNullable<Input["packages"]>[number];

export interface ChangedBuy {
  readonly row: MediaBuyRow;
  readonly affected: readonly string[];
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const overRefusal = ({ row, status }: BuyNow, input: Input): Refusal | null => {
  if (!isOver(status)) return null;
  const current_status = status;
  if (input.canceled === true) {
    return refuse("not_cancellable", { message: `The media buy is ${status}.`, extras: { current_status } });
  }
  const message = `The media buy ${row.media_buy_id} is ${status} and can no longer be changed.`;
  return refuse("invalid_transition", { message, extras: { current_status, allowed_transitions: [] } });
};

const withField = (refusal: Refusal, field: string): Refusal => ({
  ...refusal,
  extras: { ...refusal.extras, field },
});

const missingPackage = ({ row }: BuyNow, wishes: readonly AskedPackage[]): Refusal | null => {
  const place = wishes.findIndex(({ package_id: id }) => !row.packages.some((bought) => bought.package_id === id));
  if (place < 0) return null;
  const refusal = missing("media_buy_package_not_found", wishes[place]?.package_id ?? "");
  return withField(refusal, `packages[${place}].package_id`);
};

/** Dates of the buy are those of each package that says no other. */
const wishFor = (input: Input, wishes: readonly AskedPackage[], bought: BoughtPackage): PackageChangeWish | null => {
  const own = wishes.find(({ package_id: id }) => id === bought.package_id);
  const { start_time, end_time } = input;
  if (own === undefined && start_time == null && end_time == null) return null;
  return {
    ...own,
    package_id: bought.package_id,
    start_time: own?.start_time ?? start_time,
    end_time: own?.end_time ?? end_time,
  };
};

interface Moving {
  readonly context: SellerContext;
  readonly now: BuyNow;
  readonly input: Input;
  readonly wishes: readonly AskedPackage[];
}

const movedPackage = async (
  { context, now, input, wishes }: Moving,
  bought: BoughtPackage,
  order: Loaded<OrderRow>,
) => {
  const place = wishes.findIndex(({ package_id: id }) => id === bought.package_id);
  if (input.canceled === true || wishes[place]?.canceled === true) {
    return canceledPackage(context, bought, order, input.reason ?? "");
  }
  const wish = wishFor(input, wishes, bought);
  const at = place < 0 ? "" : `packages[${place}].`;
  return wish === null ? null : changedPackage(context, { row: now.row, bought, order, at }, wish);
};

const actionOf = (input: Input): { readonly action: string; readonly summary: string } => {
  if (input.canceled === true) return { action: "canceled", summary: "Cancelled by the buyer" };
  if (input.paused != null && (input.packages ?? []).length === 0) {
    return input.paused
      ? { action: "paused", summary: "Paused by the buyer" }
      : { action: "resumed", summary: "Resumed by the buyer" };
  }
  return { action: "updated", summary: "Changed by the buyer" };
};

const lifeAfter = ({ context, now, input }: Moving): MediaBuyRow["life"] => {
  const { life } = now.row;
  if (input.canceled !== true) return life;
  const by = isOperator(context.caller) ? "seller" : "buyer";
  const event = { type: "CANCEL", nowMs: context.nowMs, by, reason: input.reason ?? "" } as const;
  return step(mediaBuyMachine, life, event) ?? life;
};

/** All that was asked for, or nothing. */
export const changedBuy = async (context: SellerContext, now: BuyNow, input: Input): Promise<ChangedBuy | Refusal> => {
  const wishes = input.packages ?? [];
  const { row } = now;
  const refusal = overRefusal(now, input) ?? missingPackage(now, wishes);
  if (refusal !== null) return refusal;
  const times = readTimes(input, { startMs: row.start_ms, endMs: row.end_ms });
  if (isRefusal(times)) return times;
  const moving: Moving = { context, now, input, wishes };
  const packages = [...row.packages];
  const affected: string[] = [];
  const changes: Change[] = [];
  const events: EventDraft[] = [];
  for (const [place, bought] of row.packages.entries()) {
    const order = now.orders[place];
    if (order == null || bought.canceled_at_ms !== null) continue;
    const moved = await movedPackage(moving, bought, order);
    if (moved === null) continue;
    if (isRefusal(moved)) return moved;
    packages[place] = moved.bought;
    affected.push(bought.package_id);
    changes.push(...moved.changes);
    events.push(...moved.events);
  }
  const gate = gateRefusal(context, row, totalMicros({ packages }), totalMicros(row));
  if (gate !== null) return gate;
  const isPaused = input.paused ?? row.paused;
  const actor = isOperator(context.caller) ? "seller" : "buyer";
  const after = withMove(
    { ...row, packages, paused: isPaused, life: lifeAfter(moving), start_ms: times.startMs, end_ms: times.endMs },
    { at_ms: context.nowMs, actor, ...actionOf(input) },
  );
  return { row: after, affected, changes, events };
};
