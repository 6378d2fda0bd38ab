import type {
  createApiKey,
  createOperatorKey,
  listApiKeys,
  revokeApiKey,
} from "../../../../skills/seller/api-keys/contract.ts";
import type { approveOrReject, getApproval } from "../../../../skills/seller/approvals/contract.ts";
import type { getAvailability } from "../../../../skills/seller/avails/contract.ts";
import type { cancelDeal } from "../../../../skills/seller/buyer-moves/contract.ts";
import type { getBuyer, listBuyers } from "../../../../skills/seller/buyers/contract.ts";
import type {
  applyChangeRequest,
  getChangeRequest,
  listChangeRequests,
  reviewChangeRequest,
} from "../../../../skills/seller/change-requests/contract.ts";
import type { getDeal, transitionDeal } from "../../../../skills/seller/deals/contract.ts";
import type {
  getActivity,
  getApprovalBrief,
  getCapacityReport,
  getDeskStatus,
} from "../../../../skills/seller/desk/contract.ts";
import type { listEvents } from "../../../../skills/seller/events/contract.ts";
import type { answerHandover, listHandovers } from "../../../../skills/seller/handovers/contract.ts";
import type { getNegotiation, negotiate } from "../../../../skills/seller/negotiation/contract.ts";
import type {
  getOrder,
  getOrderReport,
  listOrders,
  transitionOrder,
} from "../../../../skills/seller/orders/contract.ts";
import type {
  blockAgent,
  describeMachine,
  listAudit,
  listRefusals,
  verifyAudit,
} from "../../../../skills/seller/oversight/contract.ts";
import type {
  archivePackage,
  createPackage,
  getPackage,
  listPackages,
  updatePackage,
} from "../../../../skills/seller/packages/contract.ts";
import type {
  listApprovals,
  listDeals,
  listNegotiations,
  listQuotes,
} from "../../../../skills/seller/portfolio/contract.ts";
import type { getPricing, getQuote } from "../../../../skills/seller/pricing/contract.ts";
import type { updateProduct } from "../../../../skills/seller/product-changes/contract.ts";
import type { getProduct, listProducts } from "../../../../skills/seller/products/contract.ts";
import type { getRateCard, updateRateCard } from "../../../../skills/seller/rate-card/contract.ts";
import type {
  listBuyerAgents,
  registerBuyerAgent,
  setAgentTrust,
} from "../../../../skills/seller/registry/contract.ts";
import type { getConversation, listConversations } from "../../../../skills/seller/conversations/contract.ts";
import type { getSetupStatus } from "../../../../skills/seller/setup/contract.ts";
import type {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhookDelivery,
} from "../../../../skills/seller/webhooks/contract.ts";
import { operation } from "./api.ts";

