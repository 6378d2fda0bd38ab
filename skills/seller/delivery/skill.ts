import { createHash } from "node:crypto";
import type { z } from "zod";
import { slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { canonicalJson } from "../../../protocol/neutral/canonical.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { type Answer, defineOperation } from "../../../protocol/seam/operation.ts";
import { dealKind } from "../deals/record.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import { countedOn, deliveredBySource, deliveredDays, deliveredOf } from "./figures.ts";
import { deliveryBatchKind, type DeliveryBatchRow } from "./record.ts";
import { storeRows } from "./rows.ts";

type Counts = NonNullable<z.output<typeof contract.reportDelivery.input>["counts"]>;
type Output = z.input<typeof contract.reportDelivery.output>;

const daysBack = { counts: 35, rows: 400 } as const;

const answerOf = ({ batch_id, stored, rejected }: DeliveryBatchRow, repeated: boolean) => ({
  batch_id,
  repeated,
  impressions: stored.reduce((sum, { impressions }) => sum + impressions, 0),
  rejected: rejected.map((dealId) => ({ deal_id: dealId, reason: "deal_not_found" as const })),
});

/** One day of leeway for the sender's clock. */
const dayRefusal = (
  member: "counts" | "rows",
  dated: readonly { readonly date: string }[],
  nowMs: number,
): Refusal | null => {
  const today = slotOfTime(nowMs);
  const index = dated.findIndex(({ date }) => {
    const slot = slotOfDate(date);
    return slot === null || slot > today + 1 || slot < today - daysBack[member];
  });
  if (index < 0) return null;
  const cure = `Send a day that exists, from ${daysBack[member]} days ago until today (UTC).`;
  return fieldRefusal(member, `The date of ${member}[${index}] is none to report. ${cure}`);
};

const storeBatch = async (
  context: SellerContext,
  batchId: string,
  counts: Counts,
): Promise<Answer<Output> | Refusal> => {
  const digest = createHash("sha256").update(canonicalJson(counts)).digest("hex");
  const known = await context.load(deliveryBatchKind, batchId);
  if (known !== null) {
    return known.body.digest === digest ? { output: answerOf(known.body, true) } : refuse("batch_conflict");
  }
  const refused = dayRefusal("counts", counts, context.nowMs);
  if (refused !== null) return refused;
  const ids = [...new Set(counts.map(({ deal_id: dealId }) => dealId))];
  const found = await Promise.all(ids.map((id) => context.load(dealKind, id)));
  const rejected = ids.filter((_, index) => found[index] === null);
  const stored = counts.filter(({ deal_id: dealId }) => !rejected.includes(dealId));
  const row: DeliveryBatchRow = { batch_id: batchId, digest, stored, rejected, received_at_ms: context.nowMs };
  return {
    output: answerOf(row, false),
    changes: [
      create(deliveryBatchKind, row.batch_id, row),
      ...stored.map(({ deal_id: dealId, date, impressions }) => countedOn(dealId, slotOfDate(date) ?? 0, impressions)),
    ],
  };
};

export const reportDelivery = defineOperation(contract.reportDelivery, async (context: SellerContext, input) => {
  const { batch_id: batchId, counts, source, rows } = input;
  if (batchId != null && counts != null) return storeBatch(context, batchId, counts);
  return dayRefusal("rows", rows ?? [], context.nowMs) ?? storeRows(context, source ?? "", rows ?? []);
});

const mostDays = 400;

const spanOf = (
  { start_date: start, end_date: end }: z.output<typeof contract.getDelivery.input>,
  nowMs: number,
): SlotSpan | Refusal => {
  const today = slotOfTime(nowMs);
  const toSlot = end == null ? today + 1 : slotOfDate(end);
  const fromSlot = start == null ? Math.min(today, toSlot ?? today) - daysBack.counts : slotOfDate(start);
  if (fromSlot === null) return fieldRefusal("start_date", "Send a day that exists.");
  if (toSlot === null) return fieldRefusal("end_date", "Send a day that exists.");
  if (toSlot < fromSlot) return fieldRefusal("end_date", "Send an end_date on or after start_date.");
  if (toSlot - fromSlot > mostDays) return fieldRefusal("end_date", `Ask for at most ${mostDays} days at once.`);
  return { fromSlot, toSlot };
};

export const getDelivery = defineOperation(contract.getDelivery, async (context: SellerContext, input) => {
  const { body } = await context.own(dealKind, input.deal_id, "deal_not_found");
  const span = spanOf(input, context.nowMs);
  if (isRefusal(span)) return span;
  const { impressions: booked } = body.life.context.terms;
  const { impressions, clicks, spend, data_source } = await deliveredOf(context, body);
  return {
    output: {
      deal_id: body.deal_id,
      data_source,
      currency: body.pricing.currency,
      delivered_impressions: impressions,
      delivered_clicks: clicks,
      delivered_spend: spend,
      booked_impressions: booked,
      delivered_share: booked === null ? null : Number((impressions / booked).toFixed(6)),
      sources: (await deliveredBySource(context, body)).map(({ reported_at_ms: reportedAtMs, ...source }) => ({
        ...source,
        reported_at: reportedAtMs === null ? null : isoTime(reportedAtMs),
      })),
      days: (await deliveredDays(context, body, span)).map((day) => ({ ...day })),
    },
  };
});
