import { documented, noted } from "./table.ts";

const under = documented("Seller Agent Service");

const catalog = {
  ...under("What the service does", {
    "seller.service.port-8000": noted("Without a port setting the seller listens on 8000.", { decision: 24 }),
    "seller.service.one-application": "One process answers every path that the document lists.",
    "seller.service.docs-page": "GET /docs shows interactive documentation of the API.",
    "seller.service.json-bodies": noted("Request and answer bodies are application/json.", { also: "Endpoints" }),
  }),

  ...under("Buyer identity object", {
    "seller.identity.seat-id": "seat_id may be absent; present it is a text.",
    "seller.identity.agency-id": "agency_id may be absent; present it is a text.",
    "seller.identity.advertiser-id": "advertiser_id may be absent; present it is a text.",
    "seller.identity.dsp-platform": "dsp_platform may be absent; present it is a text.",
  }),

  ...under("Quote request", {
    "seller.quotes.request.product-id": "No quote without a product_id that the catalog has.",
    "seller.quotes.request.deal-type": "No quote without a deal_type of PG, PD or PA.",
    "seller.quotes.request.impressions-pg": noted("A PG request without impressions is refused.", { decision: 14 }),
    "seller.quotes.request.impressions-optional": "PD and PA are quoted without impressions.",
    "seller.quotes.request.impressions-integer": "impressions is a whole number; a fraction or a text is refused.",
    "seller.quotes.request.flight-start-default": "Without flight_start the flight starts today.",
    "seller.quotes.request.flight-end-default": noted("Without flight_end the flight ends 30 days later.", {
      also: "Limits",
    }),
    "seller.quotes.request.flight-iso-dates": noted("Flight dates are ISO dates; others are refused.", {
      decision: 60,
    }),
    "seller.quotes.request.target-cpm": noted("A target_cpm above the product's floor becomes the price.", {
      also: "Pricing computation",
      decision: 7,
    }),
    "seller.quotes.request.target-cpm-optional": "A quote is priced without target_cpm; a text there is refused.",
    "seller.quotes.request.buyer-identity": noted("A buyer identity in the body is taken, and optional.", {
      decision: 14,
    }),
    "seller.quotes.request.agent-url": noted("agent_url names the calling agent, and is optional.", { decision: 52 }),
  }),

  ...under("Deal types", {
    "seller.deal-types.pg-guaranteed": "PG is priced fix and its terms are guaranteed.",
    "seller.deal-types.pg-first-price": "The OpenRTB parameters of a PG deal say at 1.",
    "seller.deal-types.pd-not-guaranteed": "PD is priced fix and its terms are not guaranteed.",
    "seller.deal-types.pd-first-price": "The OpenRTB parameters of a PD deal say at 1.",
    "seller.deal-types.pa-not-guaranteed": "PA is not guaranteed, its price is a floor for bids.",
    "seller.deal-types.pa-private-auction": "The OpenRTB parameters of a PA deal say at 3.",
  }),

  ...under("Quote", {
    "seller.quotes.quote-id": "Each quote has its own quote_id.",
    "seller.quotes.status-available": noted("A quote that was just made is available.", { also: "States, Quote" }),
    "seller.quotes.status-booked": noted("Booking turns an available quote into a booked one.", {
      also: "States, Quote",
    }),
    "seller.quotes.status-expired": noted("An available quote is expired once its time has run out.", {
      also: "States, Quote",
    }),
    "seller.quotes.status-declined": noted("A quote can be declined.", { decision: 17 }),
    "seller.quotes.product": "product holds product_id and name.",
    "seller.quotes.product-inventory-type": "product shows the product's inventory_type.",
    "seller.quotes.pricing.base-cpm": "pricing.base_cpm is the product's list price.",
    "seller.quotes.pricing.tier-discount-pct": "pricing.tier_discount_pct is the percentage of the caller's tier.",
    "seller.quotes.pricing.volume-discount-pct": "pricing.volume_discount_pct is the percentage of the volume.",
    "seller.quotes.pricing.final-cpm": "pricing.final_cpm is the price that the quote offers.",
    "seller.quotes.pricing.currency": "pricing.currency is an ISO 4217 code, USD unless the product says otherwise.",
    "seller.quotes.pricing.pricing-model": "pricing.pricing_model is cpm.",
    "seller.quotes.pricing.rationale": noted("pricing.rationale says in words how the price came about.", {
      also: "Pricing computation",
    }),
    "seller.quotes.terms.impressions": "terms.impressions is what was asked for.",
    "seller.quotes.terms.flight": "terms.flight_start and terms.flight_end are the flight's dates.",
    "seller.quotes.terms.guaranteed": "terms.guaranteed is a truth value.",
    "seller.quotes.availability.inventory-available": noted("availability.inventory_available says if there is room.", {
      decision: 18,
    }),
    "seller.quotes.availability.estimated-fill-rate": "availability.estimated_fill_rate is a number when shown.",
    "seller.quotes.availability.competing-demand": "availability.competing_demand is a text when shown.",
    "seller.quotes.deal-type": "deal_type repeats the type asked for.",
    "seller.quotes.buyer-tier": "buyer_tier is the tier that the caller was given.",
    "seller.quotes.seller-id": "seller_id names the seller when shown.",
    "seller.quotes.expires-at": noted("expires_at is 24 hours after created_at.", {
      also: "What the service does; States, Quote; Limits",
      decision: 32,
    }),
    "seller.quotes.created-at": "created_at is an ISO 8601 time.",
  }),

  ...under("Pricing computation", {
    "seller.pricing.starts-from-base": "The list price is what discounts are taken from.",
    "seller.pricing.tier-discount": noted("The caller's tier lowers the price by its percentage.", {
      also: "What the service does",
      decision: 5,
    }),
    "seller.pricing.volume-discount": noted("A large volume lowers the price further.", {
      also: "What the service does",
      decision: 6,
    }),
    "seller.pricing.formula": noted("final = base x (1 - tier/100) x (1 - volume/100).", { decision: 47 }),
    "seller.pricing.result": "The answer has final_cpm and a rationale.",
    "seller.products.record": noted("A product has product_id, name, inventory_type, base_cpm and floor_cpm.", {
      decision: 41,
    }),
  }),

  ...under("Deal booking request", {
    "seller.deals.request.quote-id": "No booking without a quote_id.",
    "seller.deals.request.buyer-identity": "A booking may carry a buyer identity.",
    "seller.deals.request.notes": "A booking may carry notes as a text.",
    "seller.deals.request.audience-plan": noted("A booking may carry an audience plan.", {
      also: "What the service does",
    }),
  }),

  ...under("Deal", {
    "seller.deals.deal-id": "The seller gives each deal its deal_id.",
    "seller.deals.deal-type": "The deal has its quote's deal_type.",
    "seller.deals.status-values": noted("The status is proposed, active, rejected, expired or completed.", {
      also: "States, Deal",
      decision: 17,
    }),
    "seller.deals.booked-status": noted("A fresh deal is proposed or active.", { also: "States, Deal", decision: 17 }),
    "seller.deals.quote-id": "The deal names the quote that it came from.",
    "seller.deals.product": "The deal has its quote's product.",
    "seller.deals.pricing": "The deal has its quote's pricing.",
    "seller.deals.terms": "The deal has its quote's terms.",
    "seller.deals.buyer-tier": "The deal has its quote's buyer_tier.",
    "seller.deals.expires-at": "The deal has an ISO 8601 expires_at.",
    "seller.deals.activation-instructions": "activation_instructions is an object of keys and values for a DSP.",
    "seller.deals.openrtb-params": noted("openrtb_params comes with a booked deal.", { also: "What the service does" }),
    "seller.deals.audience-plan-snapshot": noted("A deal booked with a plan holds the plan unchanged.", {
      also: "Endpoints, Deal booking; Audience plan on the deal booking",
      decision: 73,
    }),
    "seller.deals.audience-match-summary": noted("A deal booked with a plan holds the match summary.", {
      also: "Endpoints, Deal booking; Audience plan on the deal booking",
    }),
    "seller.deals.no-plan-no-snapshot": "A deal booked without a plan has neither snapshot nor summary.",
    "seller.deals.created-at": "created_at is an ISO 8601 time.",
    "seller.deals.openrtb.id": "openrtb_params.id is the deal id.",
    "seller.deals.openrtb.bidfloor": "openrtb_params.bidfloor is the price as a number.",
    "seller.deals.openrtb.bidfloorcur": "openrtb_params.bidfloorcur is the currency, USD by default.",
    "seller.deals.openrtb.at": "openrtb_params.at is the auction type as a whole number.",
    "seller.deals.openrtb.at-buyer-default": "A buyer reads a deal without at as at 3.",
    "seller.deals.openrtb.wseat": "openrtb_params.wseat is a list of texts.",
    "seller.deals.openrtb.wadomain": "openrtb_params.wadomain is a list of texts.",
  }),
};

