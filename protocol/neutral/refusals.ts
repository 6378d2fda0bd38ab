/** `status` is the default of the contract's own; `rpc` the JSON-RPC error number; `message` tells the cure. */
export const refusalTable = {
  authentication_required: { status: 401, rpc: -32010, message: "Authentication required. Send an API key." },
  invalid_api_key: { status: 401, rpc: -32010, message: "Invalid API key" },
  api_key_revoked: { status: 401, rpc: -32010, message: "The API key has been revoked. Ask for a new one." },
  api_key_expired: { status: 401, rpc: -32010, message: "The API key has expired. Ask for a new one." },
  agent_blocked: {
    status: 403,
    rpc: -32011,
    message: "Agent is blocked. Contact the seller operator for access.",
  },
  operator_required: { status: 403, rpc: -32011, message: "Operator credential required" },
  identity_mismatch: {
    status: 403,
    rpc: -32011,
    message: "A key cannot ask for the identity of another agency. Ask for your own; the other agency asks itself.",
  },
  senior_review_required: {
    status: 403,
    rpc: -32011,
    message: "An operator key with the role senior must do this.",
  },
  insufficient_scope: {
    status: 403,
    rpc: -32011,
    message: "The scopes of the access token do not allow this. Get a token with the scope named in scope.",
  },
  sandbox_refused: { status: 400, rpc: -32602, message: "The call asks for a sandbox that this agent does not have." },
  rate_limited: { status: 429, rpc: -32012, message: "Too many requests. Wait as long as Retry-After says." },
  body_too_large: { status: 413, rpc: -32600, message: "The request body is too large." },
  body_too_deep: { status: 400, rpc: -32600, message: "The request body is nested too deeply." },
  unsupported_media_type: { status: 415, rpc: -32600, message: "Send the body as application/json." },
  malformed_body: { status: 400, rpc: -32600, message: "The body does not decode as its Content-Encoding says." },
  malformed_url: { status: 400, rpc: -32600, message: "The URL is not valid percent-encoded UTF-8." },
  malformed_request: { status: 400, rpc: -32600, message: "This is not an HTTP request." },
  headers_too_large: { status: 431, rpc: -32600, message: "The header fields are too large." },
  expectation_failed: { status: 417, rpc: -32600, message: "Leave Expect out, or send 100-continue." },
  method_not_allowed: { status: 405, rpc: -32601, message: "Use one of the methods that Allow lists." },
  request_timeout: { status: 408, rpc: -32600, message: "The request did not arrive in time. Send it again." },
  validation_error: { status: 422, rpc: -32602, message: "The request does not have the required form." },
  idempotency_in_flight: {
    status: 409,
    rpc: -32013,
    message: "A request with this idempotency key is still being answered. Try again shortly.",
  },
  idempotency_conflict: {
    status: 409,
    rpc: -32013,
    message: "This idempotency key was used with another request. Use a new key.",
  },
  batch_conflict: {
    status: 409,
    rpc: -32013,
    message: "This batch_id was used with other counts. Send these under a new one.",
  },
  concurrent_update: { status: 409, rpc: -32013, message: "The record kept changing. Read it and try again." },
  revision_mismatch: { status: 412, rpc: -32013, message: "The record has another revision. Read it and try again." },
  unavailable: {
    status: 503,
    rpc: -32014,
    message: "The store cannot be reached or written. Nothing was changed; try again later.",
  },
  outcome_unknown: {
    status: 503,
    rpc: -32014,
    message: "Whether this was done is not known. Send it again with the same idempotency key to learn it.",
  },
  cancelled: { status: 499, rpc: -32800, message: "The caller cancelled this. Nothing was changed." },
  unknown_operation: { status: 404, rpc: -32601, message: "There is no such operation." },
  not_found: { status: 404, rpc: -32004, message: "Not found" },
  product_not_found: { status: 404, rpc: -32004, message: "Product not found" },
  quote_not_found: { status: 404, rpc: -32004, message: "Quote not found" },
  deal_not_found: { status: 404, rpc: -32004, message: "Deal not found" },
  api_key_not_found: { status: 404, rpc: -32004, message: "API key not found" },
  agent_not_found: { status: 404, rpc: -32004, message: "Agent not found" },
  event_not_found: { status: 404, rpc: -32004, message: "Event not found" },
  webhook_not_found: { status: 404, rpc: -32004, message: "Webhook not found" },
  delivery_not_found: { status: 404, rpc: -32004, message: "Webhook delivery not found" },
  webhook_limit: { status: 409, rpc: -32013, message: "You have as many webhooks as you may. Delete one first." },
  agent_card_unavailable: { status: 404, rpc: -32004, message: "Could not fetch the agent's card from its address." },
  quote_expired: { status: 409, rpc: -32013, message: "The quote has expired. Request a new quote." },
  quote_declined: { status: 409, rpc: -32013, message: "The quote was declined. Request a new quote." },
  quote_already_booked: { status: 409, rpc: -32013, message: "The quote has already been booked." },
  inventory_unavailable: {
    status: 409,
    rpc: -32013,
    message: "Not enough inventory is left for this flight. Ask for fewer impressions or other dates.",
  },
  audience_plan_unsupported: {
    status: 400,
    rpc: -32602,
    message: "The audience plan asks for what this seller cannot do. Drop the parts listed in unsupported.",
  },
  negotiation_open: {
    status: 409,
    rpc: -32013,
    message: "The quote is being negotiated. Accept or reject the last offer first.",
  },
  handover_not_found: { status: 404, rpc: -32004, message: "Request for a person not found" },
  handover_answered: { status: 409, rpc: -32013, message: "The buyer was answered. It asks again if it needs more." },
  account_not_found: { status: 404, rpc: -32004, message: "Account not found" },
  account_not_active: {
    status: 409,
    rpc: -32013,
    message: "The account is not active, so nothing can be bought for it. Ask the seller.",
  },
  account_payment_required: {
    status: 409,
    rpc: -32013,
    message: "The account owes a payment. Pay it, then send the request again.",
  },
  plan_not_found: { status: 404, rpc: -32004, message: "Plan not found" },
  plan_expired: { status: 410, rpc: -32013, message: "The plan has expired. Ask for a new one." },
  plan_not_committed: {
    status: 409,
    rpc: -32013,
    message: "The plan is a draft. Finalize it with refine_plan, then buy it.",
  },
  plan_already_booked: { status: 409, rpc: -32013, message: "The plan has been bought. Ask for a new one." },
  pricing_option_not_found: { status: 404, rpc: -32004, message: "Pricing option not found" },
  exact_price_required: {
    status: 403,
    rpc: -32011,
    message: "Your key sees no exact prices, and nothing is bought at a price that was not shown. Have it verified.",
  },
  budget_too_low: { status: 422, rpc: -32602, message: "The budget buys less than the offer's least volume." },
  terms_rejected: { status: 422, rpc: -32013, message: "The seller does not take these terms." },
  media_buy_not_found: { status: 404, rpc: -32004, message: "Media buy not found" },
  media_buy_package_not_found: { status: 404, rpc: -32004, message: "Package not found" },
  not_cancellable: { status: 409, rpc: -32013, message: "It can no longer be cancelled." },
  requote_required: {
    status: 409,
    rpc: -32013,
    message: "The change needs another price or a review. Ask the seller, or buy the difference as a second buy.",
  },
  task_not_found: { status: 404, rpc: -32004, message: "Task not found" },
  creative_not_found: { status: 404, rpc: -32004, message: "Creative not found" },
  creative_format_not_found: { status: 404, rpc: -32004, message: "Creative format not found" },
  session_not_found: { status: 404, rpc: -32004, message: "Session not found. Create a new one." },
  session_full: { status: 409, rpc: -32013, message: "The session holds no more messages. Create a new one." },
  negotiation_closed: {
    status: 409,
    rpc: -32013,
    message: "The negotiation is closed. Ask for a new quote, or make a new proposal.",
  },
  negotiation_not_allowed: {
    status: 403,
    rpc: -32011,
    message: "Your tier has no negotiation. Call as the buyer, with a key that has a verified identity.",
  },
  approval_pending: {
    status: 409,
    rpc: -32013,
    message: "The seller's answer waits for an approval. Wait for it, or reject to withdraw.",
  },
  round_mismatch: {
    status: 409,
    rpc: -32013,
    message: "Another round comes next. Read the negotiation and answer its last offer.",
  },
  proposal_not_found: { status: 404, rpc: -32004, message: "Proposal not found" },
  negotiation_not_found: { status: 404, rpc: -32004, message: "Negotiation not found" },
  proposal_not_accepted: {
    status: 409,
    rpc: -32013,
    message: "The proposal is not accepted. Only an accepted proposal can be booked.",
  },
  proposal_already_booked: { status: 409, rpc: -32013, message: "The proposal has already been booked." },
  proposal_expired: {
    status: 409,
    rpc: -32013,
    message: "The accepted proposal was not booked in time. Make a new one.",
  },
  approval_not_found: { status: 404, rpc: -32004, message: "Approval not found" },
  approval_already_decided: { status: 409, rpc: -32013, message: "The approval has been decided. It is decided once." },
  approval_timed_out: {
    status: 409,
    rpc: -32013,
    message: "The approval timed out, and what waited for it was refused. The buyer has to ask again.",
  },
  approval_not_decided: {
    status: 400,
    rpc: -32602,
    message: "Approval has not been decided yet. Call /decide first.",
  },
  invalid_decision: { status: 400, rpc: -32602, message: "The decision is not one that can be made here." },
  order_not_found: { status: 404, rpc: -32004, message: "Order not found" },
  change_request_not_found: { status: 404, rpc: -32004, message: "Change request not found" },
  invalid_change_type: { status: 400, rpc: -32602, message: "The change type is not one of valid_types." },
  validation_failed: { status: 422, rpc: -32602, message: "The change request cannot be made." },
  not_pending_approval: { status: 409, rpc: -32013, message: "The change request does not wait for a review." },
  change_pending: {
    status: 409,
    rpc: -32013,
    message:
      "A change of this kind waits for its review already. Follow it with get_change_request, or take it back first.",
  },
  not_approved: { status: 409, rpc: -32013, message: "The change request is not approved." },
  invalid_transition: { status: 409, rpc: -32013, message: "The record cannot be moved to this status." },
  invalid_deal_type: { status: 400, rpc: -32602, message: "The product is not sold with this deal type." },
  unsupported_capability: {
    status: 400,
    rpc: -32602,
    message: "The seller cannot do what unsupported lists. Leave it out.",
  },
  pg_requires_impressions: {
    status: 400,
    rpc: -32602,
    message: "A programmatic guaranteed quote needs a positive number of impressions.",
  },
  below_minimum_impressions: {
    status: 400,
    rpc: -32602,
    message: "The impressions are below the product's minimum.",
  },
  unpriceable_product: {
    status: 422,
    rpc: -32602,
    message: "The product has no price and cannot be quoted. Contact the seller.",
  },
  currency_mismatch: { status: 422, rpc: -32602, message: "Prices are in the product's own currency only." },
  flight_over: { status: 422, rpc: -32602, message: "The flight is over. Ask for days from today on." },
  price_probe_limited: {
    status: 429,
    rpc: -32012,
    message: "Too many price requests for this product. Wait as long as Retry-After says.",
  },
  invalid_brief: { status: 400, rpc: -32602, message: "The brief cannot be used." },
  invalid_status: { status: 409, rpc: -32013, message: "The booking job is not in the status that this needs." },
  invalid_products: { status: 400, rpc: -32602, message: "None of the ids is a pending recommendation of the job." },
  target_not_allowed: { status: 400, rpc: -32602, message: "The address is not a permitted public target." },
  package_not_found: { status: 404, rpc: -32004, message: "Package not found" },
  invalid_layer: { status: 400, rpc: -32602, message: "The layer is one of synced, curated and dynamic." },
  invalid_audience_filter: {
    status: 400,
    rpc: -32602,
    message: "audience_type is one of standard, contextual and agentic, and an audience_id needs it.",
  },
  audience_filter_not_allowed: {
    status: 403,
    rpc: -32011,
    message: "Segments are not part of the public view. Send a key with a verified identity to filter by audience_id.",
  },
  unresolvable_product_ids: {
    status: 422,
    rpc: -32602,
    message: "None of the product ids is in the catalog. Take ids from GET /products.",
  },
  nothing_to_assemble: {
    status: 400,
    rpc: -32602,
    message: "A package is assembled from products with a price. Name at least one.",
  },
  immutable_field: { status: 422, rpc: -32602, message: "A field of this request cannot be changed. Leave it out." },
  too_many_packages: {
    status: 409,
    rpc: -32013,
    message: "There are as many active packages as this seller allows. Archive some, or raise MAX_ACTIVE_PACKAGES.",
  },
  ad_server_unavailable: {
    status: 502,
    rpc: -32013,
    message: "The ad server could not be read, and nothing was changed. Check its settings and try again.",
  },
  seller_unreachable: { status: 502, rpc: -32013, message: "Cannot connect to the seller." },
  seller_timeout: { status: 504, rpc: -32013, message: "The seller did not answer in time." },
  seller_error: { status: 502, rpc: -32013, message: "The seller did not do what was asked." },
  seller_refused: {
    status: 422,
    rpc: -32013,
    message: "The seller refused this for good; seller_code and seller_detail say why. Change what they name.",
  },
  auth_error: {
    status: 401,
    rpc: -32010,
    message: "The seller refused the key. Set another with set_seller_key, or call rotate_seller_key.",
  },
  identity_required: {
    status: 409,
    rpc: -32013,
    message: "A seller must know who is buying. Set BUYER_SEAT_ID, BUYER_AGENCY_ID or BUYER_ADVERTISER_ID.",
  },
  key_storage_unavailable: {
    status: 409,
    rpc: -32013,
    message: "Keys are stored encrypted, and there is no secret to do so. Set SELLER_KEYS_SECRET and restart.",
  },
  seller_key_not_found: { status: 404, rpc: -32004, message: "No key is stored for this seller." },
  label_in_use: { status: 409, rpc: -32013, message: "An active operator key has this label. Choose another." },
} as const satisfies Record<string, { status: number; rpc: number; message: string }>;

