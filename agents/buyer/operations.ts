import type { Operation } from "../../protocol/operation.ts";
import { createBooking, getBooking, listBookings } from "../../skills/buyer/bookings/skill.ts";
import {
  createOperatorKey,
  getOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from "../../skills/buyer/operator-keys/skill.ts";

/** Everything the buyer can do, in the order in which cards, tool lists and documents show it. */
export const buyerOperations: readonly Operation[] = [
  createBooking,
  getBooking,
  listBookings,
  createOperatorKey,
  listOperatorKeys,
  getOperatorKey,
  revokeOperatorKey,
];
