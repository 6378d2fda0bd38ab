import type { ApprovalGate } from "../../machines/approval/gate.ts";
import type { PricingPolicy } from "../../machines/pricing/price.ts";
import type { AudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";

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
  get(productId: string): Product | null;
  page(query: CatalogQuery): { readonly products: readonly Product[]; readonly total: number };
}

/** Counts how often a buyer asks for a price of his own on one product (decision 43). */
export interface PriceProbes {
  take(buyer: string, productId: string): Promise<{ readonly allowed: boolean; readonly retryAfterSeconds: number }>;
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
  /** What the seller can do with audience plans; its agent card declares the same. */
  readonly audience: AudienceCapabilities;
  /** RATE_LIMIT_PER_MINUTE, per principal; 0: off (decisions 19, 32, 68). */
  readonly rateLimitPerMinute: number;
  /** RATE_LIMIT_ANONYMOUS_PER_MINUTE, per address; 0: off. */
  readonly rateLimitAnonymousPerMinute: number;
}

/** What the seller's operations are handed beside the store and the clock. */
export interface SellerPorts {
  readonly settings: SellerSettings;
  readonly catalog: Catalog;
  readonly probes: PriceProbes;
}
