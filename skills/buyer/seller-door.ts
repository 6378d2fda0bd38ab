import type { z } from "zod";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { SellerWire } from "./seller-url.ts";

/** `status` is the HTTP status, 0 without an answer; `detail` one bounded line. */
export interface SellerCallFailure {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly unsupported: readonly { readonly path: string; readonly reason: string }[];
  readonly retryAfterSeconds: number | null;
  /** A 401; a 403 is a good key without the right. */
  readonly needsReauth: boolean;
  readonly sellerUrl: string;
}

export type SellerCallResult<T> = { readonly ok: true; readonly value: T } | SellerCallFailure;

export interface SellerCredential {
  readonly key: string;
  readonly headerType: "api_key" | "bearer";
}

/** `key` makes a repeated write the same write. */
export interface SellerCall {
  readonly requestId: string;
  readonly traceparent: string | null;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly mediaTypes?: readonly string[];
  /** Replaces the seller's stored key; null sends none. */
  readonly credential?: SellerCredential | null;
  /** Sent at most once: the seller does not know a repeat by its key. */
  readonly isOnce?: boolean;
}

/** The only way to sellers on every wire; every failure is a value. */
export interface SellerDoor {
  /** Of SELLER_ENDPOINTS and added by people, as it is now. */
  readonly configured: readonly string[];
  /** By SELLER_ENDPOINTS, so that no person takes it out. */
  isFixed(sellerUrl: string): boolean;
  /** As configured; null: it is found out. */
  wireOf(sellerUrl: string): SellerWire | null;
  /** Before anything is kept or sent: null, or why no request can go to this address. */
  judge(sellerUrl: string): SellerCallFailure | null;
  call<I extends z.ZodType, O extends z.ZodType>(
    sellerUrl: string,
    contract: Contract<I, O>,
    input: z.input<I>,
    of: SellerCall,
  ): Promise<SellerCallResult<z.output<O>>>;
}
