import type { AgenticExtension } from "../../protocol/audience-plan/openrtb.ts";
import type { KeyUses } from "../../protocol/seam/key-use.ts";
import type { BookingRow } from "./bookings/record.ts";
import type { EventEmitter } from "./events/bus.ts";
import type { DealLibrary } from "./seller-deals/record.ts";
import type { RegistryClient } from "./registry/models.ts";
import type { SellerCredential, SellerDoor } from "./seller-door.ts";

/** Who the buyer says it is. It never raises a price tier: the key does. */
export interface BuyerIdentity {
  readonly seat_id?: string;
  readonly agency_id?: string;
  readonly advertiser_id?: string;
  readonly dsp_platform?: string;
}

/** Encrypts what must not lie in the store as text; under another label than it was closed with it is unreadable. */
export interface Seal {
  close(text: string, label: string): string;
  /** Null where the ciphertext is not ours, or was made under another secret or label. */
  open(sealed: string, label: string): string | null;
}

/** What the buyer's operations are handed beside the store and the clock. */
export interface BuyerPorts {
  /** ENABLE_AGENTIC_OPENRTB_EXT and AGENTIC_OPENRTB_RATIFIED: how agentic audiences travel in OpenRTB requests. */
  readonly agenticExtension: AgenticExtension;
  readonly keyUses: KeyUses;
  /** Base URLs of the sellers that a job asks, in order. */
  readonly sellerUrls: readonly string[];
  /** Resolves with the job once no worker has anything to do on it; null when the buyer stops before. */
  readonly settledBooking: (jobId: string) => Promise<BookingRow | null>;
  readonly sellers: SellerDoor;
  readonly identity: BuyerIdentity;
  /** Null where there is no secret to encrypt with: then no key can be stored. */
  readonly seal: Seal | null;
  /** SELLER_API_KEYS: the key of each origin; a stored key goes before it. */
  readonly configuredKeys: ReadonlyMap<string, SellerCredential>;
  /** For events that belong to no commit, as those of reads. */
  readonly events: EventEmitter;
  readonly library: DealLibrary;
  /** The seller whose catalog is searched, and its own credential; null where none is configured. */
  readonly search: { readonly url: string; readonly credential: SellerCredential | null } | null;
  readonly registry: RegistryClient;
  readonly hasRegistry: boolean;
  /** Why nothing can be stored now; null while all is well. */
  readonly storeFailure: () => Promise<Error | null>;
  /** The address that this buyer registers under. */
  readonly agentUrl: string;
  /** Runs one work at a time under a name; what waits starts when the one before has ended. */
  readonly inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}