export type RefusalCode = keyof typeof refusalTable;

/** Of another agent: sent again, the same call would be refused again. */
export const passedOnStatuses: readonly number[] = [400, 404, 409, 410, 422];

/** Of a caller who may not call. */
export const accessRefusals = [
  "authentication_required",
  "invalid_api_key",
  "api_key_revoked",
  "api_key_expired",
  "agent_blocked",
  "operator_required",
  "senior_review_required",
  "insufficient_scope",
  "rate_limited",
] as const satisfies readonly RefusalCode[];

/** Contracts do not list these. */
export const gateRefusals = [
  ...accessRefusals,
  "sandbox_refused",
  "body_too_large",
  "body_too_deep",
  "unsupported_media_type",
  "malformed_body",
  "target_not_allowed",
  "validation_error",
  "idempotency_in_flight",
  "idempotency_conflict",
  "concurrent_update",
  "unavailable",
  "outcome_unknown",
] as const satisfies readonly RefusalCode[];

/**
 * `extras` are further JSON members, `issues` schema defects (`{type, loc, msg}`); `retryAfterSeconds` becomes
 * `Retry-After`.
 */
export interface Refusal<Code extends string = RefusalCode> {
  readonly refused: true;
  readonly code: Code;
  /** Of `seller_refused`, the seller's own; else the code decides. */
  readonly status?: number;
  readonly message: string;
  readonly extras: Readonly<Record<string, unknown>>;
  readonly issues?: readonly SchemaIssue[];
  readonly retryAfterSeconds?: number;
  /** Whose call it was, where the refusal hides the caller. For counts; no door sends it. */
  readonly ownerOfCall?: string;
}

