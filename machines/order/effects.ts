import { allowedNext } from "./machine.ts";
import type { OrderStatus } from "./moves.ts";

/** A cancelled order cancels the deal only where it is the deal's newest. */
export const dealEventOf = (status: OrderStatus): "ACTIVATE" | "CANCEL" | "UNBOOK" | null => {
  if (status === "booked") return "ACTIVATE";
  if (status === "cancelled") return "CANCEL";
  return status === "unbooked" ? "UNBOOK" : null;
};

/** Seller spec, States, Order. */
export const cancellableStatuses: readonly OrderStatus[] = [
  "draft",
  "submitted",
  "pending_approval",
  "approved",
  "in_progress",
  "booked",
];

/** The nearest state that the machine allows; unbooked for a booked order. */
export const cancellationTarget = (status: OrderStatus): OrderStatus | null =>
  (["cancelled", "unbooked"] as const).find((target) => allowedNext(status).includes(target)) ?? null;
