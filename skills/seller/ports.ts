import type { ApprovalGate } from "../../machines/approval/gate.ts";
import type { PricingPolicy } from "../../machines/pricing/price.ts";
import type { AudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";
import type { KeyUses } from "../../protocol/seam/key-use.ts";
import type { Store } from "../../storage/store.ts";
import type { Context } from "../../protocol/seam/operation.ts";

/** How a product may be sold (seller spec, Deal types). */
export const dealTypes = ["PG", "PD", "PA"] as const;

export type DealType = (typeof dealTypes)[number];

/** Attribute names with their permitted values, as buyers may target them. */
type Targeting = Readonly<Record<string, readonly string[]>>;

/**
 * One thing on sale. Money in micros of `currency`; both prices null: sold on request only and never quoted.
 * `floor_cpm_micros` is the seller's secret (decision 41). `maximum_impressions` caps each day's guaranteed volume
 * (decision 59); null: no cap.
 */
export interface Product {
  readonly product_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly inventory_type: string;
  readonly deal_types: readonly DealType[];
  readonly pricing_models: readonly string[];
  readonly base_cpm_micros: number | null;
  readonly floor_cpm_micros: number | null;
  readonly currency: string;
  readonly minimum_impressions: number;
  readonly maximum_impressions: number | null;
  readonly audience_targeting: Targeting | null;
  readonly content_targeting: Targeting | null;
  readonly ad_product_targeting: Targeting | null;
}

/** A page of the catalog in its own order; an empty `inventoryTypes` means all types. */
export interface CatalogQuery {
  readonly inventoryTypes: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** What is on sale. Look-up and pages cost the same however large the catalog is. */
export interface Catalog {
  /** The distinct types, sorted. */
  readonly inventoryTypes: readonly string[];
  /** What products are priced in. */
  readonly currencies: readonly string[];
  get(productId: string): Product | null;
  page(query: CatalogQuery): { readonly products: readonly Product[]; readonly total: number };
}

/**
 * One thing that the ad server has on sale. `inventoryType` is a word like `ctv` or `linear_tv`; `changedAt` is when it
 * last changed (ISO 8601 in UTC), null where the ad server does not say.
 */
export interface AdServerItem {
  readonly itemId: string;
  readonly name: string;
  readonly inventoryType: string;
  readonly isArchived: boolean;
  readonly changedAt: string | null;
}

/** What a reading of the ad server gave; a failure's `message` is a sentence for the operator, without a credential. */
export type AdServerReading =
  | { readonly ok: true; readonly items: readonly AdServerItem[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * The ad server as far as packages are imported from it. `read` gives everything, or with a time what changed since,
 * archived items included. It never throws for what the ad server does.
 */
export interface AdServer {
  /** Names the source in package ids: lower-case letters and hyphens. */
  readonly source: string;
  read(changedSince: string | null): Promise<AdServerReading>;
}

/** Where the inventory is read from: AD_SERVER_TYPE with the settings of that type. */
export type AdServerSettings =
  | { readonly type: "none" }
  | { readonly type: "csv"; readonly dir: string; readonly includeArchived: boolean }
  | {
      readonly type: "http";
      readonly feedUrl: string;
      readonly token: string | null;
      readonly includeArchived: boolean;
    };

/** Counts how often a buyer asks for a price of his own on one product (decision 43). */
export interface PriceProbes {
  take(buyer: string, productId: string): Promise<{ readonly allowed: boolean; readonly retryAfterSeconds: number }>;
}

/** A registry that knows an agent. */
export interface VouchingRegistry {
  /** Derived from the registry's address, so that it stays the same for as long as the address does. */
  readonly registry_id: string;
  readonly registry_name: string;
  readonly registry_url: string;
  readonly external_agent_id: string | null;
}

/** An agent's card as it was fetched, unread; or why there is none. */
export type FetchedCard =
  | { readonly ok: true; readonly card: unknown }
  | { readonly ok: false; readonly reason: "target_not_allowed" | "unavailable" };

/**
 * The way to other agents and to the registries that list them; both outside, and guarded (decision 20).
 * `traceparent` goes with each request (decision 80).
 */
export interface AgentLookup {
  /** Whether the address may be asked at all, as far as it can be told without asking. */
  isPermitted(agentUrl: string): boolean;
  /** Fetches the card from the agent's well-known path. */
  fetchCard(agentUrl: string, traceparent: string | null): Promise<FetchedCard>;
  /** The registries that know the agent; one that fails to answer counts as one that does not. */
  askRegistries(agentUrl: string, traceparent: string | null): Promise<readonly VouchingRegistry[]>;
}

/** Judges addresses that callers name before anything is sent there (decisions 20 and 91). */
export interface TargetGuard {
  /** Whether the address may be posted to; with `asksResolver` a name is judged by what it resolves to now. */
  isPermitted(url: string, how: { readonly asksResolver: boolean }): Promise<boolean>;
}

/**
 * Everything a seller operator may set that operations read. Each member names its variable; times in the unit of
 * its name.
 */
export interface SellerSettings {
  /** SELLER_ORGANIZATION_ID: `seller_id` of quotes and deals, owner organisation of products. */
  readonly sellerId: string;
  /** SELLER_ORGANIZATION_NAME. */
  readonly sellerName: string;
  /** SELLER_AGENT_NAME. */
  readonly agentName: string;
  /** SELLER_AGENT_URL. */
  readonly agentUrl: string;
  /** SANDBOX: marks every record made while it is on (decision 63). */
  readonly sandbox: boolean;
  /** Tier discounts, volume steps, custom rules and the global floor (decisions 5 and 6). */
  readonly pricing: PricingPolicy;
  /** QUOTE_TTL_SECONDS (decision 32). */
  readonly quoteTtlSeconds: number;
  /** SESSION_TTL_SECONDS (decision 32). */
  readonly sessionTtlSeconds: number;
  /** SESSION_MAX_MESSAGES, at most what one page of a list holds; both halves of an exchange count. */
  readonly sessionMaxMessages: number;
  /** DEAL_PROPOSAL_TTL_DAYS (decision 32). */
  readonly dealProposalTtlDays: number;
  /** PRICE_PROBE_LIMIT an hour, per buyer and product; 0: off (decision 43). */
  readonly priceProbeLimit: number;
  /** API_KEY_AUTH_ENABLED; false: keys are ignored and all callers are public (decision 52). */
  readonly apiKeyAuthEnabled: boolean;
  /** API_KEY_DEFAULT_EXPIRY_DAYS; null: keys never expire unless their request says so. */
  readonly apiKeyDefaultExpiryDays: number | null;
  /** REQUIRE_APPROVAL_FOR_UNREGISTERED; false: claimed identities count at once (decisions 9 and 51). */
  readonly requireApprovalForUnregistered: boolean;
  /** APPROVAL_GATE_ENABLED, APPROVAL_REQUIRED_FLOWS, APPROVAL_REQUIRED_ABOVE_VALUE (decisions 26 and 56). */
  readonly approvalGate: ApprovalGate;
  /** APPROVAL_TIMEOUT_HOURS (decision 11). */
  readonly approvalTimeoutHours: number;
  /** AGENT_REGISTRY_ENABLED; false: a named agent reaches `public` whoever it is. */
  readonly agentRegistryEnabled: boolean;
  /** AGENT_REGISTRY_URL, then AGENT_REGISTRY_EXTRA_URLS: the registries of the plain form (decision 82). */
  readonly agentRegistryUrls: readonly string[];
  /** AAMP_REGISTRY_URL with AAMP_REGISTRY_AUTH_TOKEN; null: none is asked. */
  readonly aampRegistry: { readonly url: string; readonly token: string | null } | null;
  /** AUTO_APPROVE_REGISTERED_AGENTS; false: a listed agent stays unknown until an operator acts (decision 51). */
  readonly autoApproveRegisteredAgents: boolean;
  /** EVENT_RETENTION_DAYS: how long events can be read. */
  readonly eventRetentionDays: number;
  /** EVENT_STREAMS_PER_CALLER; 0: any number. */
  readonly eventStreamsPerCaller: number;
  /** OUTBOUND_ALLOW: hosts, with or without a port, that need not be public (decisions 20 and 32). */
  readonly outboundAllow: readonly string[];
  /** What the seller can do with audience plans; its agent card declares the same. */
  readonly audience: AudienceCapabilities;
  /** MAX_ACTIVE_PACKAGES: as many as are searched, and no more can be active at once. */
  readonly mostActivePackages: number;
  /** AD_SERVER_TYPE, CSV_DATA_DIR, AD_SERVER_FEED_URL, AD_SERVER_FEED_TOKEN, INVENTORY_SYNC_INCLUDE_ARCHIVED. */
  readonly adServer: AdServerSettings;
  /** INVENTORY_SYNC_ENABLED and INVENTORY_SYNC_INTERVAL_MINUTES: imports without an operator. */
  readonly inventorySync: { readonly enabled: boolean; readonly intervalMinutes: number };
  /** RATE_LIMIT_PER_MINUTE, per principal; 0: off (decisions 19, 32, 68). */
  readonly rateLimitPerMinute: number;
  /** RATE_LIMIT_ANONYMOUS_PER_MINUTE, per address; 0: off. */
  readonly rateLimitAnonymousPerMinute: number;
}

/** What a walk through the audit trail found; on a fault, the first record that does not fit. */
export type AuditCheck =
  | { readonly ok: true; readonly records: number; readonly chains: number }
  | { readonly ok: false; readonly chain: string; readonly seq: number; readonly reason: string };

/** What the seller's operations are handed beside the store and the clock. */
export interface SellerPorts {
  readonly settings: SellerSettings;
  readonly catalog: Catalog;
  readonly probes: PriceProbes;
  readonly keyUses: KeyUses;
  readonly agents: AgentLookup;
  readonly targets: TargetGuard;
  /** Null: none is configured, and sample packages stand in. */
  readonly adServer: AdServer | null;
  readonly store: Pick<Store, "failure">;
  /** Walks the whole audit trail. */
  readonly verifyAudit: () => Promise<AuditCheck>;
}

/** What an operation of the seller is handed: caller, time, readers of rows, and its ports. */
export type SellerContext = Context<SellerPorts>;
