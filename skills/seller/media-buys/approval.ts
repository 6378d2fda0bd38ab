import { mediaBuyMachine } from "../../../machines/media-buy/machine.ts";
import { step } from "../../../machines/step.ts";
import { isRefusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { ContinuedFlow, Continuation, FlowContext } from "../approvals/flow.ts";
import { newQuote } from "../../../machines/quote/machine.ts";
import type { QuoteRow } from "../pricing/record.ts";
import type { SellerContext } from "../context.ts";
import { bookedPackages } from "./booking.ts";
import { mediaBuyEvent } from "./events.ts";
import { mediaBuyKind, type MediaBuyRow, withMove } from "./record.ts";

const resultOf = (row: MediaBuyRow): ContinuedFlow["result"] => ({
  status: row.life.value,
  media_buy_id: row.media_buy_id,
  status_text:
    row.life.value === "confirmed"
      ? `The media buy is booked.`
      : `The media buy is ${row.life.value}: nothing is booked.`,
  next_step: row.life.value === "confirmed" ? "Its orders go to the ad server." : "Nothing is left to do.",
});

/** The price is the one that was asked for, however long a person took. */
const renewed = (quote: QuoteRow, { nowMs, settings }: FlowContext): QuoteRow => {
  const { priceMicros, ceilingMicros } = quote.life.context;
  const expiresAtMs = nowMs + Math.round(settings.quoteTtlSeconds * 1000);
  return { ...quote, life: newQuote({ expiresAtMs, priceMicros, ceilingMicros }) };
};

const booked = async (
  context: FlowContext,
  seller: SellerContext,
  row: MediaBuyRow,
): Promise<Pick<ContinuedFlow, "changes" | "events"> | ReturnType<typeof refuse>> => {
  const terms = (row.quotes ?? []).map((quote) => renewed(quote, context));
  const effects = await bookedPackages(seller, row, terms);
  if (!isRefusal(effects)) return effects;
  const message = "Too little is left for all of its packages. Reject it, or make room first.";
  return refuse("invalid_decision", { message });
};

/** One decision for all of its packages. A rejection and a timeout leave nothing behind. */
export const carryMediaBuyOn: Continuation = async (context, approval, verdict) => {
  if (verdict.decision === "counter") {
    return refuse("invalid_decision", { message: "A media buy is approved or rejected. Send approve or reject." });
  }
  const loaded = await context.load(mediaBuyKind, approval.subject_id);
  if (loaded === null) throw new Error(`The media buy ${approval.subject_id} of an approval is gone.`);
  const { nowMs, seller } = context;
  const { decision, reason } = verdict;
  const event =
    decision === "approve"
      ? ({ type: "APPROVE", nowMs } as const)
      : decision === "timeout"
        ? ({ type: "TIME_OUT", nowMs } as const)
        : ({ type: "REJECT", nowMs, reason: reason === "" ? "Not approved by the seller" : reason } as const);
  const life = step(mediaBuyMachine, loaded.body.life, event);
  if (life === null) return { changes: [], events: [], result: resultOf(loaded.body) };
  const isBooked = life.value === "confirmed";
  const summary = isBooked ? "Approved and booked" : (life.context.rejectionReason ?? "Rejected");
  const moved = withMove(
    { ...loaded.body, life, quotes: null },
    {
      at_ms: nowMs,
      action: isBooked ? "confirmed" : "rejected",
      actor: "seller",
      summary,
    },
  );
  const effects =
    isBooked && seller !== null ? await booked(context, seller, loaded.body) : { changes: [], events: [] };
  if (isRefusal(effects)) return effects;
  return {
    changes: [update(mediaBuyKind, loaded, moved), ...effects.changes],
    events: [mediaBuyEvent(isBooked ? "media_buy.created" : "media_buy.rejected", moved), ...effects.events],
    result: resultOf(moved),
  };
};
