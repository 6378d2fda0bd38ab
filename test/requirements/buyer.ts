import { documented, noted } from "./table.ts";

const under = documented("Buyer Agent Service");

const bookings = {
  ...under("What the service does", {
    "buyer.service.port-8001": noted("Without a port setting the buyer listens on 8001.", {
      also: "Limits; Versioning",
      decision: 24,
    }),
    "buyer.service.seller-endpoints": "SELLER_ENDPOINTS names the sellers that are asked.",
    "buyer.service.allocates-budget": "The budget of a brief is split over channels.",
    "buyer.service.researches-inventory": "Inventory of the connected sellers is looked at.",
    "buyer.service.negotiates-when-eligible": noted("The price is negotiated at agency and advertiser tier only.", {
      also: "States, Booking job",
    }),
    "buyer.service.presents-recommendations": "What was chosen is shown before it is booked.",
    "buyer.service.books-approved-lines": noted("Approved lines are booked at the seller.", { decision: 37 }),
    "buyer.service.background-job": noted("The flow runs in the background as a job.", { also: "Endpoints, Bookings" }),
    "buyer.service.local-deals": noted("Quotes and deals can be kept in the local store.", {
      also: "Deal-related models; States, Quote and deal",
    }),
    "buyer.service.setting.opendirect": "OPENDIRECT_BASE_URL, _TOKEN and _API_KEY name the seller of product search.",
    "buyer.service.setting.iab-server-url": "IAB_SERVER_URL is a setting of its own, apart from the sellers.",
    "buyer.service.setting.database-url": "DATABASE_URL says where the store is.",
  }),

  ...under("Booking request", {
    "buyer.bookings.request.brief": "A booking request without brief is refused.",
    "buyer.bookings.request.auto-approve": noted("auto_approve books all recommendations without asking.", {
      also: "States, Booking job",
    }),
    "buyer.bookings.request.auto-approve-default": "Without auto_approve the job waits for approval.",
    "buyer.brief.name": noted("name is required.", { decision: 35 }),
    "buyer.brief.name-length": noted("name has 1 to 100 characters.", { also: "Limits", decision: 35 }),
    "buyer.brief.objectives": noted("objectives is required, with at least one item.", {
      also: "Errors",
      decision: 35,
    }),
    "buyer.brief.budget": noted("budget is required and above zero.", { also: "Errors", decision: 35 }),
    "buyer.brief.start-date": noted("start_date is required, as YYYY-MM-DD.", { decision: 35 }),
    "buyer.brief.end-date": noted("end_date is required, as YYYY-MM-DD.", { decision: 35 }),
    "buyer.brief.end-not-before-start": noted("end_date is not before start_date.", { also: "Errors", decision: 35 }),
    "buyer.brief.target-audience": noted("target_audience is required, as an object.", { decision: 35 }),
    "buyer.brief.kpis": "kpis may be absent; present it is an object.",
    "buyer.brief.target-cpm-drives-negotiation": "kpis.target_cpm is the price that the buyer aims at.",
    "buyer.brief.channels": "channels may be absent; present it is a list of texts.",
  }),

  ...under("Booking response and status", {
    "buyer.bookings.response.job-id": "The answer has job_id as a UUID.",
    "buyer.bookings.response.status": noted("The answer's status is pending.", { also: "States, Booking job" }),
    "buyer.bookings.response.message": "The answer has a message.",
    "buyer.bookings.status.job-id": "The job shows job_id and status.",
    "buyer.bookings.status.progress": "progress goes from 0.0 to 1.0.",
    "buyer.bookings.status.budget-allocations": "budget_allocations is null or the split over channels.",
    "buyer.bookings.status.recommendations": "recommendations is null or a list of what waits for approval.",
    "buyer.bookings.status.booked-lines": "booked_lines is null or a list.",
    "buyer.bookings.status.errors": "errors is null or a list of texts.",
    "buyer.bookings.status.times": "created_at and updated_at are ISO 8601 times.",
  }),

  ...under("Product search request", {
    "buyer.search.channel": "channel may be given.",
    "buyer.search.format": "format may be given.",
    "buyer.search.min-price": "min_price leaves out cheaper products.",
    "buyer.search.max-price": "max_price leaves out dearer products.",
    "buyer.search.limit-default": noted("Without limit at most 10 products come back.", { also: "Limits" }),
    "buyer.search.limit-range": noted("limit is 1 to 50.", { also: "Errors, Product search; Limits" }),
    "buyer.search.results": "results lists products as the seller's catalog has them.",
  }),

  ...under("Deal-related models", {
    "buyer.deals.deal-type-default": "Without a deal_type the buyer asks for PD.",
    "buyer.deals.booking-fields": "A booking carries quote_id, buyer_identity and notes.",
    "buyer.deals.quote-statuses": "A quote may be available, expired, declined or booked.",
    "buyer.deals.deal-statuses": "A deal may be proposed, active, rejected, expired or completed.",
    "buyer.deals.local-quoted": noted("A quoted deal is stored as quoted.", { also: "States, Quote and deal" }),
    "buyer.deals.local-booked": noted("A booked deal is stored as booked.", { also: "States, Quote and deal" }),
  }),

  ...under("Session record", {
    "buyer.sessions.record": "A session record has id, seller_url, created_at and expires_at.",
    "buyer.sessions.one-per-seller": "There is one active session per seller.",
  }),

  ...under("Registry models", {
    "buyer.registry.card": "A card has agent_id, name, url, protocols, capabilities and trust_level.",
    "buyer.registry.card.trust-default": "Without trust_level a card is unknown.",
    "buyer.registry.capability": "A capability has name, description and tags.",
    "buyer.registry.trust-levels": "The levels are unknown, registered, verified, preferred and blocked.",
    "buyer.registry.trust-info": "Trust info has agent_url, is_registered, trust_level and registry_id.",
    "buyer.registry.trust-info.default": "Without trust_level the info says unknown.",
  }),

  ...under("Event", {
    "buyer.events.record.event-id": "event_id is a generated UUID.",
    "buyer.events.record.event-type": "event_type is one of the list.",
    "buyer.events.record.timestamp": "timestamp is the UTC time of the event.",
    "buyer.events.record.flow-id": "flow_id groups a flow's events; it is empty by default.",
    "buyer.events.record.flow-type": "flow_type names the flow; it is empty by default.",
    "buyer.events.record.deal-id": "deal_id groups a deal's events; it is empty by default.",
    "buyer.events.record.session-id": "session_id groups a session's events; it is empty by default.",
    "buyer.events.record.payload": "payload is an object, empty by default.",
    "buyer.events.record.metadata": "metadata holds the extra keys, empty by default.",
    "buyer.events.persisted.fields": "The stored event has the listed fields, payload and metadata as JSON text.",
    "buyer.events.persisted.filters": noted("Stored events are narrowed by type, flow, deal and session.", {
      decision: 38,
    }),
    "buyer.events.persisted.newest-first": noted("Stored events come newest first.", { decision: 69 }),
  }),

  ...under("Negotiation round record", {
    "buyer.negotiation.round": "A round keeps deal, proposal, number, both prices, action and rationale.",
  }),

  ...under("Media kit client models", {
    "buyer.media-kit.summary": "A package summary has the listed members.",
    "buyer.media-kit.summary.seller-url": "seller_url says whose package it is when several sellers are shown.",
    "buyer.media-kit.detail": "A package detail adds prices, placements, segments and flags.",
    "buyer.media-kit.kit": "A kit has seller_url, seller_name, total_packages, featured and all_packages.",
  }),
};

