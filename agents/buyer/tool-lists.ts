import { commonInstructions, type ToolLists } from "../../tools/listing.ts";

/** A campaign from its brief to its booked lines, and single deals. All need an operator key. */
export const buyerTools: ToolLists = {
  everyone: [
    "create_booking",
    "get_booking",
    "list_bookings",
    "approve_booking",
    "approve_all_bookings",
    "replan_booking",
    "cancel_booking",
    "cancel_booked_line",
    "search_products",
    "compare_products",
    "list_sellers",
    "request_quote",
    "get_quote",
    "book_deal",
    "get_deal",
    "list_deals",
    "send_seller_message",
    "get_setup_status",
    "health_check",
    "get_caller",
  ],
  operators: [
    "get_negotiation_rounds",
    "discover_sellers",
    "compare_sellers",
    "get_seller_media_kit",
    "search_seller_media_kit",
    "set_seller_key",
    "acquire_seller_key",
    "list_seller_keys",
    "list_events",
    "create_operator_key",
    "list_operator_keys",
    "revoke_operator_key",
  ],
};

export const buyerInstructions =
  "Buys advertising for an operator. create_booking turns a campaign brief into recommendations across the " +
  "configured sellers, within its budget; follow it with get_booking, book with approve_booking. Single deals: " +
  "compare_products, request_quote, book_deal. Prices are per thousand impressions in USD, dates are UTC days. Every " +
  `tool but health_check needs an operator key. ${commonInstructions}`;