/** What the seller's screens call; a test compares each with its contract. */
export const seller = {
  approveOrReject: operation<typeof approveOrReject>("approve_or_reject", "POST", "/approvals/:approval_id/decide"),
  getApproval: operation<typeof getApproval>("get_approval", "GET", "/approvals/:approval_id"),
  listApprovals: operation<typeof listApprovals>("list_approvals", "GET", "/api/v1/approvals"),
  getApprovalBrief: operation<typeof getApprovalBrief>(
    "get_approval_brief",
    "GET",
    "/api/v1/approvals/:approval_id/brief",
  ),
  getDeskStatus: operation<typeof getDeskStatus>("get_desk_status", "GET", "/api/v1/desk"),
  getCapacityReport: operation<typeof getCapacityReport>("get_capacity_report", "GET", "/api/v1/capacity"),
  getActivity: operation<typeof getActivity>("get_activity", "GET", "/api/v1/activity"),
  listDeals: operation<typeof listDeals>("list_deals", "GET", "/api/v1/deals"),
  getDeal: operation<typeof getDeal>("get_deal", "GET", "/api/v1/deals/:deal_id"),
  cancelDeal: operation<typeof cancelDeal>("cancel_deal", "POST", "/api/v1/deals/:deal_id/cancel"),
  transitionDeal: operation<typeof transitionDeal>("transition_deal", "POST", "/api/v1/deals/:deal_id/transition"),
  listQuotes: operation<typeof listQuotes>("list_quotes", "GET", "/api/v1/quotes"),
  getQuote: operation<typeof getQuote>("get_quote", "GET", "/api/v1/quotes/:quote_id"),
  listNegotiations: operation<typeof listNegotiations>("list_negotiations", "GET", "/api/v1/negotiations"),
  getNegotiation: operation<typeof getNegotiation>("get_negotiation", "GET", "/proposals/:proposal_id/negotiation"),
  negotiate: operation<typeof negotiate>("negotiate", "POST", "/api/v1/negotiations/messages"),
  listOrders: operation<typeof listOrders>("list_orders", "GET", "/api/v1/orders"),
  getOrder: operation<typeof getOrder>("get_order", "GET", "/api/v1/orders/:order_id"),
  transitionOrder: operation<typeof transitionOrder>("transition_order", "POST", "/api/v1/orders/:order_id/transition"),
  getOrderReport: operation<typeof getOrderReport>("get_order_report", "GET", "/api/v1/orders/report"),
  listChangeRequests: operation<typeof listChangeRequests>("list_change_requests", "GET", "/api/v1/change-requests"),
  getChangeRequest: operation<typeof getChangeRequest>("get_change_request", "GET", "/api/v1/change-requests/:cr_id"),
  reviewChangeRequest: operation<typeof reviewChangeRequest>(
    "review_change_request",
    "POST",
    "/api/v1/change-requests/:cr_id/review",
  ),
  applyChangeRequest: operation<typeof applyChangeRequest>(
    "apply_change_request",
    "POST",
    "/api/v1/change-requests/:cr_id/apply",
  ),
  listProducts: operation<typeof listProducts>("list_products", "GET", "/products"),
  getProduct: operation<typeof getProduct>("get_product", "GET", "/products/:product_id"),
  updateProduct: operation<typeof updateProduct>("update_product", "PUT", "/products/:product_id"),
  getPricing: operation<typeof getPricing>("get_pricing", "POST", "/pricing"),
  getAvailability: operation<typeof getAvailability>("get_availability", "GET", "/api/v1/availability"),
  listPackages: operation<typeof listPackages>("list_packages", "GET", "/packages"),
  getPackage: operation<typeof getPackage>("get_package", "GET", "/packages/:package_id"),
  createPackage: operation<typeof createPackage>("create_package", "POST", "/packages"),
  updatePackage: operation<typeof updatePackage>("update_package", "PUT", "/packages/:package_id"),
  archivePackage: operation<typeof archivePackage>("archive_package", "DELETE", "/packages/:package_id"),
  listBuyers: operation<typeof listBuyers>("list_buyers", "GET", "/api/v1/buyers"),
  getBuyer: operation<typeof getBuyer>("get_buyer", "GET", "/api/v1/buyers/:owner"),
  listBuyerAgents: operation<typeof listBuyerAgents>("list_buyer_agents", "GET", "/registry/agents"),
  registerBuyerAgent: operation<typeof registerBuyerAgent>("register_buyer_agent", "POST", "/registry/agents/discover"),
  blockAgent: operation<typeof blockAgent>("block_agent", "POST", "/registry/agents/block"),
  setTrustByUrl: operation<typeof setAgentTrust>("set_agent_trust", "PUT", "/registry/agents/trust"),
  setAgentTrust: operation<typeof setAgentTrust>("set_agent_trust", "PUT", "/registry/agents/:agent_id/trust"),
  listHandovers: operation<typeof listHandovers>("list_handovers", "GET", "/api/v1/handovers"),
  answerHandover: operation<typeof answerHandover>("answer_handover", "POST", "/api/v1/handovers/:handover_id/answer"),
  listConversations: operation<typeof listConversations>("list_conversations", "GET", "/api/v1/conversations"),
  getConversation: operation<typeof getConversation>(
    "get_conversation",
    "GET",
    "/api/v1/conversations/:conversation_id",
  ),
  listApiKeys: operation<typeof listApiKeys>("list_api_keys", "GET", "/auth/api-keys"),
  createApiKey: operation<typeof createApiKey>("create_api_key", "POST", "/auth/api-keys"),
  createOperatorKey: operation<typeof createOperatorKey>("create_operator_key", "POST", "/auth/api-keys/operator"),
  revokeApiKey: operation<typeof revokeApiKey>("revoke_api_key", "DELETE", "/auth/api-keys/:key_id"),
  listWebhooks: operation<typeof listWebhooks>("list_webhooks", "GET", "/api/v1/webhooks"),
  getWebhook: operation<typeof getWebhook>("get_webhook", "GET", "/api/v1/webhooks/:webhook_id"),
  createWebhook: operation<typeof createWebhook>("create_webhook", "POST", "/api/v1/webhooks"),
  deleteWebhook: operation<typeof deleteWebhook>("delete_webhook", "DELETE", "/api/v1/webhooks/:webhook_id"),
  listWebhookDeliveries: operation<typeof listWebhookDeliveries>(
    "list_webhook_deliveries",
    "GET",
    "/api/v1/webhooks/:webhook_id/deliveries",
  ),
  replayWebhookDelivery: operation<typeof replayWebhookDelivery>(
    "replay_webhook_delivery",
    "POST",
    "/api/v1/webhooks/:webhook_id/deliveries/:delivery_id/replay",
  ),
  listEvents: operation<typeof listEvents>("list_events", "GET", "/events"),
  listAudit: operation<typeof listAudit>("list_audit", "GET", "/api/v1/audit"),
  verifyAudit: operation<typeof verifyAudit>("verify_audit", "GET", "/api/v1/audit/verification"),
  getSetupStatus: operation<typeof getSetupStatus>("get_setup_status", "GET", "/api/v1/setup/status"),
  getRateCard: operation<typeof getRateCard>("get_rate_card", "GET", "/api/v1/rate-card"),
  updateRateCard: operation<typeof updateRateCard>("update_rate_card", "PUT", "/api/v1/rate-card"),
  describeMachine: operation<typeof describeMachine>("describe_machine", "GET", "/api/v1/machines/:kind"),
  listRefusals: operation<typeof listRefusals>("list_refusals", "GET", "/api/v1/refusals"),
} as const;
