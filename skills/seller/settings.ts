import type { ApprovalGate } from "../../machines/approval/gate.ts";
import type { PricingPolicy } from "../../machines/pricing/price.ts";
import type { AudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";
import type { AdServerSettings } from "./packages/ad-server.ts";

export interface LanguageModelSettings {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
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
