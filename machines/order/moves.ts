/** Seller spec, States, Order. */
export const orderStatuses = [
  "draft",
  "submitted",
  "pending_approval",
  "approved",
  "rejected",
  "in_progress",
  "syncing",
  "completed",
  "failed",
  "cancelled",
  "booked",
  "unbooked",
] as const;

export type OrderStatus = (typeof orderStatuses)[number];

/** An unbooked order has no way back. `reason` is recorded where the caller gives none. */
export const orderMoves = [
  { from: "draft", to: "submitted", event: "SUBMIT", reason: "Order submitted for review" },
  { from: "submitted", to: "pending_approval", event: "REQUEST_APPROVAL", reason: "Awaiting human approval" },
  { from: "submitted", to: "approved", event: "APPROVE", reason: "Auto-approved (no gate)" },
  { from: "pending_approval", to: "approved", event: "APPROVE", reason: "Human approved" },
  { from: "pending_approval", to: "rejected", event: "REJECT", reason: "Human rejected" },
  { from: "approved", to: "in_progress", event: "EXECUTE", reason: "Execution started" },
  { from: "in_progress", to: "syncing", event: "SYNC", reason: "Syncing to ad server" },
  { from: "syncing", to: "booked", event: "BOOK", reason: "Ad server confirmed booking" },
  { from: "booked", to: "completed", event: "COMPLETE", reason: "Order fulfilled" },
  { from: "booked", to: "unbooked", event: "UNBOOK", reason: "Booking reversed by ad server" },
  { from: "draft", to: "cancelled", event: "CANCEL", reason: "Cancelled before submission" },
  { from: "submitted", to: "cancelled", event: "CANCEL", reason: "Cancelled after submission" },
  { from: "submitted", to: "failed", event: "FAIL", reason: "Submission processing failed" },
  { from: "pending_approval", to: "cancelled", event: "CANCEL", reason: "Cancelled during approval" },
  { from: "approved", to: "cancelled", event: "CANCEL", reason: "Cancelled after approval" },
  { from: "in_progress", to: "failed", event: "FAIL", reason: "Execution failed" },
  { from: "in_progress", to: "cancelled", event: "CANCEL", reason: "Cancelled during execution" },
  { from: "syncing", to: "failed", event: "FAIL", reason: "Ad server sync failed" },
  { from: "rejected", to: "draft", event: "REOPEN", reason: "Returned to draft for revision" },
  { from: "failed", to: "draft", event: "REOPEN", reason: "Reset to draft after failure" },
] as const satisfies readonly {
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  readonly event: string;
  readonly reason: string;
}[];

export type OrderEventType = (typeof orderMoves)[number]["event"];

export const isOrderStatus = (text: string): text is OrderStatus => (orderStatuses as readonly string[]).includes(text);