const states = {
  ...under("States, Booking job", {
    "buyer.jobs.created-pending": "A valid brief makes a pending job.",
    "buyer.jobs.pending-running": "The job runs once its flow starts.",
    "buyer.jobs.running-awaiting-approval": "With recommendations ready the job waits for approval.",
    "buyer.jobs.running-failed": "A flow error fails the job.",
    "buyer.jobs.failed-errors": noted("A failed job says why in errors.", { also: "Errors" }),
    "buyer.jobs.failed-no-http-error": noted("A failed flow is no HTTP error.", { also: "Errors" }),
    "buyer.jobs.approved-completed": "Approval books the lines and completes the job.",
    "buyer.jobs.booking-error-failed": "A booking error fails the job.",
    "buyer.jobs.nothing-approved-completed": noted("With nothing approved the job completes.", { decision: 36 }),
  }),

  ...under("States, Local session", {
    "buyer.sessions.active": "A session that the seller returned is active.",
    "buyer.sessions.expires": noted("A session ends after 7 days or the seller's time.", { also: "Limits" }),
    "buyer.sessions.close-removes": noted("Closing removes the record.", { also: "Outbound calls to sellers" }),
    "buyer.sessions.expired-renewed": "A message in an expired session makes a new one and is sent again.",
  }),

  ...under("States, Quote and deal", {
    "buyer.deals.status-fetch": "A status fetch stores the status that the seller reports.",
  }),
};