const orders = {
  ...under("Order", {
    "seller.orders.order-id": "Each order has its order_id.",
    "seller.orders.status": noted("The status is one of the twelve order states.", { also: "States, Order" }),
    "seller.orders.audit-log": "audit_log holds order_id and the list of transitions.",
    "seller.orders.audit-log-empty": noted("A fresh order has no transitions.", { also: "States, Order" }),
    "seller.orders.deal-id": "An order may name a deal.",
    "seller.orders.quote-id": "An order may name a quote.",
    "seller.orders.created-at": "created_at is shown.",
    "seller.orders.metadata": "metadata keeps whatever keys and values were given.",
    "seller.orders.transition.transition-id": "A transition record has its transition_id.",
    "seller.orders.transition.statuses": "A transition record has from_status and to_status.",
    "seller.orders.transition.timestamp": "A transition record has its timestamp.",
    "seller.orders.transition.actor": "A transition record says who moved the order.",
    "seller.orders.transition.reason": "A transition record keeps the reason.",
    "seller.orders.transition.metadata": "A transition record has a metadata object.",
    "seller.orders.actor.system": "An actor may be system.",
    "seller.orders.actor.human": "An actor may be human:<user_id>.",
    "seller.orders.actor.agent": "An actor may be agent:<agent_id>.",
  }),

  ...under("Change request", {
    "seller.change-requests.id": "Each change request has its change_request_id, which is the path's cr_id.",
    "seller.change-requests.order-id": "It names the order that it changes.",
    "seller.change-requests.change-type": "change_type is one of the seven kinds; another is refused.",
    "seller.change-requests.severity": "severity is minor, material or critical.",
    "seller.change-requests.status": "status is one of the states of the table.",
    "seller.change-requests.diffs": "diffs is a list of field, old_value and new_value.",
    "seller.change-requests.proposed-values": "proposed_values keeps keys and values.",
    "seller.change-requests.reason": "reason is kept.",
    "seller.change-requests.requested-by-default": "Without requested_by it says system.",
  }),

  ...under("API key", {
    "seller.api-keys.create.all-optional": "A key is created from an empty body.",
    "seller.api-keys.create.seat-id": "seat_id is taken.",
    "seller.api-keys.create.seat-name": "seat_name is taken.",
    "seller.api-keys.create.dsp-platform": "dsp_platform is taken.",
    "seller.api-keys.create.agency-id": "agency_id is taken.",
    "seller.api-keys.create.agency-name": "agency_name is taken.",
    "seller.api-keys.create.agency-holding-company": "agency_holding_company is taken.",
    "seller.api-keys.create.advertiser-id": "advertiser_id is taken.",
    "seller.api-keys.create.advertiser-name": "advertiser_name is taken.",
    "seller.api-keys.create.label": "label is taken.",
    "seller.api-keys.create.expires-in-days": noted("expires_in_days sets expires_at that many days ahead.", {
      also: "Limits",
      decision: 91,
    }),
    "seller.api-keys.create.never-expires": noted("Null or no expires_in_days makes a key that never expires.", {
      also: "Authentication; Limits",
    }),
    "seller.api-keys.created.key-id": "The answer has key_id.",
    "seller.api-keys.created.api-key": "The answer has the whole secret as api_key.",
    "seller.api-keys.created.identity": "The answer shows seat_id, agency_id and advertiser_id.",
    "seller.api-keys.created.label": "The answer shows the label.",
    "seller.api-keys.created.times": "The answer shows created_at and expires_at in ISO 8601.",
    "seller.api-keys.secret-once": noted("No later answer shows the secret.", { also: "Authentication" }),
    "seller.api-keys.record.fields": noted("A listed key has key_id, identity, label, created_at and expires_at.", {
      also: "Endpoints, API keys",
    }),
    "seller.api-keys.record.is-active": "A listed key has is_active as a truth value.",
    "seller.api-keys.list": noted("The list answers keys and total.", { also: "Endpoints, API keys" }),
  }),

  ...under("Registered agent", {
    "seller.registry.agent.agent-id": "An agent record has agent_id.",
    "seller.registry.agent.agent-card": "agent_card has name, url, description and version.",
    "seller.registry.agent.agent-type": "agent_type says what the agent is, for instance buyer.",
    "seller.registry.agent.trust-status": "trust_status is one of the five.",
    "seller.registry.agent.registry-sources": "registry_sources lists registry_id, registry_name and verified_at.",
    "seller.registry.discover.answer": noted("Discovery answers agent, max_access_tier and is_blocked.", {
      also: "Endpoints, Agent registry and agent card",
    }),
    "seller.registry.trust.answer": "The trust update answers agent_id, trust_status, max_access_tier and notes.",
    "seller.registry.remove.answer": noted("Removal answers agent_id and status removed.", {
      also: "Endpoints, Agent registry and agent card",
    }),
  }),

  ...under("Agent card", {
    "seller.card.name": "The card has a name.",
    "seller.card.description": "The card has a description.",
    "seller.card.url": "url is the base address of the protocol endpoints.",
    "seller.card.version": noted("The card has a version.", { also: "Versioning" }),
    "seller.card.provider": "provider has name and url.",
    "seller.card.capabilities.protocols": "capabilities.protocols holds opendirect21 and a2a.",
    "seller.card.capabilities.streaming": "capabilities.streaming is a truth value.",
    "seller.card.capabilities.push-notifications": "capabilities.push_notifications is a truth value.",
    "seller.card.skills": "skills lists id, name, description and tags.",
    "seller.card.skill-ids": "The skill ids are discovery, pricing, proposals, negotiation and deals.",
    "seller.card.authentication-schemes": "authentication.schemes is api_key and bearer.",
    "seller.card.inventory-types": "inventory_types follows the catalog in use.",
    "seller.card.deal-types": "supported_deal_types is pg, pmp, preferred_deal and private_auction.",
  }),
};

