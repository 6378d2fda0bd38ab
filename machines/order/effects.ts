import { allowedNext } from "./machine.ts";
import type { OrderStatus } from "./moves.ts";

/**
 * What an order's arrival in a state does to its deal (decision 57): booked activates it, cancelled cancels it, where
 * it is the deal's newest order, unbooked takes it back to proposed. Failed and rejected orders change nothing.
 */
export const dealEventOf = (status: OrderStatus): "ACTIVATE" | "CANCEL" | "UNBOOK" | null => {
  if (status === "booked") return "ACTIVATE";
  if (status === "cancelled") return "CANCEL";
  return status === "unbooked" ? "UNBOOK" : null;
};

/** States from which a cancellation may be requested (seller spec, States, Order). */
export const cancellableStatuses: readonly OrderStatus[] = [
  "draft",
  "submitted",
  "pending_approval",
  "approved",
  "in_progress",
  "booked",
];

/**
 * Where an approved cancellation takes an order (decision 13): to cancelled where the machine allows it, else to the
 * nearest state that it allows, which is unbooked for a booked order; null where neither is open.
 */
export const cancellationTarget = (status: OrderStatus): OrderStatus | null =>
  (["cancelled", "unbooked"] as const).find((target) => allowedNext(status).includes(target)) ?? null;