const endpoints = {
  ...under("Endpoints, Bookings", {
    "buyer.bookings.create": "POST /bookings answers the booking response.",
    "buyer.bookings.get": "GET /bookings/{job_id} answers the job.",
    "buyer.bookings.approve.ids-required": "approved_product_ids is required, a list of texts.",
    "buyer.bookings.approve.only-waiting": noted("Approval outside awaiting_approval is 409 invalid_status.", {
      also: "Errors",
    }),
    "buyer.bookings.approve.answer": "Approval answers status, approved_count, booked and total_cost.",
    "buyer.bookings.approve-all.no-body": "approve-all needs no body.",
    "buyer.bookings.approve-all.only-waiting": noted("approve-all outside awaiting_approval is 409 invalid_status.", {
      also: "Errors",
    }),
    "buyer.bookings.approve-all.answer": "approve-all answers status, booked, total_impressions and total_cost.",
    "buyer.bookings.list.status": "The list can be narrowed by status.",
    "buyer.bookings.list.limit-default": noted("Without limit the list shows 20 jobs.", { also: "Limits" }),
    "buyer.bookings.list.jobs": "A listed job has job_id, status, campaign_name, budget and created_at.",
    "buyer.bookings.list.total": noted("The list has total.", { decision: 69 }),
  }),

  ...under("Endpoints, Product search", {
    "buyer.search.configured-seller": "The configured seller is asked for its catalog.",
    "buyer.search.empty": "Nothing found is 200 with empty results.",
  }),

  ...under("Endpoints, Events", {
    "buyer.events.list.filters": "GET /events is narrowed by event_type, flow_id and session_id.",
    "buyer.events.list.limit-default": noted("Without limit the list shows 50 events.", { also: "Bus rules; Limits" }),
    "buyer.events.list.answer": "The list answers events and total.",
    "buyer.events.get": "GET /events/{event_id} answers one event.",
    "buyer.events.get-404": noted("An unknown event is 404.", { also: "Errors" }),
    "buyer.events.bus-only": noted("Both endpoints read what the process has seen.", { decision: 38 }),
  }),

  ...under("Endpoints, Operator key management", {
    "buyer.operator-keys.mint": "POST /auth/api-keys/operator mints another operator key.",
    "buyer.operator-keys.mint-needs-operator": "Minting needs an operator's credential; nothing boots without one.",
    "buyer.operator-keys.first-by-command": "A command on the host mints the first key in the server's store.",
    "buyer.operator-keys.command-label": "The command takes a label.",
    "buyer.operator-keys.command-quiet": "The command has a quiet option.",
    "buyer.operator-keys.command-prints-once": "The command prints the whole key, once.",
  }),

  ...under("Endpoints, Other", {
    "buyer.public.health": noted("GET /health is public.", { also: "Authentication, Inbound" }),
    "buyer.public.docs": noted("GET /docs is public.", { also: "Authentication, Inbound" }),
    "buyer.public.redoc": noted("GET /redoc is public.", { also: "Authentication, Inbound" }),
    "buyer.public.openapi": noted("GET /openapi.json is public.", { also: "Authentication, Inbound" }),
    "buyer.public.oauth2-redirect": noted("GET /docs/oauth2-redirect is public.", { also: "Authentication, Inbound" }),
    "buyer.mcp.served": noted("A tool interface is served over MCP.", { decision: 30 }),
    "buyer.mcp.gated": noted("Every tool over HTTP needs a credential.", { also: "Authentication, Inbound" }),
    "buyer.mcp.health-check-public": noted("The tool health_check needs none.", { also: "Authentication, Inbound" }),
    "buyer.mcp.media-kit-tools": "get_seller_media_kit and compare_sellers are tools.",
  }),
};

