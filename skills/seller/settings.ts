import {
  flagSetting,
  httpAddressDefect,
  numberSetting,
  optionalNumber,
  type ReadSettings,
  textSetting,
} from "../../protocol/neutral/settings.ts";
import type { ApprovalGate } from "../../machines/approval/gate.ts";
import type { NegotiationLimits } from "../../machines/negotiation/limits.ts";
import type { Tier } from "../../machines/pricing/tiers.ts";
import type { PricingPolicy } from "../../machines/pricing/price.ts";
import type { AudienceCapabilities } from "../../protocol/audience-plan/capabilities.ts";
import type { AdServerSettings } from "./packages/ad-server.ts";
import type { LanguageModelSettings } from "../../protocol/neutral/language-model-settings.ts";

const domainDefect = (text: string): string | null =>
  text === "" || /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(text)
    ? null
    : "a domain is wanted, in small letters, for example news.example.";

/** Read as they stand; what an agent puts together of several is in `SellerSettings`. */
export const sellerSettings = {
  sellerId: textSetting(
    { variable: "SELLER_ORGANIZATION_ID", meaning: "Id of the selling organisation on quotes and products." },
    "seller-premium-pub-001",
  ),
  sellerName: textSetting(
    { variable: "SELLER_ORGANIZATION_NAME", meaning: "Name of the selling organisation." },
    "Default Publisher",
  ),
  agentName: textSetting({ variable: "SELLER_AGENT_NAME", meaning: "Name on the agent card." }, "Ad Seller Agent"),
  agentUrl: textSetting(
    { variable: "SELLER_AGENT_URL", meaning: "Public address of this agent; where it listens, when left empty." },
    "",
    httpAddressDefect,
  ),
  publisherDomain: textSetting(
    {
      variable: "PUBLISHER_DOMAIN",
      meaning: "Domain on which media buys run; the host of the public address, when left empty.",
    },
    "",
    domainDefect,
  ),
  testMode: flagSetting(
    {
      variable: "ADCP_TEST_MODE",
      meaning:
        "Another name of SANDBOX=true. In a sandbox buyers' tests may put products and states in, and keys " +
        "demo-NAME-vN are taken.",
    },
    false,
  ),
  creativeAutoApprove: flagSetting(
    {
      variable: "CREATIVE_AUTO_APPROVE",
      meaning: "True: creatives are approved when they are sent; else by an operator.",
    },
    false,
  ),
  measurementVariancePct: numberSetting(
    {
      variable: "MEASUREMENT_VARIANCE_PCT",
      meaning: "Least variance between two measurements that a media buy may agree on, in percent.",
    },
    5,
    { min: 0, max: 100 },
  ),
  quoteTtlSeconds: numberSetting(
    { variable: "QUOTE_TTL_SECONDS", meaning: "How long a quote holds its price." },
    86_400,
    { min: 1, max: 31_536_000, whole: true },
  ),
  sessionTtlSeconds: numberSetting({ variable: "SESSION_TTL_SECONDS", meaning: "How long a session lives." }, 604_800, {
    min: 1,
    max: 31_536_000,
    whole: true,
  }),
  sessionMaxMessages: numberSetting(
    { variable: "SESSION_MAX_MESSAGES", meaning: "How many messages a session holds, both sides counted." },
    500,
    { min: 2, max: 500, whole: true },
  ),
  dealProposalTtlDays: numberSetting(
    { variable: "DEAL_PROPOSAL_TTL_DAYS", meaning: "How long a booked deal waits for its activation." },
    30,
    { min: 0.000001, max: 3650 },
  ),
  priceProbeLimit: numberSetting(
    { variable: "PRICE_PROBE_LIMIT", meaning: "Own price wishes an hour of one buyer on one product; 0 is off." },
    100,
    { min: 0, max: 10_000_000, whole: true },
  ),
  apiKeyAuthEnabled: flagSetting(
    { variable: "API_KEY_AUTH_ENABLED", meaning: "False: keys are ignored and every caller is public." },
    true,
  ),
  apiKeyDefaultExpiryDays: optionalNumber(
    { variable: "API_KEY_DEFAULT_EXPIRY_DAYS", meaning: "Expiry of a key whose request names none." },
    { min: 1, max: 36_500 },
  ),
  requireApprovalForUnregistered: flagSetting(
    {
      variable: "REQUIRE_APPROVAL_FOR_UNREGISTERED",
      meaning: "True: a key made without an operator stays public until an operator approves it.",
    },
    true,
  ),
  approvalTimeoutHours: numberSetting(
    { variable: "APPROVAL_TIMEOUT_HOURS", meaning: "How long a question to an operator stays open." },
    24,
    { min: 0.0001, max: 8760 },
  ),
  agentRegistryEnabled: flagSetting(
    { variable: "AGENT_REGISTRY_ENABLED", meaning: "False: a named agent reaches the public tier only." },
    true,
  ),
  autoApproveRegisteredAgents: flagSetting(
    {
      variable: "AUTO_APPROVE_REGISTERED_AGENTS",
      meaning: "False: an agent that a registry knows stays unknown until an operator acts.",
    },
    true,
  ),
  eventRetentionDays: numberSetting(
    { variable: "EVENT_RETENTION_DAYS", meaning: "How long events can be read; webhooks need them for four days." },
    90,
    { min: 4, max: 3650 },
  ),
  mostActivePackages: numberSetting(
    { variable: "MAX_ACTIVE_PACKAGES", meaning: "How many packages may be active at once; a search sees them all." },
    5000,
    { min: 1, max: 50_000, whole: true },
  ),
} as const;

