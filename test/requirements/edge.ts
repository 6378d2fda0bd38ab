import { documented, noted } from "./table.ts";

const under = documented("Edge Server Service");

const service = {
  ...under("What the service does", {
    "edge.service.four-adapters": noted("The service runs on the adapters A, B, C and D.", { decision: 21 }),
    "edge.service.health.a": noted("A answers /health before its router.", { also: "Endpoints" }),
    "edge.service.health.b": noted("B answers /health.", { also: "Endpoints" }),
    "edge.service.health.c": noted("C has no /health; the path goes to the origin.", { also: "Endpoints" }),
    "edge.service.health.d": noted("D answers /health.", { also: "Endpoints" }),
    "edge.startup.status-500": noted("A broken start answers 500 on A, B and C.", {
      also: "States and transitions; Errors",
    }),
    "edge.startup.status-503": noted("A broken start answers 503 on D.", { also: "States and transitions; Errors" }),
    "edge.startup.health.a-d": noted("A broken start still answers /health on A and D.", {
      also: "States and transitions; Errors",
    }),
    "edge.startup.health.b-c": noted("A broken start has no /health on B and C.", { also: "States and transitions" }),
    "edge.service.fan-out.a-b": "A and B ask several providers at once.",
    "edge.service.fan-out.c-d": "C and D ask one provider.",
    "edge.service.creates-ec": "A first visit is given an edge identifier in the cookie ts-ec.",
    "edge.service.client-ip.a": "A finds the client's address at its entry and cleans the headers.",
    "edge.service.client-ip.b-c": noted("B and C clean forwarded headers outermost.", { decision: 21 }),
    "edge.service.client-ip.d": "D cleans outermost and folds the runtime's own headers innermost.",
  }),

  ...under("Auction request", {
    "edge.auction.ad-units": "The body has adUnits, a list.",
    "edge.auction.ad-unit.code": "An ad unit has a code.",
    "edge.auction.ad-unit.media-types": "An ad unit has mediaTypes, for instance banner sizes as pairs.",
    "edge.auction.ad-unit.bids": "bids may be absent; each has bidder and params.",
    "edge.auction.reserved.params": noted("The reserved bidder takes bidderParams, zone and storedRequest.", {
      decision: 22,
    }),
    "edge.auction.stored.false": "storedRequest false switches stored demand off; inline demand still runs.",
    "edge.auction.stored.true": "storedRequest true permits stored demand under the slot's code.",
    "edge.auction.stored.true-inline-first": "With storedRequest true inline params come first.",
    "edge.auction.stored.omitted": "Without storedRequest empty bidderParams permit stored demand.",
    "edge.auction.stored.omitted-routed": "Without storedRequest routed empty bidder objects keep the fallback.",
    "edge.auction.stored.invalid-types": "storedRequest of any other type is invalid.",
    "edge.auction.stored.invalid-entry": "An invalid value drops the whole reserved entry.",
    "edge.auction.stored.invalid-counted": "An invalid value is counted as a malformed entry.",
    "edge.auction.stored.invalid-others-run": "Other bidders and providers still run.",
    "edge.auction.bids-absent": "Absent or empty bids keep the legacy inference.",
    "edge.auction.overrides-first": "A provider's overrides apply before inline demand is looked for.",
    "edge.auction.no-inline-stored": "Without inline params stored demand is used only when permitted.",
    "edge.auction.no-demand-omitted": "An impression without any demand is left out.",
    "edge.auction.no-impression-no-request": "Without impressions the provider is not asked.",
    "edge.auction.provider-ids": "Providers are named by their configured ids.",
  }),

  ...under("Identify response", {
    "edge.identify.ec": noted("ec is 64 hex characters, a dot and 6 characters.", { also: "Limits" }),
    "edge.identify.consent": "consent is a text.",
    "edge.identify.degraded": noted("degraded is true when the store could not be read.", { also: "GET identify" }),
    "edge.identify.source-domain": "source_domain is the partner's domain.",
    "edge.identify.uid": noted("uid is the partner's id of the user.", { also: "What the service does" }),
    "edge.identify.eid": "eid has source and uids with id and atype.",
    "edge.identify.cluster-size": "cluster_size is a whole number when shown.",
    "edge.identify.omitted": "uid, eid and cluster_size are left out when unknown.",
  }),

  ...under("Batch sync", {
    "edge.batch.request": "mappings lists ec_id, partner_uid and timestamp.",
    "edge.batch.timestamp-no-order": "timestamp does not order the writes.",
    "edge.batch.response": "The answer has accepted, rejected and errors.",
    "edge.batch.errors": noted("errors holds index and reason, sorted by index.", { also: "POST batch-sync" }),
    "edge.batch.reason.invalid-ec-id": "A wrong ec_id is invalid_ec_id.",
    "edge.batch.reason.invalid-partner-uid": "A wrong partner_uid is invalid_partner_uid.",
    "edge.batch.reason.ineligible": noted("A missing or withdrawn entry is ineligible.", {
      also: "States and transitions; POST batch-sync",
    }),
    "edge.batch.reason.kv-unavailable": "A failing store is kv_unavailable.",
  }),

  ...under("Page bids response", {
    "edge.page-bids.shape": "The answer has slots as a list and bids as an object.",
    "edge.page-bids.kill-switch": "With the switch off both are empty.",
    "edge.page-bids.consent-denied": "Without consent both are empty.",
  }),

  ...under("Signature verification and keys", {
    "edge.verify.answer": noted("Verification answers verified and message.", {
      also: "What the service does; Other first-party and signing routes",
    }),
    "edge.keys.document": noted("The well-known document has jwks with keys that have kid.", {
      also: "What the service does; Endpoints",
      decision: 22,
    }),
    "edge.keys.empty": "Without an active key the list is empty.",
  }),
};