const outbound = {
  ...under("Outbound calls to sellers, Deals client", {
    "buyer.client.request-quote": noted("The client asks for quotes.", { also: "What the service does" }),
    "buyer.client.get-quote": "The client reads quotes.",
    "buyer.client.book-deal": noted("The client books deals.", { also: "What the service does" }),
    "buyer.client.get-deal": "The client reads deals.",
    "buyer.client.api-key-header": "An API key goes out as X-Api-Key.",
    "buyer.client.bearer-header": "A token goes out as Authorization: Bearer.",
    "buyer.client.api-key-wins": "With both set the API key goes out.",
    "buyer.client.timeout-30s": noted("A call is given up after 30 seconds by default.", {
      also: "Limits",
      decision: 32,
    }),
    "buyer.client.three-attempts": noted("A call is tried three times by default.", { also: "Limits", decision: 39 }),
    "buyer.client.retry-502": noted("502, 503 and 504 are tried again.", { also: "Limits" }),
    "buyer.client.retry-timeout": "A timeout is tried again.",
    "buyer.client.no-retry-4xx": "A 4xx is not tried again.",
    "buyer.client.no-retry-other-5xx": "A 500 or another 5xx is not tried again.",
    "buyer.client.connect-error": "A refused connection is reported at once with status 0 and connect_error.",
    "buyer.client.timeout-code": "A timeout is reported with the code timeout.",
    "buyer.client.seller-error": "A seller's error comes with status, code and detail.",
    "buyer.client.unsupported-list": "A refused plan comes with its unsupported list.",
    "buyer.client.store-failure-harmless": "A failing local store does not fail the call.",
    "buyer.client.plan-content-type": "A booking with a plan goes out in the legacy media type.",
    "buyer.client.plan-accept": noted("A booking with a plan accepts both media types.", {
      also: "Seller: audience plan on the deal booking",
    }),
  }),

  ...under("Outbound calls to sellers, Session manager", {
    "buyer.sessions.create-call": "A session is created at the seller's /sessions.",
    "buyer.sessions.message-call": noted("Messages go to the session's messages.", { also: "What the service does" }),
    "buyer.sessions.close-call": "Closing calls the session's close.",
    "buyer.sessions.reused": "The active session of a seller is used again.",
    "buyer.sessions.needs-identity": "Creating a session needs a buyer identity.",
    "buyer.sessions.stale-renewed-once": "A 404 drops the session, makes a new one and sends once more.",
    "buyer.sessions.close-always": "Closing never raises.",
    "buyer.sessions.create-failure": "A creation that is neither 200 nor 201 is an error.",
    "buyer.sessions.retry-failure": "A message that fails again is an error.",
    "buyer.sessions.timeout-30s": noted("A session call is given up after 30 seconds.", { also: "Limits" }),
  }),

  ...under("Outbound calls to sellers, Media kit client", {
    "buyer.media-kit.get": noted("The kit is read from the seller.", { also: "What the service does" }),
    "buyer.media-kit.package": "One package is read from the seller.",
    "buyer.media-kit.list-filters": "Packages are listed by layer and featured.",
    "buyer.media-kit.search": "The seller's kit is searched.",
    "buyer.media-kit.key-header": "A configured key goes out as X-API-Key.",
    "buyer.media-kit.timeout-30s": noted("A media kit call is given up after 30 seconds.", { also: "Limits" }),
    "buyer.media-kit.error": "A failure names the seller and the HTTP status, none when nobody answered.",
    "buyer.media-kit.aggregate-parallel": noted("Several sellers are asked at the same time.", {
      also: "What the service does",
    }),
    "buyer.media-kit.aggregate-skips": "A failing seller is left out with a warning.",
  }),

  ...under("Outbound calls to sellers, Registry client", {
    "buyer.registry.discover": noted("Sellers are found at the registry's /agents.", { also: "What the service does" }),
    "buyer.registry.discover.capabilities": "Capabilities go out parted by commas.",
    "buyer.registry.fetch-card": "A seller's card is read from its well-known path.",
    "buyer.registry.verify": noted("Trust is asked at the registry's /verify.", { also: "What the service does" }),
    "buyer.registry.register": "The buyer registers itself at the registry.",
    "buyer.registry.failure.discover": "A failing discovery is an empty list.",
    "buyer.registry.failure.card": "A failing card is none.",
    "buyer.registry.failure.verify": "A failing check is not registered and unknown.",
    "buyer.registry.failure.register": "A failing registration is false.",
    "buyer.registry.cache.expiry": noted("Cached answers are forgotten after five minutes.", { also: "Limits" }),
    "buyer.registry.cache.per-client": "Each client has its own cache.",
    "buyer.registry.cache.discover-key": "Lists are cached by their sorted capabilities.",
    "buyer.registry.cache.card-key": "Cards are cached by address.",
    "buyer.registry.cache.cards-of-list": "Each card of a list is cached by its agent_id.",
    "buyer.registry.cache.no-trust": "Trust is asked anew each time.",
    "buyer.registry.timeout-15s": noted("A registry call is given up after 15 seconds.", { also: "Limits" }),
  }),
};