/** `loc` starts with `body`, `query`, `path` or `header`. */
export interface SchemaIssue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export const refuse = (
  code: RefusalCode,
  details: {
    status?: number;
    message?: string;
    extras?: Record<string, unknown>;
    issues?: readonly SchemaIssue[];
    retryAfterSeconds?: number;
  } = {},
): Refusal => ({
  refused: true,
  code,
  message: details.message ?? refusalTable[code].message,
  extras: details.extras ?? {},
  ...(details.status === undefined ? {} : { status: details.status }),
  ...(details.issues === undefined ? {} : { issues: details.issues }),
  ...(details.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: details.retryAfterSeconds }),
});

export type MissingCode = Extract<RefusalCode, "not_found" | `${string}_not_found`>;

/**
 * What is not there, with its kind and id, the same for an absent and a foreign one. An id is the caller's own text:
 * one that none could have is not repeated. `noun` names the kind where the code does not.
 */
export const missing = (code: MissingCode, id: string, noun = ""): Refusal => {
  const { message } = refusalTable[code];
  const shown = /^[\x21-\x7e]{1,128}$/.test(id) ? ` ${id}` : "";
  const named = noun === "" ? message : `${noun} not found`;
  return refuse(code, { message: named.replace(" not found", `${shown} not found`) });
};

/** For code below a handler that cannot return one. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "Refused";
    this.refusal = refusal;
  }
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && (value as { refused?: unknown }).refused === true;
