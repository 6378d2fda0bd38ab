import { commonInstructions, type ToolLists } from "../../tools/listing.ts";

/** A buyer's way to a deal, and an operator's day. */
export const sellerTools: ToolLists = {
  everyone: [
    "discover_inventory",
    "list_products",
    "check_avails",
    "request_quote",
    "submit_proposal",
    "generate_deal",
    "negotiate",
    "get_negotiation_status",
    "book_deal",
    "get_deal",
    "cancel_deal",
    "reschedule_deal",
    "change_deal",
    "get_change_request",
    "withdraw_change_request",
    "list_deals",
    "list_quotes",
    "request_handover",
    "list_handovers",
    "get_caller",
  ],
  operators: [
    "get_desk_status",
    "get_activity",
    "get_capacity_report",
    "update_product",
    "block_agent",
    "list_approvals",
    "get_approval_brief",
    "approve_or_reject",
    "list_change_requests",
    "review_change_request",
    "apply_change_request",
    "list_orders",
    "transition_deal",
    "list_events",
    "create_api_key",
    "list_api_keys",
    "revoke_api_key",
    "list_buyer_agents",
    "set_agent_trust",
    "answer_handover",
  ],
};

export const sellerInstructions =
  "Sells advertising. Find products with list_products or discover_inventory, see what is left with check_avails, " +
  "price with request_quote, then book_deal; submit_proposal or negotiate where your key may negotiate. Afterwards " +
  "list_deals, reschedule_deal, change_deal, cancel_deal, withdraw_change_request. request_handover asks for a " +
  "person of the seller, list_handovers has the answer. Operators start with get_desk_status. Prices are per " +
  "thousand impressions in the product's currency, dates are UTC days. " +
  commonInstructions;