/** Of the others, each member names its variables. */
export interface SellerSettings extends ReadSettings<typeof sellerSettings> {
  readonly pricing: PricingPolicy;
  /** SANDBOX: marks every record. */
  readonly sandbox: boolean;
  /** How far talks go that begin from now on. */
  readonly negotiation: Readonly<Record<Tier, NegotiationLimits>>;
  /** The variables that the environment sets: no person changes them. */
  readonly given: ReadonlySet<string>;
  /** APPROVAL_GATE_ENABLED, APPROVAL_REQUIRED_FLOWS, APPROVAL_REQUIRED_ABOVE_VALUE */
  readonly approvalGate: ApprovalGate;
  /** AGENT_REGISTRY_URL, then AGENT_REGISTRY_EXTRA_URLS */
  readonly agentRegistryUrls: readonly string[];
  /** AAMP_REGISTRY_URL, AAMP_REGISTRY_AUTH_TOKEN */
  readonly aampRegistry: { readonly url: string; readonly token: string | null } | null;
  /** EVENT_STREAMS_PER_CALLER; 0: any number. */
  readonly eventStreamsPerCaller: number;
  readonly console: boolean;
  /** OUTBOUND_ALLOW: hosts, with or without a port, that need not be public. */
  readonly outboundAllow: readonly string[];
  /** The agent card declares the same. */
  readonly audience: AudienceCapabilities;
  /** AD_SERVER_TYPE, CSV_DATA_DIR, AD_SERVER_FEED_URL, AD_SERVER_FEED_TOKEN, INVENTORY_SYNC_INCLUDE_ARCHIVED */
  readonly adServer: AdServerSettings;
  /** INVENTORY_SYNC_ENABLED, INVENTORY_SYNC_INTERVAL_MINUTES */
  readonly inventorySync: { readonly enabled: boolean; readonly intervalMinutes: number };
  /** LLM_BASE_URL, LLM_MODEL, LLM_API_KEY, LLM_TIMEOUT_MS; null: the grammar alone reads text. */
  readonly languageModel: LanguageModelSettings | null;
  /** RATE_LIMIT_PER_MINUTE, per principal; 0: off. */
  readonly rateLimitPerMinute: number;
  /** RATE_LIMIT_ANONYMOUS_PER_MINUTE, per address; 0: off. */
  readonly rateLimitAnonymousPerMinute: number;
}
