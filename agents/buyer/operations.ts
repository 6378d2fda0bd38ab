import type { Operation } from "../../protocol/operation.ts";
import { approveAllBookings, approveBooking, decideBooking } from "../../skills/buyer/booking-approvals/skill.ts";
import { createBooking, getBooking, listBookings } from "../../skills/buyer/bookings/skill.ts";
import {
  createOperatorKey,
  getOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from "../../skills/buyer/operator-keys/skill.ts";
import type { BuyerPorts } from "../../skills/buyer/ports.ts";

/** Everything the buyer can do, in the order in which cards, tool lists and documents show it. */
export const buyerOperations: readonly Operation<BuyerPorts>[] = [
  createBooking,
  getBooking,
  listBookings,
  approveBooking,
  approveAllBookings,
  decideBooking,
  createOperatorKey,
  listOperatorKeys,
  getOperatorKey,
  revokeOperatorKey,
];
