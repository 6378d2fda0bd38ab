import type { ApprovalGate } from "../../machines/approval/gate.ts";
import type { AcceptFrom } from "../../machines/pricing/accept-from.ts";
import type { PricingPolicy } from "../../machines/pricing/price.ts";
import type { AudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";
import type { KeyUses } from "../../protocol/seam/key-use.ts";
import type { Store } from "../../storage/store.ts";
import type { Context } from "../../protocol/seam/operation.ts";
import type { DayCounter } from "./oversight/day-counts.ts";

/** Seller spec, Deal types. */
export const dealTypes = ["PG", "PD", "PA"] as const;

export type DealType = (typeof dealTypes)[number];

type Targeting = Readonly<Record<string, readonly string[]>>;

/**
 * Both prices null: never quoted. `floor_cpm_micros` and `accept_from` are the seller's secrets. `maximum_impressions`
 * caps each day's guaranteed volume.
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
  readonly accept_from?: AcceptFrom | null;
  readonly currency: string;
  readonly minimum_impressions: number;
  readonly maximum_impressions: number | null;
  /** The day from which on its price was set by an operator: of the flight's start, or of the booking. */
  readonly priced_from?: { readonly by: "flight" | "booking"; readonly slot: number };
  readonly audience_targeting: Targeting | null;
  readonly content_targeting: Targeting | null;
  readonly ad_product_targeting: Targeting | null;
}

