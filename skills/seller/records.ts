import { hash } from "node:crypto";
import type { ApiKeyInstance } from "../../machines/api-key/machine.ts";
import type { GatedFlow } from "../../machines/approval/gate.ts";
import { approvalDeadline, type ApprovalInstance } from "../../machines/approval/machine.ts";
import { type DealInstance, dealDeadline } from "../../machines/deal/machine.ts";
import type { CustomPrice } from "../../machines/pricing/rules.ts";
import { type QuoteInstance, quoteDeadline, quoteForgetAtMs } from "../../machines/quote/machine.ts";
import { termsDigest } from "../../machines/terms-digest/digest.ts";
import type { TrustStatus } from "../../machines/trust/statuses.ts";
import type { AudiencePlan } from "../../protocol/audience-plan/schema.ts";
import type { Role, Tier } from "../../protocol/seam/caller.ts";
import type { UsedKey } from "../../protocol/seam/key-use.ts";
import type { Kind } from "../../storage/store.ts";
import type { DealType } from "./ports.ts";
import type { AgentCard } from "./registry/card.ts";

/** What quotes and deals show of the product, as it was when the price was made. */
export interface ProductSummary {
  readonly product_id: string;
  readonly name: string;
  readonly inventory_type: string;
}

/** How the price came about; the final price itself stands in the record's life. Percentages with one decimal. */
export interface PricingRecord {
  readonly base_micros: number;
  readonly tier_discount_pct: number;
  readonly volume_discount_pct: number;
  readonly currency: string;
  readonly pricing_model: string;
  readonly rationale: string;
}

/** A member that a row leaves out where it is not set; older rows hold null there. */
type IfSet<T> = T | null | undefined;

/**
 * A quote. `life` holds status, final price and expiry; `available_impressions` is what was left when it was made
 * (absent: no cap). `revision` grows with every change, `terms_digest` follows price and terms (decisions 42 and 63).
 */
export interface QuoteRow {
  readonly quote_id: string;
  readonly owner: string;
  readonly product: ProductSummary;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
  readonly impressions: number | null;
  readonly flight_start: string;
  readonly flight_end: string;
  readonly inventory_available: boolean;
  readonly available_impressions?: IfSet<number>;
  readonly tier: Tier;
  /** The medium as the request named it; nothing depends on it. */
  readonly media_type: string;
  readonly seller_id: string;
  readonly created_at_ms: number;
  readonly status_reason?: IfSet<string>;
  readonly terms_digest: string;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly dialect?: IfSet<string>;
  readonly life: QuoteInstance;
}

/** A deal. `life` holds status, agreed terms and deadline; `wseat` is whom OpenRTB shall admit. */
export interface DealRow {
  readonly deal_id: string;
  readonly owner: string;
  /** The quote that was booked; empty where the deal comes from a proposal that named none. */
  readonly quote_id: string;
  /** The accepted proposal that was booked, if one was (decision 31). */
  readonly proposal_id?: IfSet<string>;
  readonly product: ProductSummary;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
  readonly tier: Tier;
  readonly seller_id: string;
  readonly wseat: readonly string[];
  readonly notes?: IfSet<string>;
  /** The frozen plan; it never changes, not even when the seller's capabilities do. */
  readonly audience_plan?: IfSet<AudiencePlan>;
  /** The approval that holds the deal back while `life` says that it waits (decision 26); absent: none was asked. */
  readonly approval?: IfSet<AwaitedApproval>;
  readonly created_at_ms: number;
  readonly terms_digest: string;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly dialect?: IfSet<string>;
  readonly life: DealInstance;
}

/** The buyer that a key stands for, with the names that go with the ids. */
export interface KeyIdentity {
  readonly seat_id: string | null;
  readonly seat_name: string | null;
  readonly dsp_platform: string | null;
  readonly agency_id: string | null;
  readonly agency_name: string | null;
  readonly agency_holding_company: string | null;
  readonly advertiser_id: string | null;
  readonly advertiser_name: string | null;
}

/** An API key. Only the SHA-256 of its secret is kept (decision 51); `agent_url` is the agent it is bound to (52). */
export interface ApiKeyRow extends UsedKey {
  readonly secret_sha256: string;
  readonly prefix_hint: string;
  readonly role: Role;
  readonly identity: KeyIdentity;
  readonly label: string | null;
  readonly agent_url: string | null;
  readonly approval_id: string | null;
  readonly created_at_ms: number;
  readonly life: ApiKeyInstance;
}

/** Which operator key bears a label: one row per label, so that two keys cannot take it at once. */
export interface OperatorLabelRow {
  readonly label: string;
  readonly key_id: string;
}

/** What an agent may be (wire contract 3.9). */
export const agentTypes = ["buyer", "seller", "tool_provider", "data_provider", "other"] as const;

export type AgentType = (typeof agentTypes)[number];

/** A registry that vouched for an agent, and when (seller spec, Registered agent). */
export interface RegistrySource {
  readonly registry_id: string;
  readonly registry_name: string;
  readonly registry_url: string;
  readonly external_agent_id: string | null;
  readonly verified_at: string;
}

/**
 * A registered agent. `url` is the normalised address that was discovered and the only thing that says who it is;
 * `card` is what the agent says of itself. `asked_at_ms` is when the registries were last asked.
 */
