import type { z } from "zod";
import type { Contract } from "../../protocol/seam/operation.ts";

/** A call to a seller that failed. `status` is its HTTP status, 0 where nobody answered; `detail` one bounded line. */
export interface SellerFailure {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The parts of an audience plan that the seller cannot serve. */
  readonly unsupported: readonly { readonly path: string; readonly reason: string }[];
  readonly retryAfterSeconds: number | null;
  /** The seller refused the key (401); a 403 is a good key without the right. */
  readonly needsReauth: boolean;
  readonly sellerUrl: string;
}

export type SellerAnswer<T> = { readonly ok: true; readonly value: T } | SellerFailure;

/** A key for a seller, and how it is sent: as `X-Api-Key`, or as `Authorization: Bearer`. */
export interface SellerCredential {
  readonly key: string;
  readonly headerType: "api_key" | "bearer";
}

/** What a call is made for. `key` makes a repeated write the same write. */
export interface SellerCall {
  readonly requestId: string;
  readonly traceparent: string | null;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly mediaTypes?: readonly string[];
  /** Instead of the seller's stored key; null sends none. */
  readonly credential?: SellerCredential | null;
}

/** The one way to sellers, whatever wire they speak: typed by their contract, every failure a value, no throw. */
export interface SellerDoor {
  /** The sellers of `SELLER_ENDPOINTS` in their order. */
  readonly configured: readonly string[];
  call<I extends z.ZodType, O extends z.ZodType>(
    sellerUrl: string,
    contract: Contract<I, O>,
    input: z.input<I>,
    of: SellerCall,
  ): Promise<SellerAnswer<z.output<O>>>;
}
