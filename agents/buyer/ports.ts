import type { BuyerIdentity } from "../../skills/buyer/ports.ts";
import type { AgenticExtension } from "../../protocol/audience-plan/openrtb.ts";

/** A seller as it is configured: its base URL and the credential for it (buyer spec, Outbound, rules 1 and 2). */
export interface SellerEndpoint {
  readonly url: string;
  readonly key: string | null;
  /** How the key is sent: `X-Api-Key`, or `Authorization: Bearer`. */
  readonly headerType: "api_key" | "bearer";
}

/** Everything a buyer operator may set. Each member names its variable. */
export interface BuyerSettings {
  /** SELLER_ENDPOINTS with their keys, in order. */
  readonly sellers: readonly SellerEndpoint[];
  /** BUYER_SEAT_ID, BUYER_AGENCY_ID, BUYER_ADVERTISER_ID, BUYER_DSP_PLATFORM. */
  readonly identity: BuyerIdentity;
  /** SELLER_TIMEOUT_SECONDS, for one attempt. */
  readonly sellerTimeoutSeconds: number;
  /** SELLER_DIALECT: `auto` asks in the flat form and remembers who wants the envelope. */
  readonly sellerDialect: "auto" | "flat" | "envelope";
  /** RESEARCH_DEADLINE_SECONDS, for all that one seller is asked for one job. */
  readonly researchDeadlineSeconds: number;
  /** NEGOTIATION_ENABLED: whether lower prices are asked for. */
  readonly negotiates: boolean;
  /** EVENT_STREAMS_PER_CALLER; 0 is off. */
  readonly eventStreamsPerCaller: number;
  /** OPENDIRECT_BASE_URL, OPENDIRECT_API_KEY and OPENDIRECT_TOKEN: the seller of product search. */
  readonly openDirect: {
    readonly baseUrl: string | null;
    readonly apiKey: string | null;
    readonly token: string | null;
  };
  /** AGENT_REGISTRY_URL, else IAB_SERVER_URL; null: no registry is asked. */
  readonly registryUrl: string | null;
  /** BUYER_AGENT_URL, else where the agent listens. */
  readonly agentUrl: string;
  /** OUTBOUND_ALLOW: hosts, with or without a port, that need not be public. */
  readonly outboundAllow: readonly string[];
  /** ENABLE_AGENTIC_OPENRTB_EXT and AGENTIC_OPENRTB_RATIFIED: how agentic audiences travel in user.ext. */
  readonly agenticExtension: AgenticExtension;
  /** API_KEY: the legacy shared key; null where none is set (buyer spec, Inbound, rule 5). */
  readonly legacyApiKey: string | null;
}
