import type { getActivity } from "../../../../skills/buyer/activity/contract.ts";
import type {
  approveBooking,
  cancelBookedLine,
  cancelBooking,
  replanBooking,
} from "../../../../skills/buyer/booking-approvals/contract.ts";
import type { createBooking, getBooking, listBookings } from "../../../../skills/buyer/bookings/contract.ts";
import type { listEvents } from "../../../../skills/buyer/events/contract.ts";
import type {
  createOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from "../../../../skills/buyer/operator-keys/contract.ts";
import type { compareProducts, searchProducts } from "../../../../skills/buyer/product-search/contract.ts";
import type { listSellers } from "../../../../skills/buyer/registry/contract.ts";
import type { listDeals } from "../../../../skills/buyer/seller-deals/contract.ts";
import type { rotateSellerKey } from "../../../../skills/buyer/seller-keys/contract.ts";
import type { getSetupStatus } from "../../../../skills/buyer/setup/contract.ts";
import { operation } from "./api.ts";

/** What the buyer's screens call; a test compares each with its contract. */
export const buyer = {
  createBooking: operation<typeof createBooking>("create_booking", "POST", "/bookings"),
  getBooking: operation<typeof getBooking>("get_booking", "GET", "/bookings/:job_id"),
  listBookings: operation<typeof listBookings>("list_bookings", "GET", "/bookings"),
  approveBooking: operation<typeof approveBooking>("approve_booking", "POST", "/bookings/:job_id/approve"),
  cancelBooking: operation<typeof cancelBooking>("cancel_booking", "POST", "/bookings/:job_id/cancel"),
  replanBooking: operation<typeof replanBooking>("replan_booking", "POST", "/bookings/:job_id/replan"),
  cancelBookedLine: operation<typeof cancelBookedLine>(
    "cancel_booked_line",
    "POST",
    "/bookings/:job_id/lines/:line_id/cancel",
  ),
  listDeals: operation<typeof listDeals>("list_deals", "GET", "/api/v1/deals"),
  getActivity: operation<typeof getActivity>("get_activity", "GET", "/api/v1/activity"),
  getSetupStatus: operation<typeof getSetupStatus>("get_setup_status", "GET", "/api/v1/setup/status"),
  listSellers: operation<typeof listSellers>("list_sellers", "GET", "/sellers"),
  rotateSellerKey: operation<typeof rotateSellerKey>("rotate_seller_key", "POST", "/sellers/keys/rotate"),
  searchProducts: operation<typeof searchProducts>("search_products", "POST", "/products/search"),
  compareProducts: operation<typeof compareProducts>("compare_products", "POST", "/products/compare"),
  listEvents: operation<typeof listEvents>("list_events", "GET", "/events"),
  listOperatorKeys: operation<typeof listOperatorKeys>("list_operator_keys", "GET", "/auth/api-keys"),
  createOperatorKey: operation<typeof createOperatorKey>("create_operator_key", "POST", "/auth/api-keys/operator"),
  revokeOperatorKey: operation<typeof revokeOperatorKey>("revoke_operator_key", "DELETE", "/auth/api-keys/:key_id"),
} as const;