const authentication = {
  ...under("Authentication, Inbound", {
    "buyer.auth.no-keyless-mode": noted("Every REST route that is not public answers 401 without a credential.", {
      also: "Errors; Versioning",
      decision: 66,
    }),
    "buyer.auth.bearer": "An operator key is accepted as Authorization: Bearer.",
    "buyer.auth.x-api-key": "An operator key is accepted as X-Api-Key.",
    "buyer.auth.stored-hashed": noted("Operator keys are stored as hashes and outlive a restart.", {
      also: "What the service does",
    }),
    "buyer.auth.key-label": "A key has a label.",
    "buyer.auth.key-role": "A key has a role, and the service wants operator.",
    "buyer.auth.key-expiry": "A key may end; then it is refused.",
    "buyer.auth.key-listed": "Keys can be listed.",
    "buyer.auth.key-revoked": "Keys can be revoked; then they are refused.",
    "buyer.auth.stdio-trusted": noted("Local stdio is trusted.", { decision: 67 }),
    "buyer.auth.stdio-beside-http": "In a server process a tool call without an HTTP request is denied.",
    "buyer.auth.legacy.accepted": "The legacy API_KEY works while no operator key was ever minted.",
    "buyer.auth.legacy.warning": "Each use of the legacy key is warned of in the log.",
    "buyer.auth.legacy.refused-with-keys": "With an active operator key the legacy key is refused.",
    "buyer.auth.legacy.never-reopens": "With all operator keys revoked or expired it stays refused.",
    "buyer.auth.allowlist": "A route is gated unless it stands in the public list.",
    "buyer.auth.empty-api-key": "An empty API_KEY does not switch authentication off.",
  }),

  ...under("Authentication, Outbound", {
    "buyer.seller-keys.per-seller": noted("There is one key per seller address.", { also: "What the service does" }),
    "buyer.seller-keys.lookup": "A key is found by scheme, host and port.",
    "buyer.seller-keys.trailing-slash": "A trailing slash of the stored address does not matter.",
    "buyer.seller-keys.header-api-key": "By default the key goes out as X-Api-Key.",
    "buyer.seller-keys.header-bearer": "A key may be set to go out as a bearer token.",
    "buyer.seller-keys.none-unchanged": "Without a key the request goes out as it is.",
    "buyer.seller-keys.needs-reauth": "A 401 is reported as needs_reauth with seller_url and status_code.",
    "buyer.seller-keys.forbidden": "A 403 is not reported as needs_reauth.",
    "buyer.seller-keys.set": noted("A key is added or replaced.", { decision: 89 }),
    "buyer.seller-keys.get": "A key is found, or none.",
    "buyer.seller-keys.remove": noted("Removing says whether there was one.", { decision: 89 }),
    "buyer.seller-keys.rotate": noted("Rotating replaces the key.", { decision: 89 }),
    "buyer.seller-keys.list": noted("Sellers with a key are listed.", { decision: 89 }),
    "buyer.seller-keys.obfuscated": "Keys are not kept as plain text.",
    "buyer.seller-keys.acquire": noted("A key is asked for with identity and expires_in_days and stored at once.", {
      decision: 51,
    }),
    "buyer.seller-keys.rotate-after-401": "After a 401 a new key is made and stored.",
    "buyer.seller-keys.revoke-old": "The old key can be revoked at the seller.",
    "buyer.media-kit.legacy-key": "The media kit client takes the seller's own credential.",
  }),
};