const packages = {
  ...under("Media kit and packages", {
    "seller.packages.public.fields": "The public view has id, name, description, formats, devices, cat, geo and tags.",
    "seller.packages.public.price-range": "The public view has price_range as a text.",
    "seller.packages.public.is-featured": "The public view has is_featured.",
    "seller.packages.public.hidden": "The public view hides exact and floor price, placements, segments and flags.",
    "seller.packages.gated.exact-price": "The gated view shows exact_price at the caller's tier.",
    "seller.packages.gated.floor-price": noted("The gated view shows floor_price.", { decision: 41 }),
    "seller.packages.gated.currency": "The gated view shows the currency.",
    "seller.packages.gated.placements": "The gated view shows placements with formats, devices and weights.",
    "seller.packages.gated.audience-segment-ids": "The gated view shows audience_segment_ids.",
    "seller.packages.gated.negotiation-enabled": "The gated view shows negotiation_enabled.",
    "seller.packages.gated.volume-discounts-available": "The gated view shows volume_discounts_available.",
    "seller.media-kit.overview": "The overview has seller_name, total_packages, featured and all_packages.",
    "seller.packages.layers": noted("A package is synced, curated or dynamic.", { also: "What the service does" }),
    "seller.packages.tier-discounts": noted("Package prices fall by tier: about 5, 10 and 15 percent.", {
      decision: 5,
    }),
  }),

  ...under("Session (seller side)", {
    "seller.sessions.create.answer": noted("Creation answers session_id, created_at and expires_at.", {
      also: "Endpoints, Sessions",
    }),
    "seller.sessions.create.identity": noted("Creation takes buyer identity fields.", { also: "Endpoints, Sessions" }),
    "seller.sessions.lifetime-7-days": noted("A session lives seven days unless the seller sets another time.", {
      also: "States, Sessions, approvals, proposals; Limits",
      decision: 32,
    }),
  }),
};

