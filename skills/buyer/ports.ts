import type { AgenticExtension } from "../../protocol/audience-plan/openrtb.ts";
import type { KeyUses } from "../../protocol/seam/key-use.ts";
import type { AuditPorts } from "../audit/ports.ts";
import type { BookingRow } from "./bookings/record.ts";
import type { EventEmitter } from "./events/bus.ts";
import type { DealLibrary } from "./seller-deals/record.ts";
import type { RegistryClient } from "./registry/models.ts";
import type { SellerCredential, SellerDoor } from "./seller-door.ts";
import type { Context } from "../../protocol/seam/operation.ts";

/** It never raises a price tier: the key does. */
export interface BuyerIdentity {
  readonly seat_id?: string;
  readonly agency_id?: string;
  readonly advertiser_id?: string;
  readonly dsp_platform?: string;
}

/** A ciphertext opens only under the label that it was sealed with. */
export interface Seal {
  close(text: string, label: string): string;
  /** Null for another secret, another label or foreign text. */
  open(sealed: string, label: string): string | null;
}

export interface BuyerPorts extends AuditPorts {
  readonly agenticExtension: AgenticExtension;
  readonly keyUses: KeyUses;
  /** Null when the buyer stops, or the time is over, before no worker has anything to do on the job. */
  readonly settledBooking: (jobId: string, withinMs?: number) => Promise<BookingRow | null>;
  readonly sellers: SellerDoor;
  readonly identity: BuyerIdentity;
  /** Null: without a secret no key can be stored. */
  readonly seal: Seal | null;
  /** Per origin; a stored key goes before it. */
  readonly configuredKeys: ReadonlyMap<string, SellerCredential>;
  /** For events without a commit, such as those of reads. */
  readonly events: EventEmitter;
  readonly library: DealLibrary;
  /** Null where none is configured. */
  readonly search: { readonly url: string; readonly credential: SellerCredential | null } | null;
  readonly registry: RegistryClient;
  readonly hasRegistry: boolean;
  /** Null while the store accepts writes. */
  readonly storeFailure: () => Promise<Error | null>;
  readonly agentUrl: string;
  /** One work at a time per name. */
  readonly inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

export type BuyerContext = Context<BuyerPorts>;
