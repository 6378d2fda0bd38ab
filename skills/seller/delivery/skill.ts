import { createHash } from "node:crypto";
import type { z } from "zod";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import { canonicalJson } from "../../../protocol/neutral/canonical.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { dealKind } from "../deals/record.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import { deliveredImpressions, deliveredOn, deliveryBatchKind, type DeliveryBatchRow } from "./record.ts";

type Input = z.output<typeof contract.reportDelivery.input>;

const daysBack = 35;

const answerOf = ({ batch_id, stored, rejected }: DeliveryBatchRow, repeated: boolean) => ({
  batch_id,
  repeated,
  impressions: stored.reduce((sum, { impressions }) => sum + impressions, 0),
  rejected: rejected.map((dealId) => ({ deal_id: dealId, reason: "deal_not_found" as const })),
});

/** One day of leeway for the sender's clock. */
const dayRefusal = (counts: Input["counts"], nowMs: number): Refusal | null => {
  const today = slotOfTime(nowMs);
  const index = counts.findIndex(({ date }) => {
    const slot = slotOfDate(date);
    return slot === null || slot > today + 1 || slot < today - daysBack;
  });
  if (index < 0) return null;
  const cure = `Send a day that exists, from ${daysBack} days ago until today (UTC).`;
  return fieldRefusal("counts", `The date of counts[${index}] is none to report. ${cure}`);
};

export const reportDelivery = defineOperation(contract.reportDelivery, async (context: SellerContext, input) => {
  const digest = createHash("sha256").update(canonicalJson(input.counts)).digest("hex");
  const known = await context.load(deliveryBatchKind, input.batch_id);
  if (known !== null) {
    return known.body.digest === digest ? { output: answerOf(known.body, true) } : refuse("batch_conflict");
  }
  const refused = dayRefusal(input.counts, context.nowMs);
  if (refused !== null) return refused;
  const ids = [...new Set(input.counts.map(({ deal_id: dealId }) => dealId))];
  const found = await Promise.all(ids.map((id) => context.load(dealKind, id)));
  const rejected = ids.filter((_, index) => found[index] === null);
  const stored = input.counts.filter(({ deal_id: dealId }) => !rejected.includes(dealId));
  const row: DeliveryBatchRow = {
    batch_id: input.batch_id,
    digest,
    stored,
    rejected,
    received_at_ms: context.nowMs,
  };
  return {
    output: answerOf(row, false),
    changes: [
      create(deliveryBatchKind, row.batch_id, row),
      ...stored.map(({ deal_id: dealId, date, impressions }) =>
        deliveredOn(dealId, slotOfDate(date) ?? 0, impressions),
      ),
    ],
  };
});

const lastDays = async (context: SellerContext, dealId: string) => {
  const today = slotOfTime(context.nowMs);
  const slots = Array.from({ length: daysBack + 2 }, (_, index) => today - daysBack + index);
  const counts = await Promise.all(
    slots.map((slot) => deliveredImpressions(context, dealId, { fromSlot: slot, toSlot: slot })),
  );
  return slots
    .map((slot, index) => ({ date: dateOfSlot(slot) ?? "", impressions: counts[index] ?? 0 }))
    .filter(({ impressions }) => impressions > 0);
};

export const getDelivery = defineOperation(contract.getDelivery, async (context: SellerContext, input) => {
  const { body } = await context.own(dealKind, input.deal_id, "deal_not_found");
  const { impressions: booked } = body.life.context.terms;
  const delivered = await deliveredImpressions(context, body.deal_id);
  return {
    output: {
      deal_id: body.deal_id,
      delivered_impressions: delivered,
      booked_impressions: booked,
      delivered_share: booked === null ? null : Number((delivered / booked).toFixed(6)),
      days: await lastDays(context, body.deal_id),
    },
  };
});