const routes = {
  ...under("States and transitions", {
    "edge.startup.every-other-path": noted("A broken start answers every other path with the error.", {
      also: "Errors",
    }),
  }),

  ...under("Endpoints", {
    "edge.routes.fallback": noted("A path that no route has goes to the publisher's origin, with any method.", {
      also: "What the service does",
    }),
    "edge.routes.page-bids": "/_ts/page-bids is served with GET on all adapters.",
    "edge.routes.page-bids-alias": "/__ts/page-bids is served with GET on all adapters.",
    "edge.routes.page-bids-options": "OPTIONS of both is guarded.",
    "edge.routes.admin-ec.a": "A serves /_ts/admin/ec and /_ts/admin/ec/{id}.",
    "edge.routes.admin-ec.others": "B, C and D answer the same as unsupported.",
    "edge.routes.admin-eids": "/_ts/admin/eids is served on all adapters.",
    "edge.routes.admin-keys.a": "A rotates and deactivates keys.",
    "edge.routes.admin-keys.others": "B, C and D answer the same as unsupported.",
    "edge.routes.batch-sync": "Batch sync is served on A only.",
    "edge.routes.identify": "Identify is served on A only, with GET and OPTIONS.",
    "edge.routes.tester": "The tester routes are served on A only, when switched on.",
    "edge.routes.ja4": "/_ts/debug/ja4 is served on A only, when switched on.",
    "edge.routes.admin-guard": noted("/admin/keys/* is denied with every method on all adapters.", {
      also: "Authentication",
    }),
    "edge.routes.auction": "POST /auction is served on all adapters.",
    "edge.routes.click": "GET /first-party/click is served on all adapters.",
    "edge.routes.proxy-rebuild": "GET and POST /first-party/proxy-rebuild are served on all adapters.",
    "edge.routes.proxy": "GET /first-party/proxy is served on all adapters.",
    "edge.routes.sign": "GET and POST /first-party/sign are served on all adapters.",
    "edge.routes.static": "A path that starts with /static/tsjs= is served on all adapters.",
    "edge.routes.verify": "POST /verify-signature is served on all adapters.",
    "edge.routes.assets": "Configured asset prefixes are served on A with GET and HEAD.",
    "edge.routes.assets-others": "Configured asset prefixes go to the origin on B, C and D.",
  }),

  ...under("Contract conventions", {
    "edge.conventions.basic-auth-any-path": noted("A handler rule can put basic authentication before any path.", {
      also: "Authentication",
    }),
    "edge.conventions.no-auth-by-default": "Without a rule an endpoint asks for no credential.",
    "edge.conventions.no-rate-limit": noted("Endpoints other than batch sync have no limiter.", { also: "Limits" }),
    "edge.conventions.plain-errors": "Shared adapter errors are plain text that gives nothing away.",
    "edge.conventions.finalizer": "Every answer passes the finalizer.",
  }),

  ...under("GET set-tester and clear-tester", {
    "edge.tester.set": noted("set-tester answers 204 with the cookie ts-tester=true.", {
      also: "What the service does",
      decision: 88,
    }),
    "edge.tester.clear": "clear-tester answers 204 with an empty value and Max-Age=0.",
    "edge.tester.attributes": "The cookie has Domain, Path=/, Secure and SameSite=Lax.",
    "edge.tester.no-store": "Both answers are no-store, private.",
    "edge.tester.disabled": "Switched off, which is the default, both are 404 without a cookie.",
  }),

  ...under("POST /auction", {
    "edge.auction.body-limit": noted("A body above 256 KiB is 413.", { also: "Limits" }),
    "edge.auction.openrtb-answer": noted("An auction answers 200 with an OpenRTB response.", {
      also: "What the service does",
    }),
    "edge.auction.no-bid": "An intended no-bid is 200 too.",
    "edge.auction.disabled": "A disabled auction gives the no-bid form and asks nobody.",
    "edge.auction.consent-denied": "Without consent it gives the no-bid form and asks nobody.",
    "edge.auction.malformed": noted("A malformed body is 400.", { also: "Errors", decision: 23 }),
    "edge.auction.provider-failure": noted("A failure of the providers is a 5xx.", { decision: 23 }),
    "edge.auction.sanitize": "Markup is sanitized when that is switched on.",
    "edge.auction.rewrite": "Markup is rewritten unless that is switched off.",
    "edge.auction.independent": "The two switches do not depend on each other.",
    "edge.auction.no-cors": "The answer has no cache or CORS policy of its own.",
    "edge.auction.configured": "Providers and timeouts come from the configuration.",
  }),

  ...under("GET page-bids", {
    "edge.page-bids.alias-link": noted("The alias adds a Link header.", { also: "Versioning" }),
    "edge.page-bids.path-default": "path is / by default.",
    "edge.page-bids.path-stripped": "Query and fragment of path do not count.",
    "edge.page-bids.format": "format may be json; another is 400.",
    "edge.page-bids.same-origin": noted("Sec-Fetch-Site same-origin is admitted.", { also: "Authentication" }),
    "edge.page-bids.header": "Without Sec-Fetch-Site the header X-TSJS-Page-Bids admits.",
    "edge.page-bids.other-403": "Any other GET is 403.",
    "edge.page-bids.options-403": "Every OPTIONS is 403.",
    "edge.page-bids.ok": noted("An admitted request is 200 with JSON.", { also: "What the service does" }),
    "edge.page-bids.missing-configuration": "Without creative_opportunities it is 404.",
    "edge.page-bids.no-store": "200, 400 and 403 are private, no-store.",
    "edge.page-bids.no-cors": "No CORS permission is given.",
    "edge.page-bids.bots": "Bots and prefetches get the slots without a live call.",
  }),

  ...under("GET identify", {
    "edge.identify.auth": noted("Identify wants a configured partner's token.", { also: "Authentication" }),
    "edge.identify.cookie": noted("The cookie ts-ec says who it is.", { also: "What the service does", decision: 21 }),
    "edge.identify.no-ec": "Without an active EC it is 204.",
    "edge.identify.unknown-token": "An unknown token is 401.",
    "edge.identify.denied": "Refused consent is 403.",
    "edge.identify.cache-headers": "Every answer has no-store, no-cache and Vary.",
    "edge.identify.cors-own": "HTTPS origins at or below the publisher's domain get credentialed CORS.",
    "edge.identify.cors-other": "Any other origin is 403.",
    "edge.identify.options": "OPTIONS is 200 without an origin or with an allowed one.",
    "edge.identify.needs-store": "Without an identity store there is no identify.",
  }),

  ...under("POST batch-sync", {
    "edge.batch.auth": noted("Batch sync wants a configured partner's token.", { also: "Authentication" }),
    "edge.batch.body-limit": noted("A body above 2 MiB is 413.", { also: "Limits" }),
    "edge.batch.mapping-limit": noted("More than 1,000 mappings are 400.", { also: "Limits" }),
    "edge.batch.rate": noted("batch_rate_limit of the partner counts per minute; beyond it 429.", { also: "Limits" }),
    "edge.batch.all-accepted": noted("All accepted is 200.", { also: "What the service does" }),
    "edge.batch.some-rejected": "One rejected is 207.",
    "edge.batch.invalid-token": "A wrong token is 401 with error invalid_token.",
    "edge.batch.needs-store": "Without an identity store there is no batch sync.",
    "edge.batch.no-cors": "The answer has no cache or CORS headers of its own.",
    "edge.batch.validated-first": "All mappings are checked before any is written.",
    "edge.batch.input-index": "An error keeps the index of its input.",
    "edge.batch.grouped": "Mappings are grouped by EC id.",
    "edge.batch.prefix-folded": "The hex part is folded to lower case.",
    "edge.batch.suffix-case": noted("The suffix keeps its case.", { also: "Limits" }),
    "edge.batch.group-order": "Groups are written in the order of their first valid mapping.",
    "edge.batch.one-update": "Each id is updated once.",
    "edge.batch.last-wins": "The last valid partner_uid of a group is stored.",
    "edge.batch.invalid-never-replaces": "An invalid mapping never replaces a valid one.",
    "edge.batch.group-accepted": "A written or unchanged group accepts all its valid mappings.",
    "edge.batch.group-ineligible": "A missing or withdrawn entry rejects all its valid mappings.",
    "edge.batch.store-failure": "A store failure rejects its group and all later ones.",
    "edge.batch.no-later-group": "After a store failure no later group is written.",
    "edge.batch.earlier-kept": "Groups before it keep their outcome.",
    "edge.batch.one-outcome": "accepted and rejected add up to the mappings.",
  }),

  ...under("GET /first-party/proxy", {
    "edge.proxy.tsurl-required": noted("Without tsurl it is 400.", { also: "Errors", decision: 23 }),
    "edge.proxy.tstoken-required": noted("Without tstoken it is 400.", { also: "Errors", decision: 23 }),
    "edge.proxy.tsexp": noted("tsexp ends the link's life and is under the token.", { decision: 23 }),
    "edge.proxy.target-query": "All other parameters are the target's query, as they were.",
    "edge.proxy.token-checked": noted("A token that does not fit the address is 403.", { also: "Errors" }),
    "edge.proxy.redirects": "Redirects of the five kinds are followed.",
    "edge.proxy.redirect-limit": noted("At most four redirects are followed.", { also: "Limits" }),
    "edge.proxy.ec-appended": "The EC id is added as ts-ec.",
    "edge.proxy.pixel-logged": "One-pixel images are logged.",
    "edge.proxy.allowed-first": "The first address must be in allowed_domains.",
    "edge.proxy.allowed-redirect": "Each redirect must be in allowed_domains.",
    "edge.proxy.open-mode": noted("An empty list allows all.", { decision: 21 }),
    "edge.proxy.content-type": "The content type is kept or inferred.",
    "edge.proxy.html-rewritten": noted("HTML is rewritten.", { also: "What the service does" }),
    "edge.proxy.images": "Images pass with an inferred type.",
    "edge.proxy.other-through": "Anything else passes as it is.",
  }),

  ...under("Other first-party and signing routes", {
    "edge.sign.get": noted("GET /first-party/sign answers a signed address.", { also: "What the service does" }),
    "edge.sign.works-in-proxy": "What sign answers is accepted by the proxy.",
    "edge.verify.standard-base64": "The payload is standard base64, not base64url.",
    "edge.keys.rotate": noted("Rotation makes a new signing key.", { also: "What the service does" }),
    "edge.keys.rotate-first": "Rotation makes the first key when there is none.",
    "edge.keys.rotate-basic-auth": "Rotation works with basic credentials.",
  }),

  ...under("Scaffolded example application", {
    "edge.example.listens": noted("The example runs on the native adapter at 127.0.0.1:8787.", { decision: 46 }),
    "edge.example.root": noted("It serves GET /.", { decision: 46 }),
    "edge.example.echo-name": noted("It serves GET /echo/{name}.", { decision: 46 }),
    "edge.example.echo-post": noted("POST /echo with a name greets it as Hello, <name>!", { decision: 46 }),
  }),
};

