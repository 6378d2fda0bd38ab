import type { RefusalCode } from "../../protocol/neutral/refusals.ts";

const instead: Readonly<Partial<Record<RefusalCode, readonly string[]>>> = {
  product_not_found: ["list_products", "search_products"],
  package_not_found: ["list_packages", "search_media_kit", "list_seller_packages"],
  quote_not_found: ["list_quotes", "request_quote"],
  quote_expired: ["request_quote"],
  quote_declined: ["request_quote"],
  quote_already_booked: ["list_deals"],
  deal_not_found: ["list_deals"],
  order_not_found: ["list_orders"],
  proposal_not_found: ["list_proposals", "submit_proposal"],
  proposal_not_accepted: ["get_proposal"],
  proposal_already_booked: ["list_deals"],
  proposal_expired: ["submit_proposal"],
  negotiation_not_found: ["list_negotiations"],
  negotiation_open: ["negotiate"],
  negotiation_closed: ["request_quote"],
  round_mismatch: ["get_negotiation_status"],
  approval_pending: ["get_negotiation_status"],
  approval_not_found: ["list_approvals"],
  approval_already_decided: ["get_approval"],
  approval_not_decided: ["approve_or_reject"],
  change_request_not_found: ["list_change_requests"],
  not_pending_approval: ["get_change_request"],
  change_pending: ["get_change_request"],
  api_key_not_found: ["list_api_keys", "list_operator_keys"],
  agent_not_found: ["list_buyer_agents", "list_sellers"],
  event_not_found: ["list_events"],
  webhook_not_found: ["list_webhooks"],
  session_not_found: ["create_session", "open_seller_session"],
  inventory_unavailable: ["check_avails"],
  invalid_deal_type: ["get_product"],
  pg_requires_impressions: ["check_avails"],
  below_minimum_impressions: ["get_product"],
  unresolvable_product_ids: ["list_products"],
  invalid_status: ["get_booking"],
  invalid_products: ["get_booking"],
  invalid_transition: ["get_deal", "get_order"],
  auth_error: ["rotate_seller_key"],
  seller_key_not_found: ["set_seller_key"],
  identity_required: ["get_setup_status"],
  seller_unreachable: ["list_sellers"],
};

const idsFrom = "Take an id from {tool}.";

/** Where the message alone names no way on. `{tool}` is the tool that the caller may call instead. */
const wayWords: Readonly<Partial<Record<RefusalCode, string>>> = {
  invalid_api_key: "Send the key as it was issued, or none for what is public.",
  operator_required: "Your key cannot do this: the operators of this agent do. Ask them, or use a tool of your list.",
  not_found: "Check the id.",
  product_not_found: idsFrom,
  package_not_found: idsFrom,
  quote_not_found: idsFrom,
  deal_not_found: idsFrom,
  order_not_found: idsFrom,
  proposal_not_found: idsFrom,
  negotiation_not_found: idsFrom,
  approval_not_found: idsFrom,
  change_request_not_found: idsFrom,
  api_key_not_found: idsFrom,
  agent_not_found: idsFrom,
  event_not_found: idsFrom,
  webhook_not_found: idsFrom,
  quote_already_booked: "{tool} shows the deal that it became.",
  proposal_already_booked: "{tool} shows the deal that it became.",
  proposal_not_accepted: "{tool} shows where it stands.",
  approval_already_decided: "{tool} shows the decision.",
  not_pending_approval: "{tool} shows where it stands.",
  invalid_status: "{tool} shows where it stands.",
  seller_unreachable: "Check its address with {tool}, or try again later.",
};

/** Operations that help after a refusal; the first that the agent has is meant. */
export const operationsInstead = (code: RefusalCode): readonly string[] => instead[code] ?? [];

/** `operation`: one of those, which the caller may call. Empty: the message says all. */
export const wayOn = (code: RefusalCode, operation: string | undefined): readonly string[] => {
  const text = wayWords[code];
  if (text === undefined || (operation === undefined && text.includes("{tool}"))) return [];
  return [text.replace("{tool}", operation ?? "")];
};
