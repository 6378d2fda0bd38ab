import { taskKind } from "../../protocol/a2a/tasks/task-row.ts";
import { eventKind } from "../../protocol/seam/events.ts";
import { apiKeyKind } from "../../skills/seller/api-keys/record.ts";
import { approvalKind } from "../../skills/seller/approvals/record.ts";
import { changeRequestKind } from "../../skills/seller/change-requests/record.ts";
import { bookedCounts } from "../../skills/seller/deals/counters.ts";
import { type DealRow, dealKind } from "../../skills/seller/deals/record.ts";
import { negotiationKind } from "../../skills/seller/negotiation/record.ts";
import { standingCounts } from "../../skills/seller/orders/counters.ts";
import { type OrderRow, orderKind } from "../../skills/seller/orders/record.ts";
import { quoteKind } from "../../skills/seller/pricing/record.ts";
import { proposalKind } from "../../skills/seller/proposals/record.ts";
import { deliveryKind } from "../../skills/seller/webhooks/record.ts";
import { conversationKind, memoryOf } from "../../skills/seller/talk/memory.ts";
import type { AddChange, StoreReader } from "../../storage/store.ts";
import { pagesOf, type RowFormat, rewriting } from "../../storage/upgrade.ts";

async function* sumsOfDealsAndOrders(reader: StoreReader): AsyncGenerator<AddChange> {
  for await (const page of pagesOf(reader, dealKind.name)) {
    for (const { body } of page) yield* bookedCounts(body as DealRow);
  }
  for await (const page of pagesOf(reader, orderKind.name)) {
    for (const { body } of page) yield* standingCounts(body as OrderRow);
  }
}

/**
 * One more whenever terms, deadline or members of rows that programs have written are others: lists read by terms, and
 * would not find the rows of before.
 */
export const sellerRowFormats: readonly RowFormat[] = [
  {
    rows: [
      rewriting(quoteKind),
      rewriting(dealKind),
      rewriting(proposalKind),
      rewriting(negotiationKind),
      rewriting(orderKind),
      rewriting(changeRequestKind),
      rewriting(approvalKind),
      rewriting(apiKeyKind),
      rewriting(deliveryKind),
      rewriting(conversationKind, (row) => ({ ...row, memory: memoryOf(row.memory) })),
      rewriting(eventKind),
      rewriting(taskKind),
    ],
    sums: sumsOfDealsAndOrders,
  },
];
