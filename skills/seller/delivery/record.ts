import { dayMs, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { add } from "../../../protocol/seam/changes.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { AddChange, Kind } from "../../../storage/store.ts";

interface ReportedCount {
  readonly deal_id: string;
  readonly date: string;
  readonly impressions: number;
}

/** `digest`: of the counts as sent. */
export interface DeliveryBatchRow {
  readonly batch_id: string;
  readonly digest: string;
  readonly stored: readonly ReportedCount[];
  readonly rejected: readonly string[];
  readonly received_at_ms: number;
}

/** Longer than a day may be reported late, so that no late batch counts twice. */
const keptMs = 40 * dayMs;

export const deliveryBatchKind: Kind<DeliveryBatchRow> = {
  name: "delivery_batch",
  terms: () => [],
  dueAtMs: ({ received_at_ms: receivedAtMs }) => receivedAtMs + keptMs,
  owner: () => null,
};

const deliverySum = (dealId: string): string => `delivery/${dealId}`;

export const deliveredOn = (dealId: string, slot: number, impressions: number): AddChange =>
  add([deliverySum(dealId)], slot, [impressions]);

const wholeTime: SlotSpan = { fromSlot: 0, toSlot: slotOfTime(Date.UTC(9999, 11, 31)) };

/** Reports of different edges never conflict, and leave the deal's revision as it is. */
export const deliveredImpressions = async (
  context: Pick<Context, "added">,
  dealId: string,
  { fromSlot, toSlot }: SlotSpan = wholeTime,
): Promise<number> => (await context.added([deliverySum(dealId)], fromSlot, toSlot))[0] ?? 0;