const rules = {
  ...under("Authentication", {
    "edge.auth.partners-static": "Partners are those of the configuration, loaded at the start.",
    "edge.auth.no-registration": "There is no route that registers partners.",
    "edge.auth.no-pixel-sync": "There is no route of a pixel sync.",
    "edge.auth.eid-cookies": "Ids that the browser resolved arrive in EID cookies.",
    "edge.auth.admin-basic": "Admin routes can be put behind basic authentication.",
    "edge.auth.page-bids-no-credential": "Page bids ask for no credential.",
    "edge.auth.secrets-by-name": noted("proxy_secret and passphrase name entries of the secret store.", {
      decision: 29,
    }),
    "edge.auth.passphrase-length": "A passphrase of fewer than 32 characters is refused.",
  }),

  ...under("Errors", {
    "edge.errors.parse": "A TOML mistake is a settings parse error.",
    "edge.errors.missing-domain": "A missing publisher.domain is named.",
    "edge.errors.missing-origin-url": "A missing publisher.origin_url is named.",
    "edge.errors.missing-proxy-secret": "A missing publisher.proxy_secret is named.",
    "edge.errors.missing-passphrase": "A missing ec.passphrase is named.",
    "edge.errors.provider-endpoint": "A provider endpoint that is not plain absolute HTTPS is refused.",
    "edge.errors.override": "An override that does not fit its leaf is refused.",
    "edge.errors.override-collections": "Arrays, tables, maps and rules cannot be overridden.",
    "edge.errors.ec-generation": "A wrong passphrase secret is reported as an EC generation failure.",
    "edge.errors.backend-not-found": "A provider backend that cannot be made is reported.",
    "edge.errors.invalid-token": noted("A changed address is an invalid token signature.", {
      also: "GET /first-party/proxy",
    }),
    "edge.errors.upstream-timeout": noted("A slow provider is an upstream timeout.", { decision: 23 }),
    "edge.errors.cookie-domain-warning": "A cookie_domain that does not fit the request is warned of.",
    "edge.errors.signing-key": "A signing key that the secret store lacks is reported.",
    "edge.errors.store-not-found": "A configured store that is not there is reported.",
    "edge.errors.status-400": noted("Missing parameters and invalid JSON are 400.", { decision: 23 }),
    "edge.errors.status-401": "Missing or wrong credentials are 401.",
    "edge.errors.status-403": noted("A wrong token is 403.", { decision: 23 }),
    "edge.errors.status-404": "An endpoint that is not there is 404.",
    "edge.errors.status-500": "A mistake inside or in the configuration is 500.",
    "edge.errors.status-502": noted("A backend that cannot be reached is 502.", { decision: 23 }),
    "edge.errors.status-504": noted("A backend that is too slow is 504.", { decision: 23 }),
  }),

  ...under("Versioning", {
    "edge.versioning.partner-api": "The partner API lives under /_ts/api/v1.",
  }),
};

export const edgeRequirements = { ...service, ...routes, ...rules };