const audiencePlan = {
  ...under("Audience plan", {
    "seller.plan.schema-version-default": "A plan without schema_version counts as version 1.",
    "seller.plan.id-computed": "A blank audience_plan_id is computed as sha256:<hex>.",
    "seller.plan.primary-required": noted("A plan without primary is refused.", { decision: 73 }),
    "seller.plan.constraints-default": "constraints may be absent and is then empty.",
    "seller.plan.extensions-default": "extensions may be absent and is then empty.",
    "seller.plan.exclusions-default": "exclusions may be absent and is then empty.",
    "seller.plan.rationale": "rationale may be absent and is then empty.",
    "seller.plan.ref.type": noted("type is standard, contextual or agentic.", { decision: 73 }),
    "seller.plan.ref.identifier": "identifier is required.",
    "seller.plan.ref.taxonomy": noted("taxonomy is iab-audience, iab-content or agentic-audiences.", { decision: 73 }),
    "seller.plan.ref.version": "version is required.",
    "seller.plan.ref.source": "source is explicit, resolved or inferred.",
    "seller.plan.ref.confidence-range": noted("confidence lies within 0 and 1 or is null.", { also: "Limits" }),
    "seller.plan.ref.confidence-explicit": noted("confidence of an explicit ref is null.", { decision: 73 }),
    "seller.plan.ref.compliance-required": noted("An agentic ref needs its compliance_context.", { decision: 73 }),
    "seller.plan.compliance.jurisdiction": "jurisdiction is US, EU or GLOBAL and required.",
    "seller.plan.compliance.consent-framework": "consent_framework is one of four and required.",
    "seller.plan.compliance.consent-string-ref": "consent_string_ref is a text or null.",
    "seller.plan.compliance.attestation": "attestation is a text or null.",
    "seller.plan.compliance.embedding-provenance": "embedding_provenance is one of four or null.",
    "seller.plan.global-refused-at-buyer": noted("The buyer refuses a brief with an agentic GLOBAL ref.", {
      decision: 35,
    }),
    "seller.plan.hash.roles": "The hash is over the four roles as JSON.",
    "seller.plan.hash.sorted-keys": noted("Another order of keys gives the same id.", { decision: 40 }),
    "seller.plan.hash.list-order": "Another order of list items gives another id.",
    "seller.plan.hash.compact-utf8": noted("The JSON is compact UTF-8 with non-ASCII kept.", { decision: 40 }),
    "seller.plan.hash.sha256-prefix": "The id is sha256: and the hex digest.",
    "seller.plan.hash.left-out": "audience_plan_id, schema_version and rationale do not change the id.",
    "seller.plan.match.primary": "The summary's primary has match and score.",
    "seller.plan.match.lists": "The summary's three lists hold match and score per ref.",
    "seller.plan.match.strong": noted("A score from 0.85 is STRONG.", { also: "Limits" }),
    "seller.plan.match.moderate": noted("A score from 0.65 is MODERATE.", { also: "Limits" }),
    "seller.plan.match.weak": noted("A score from 0.40 is WEAK.", { also: "Limits" }),
    "seller.plan.match.none": noted("A score below 0.40 is NONE.", { also: "Limits" }),
    "seller.plan.match.absent-lists": "A receiver reads an absent list of the summary as empty.",
  }),
};

