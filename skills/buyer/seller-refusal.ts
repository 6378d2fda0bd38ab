import { z } from "zod";
import { refuse, type Refusal, type RefusalCode } from "../../protocol/neutral/refusals.ts";
import type { Context } from "../../protocol/seam/operation.ts";
import type { SellerCall, SellerFailure } from "./seller-door.ts";
import { readSellerAddress } from "./seller-url.ts";

export const sellerRefusals = {
  seller_unreachable: 502,
  seller_timeout: 504,
  seller_error: 502,
  auth_error: 401,
  target_not_allowed: 400,
} as const satisfies Partial<Record<RefusalCode, number>>;

const codeOf = ({ status, code }: SellerFailure): keyof typeof sellerRefusals => {
  if (code === "target_not_allowed") return "target_not_allowed";
  if (code === "timeout") return "seller_timeout";
  if (status === 401) return "auth_error";
  return status === 0 && code !== "redirect_refused" ? "seller_unreachable" : "seller_error";
};

const refusalMessage = (code: RefusalCode, failure: SellerFailure): string => {
  if (code === "seller_unreachable") return `Cannot connect to seller agent at ${failure.sellerUrl}`;
  if (code === "seller_timeout") return `The seller at ${failure.sellerUrl} did not answer in time.`;
  const status = failure.status === 0 ? "" : ` ${failure.status}`;
  return `Seller API error${status} at ${failure.sellerUrl}: ${failure.code} - ${failure.detail}`;
};

/** The seller's status, code and detail are members of the body. */
export const sellerRefusal = (failure: SellerFailure): Refusal => {
  const code = codeOf(failure);
  const seconds = failure.retryAfterSeconds;
  return refuse(code, {
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

/** Status is null where nobody answered. */
export const failureView = (url: string, failure: SellerFailure) => ({
  seller_url: url,
  error: `${failure.code}: ${failure.detail}`,
  status_code: failure.status === 0 ? null : failure.status,
});

export const sellerUrlInput = z
  .string()
  .min(1)
  .max(2048)
  .refine((text) => readSellerAddress(text) !== null, "Write the seller's http or https address, without a query.")
  .meta({ pattern: "^\\s*(([Mm][Cc][Pp]|[Aa]2[Aa])\\+)?[Hh][Tt][Tt][Pp][Ss]?://[^\\s?#]+\\s*$" })
  .describe("Address of the seller, for example https://seller.example:8000.");

export const sellerUrlOf = (text: string): string => readSellerAddress(text)?.url ?? text;

/** `act` tells several calls of one operation apart. */
export const callFrom = (context: Context, act?: string): SellerCall => ({
  requestId: context.requestId,
  traceparent: context.traceparent ?? null,
  ...(context.signal == null ? {} : { signal: context.signal }),
  ...(act === undefined ? {} : { key: `${act}-${context.effectKey()}` }),
});