const eventsAndErrors = {
  ...under("Events", {
    "buyer.bus.never-breaks": "A failing emission warns and returns nothing.",
    "buyer.bus.append-only": "Events are added, never changed.",
    "buyer.events.type.quote-requested": "A quote request emits quote.requested.",
    "buyer.events.type.quote-received": "A price that comes back emits quote.received.",
    "buyer.events.type.deal-booked": "A booked deal emits deal.booked.",
    "buyer.events.type.deal-cancelled": noted("A cancelled deal emits deal.cancelled.", { decision: 74 }),
    "buyer.events.type.campaign-created": "A brief emits campaign.created.",
    "buyer.events.type.budget-allocated": "The split emits budget.allocated.",
    "buyer.events.type.booking-submitted": "A booking request emits booking.submitted.",
    "buyer.events.type.inventory-discovered": "Inventory that was found emits inventory.discovered.",
    "buyer.events.type.negotiation-started": "A negotiation emits negotiation.started.",
    "buyer.events.type.negotiation-round": "A round emits negotiation.round.",
    "buyer.events.type.negotiation-concluded": "The end of a negotiation emits negotiation.concluded.",
    "buyer.events.type.session-created": "A session emits session.created.",
    "buyer.events.type.session-closed": "Its end emits session.closed.",
  }),

  ...under("Bus rules", {
    "buyer.bus.order": "An event is kept first, then goes to its type's subscribers, then to those of *.",
    "buyer.bus.failing-subscriber": "A failing subscriber is logged and the others still run.",
    "buyer.bus.list": "The bus lists by flow, type and session.",
    "buyer.bus.get": "The bus finds an event by id.",
    "buyer.bus.emit-metadata": "Extra keys of an emission become metadata.",
    "buyer.bus.emit-sync": "There is an emission that does not wait.",
    "buyer.bus.persisted": noted("Events are stored apart from the bus.", {
      also: "What the service does",
      decision: 38,
    }),
  }),

  ...under("Errors", {
    "buyer.errors.shape": noted("Booking errors are error and detail.", {
      also: "Errors, Product search",
      decision: 2,
    }),
    "buyer.errors.invalid-brief": noted("A brief that cannot be used is 400 invalid_brief.", { decision: 35 }),
    "buyer.errors.brief-schema": noted("A body of the wrong form is 422 validation_error.", { decision: 35 }),
    "buyer.errors.unknown-job": "An unknown job is 404 not_found.",
    "buyer.errors.approve-unknown-job": "Approving an unknown job is 404 not_found.",
    "buyer.errors.approve-invalid-products": noted("Ids that match nothing are 400 invalid_products.", {
      decision: 36,
    }),
    "buyer.errors.approve-all-unknown-job": "approve-all of an unknown job is 404 not_found.",
    "buyer.errors.list-query": "A wrong query value of the list is 422 validation_error.",
    "buyer.errors.internal": noted("An unexpected failure is 500 internal_error.", { also: "Errors, Product search" }),
  }),

  ...under("Errors, Product search", {
    "buyer.search.errors.invalid": "min_price above max_price is 422 validation_error.",
    "buyer.search.errors.unreachable": "A seller that is not there is 502 seller_unreachable.",
    "buyer.search.errors.seller-error": "A seller's own error is 502 seller_error.",
    "buyer.search.errors.auth": "Refused credentials are 401 auth_error.",
    "buyer.search.errors.timeout": "A seller that is too slow is 504 seller_timeout.",
  }),

  ...under("Versioning", {
    "buyer.versioning.migration-additive": "The table of keys is added without touching rows, as often as it runs.",
    "buyer.versioning.keys-survive": "Keys minted before are still valid after going back and forth.",
    "buyer.versioning.smoke-skip": "Smoke tests against a live server want BUYER_OPERATOR_KEY, else they skip.",
  }),
};

export const buyerRequirements = {
  ...bookings,
  ...states,
  ...endpoints,
  ...outbound,
  ...authentication,
  ...eventsAndErrors,
};