const states = {
  ...under("States, Quote", {
    "seller.quotes.booking-issues-deal": noted("Booking an available quote gives a deal.", {
      also: "What the service does",
    }),
    "seller.quotes.expired-retrieval-410": noted("Reading an expired quote answers 410.", {
      also: "Endpoints, Quotes; Errors",
      decision: 58,
    }),
    "seller.quotes.expired-message": noted("The 410 tells to request a new quote.", { also: "Errors" }),
  }),

  ...under("States, Order", {
    "seller.orders.created-draft": noted("A new order is a draft.", { also: "Endpoints, Orders" }),
    "seller.orders.move.draft-submitted": "A draft can be submitted.",
    "seller.orders.move.draft-cancelled": "A draft can be cancelled.",
    "seller.orders.move.submitted-pending-approval": "A submitted order can wait for approval.",
    "seller.orders.move.submitted-approved": "A submitted order can be approved.",
    "seller.orders.move.submitted-cancelled": "A submitted order can be cancelled.",
    "seller.orders.move.submitted-failed": "A submitted order can fail.",
    "seller.orders.move.recorded": noted("Every move is written into the audit log.", {
      also: "What the service does",
    }),
    "seller.orders.move.twenty": noted("Twenty moves between twelve states are allowed, no more.", {
      also: "What the service does",
      decision: 4,
    }),
    "seller.orders.move.refused-409": noted("Any other move answers 409 invalid_transition.", {
      also: "Endpoints, Orders; Errors",
    }),
    "seller.orders.move.refused-unchanged": "A refused move changes nothing.",
    "seller.change-requests.closed-order": noted("An order that is completed, cancelled or failed cannot be changed.", {
      also: "Endpoints, Change requests",
    }),
    "seller.change-requests.cancellation-states": noted("Cancellation is allowed from the six named states only.", {
      also: "Endpoints, Change requests",
    }),
  }),

  ...under("States, Change request", {
    "seller.change-requests.validating": "A new request is checked against its order's state.",
    "seller.change-requests.minor-approved": noted("A minor request is approved and applied at once.", {
      also: "What the service does; Severity rules",
      decision: 13,
    }),
    "seller.change-requests.material-waits": noted("A material or critical request waits for review.", {
      also: "What the service does",
    }),
    "seller.change-requests.violation-422": noted("A request that breaks the order's rules fails with 422.", {
      also: "Endpoints, Change requests; Errors",
    }),
    "seller.change-requests.review-approve": "An approving review makes it approved.",
    "seller.change-requests.review-reject": "A rejecting review makes it rejected.",
    "seller.change-requests.apply": noted("Applying an approved request makes it applied.", { decision: 13 }),
    "seller.change-requests.apply-metadata": noted("Applying writes values and diffs into the order's metadata.", {
      decision: 61,
    }),
    "seller.change-requests.review-409": noted("A review outside pending_approval answers 409.", {
      also: "Endpoints, Change requests; Errors",
    }),
    "seller.change-requests.apply-409": noted("An apply outside approved answers 409.", {
      also: "Endpoints, Change requests; Errors",
    }),
  }),

  ...under("Severity rules", {
    "seller.change-requests.severity.flight-dates": "A shift of the flight is material.",
    "seller.change-requests.severity.flight-dates-small": noted("A shift of at most 3 days is minor.", {
      also: "Limits",
    }),
    "seller.change-requests.severity.impressions": "A change of impressions is material.",
    "seller.change-requests.severity.pricing": noted("A change of price is critical, a small one too.", {
      also: "Limits",
    }),
    "seller.change-requests.severity.creative": "A change of creative is minor and approved by itself.",
    "seller.change-requests.severity.targeting": "A change of targeting is material.",
    "seller.change-requests.severity.cancellation": noted("A cancellation is critical.", { decision: 33 }),
    "seller.change-requests.severity.other": "Any other change is material.",
    "seller.change-requests.material-human": "A material request is decided by a person.",
    "seller.change-requests.critical-senior": noted("A critical request is decided by a senior.", { decision: 33 }),
  }),

  ...under("Agent trust status", {
    "seller.trust.unknown-default": "An agent seen for the first time is unknown.",
    "seller.trust.registered-on-discovery": noted("Discovery makes an agent that a registry knows registered.", {
      also: "Endpoints, Agent registry and agent card",
      decision: 51,
    }),
    "seller.trust.approved-by-operator": "An operator can make an agent approved.",
    "seller.trust.preferred-by-operator": "An operator can make an agent preferred.",
    "seller.trust.blocked-by-operator": "An operator can block any agent.",
    "seller.trust.unknown-to-approved": "An unknown agent can become approved.",
  }),

  ...under("States, API key", {
    "seller.api-keys.active-until-revoked": "is_active turns false when the key is revoked.",
    "seller.api-keys.active-until-expiry": "is_active turns false when the key's time has run out.",
    "seller.api-keys.revoked-401": noted("A revoked key answers 401.", { also: "Authentication; Errors" }),
  }),
};

