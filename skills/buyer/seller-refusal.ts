import { z } from "zod";
import {
  passedOnStatuses,
  type Refusal,
  type RefusalCode,
  refusalTable,
  refuse,
} from "../../protocol/neutral/refusals.ts";
import { seenText } from "../../protocol/neutral/seen-text.ts";
import type { Context } from "../../protocol/seam/operation.ts";
import type { SellerCall, SellerCallFailure } from "./seller-door.ts";
import { readSellerAddress, sellerAddressPattern } from "./seller-url.ts";

export const catalogRefusals = {
  seller_unreachable: 502,
  seller_timeout: 504,
  seller_error: 502,
  auth_error: 401,
  target_not_allowed: 400,
} as const satisfies Partial<Record<RefusalCode, number>>;

export const sellerRefusals = { ...catalogRefusals, seller_refused: refusalTable.seller_refused.status } as const;

const ownCodes: Readonly<Record<string, RefusalCode>> = {
  target_not_allowed: "target_not_allowed",
  timeout: "seller_timeout",
  invalid_request: "validation_error",
  redirect_refused: "seller_error",
  response_too_large: "seller_error",
  invalid_response: "seller_error",
};

const codeOf = ({ status, code }: SellerCallFailure): RefusalCode => {
  const own = Object.hasOwn(ownCodes, code) ? ownCodes[code] : undefined;
  if (own !== undefined && status < 400) return own;
  if (status === 401) return "auth_error";
  if (passedOnStatuses.includes(status)) return "seller_refused";
  return status === 0 ? "seller_unreachable" : "seller_error";
};

const refusalMessage = (code: RefusalCode, failure: SellerCallFailure): string => {
  if (code === "seller_unreachable") return `Cannot connect to seller agent at ${failure.sellerUrl}`;
  if (code === "seller_timeout") return `The seller at ${failure.sellerUrl} did not answer in time.`;
  if (code === "validation_error") return `Nothing was sent to the seller: ${failure.detail}`;
  const status = failure.status === 0 ? "" : ` ${failure.status}`;
  return `Seller API error${status} at ${failure.sellerUrl}: ${seenText(`${failure.code} - ${failure.detail}`)}`;
};

/**
 * The seller's status, code and detail are members of the body. What it refuses for good goes out under its own
 * status; `absent` is the code of an operation that names what the seller does not have.
 */
export const sellerRefusal = (failure: SellerCallFailure, absent: RefusalCode = "seller_refused"): Refusal => {
  const found = codeOf(failure);
  const code = found === "seller_refused" && failure.status === 404 ? absent : found;
  const seconds = failure.retryAfterSeconds;
  return refuse(code, {
    ...(code === "seller_refused" ? { status: failure.status } : {}),
    message: refusalMessage(code, failure),
    extras: {
      seller_url: failure.sellerUrl,
      status_code: failure.status === 0 ? null : failure.status,
      seller_code: failure.code,
      seller_detail: failure.detail,
      needs_reauth: failure.needsReauth,
      ...(failure.unsupported.length === 0 ? {} : { unsupported: failure.unsupported }),
    },
    ...(seconds === null || code !== "seller_error" ? {} : { retryAfterSeconds: seconds }),
  });
};

/** Of a catalog: whatever its seller answers but a list is 502 (buyer spec, Product search errors). */
export const catalogRefusal = (failure: SellerCallFailure): Refusal => {
  const { status: _status, ...refusal } = sellerRefusal(failure);
  return refusal.code === "seller_refused" ? { ...refusal, code: "seller_error" } : refusal;
};

/** Status is null where nobody answered. */
export const failureView = (url: string, failure: SellerCallFailure) => ({
  seller_url: url,
  error: `${failure.code}: ${failure.detail}`,
  status_code: failure.status === 0 ? null : failure.status,
});

export const sellerUrlInput = z
  .string()
  .min(1)
  .max(2048)
  .refine((text) => readSellerAddress(text) !== null, "Write the seller's http or https address, without a query.")
  .meta({ pattern: sellerAddressPattern })
  .describe("Address of the seller, for example https://seller.example:8000.");

export const sellerUrlOf = (text: string): string => readSellerAddress(text)?.url ?? text;

/** `act` tells several calls of one operation apart. */
export const callFrom = (context: Context, act?: string): SellerCall => ({
  requestId: context.requestId,
  traceparent: context.traceparent ?? null,
  ...(context.signal == null ? {} : { signal: context.signal }),
  ...(act === undefined ? {} : { key: `${act}-${context.effectKey()}` }),
});
