import type { BuyerIdentity } from "../../skills/buyer/ports.ts";
import type { AampRegistry } from "./clients/aamp-registry.ts";
import type { SupplyFees } from "../../skills/buyer/bookings/record.ts";
import type { OpenDirectAccount } from "./opendirect/calls.ts";
import type { SellerWire } from "../../skills/buyer/seller-url.ts";
import type { AgenticExtension } from "../../protocol/audience-plan/openrtb.ts";

export interface SellerEndpoint {
  readonly url: string;
  readonly key: string | null;
  readonly headerType: "api_key" | "bearer";
  /** Left out or null: whichever it answers, REST first. */
  readonly wire?: SellerWire | null;
}

export interface BuyerSettings {
  readonly sellers: readonly SellerEndpoint[];
  /** BUYER_SEAT_ID, BUYER_AGENCY_ID, BUYER_ADVERTISER_ID, BUYER_DSP_PLATFORM. */
  readonly identity: BuyerIdentity;
  /** For one attempt. */
  readonly sellerTimeoutSeconds: number;
  /** `auto` sends the flat form and remembers who wants the envelope. */
  readonly sellerDialect: "auto" | "flat" | "envelope";
  /** For all calls to one seller in one job. */
  readonly researchDeadlineSeconds: number;
  readonly negotiates: boolean;
  /** SELLER_FEES, by the seller's origin. */
  readonly sellerFees: ReadonlyMap<string, SupplyFees>;
  /** 0 is off. */
  readonly eventStreamsPerCaller: number;
  readonly console: boolean;
  /** The seller of product search, and how lines are booked. */
  readonly openDirect: {
    /** Null: by quotes. */
    readonly account: OpenDirectAccount | null;
    readonly baseUrl: string | null;
    readonly apiKey: string | null;
    readonly token: string | null;
  };
  /** AGENT_REGISTRY_URL, else IAB_SERVER_URL; null: no registry. */
  readonly registryUrl: string | null;
  /** AAMP_REGISTRY_URL, in place of `registryUrl`. */
  readonly aampRegistry: AampRegistry | null;
  /** Sellers of the registry are asked beside the configured ones. */
  readonly discovers: boolean;
  /** BUYER_AGENT_URL, else where the agent listens. */
  readonly agentUrl: string;
  /** Hosts, with or without a port, that need not be public. */
  readonly outboundAllow: readonly string[];
  /** How agentic audiences travel in user.ext. */
  readonly agenticExtension: AgenticExtension;
  /** The legacy shared key (buyer spec, Inbound, rule 5). */
  readonly legacyApiKey: string | null;
}