const endpoints = {
  ...under("Endpoints, Core", {
    "seller.core.root": "GET / answers.",
    "seller.core.health": "GET /health answers.",
  }),

  ...under("Endpoints, Quotes", {
    "seller.quotes.create": noted("POST /api/v1/quotes makes a quote.", { also: "What the service does" }),
    "seller.quotes.create.anonymous": "A quote is made without a credential, at the public tier.",
    "seller.quotes.create.credential": "A quote is made with a credential, at its tier.",
    "seller.quotes.get": "GET /api/v1/quotes/{quote_id} answers the quote.",
    "seller.quotes.get-404": noted("An unknown quote is 404.", { also: "Errors" }),
  }),

  ...under("Endpoints, Deal booking", {
    "seller.deals.book": "POST /api/v1/deals books a quote.",
    "seller.deals.book-unknown-quote": noted("Booking an unknown quote is 404 not_found.", {
      also: "Errors",
      decision: 3,
    }),
    "seller.deals.book-expired": noted("Booking an expired quote is 409 quote_expired.", {
      also: "Errors",
      decision: 3,
    }),
    "seller.deals.book-plan-unsupported": noted("A plan that is not supported is 400 audience_plan_unsupported.", {
      also: "Audience plan on the deal booking; Errors",
    }),
    "seller.deals.get": "GET /api/v1/deals/{deal_id} answers the deal with its status of now.",
  }),

  ...under("Endpoints, Orders", {
    "seller.orders.create": "POST /api/v1/orders takes deal_id, quote_id and metadata, all optional.",
    "seller.orders.list": "GET /api/v1/orders lists orders.",
    "seller.orders.list.status": "The list can be narrowed by status.",
    "seller.orders.report.totals": "The report has total_orders and status_counts.",
    "seller.orders.report.transitions": "The report has total_transitions and avg_transitions_per_order.",
    "seller.orders.report.actors": "The report counts the actors system, human and agent.",
    "seller.orders.report.change-requests": "The report has change_requests with total and by_status.",
    "seller.orders.report.dates": noted("from_date and to_date narrow the report by creation.", { decision: 60 }),
    "seller.orders.get": "GET /api/v1/orders/{order_id} shows status, audit log, ids and metadata.",
    "seller.orders.get-404": noted("An unknown order is 404.", { also: "Errors" }),
    "seller.orders.history": "The history has order_id, current_status and transition_count.",
    "seller.orders.history.transitions": "The history's transitions are in their order.",
    "seller.orders.audit": "The audit shows transitions and the change requests of the order.",
    "seller.orders.audit.actor": "actor narrows the audit by a whole name or its beginning.",
    "seller.orders.audit.dates": noted("from_date and to_date narrow the audit, both days included.", { decision: 60 }),
    "seller.orders.transition.to-status": "A transition needs a to_status of the twelve.",
    "seller.orders.transition.optional": "actor, reason and metadata of a transition are optional.",
    "seller.orders.transition.answer": "A transition answers order_id, status and the record.",
    "seller.orders.transition.allowed-next": "A transition answers what can come next.",
    "seller.orders.transition.refused-body": noted("The 409 has message, current_status and allowed_transitions.", {
      also: "Errors",
    }),
  }),

  ...under("Endpoints, Change requests", {
    "seller.change-requests.create": "POST /api/v1/change-requests answers the change request.",
    "seller.change-requests.create.order-id-required": "order_id is required.",
    "seller.change-requests.create.change-type-required": "change_type is required.",
    "seller.change-requests.create.optional": "diffs, proposed_values, reason and requested_by are optional.",
    "seller.change-requests.create.invalid-body": noted("The 422 has its id, validation_failed and detail.", {
      also: "Errors",
    }),
    "seller.change-requests.create.order-404": noted("An unknown order is 404.", { also: "Errors" }),
    "seller.change-requests.list": "The list can be narrowed by order_id and status.",
    "seller.change-requests.get": "GET /api/v1/change-requests/{cr_id} answers one.",
    "seller.change-requests.get-404": noted("An unknown change request is 404.", { also: "Errors" }),
    "seller.change-requests.review.decision": "decision is approve or reject, and required.",
    "seller.change-requests.review.decided-by":
      "Without decided_by it says the label of the key, or system without one.",
    "seller.change-requests.review.reason": "A review may carry a reason.",
    "seller.change-requests.impressions-positive": "Impressions that are not a positive whole number are 422.",
  }),

  ...under("Endpoints, API keys", {
    "seller.api-keys.create": noted("POST /auth/api-keys issues a key that carries the identity.", {
      also: "What the service does",
      decision: 9,
    }),
    "seller.api-keys.get": "GET /auth/api-keys/{key_id} answers the key's record.",
    "seller.api-keys.revoke": noted("DELETE /auth/api-keys/{key_id} answers key_id and status revoked.", {
      also: "What the service does; States, API key",
    }),
  }),

  ...under("Endpoints, Agent registry and agent card", {
    "seller.card.served": noted("GET /.well-known/agent.json answers without a credential.", {
      also: "What the service does; Authentication",
    }),
    "seller.registry.list": "GET /registry/agents can be narrowed by agent_type and trust_status.",
    "seller.registry.get": "GET /registry/agents/{agent_id} answers one agent.",
    "seller.registry.discover.fetches-card": "Discovery fetches the card from the agent's well-known path.",
    "seller.registry.discover.checks-registries": "Discovery asks every configured registry.",
    "seller.registry.discover.registers": "Discovery keeps the agent in the local registry.",
    "seller.registry.discover.short-path": "POST /registry/discover does the same.",
    "seller.registry.trust.status-required": "The trust update needs trust_status.",
    "seller.registry.trust.notes": "The trust update may carry notes.",
    "seller.registry.remove": "DELETE /registry/agents/{agent_id} removes the agent.",
    "seller.registry.registry-id": "registry_id is derived from the registry's address.",
  }),

  ...under("Endpoints, Media kit and packages", {
    "seller.media-kit.get": "GET /media-kit shows featured and all packages.",
    "seller.media-kit.packages": "GET /media-kit/packages lists the public view.",
    "seller.media-kit.packages.filters": "The list can be narrowed by layer and featured.",
    "seller.media-kit.package": "GET /media-kit/packages/{package_id} shows the public view of one.",
    "seller.media-kit.search": "Search finds words in names, descriptions, tags and categories.",
    "seller.media-kit.search.identity": "Search may carry tier, agency and advertiser.",
    "seller.packages.list": "GET /packages lists the gated view.",
    "seller.packages.get": "GET /packages/{package_id} shows the gated view of one.",
    "seller.packages.create": "POST /packages makes a curated package.",
    "seller.packages.update": noted("PUT /packages/{package_id} changes a package.", { decision: 87 }),
    "seller.packages.archive": "DELETE /packages/{package_id} archives, it does not erase.",
    "seller.packages.assemble": "POST /packages/assemble makes a dynamic package from product ids.",
    "seller.packages.sync": "POST /packages/sync starts the import from the ad server.",
    "seller.packages.view-by-credential": "A credential gives the gated view, none the public one.",
  }),

  ...under("Endpoints, Sessions", {
    "seller.sessions.create": noted("POST /sessions answers 200 or 201.", { also: "What the service does" }),
    "seller.sessions.list": "GET /sessions can be narrowed by identity or status.",
    "seller.sessions.get": "GET /sessions/{session_id} shows the conversation so far.",
    "seller.sessions.message": "A message has type and content.",
    "seller.sessions.message-unknown-404": noted("A message to an unknown session is 404.", { also: "Errors" }),
    "seller.sessions.message-expired-404": noted("A message to an expired session is 404.", { also: "Errors" }),
    "seller.sessions.close": "POST /sessions/{session_id}/close closes it.",
  }),

  ...under("Other listed endpoints", {
    "seller.products.list": noted("GET /products lists the catalog.", { also: "What the service does" }),
    "seller.products.get": "GET /products/{product_id} answers one product.",
    "seller.pricing.post": noted("POST /pricing prices a product for a buyer.", { also: "What the service does" }),
    "seller.proposals.create": noted("POST /proposals takes a proposal.", { also: "What the service does" }),
    "seller.deals.from-proposal": noted("POST /deals makes a deal of an accepted proposal.", { decision: 31 }),
    "seller.discovery.post": "POST /discovery answers a question about inventory.",
    "seller.proposals.counter": noted("POST /proposals/{proposal_id}/counter makes a counter-offer.", {
      also: "What the service does",
    }),
    "seller.proposals.negotiation": "GET /proposals/{proposal_id}/negotiation shows what was offered so far.",
    "seller.approvals.list": noted("GET /approvals lists what waits.", { also: "What the service does" }),
    "seller.approvals.get": "GET /approvals/{approval_id} shows the request and its answer.",
    "seller.approvals.decide": noted("POST /approvals/{approval_id}/decide takes a person's decision.", {
      decision: 11,
    }),
    "seller.approvals.resume": noted("POST /approvals/{approval_id}/resume carries the flow on.", { decision: 25 }),
  }),

  ...under("A2A", {
    "seller.a2a.endpoint": noted("POST /a2a/seller/jsonrpc answers JSON-RPC.", { also: "What the service does" }),
    "seller.a2a.card": noted("GET /a2a/seller/.well-known/agent-card.json answers a card.", { decision: 66 }),
    "seller.a2a.request.jsonrpc": "A request without jsonrpc 2.0 is refused.",
    "seller.a2a.request.method": "The method is message/send; an unknown one is refused.",
    "seller.a2a.request.message": "A request without messageId, role and parts is refused.",
    "seller.a2a.request.text-part": "A part of kind text is understood.",
    "seller.a2a.request.data-part": noted("A part of kind data is understood.", { decision: 55 }),
    "seller.a2a.request.context-id": "contextId of a request continues its conversation.",
    "seller.a2a.request.id-echoed": "The answer has the request's id.",
    "seller.a2a.answer.task-id": noted("result has taskId.", { decision: 15 }),
    "seller.a2a.answer.context-id": "result has contextId.",
    "seller.a2a.answer.text-part": "result.parts has text for people.",
    "seller.a2a.answer.data-part": noted("result.parts has structured payload.", { decision: 28 }),
    "seller.a2a.answer.status": noted("result.status is completed, in_progress or failed.", { decision: 55 }),
    "seller.a2a.kind.discovery": "A text may ask what inventory there is.",
    "seller.a2a.kind.pricing": "A text may ask for a price.",
    "seller.a2a.kind.availability": "A text may ask what is available.",
    "seller.a2a.kind.proposal": "A text may make a proposal.",
    "seller.a2a.kind.negotiation": "A text may negotiate.",
    "seller.a2a.kind.deal-id": "A text may ask for a deal id.",
  }),

  ...under("Audience plan on the deal booking", {
    "seller.plan.media-type.legacy": "A booking in the legacy UCP media type is read.",
    "seller.plan.media-type.agentic": "A booking in the agentic audiences media type is read.",
    "seller.plan.media-type.any": "A booking body is read as JSON whatever its Content-Type says.",
    "seller.plan.media-type.echo": "A booking in one of the two names is answered under that name.",
    "seller.plan.media-type.plain": "A booking without a plan is plain application/json.",
    "seller.plan.hash-logged": "The seller logs the plan id hash at info level.",
    "seller.plan.hash-logged-by-buyer": "The buyer logs the same hash.",
    "seller.plan.rejection.body": noted("The refusal has detail.error and the list detail.unsupported.", {
      also: "Errors",
    }),
    "seller.plan.rejection.every-element": "Each unsupported element is listed with path and reason.",
    "seller.plan.rejection.path": "path mirrors the plan: role, index and member.",
    "seller.plan.rejection.buyer-retries": "The buyer leaves out exactly the listed parts and tries again.",
    "seller.plan.validation.taxonomy-version": "A taxonomy version that the seller does not have is unsupported.",
    "seller.plan.validation.role": noted("A role that the seller does not have is unsupported as a whole.", {
      decision: 19,
    }),
    "seller.plan.validation.cardinality": noted("More refs in a role than the seller takes are unsupported.", {
      decision: 19,
    }),
    "seller.plan.unknown-fields": noted("Unknown fields of plan and refs are ignored.", { also: "Versioning" }),
    "seller.plan.unknown-type": "An unknown type is reported as unsupported.",
    "seller.plan.openrtb.standard": "Standard refs become user.data segments of IAB_Taxonomy.",
    "seller.plan.openrtb.standard-version": "ext.taxonomy_version is the version of the first ref.",
    "seller.plan.openrtb.standard-value": "Resolved and inferred refs carry their confidence as a text.",
    "seller.plan.openrtb.standard-exclusion": "Excluded standard refs carry ext.exclude.",
    "seller.plan.openrtb.contextual": "Contextual refs become site.cat with cattax 7.",
    "seller.plan.openrtb.contextual-exclusion": "Contextual exclusions are left out with a warning.",
    "seller.plan.openrtb.agentic": "Agentic refs become user.ext.iab_agentic_audiences.refs when switched on.",
    "seller.plan.openrtb.agentic-off": "Agentic refs are left out with a warning unless switched on.",
    "seller.plan.openrtb.agentic-ratified": "A ratified key is sent beside the draft's for 90 days, then alone.",
  }),
};