export interface AgentRow {
  readonly agent_id: string;
  readonly url: string;
  readonly trust_status: TrustStatus;
  readonly card: AgentCard;
  readonly agent_type: AgentType;
  readonly sources: readonly RegistrySource[];
  readonly registered_at_ms: number;
  readonly last_seen_ms: number;
  readonly asked_at_ms: number;
  readonly interaction_count: number;
  readonly notes: string | null;
  /** The agent's own prices while it is preferred; absent: none. */
  readonly custom_prices?: readonly CustomPrice[];
}

/**
 * A question to an operator about something that waits: `flow_type` and `subject_id` name it, `owner` is whose it is.
 * `context` is what a human decides on, `snapshot` the waiting record as it was; both are for operators alone. The
 * decision, with the proven principal, stands in `life` (decision 11). `event_id` is that of `approval.requested`.
 * `preferred` says that a preferred agent raised it, as the agent's trust was then; absent: none did.
 */
export interface ApprovalRow {
  readonly approval_id: string;
  readonly event_id: string;
  readonly flow_type: GatedFlow;
  readonly gate_name: string;
  readonly subject_id: string;
  readonly owner: string;
  readonly proposal_id: string;
  readonly deal_id: string;
  readonly created_at_ms: number;
  readonly context: Readonly<Record<string, unknown>>;
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly preferred?: boolean;
  readonly life: ApprovalInstance;
}

/** The approval that a record waits for, or waited for, and when it times out. */
export interface AwaitedApproval {
  readonly approval_id: string;
  readonly expires_at_ms: number;
}

export const quoteKind: Kind<QuoteRow> = {
  name: "quote",
  terms: (quote) => (quote.owner === "anonymous" ? [] : [quotedTerm(quote.owner, quote.product.product_id)]),
  dueAtMs: (quote) => quoteDeadline(quote.life)?.atMs ?? quoteForgetAtMs(quote.life),
  owner: (quote) => quote.owner,
};

export const dealKind: Kind<DealRow> = {
  name: "deal",
  terms: () => [],
  dueAtMs: (deal) => dealDeadline(deal.life)?.atMs ?? null,
  owner: (deal) => deal.owner,
};

/** Keys belong to themselves: a key may read and revoke itself (decision 9). */
export const apiKeyKind: Kind<ApiKeyRow> = {
  name: "api_key",
  terms: (key) => [secretTerm(key.secret_sha256)],
  dueAtMs: () => null,
  owner: (key) => `key:${key.key_id}`,
};

export const operatorLabelKind: Kind<OperatorLabelRow> = {
  name: "operator_label",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const agentKind: Kind<AgentRow> = {
  name: "agent",
  terms: (agent) => [
    agentTerm(agent.url),
    ...[
      agentsTerm({ type: agent.agent_type, status: null }),
      agentsTerm({ type: null, status: agent.trust_status }),
      agentsTerm({ type: agent.agent_type, status: agent.trust_status }),
    ].filter((term) => term !== null),
  ],
  dueAtMs: () => null,
  owner: () => null,
};

export const approvalKind: Kind<ApprovalRow> = {
  name: "approval",
  terms: (approval) => [`status=${approval.life.value}${approval.preferred === true ? "+preferred" : ""}`],
  dueAtMs: (approval) => approvalDeadline(approval.life)?.atMs ?? null,
  owner: () => null,
};

/**
 * The term under which a buyer's quotes for a product are found. Anonymous quotes have none: whoever holds the id of
 * such a quote may book it, so nobody is told the ids of others.
 */
export const quotedTerm = (owner: string, productId: string): string =>
  `quoted=[${JSON.stringify(owner)},${JSON.stringify(productId)}]`;

/** The term under which a presented secret finds its key. */
export const secretTerm = (secretSha256: string): string => `secret=${secretSha256}`;

/** The term under which a normalised URL finds its agent. */
export const agentTerm = (url: string): string => `url=${url}`;

/** The term of a list of agents that is narrowed by type, by trust or by both; null: all of them. */
export const agentsTerm = (filter: { readonly type: string | null; readonly status: string | null }): string | null => {
  if (filter.type !== null && filter.status !== null) return `type+status=${filter.type}+${filter.status}`;
  if (filter.type !== null) return `type=${filter.type}`;
  return filter.status === null ? null : `status=${filter.status}`;
};

export const sha256Hex = (text: string): string => hash("sha256", text, "hex");

/** The digest of a record's terms at a price (decision 63). */
export const digestOf = (
  record: Pick<QuoteRow, "product" | "deal_type" | "pricing">,
  terms: { priceMicros: number; impressions: number | null; flightStart: string; flightEnd: string },
): string =>
  termsDigest(
    {
      productId: record.product.product_id,
      priceMicros: terms.priceMicros,
      impressions: terms.impressions,
      flightStart: terms.flightStart,
      flightEnd: terms.flightEnd,
      dealType: record.deal_type,
      currency: record.pricing.currency,
    },
    sha256Hex,
  );

/** The ledger of a product's guaranteed impressions; its slots are UTC days (decision 59). */
export const inventoryLedger = (productId: string): string => `inventory/${productId}`;
