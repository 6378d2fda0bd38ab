import { taskKind } from "../../protocol/a2a/tasks/task-row.ts";
import { eventKind } from "../../protocol/seam/events.ts";
import { upgradedBooking } from "../../skills/buyer/bookings/older-rows.ts";
import { bookingKind } from "../../skills/buyer/bookings/record.ts";
import { sellerDealKind } from "../../skills/buyer/seller-deals/record.ts";
import { newMemory, talkKind } from "../../skills/buyer/talk/record.ts";
import { type RowFormat, rewriting } from "../../storage/upgrade.ts";

/**
 * One more whenever terms, deadline or members of rows that programs have written are others: lists read by terms, and
 * would not find the rows of before.
 */
export const buyerRowFormats: readonly RowFormat[] = [
  {
    rows: [
      rewriting(bookingKind, upgradedBooking),
      rewriting(sellerDealKind),
      rewriting(talkKind, (row) => ({ ...newMemory, ...row })),
      rewriting(eventKind),
      rewriting(taskKind),
    ],
  },
];