const access = {
  ...under("Authentication", {
    "seller.auth.bearer": "A key is accepted as Authorization: Bearer.",
    "seller.auth.x-api-key": "A key is accepted as X-Api-Key.",
    "seller.auth.header-case": "The header's letter case does not matter.",
    "seller.auth.public-price-ranges": noted("Without a credential prices are ranges.", { decision: 41 }),
    "seller.auth.public-limited-data": noted("Without a credential exact figures are left out.", { decision: 41 }),
    "seller.auth.public-no-negotiation": noted("Without a credential there is no negotiation.", { decision: 12 }),
    "seller.auth.tier.public": "A key without identity is public.",
    "seller.auth.tier.seat": "A key with seat_id alone is seat.",
    "seller.auth.tier.agency": "A key with seat_id and agency_id is agency.",
    "seller.auth.tier.advertiser": "A key with all three ids is advertiser.",
    "seller.auth.effect.seat-prices": noted("A seat sees exact prices.", { decision: 5 }),
    "seller.auth.effect.seat-negotiation": "A seat negotiates within limits.",
    "seller.auth.effect.agency-discount": "An agency gets the discount of its tier.",
    "seller.auth.effect.agency-negotiation": "An agency negotiates in the usual way.",
    "seller.auth.effect.advertiser-discounts": "An advertiser gets the full and the volume discount.",
    "seller.auth.effect.advertiser-negotiation": "An advertiser negotiates with the widest limits.",
    "seller.auth.ceiling.lower-counts": noted("The lower of claimed tier and trust ceiling counts.", {
      also: "What the service does",
      decision: 52,
    }),
    "seller.auth.ceiling.unknown": "An unknown agent stays at public.",
    "seller.auth.ceiling.registered": "A registered agent reaches seat.",
    "seller.auth.ceiling.approved": "An approved agent reaches advertiser.",
    "seller.auth.ceiling.preferred": "A preferred agent reaches advertiser.",
    "seller.auth.ceiling.preferred-custom-pricing": "A preferred agent can be given its own prices.",
    "seller.auth.ceiling.preferred-priority": "A preferred agent goes first.",
    "seller.auth.ceiling.blocked": noted("A blocked agent gets 403 on every request.", {
      also: "Errors",
      decision: 52,
    }),
    "seller.auth.expired-401": noted("An expired key answers 401.", { also: "Errors" }),
    "seller.auth.invalid-401": noted("An unknown key answers 401.", { also: "Errors" }),
    "seller.auth.replace-lost-key": "After a key is revoked another can be issued for the same buyer.",
    "seller.auth.setting.auth-enabled": noted("API_KEY_AUTH_ENABLED, true by default, switches keys off.", {
      decision: 52,
    }),
    "seller.auth.setting.default-expiry": "API_KEY_DEFAULT_EXPIRY_DAYS gives keys an end; by default none.",
    "seller.auth.setting.registry-enabled": "AGENT_REGISTRY_ENABLED, true by default, switches the registry off.",
    "seller.auth.setting.registry-url": noted("AGENT_REGISTRY_URL names the first registry.", { decision: 52 }),
    "seller.auth.setting.registry-extra-urls": "AGENT_REGISTRY_EXTRA_URLS names more, parted by commas.",
    "seller.auth.setting.auto-approve-registered": noted("AUTO_APPROVE_REGISTERED_AGENTS counts, on by default.", {
      decision: 51,
    }),
    "seller.auth.setting.approval-for-unregistered": noted("REQUIRE_APPROVAL_FOR_UNREGISTERED counts, on by default.", {
      decision: 51,
    }),
    "seller.auth.onboarding": "Discover, trust, key: the buyer then works at its tier.",
  }),

  ...under("Events", {
    "seller.events.list": noted("GET /events lists events.", { also: "What the service does" }),
    "seller.events.list.filters": "The list can be narrowed by flow_id, event_type and session_id.",
    "seller.events.get": "GET /events/{event_id} answers one event.",
  }),

  ...under("Versioning", {
    "seller.versioning.api-v1": "Quotes, deals, orders and change requests live under /api/v1.",
    "seller.versioning.plan-v1": "A plan of schema_version 1 and media type v=1 is accepted.",
  }),
};

export const sellerRequirements = {
  ...catalog,
  ...orders,
  ...packages,
  ...audiencePlan,
  ...states,
  ...endpoints,
  ...access,
};