/** Empty `inventoryTypes`: all. `flightSlot` as of `get`. */
export interface CatalogQuery {
  readonly flightSlot?: number;
  readonly inventoryTypes: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** Look-ups and pages cost the same however large the catalog is. */
export interface Catalog {
  readonly inventoryTypes: readonly string[];
  readonly currencies: readonly string[];
  /** With the terms of flights that start on this day, booked today; for none or a past one, today. */
  get(productId: string, flightSlot?: number | null): Product | null;
  page(query: CatalogQuery): { readonly products: readonly Product[]; readonly total: number };
}

/** `changedAt` (ISO 8601) null where the ad server does not say. */
export interface AdServerItem {
  readonly itemId: string;
  readonly name: string;
  readonly inventoryType: string;
  readonly isArchived: boolean;
  readonly changedAt: string | null;
}

/** `message` is a sentence for the operator, without a credential. */
export type AdServerReading =
  | { readonly ok: true; readonly items: readonly AdServerItem[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * `read` returns everything, or what changed since a time, archived items included. Never throws for the ad server's
 * failures.
 */
export interface AdServer {
  /** Part of package ids: lower-case letters and hyphens. */
  readonly source: string;
  read(changedSince: string | null): Promise<AdServerReading>;
}

export type AdServerSettings =
  | { readonly type: "none" }
  | { readonly type: "csv"; readonly dir: string; readonly includeArchived: boolean }
  | {
      readonly type: "http";
      readonly feedUrl: string;
      readonly token: string | null;
      readonly includeArchived: boolean;
    };

export interface LanguageModelSettings {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
}

/** Many tries at a price would find the floor. */
export interface PriceProbes {
  take(buyer: string, productId: string): Promise<{ readonly allowed: boolean; readonly retryAfterSeconds: number }>;
}

export interface VouchingRegistry {
  /** Derived from the registry's address, so that it stays the same. */
  readonly registry_id: string;
  readonly registry_name: string;
  readonly registry_url: string;
  readonly external_agent_id: string | null;
}

/** Not validated yet. */
export type FetchedCard =
  | { readonly ok: true; readonly card: unknown }
  | { readonly ok: false; readonly reason: "target_not_allowed" | "unavailable" };

/** Outbound, so guarded. `traceparent` goes with each request. */
export interface AgentLookup {
  /** Without any look-up. */
  isPermitted(agentUrl: string): boolean;
  fetchCard(agentUrl: string, traceparent: string | null): Promise<FetchedCard>;
  /** A registry that fails to answer does not vouch. */
  askRegistries(agentUrl: string, traceparent: string | null): Promise<readonly VouchingRegistry[]>;
}

/** A private address is refused for discovery, webhooks, push and sessions alike. */
export interface TargetGuard {
  /** With `asksResolver` a name counts as what it resolves to now. */
  isPermitted(url: string, how: { readonly asksResolver: boolean }): Promise<boolean>;
}

/** Each member names its variable. */
export interface SellerSettings {
  /** SELLER_ORGANIZATION_ID */
  readonly sellerId: string;
  /** SELLER_ORGANIZATION_NAME */
  readonly sellerName: string;
  /** SELLER_AGENT_NAME */
  readonly agentName: string;
  /** SELLER_AGENT_URL */
  readonly agentUrl: string;
  /** SANDBOX: marks every record made while it is on. */
  readonly sandbox: boolean;
  readonly pricing: PricingPolicy;
  /** QUOTE_TTL_SECONDS */
  readonly quoteTtlSeconds: number;
  /** SESSION_TTL_SECONDS */
  readonly sessionTtlSeconds: number;
  /** SESSION_MAX_MESSAGES: both halves of an exchange count. */
  readonly sessionMaxMessages: number;
  /** DEAL_PROPOSAL_TTL_DAYS */
  readonly dealProposalTtlDays: number;
  /** PRICE_PROBE_LIMIT an hour, per buyer and product; 0: off. */
  readonly priceProbeLimit: number;
  /** API_KEY_AUTH_ENABLED; false: all callers are public. */
  readonly apiKeyAuthEnabled: boolean;
  /** API_KEY_DEFAULT_EXPIRY_DAYS; null: never. */
  readonly apiKeyDefaultExpiryDays: number | null;
  /** REQUIRE_APPROVAL_FOR_UNREGISTERED; false: claimed identities count at once. */
  readonly requireApprovalForUnregistered: boolean;
  /** APPROVAL_GATE_ENABLED, APPROVAL_REQUIRED_FLOWS, APPROVAL_REQUIRED_ABOVE_VALUE */
  readonly approvalGate: ApprovalGate;
  /** APPROVAL_TIMEOUT_HOURS */
  readonly approvalTimeoutHours: number;
  /** AGENT_REGISTRY_ENABLED; false: every named agent is `public`. */
  readonly agentRegistryEnabled: boolean;
  /** AGENT_REGISTRY_URL, then AGENT_REGISTRY_EXTRA_URLS */
  readonly agentRegistryUrls: readonly string[];
  /** AAMP_REGISTRY_URL, AAMP_REGISTRY_AUTH_TOKEN */
  readonly aampRegistry: { readonly url: string; readonly token: string | null } | null;
  /** AUTO_APPROVE_REGISTERED_AGENTS; false: a listed agent stays unknown until an operator acts. */
  readonly autoApproveRegisteredAgents: boolean;
  /** EVENT_RETENTION_DAYS */
  readonly eventRetentionDays: number;
  /** EVENT_STREAMS_PER_CALLER; 0: any number. */
  readonly eventStreamsPerCaller: number;
  readonly console: boolean;
  /** OUTBOUND_ALLOW: hosts, with or without a port, that need not be public. */
  readonly outboundAllow: readonly string[];
  /** The agent card declares the same. */
  readonly audience: AudienceCapabilities;
  /** MAX_ACTIVE_PACKAGES */
  readonly mostActivePackages: number;
  /** AD_SERVER_TYPE, CSV_DATA_DIR, AD_SERVER_FEED_URL, AD_SERVER_FEED_TOKEN, INVENTORY_SYNC_INCLUDE_ARCHIVED */
  readonly adServer: AdServerSettings;
  /** INVENTORY_SYNC_ENABLED, INVENTORY_SYNC_INTERVAL_MINUTES */
  readonly inventorySync: { readonly enabled: boolean; readonly intervalMinutes: number };
  /** LLM_BASE_URL, LLM_MODEL, LLM_API_KEY, LLM_TIMEOUT_MS; null: text is read by rules alone. */
  readonly languageModel: LanguageModelSettings | null;
  /** RATE_LIMIT_PER_MINUTE, per principal; 0: off. */
  readonly rateLimitPerMinute: number;
  /** RATE_LIMIT_ANONYMOUS_PER_MINUTE, per address; 0: off. */
  readonly rateLimitAnonymousPerMinute: number;
}

/** On a fault, the first record that does not fit. */
export type AuditCheck =
  | { readonly ok: true; readonly records: number; readonly chains: number }
  | { readonly ok: false; readonly chain: string; readonly seq: number; readonly reason: string };

export interface SellerPorts {
  readonly settings: SellerSettings;
  readonly catalog: Catalog;
  readonly probes: PriceProbes;
  readonly keyUses: KeyUses;
  readonly dayCounts: DayCounter;
  readonly agents: AgentLookup;
  readonly targets: TargetGuard;
  /** Null: sample packages stand in. */
  readonly adServer: AdServer | null;
  readonly store: Pick<Store, "failure" | "auditHeads" | "auditTrailBack">;
  readonly verifyAudit: () => Promise<AuditCheck>;
}

export type SellerContext = Context<SellerPorts>;
