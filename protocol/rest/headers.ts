import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { safeRequestId } from "../neutral/request-id.ts";
import type { LimitState } from "../seam/ports.ts";

/** The caller's request id where it is a safe one, else one of ours. */
export const requestIdOf = (headers: IncomingHttpHeaders): string =>
  safeRequestId(headers["request-id"]) ?? randomUUID();

const traceForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * The caller's `traceparent` if it is valid (W3C Trace Context 3.2), else null. It is passed on unchanged, because we
 * record no span of our own that could be its child's parent.
 */
export const traceparentOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers["traceparent"];
  if (typeof given !== "string" || !traceForm.test(given)) return null;
  return given.startsWith("00-") && given.length !== 55 ? null : given;
};

/** The policy of an answer that no browser has a reason to render; it forbids framing as `X-Frame-Options` did. */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

/** What the answers of doors and pages carry besides; a page sets a policy of its own. */
export const pageHeaders = { "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer" };

/** Length of the limiter's window in seconds: limits are stated per minute. */
const windowSeconds = 60;

/** `RateLimit` and `RateLimit-Policy` as structured fields (IETF draft ratelimit-headers-10, sections 3 and 4). */
export const rateHeaders = ({ remaining, resetSeconds, limit }: LimitState): Record<string, string> => ({
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
  "RateLimit-Policy": `"default";q=${limit};w=${windowSeconds}`,
});

/** Any origin may read what an agent answers to browsers elsewhere, but never with cookies. */
export const openOrigin = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" };

const headerNames = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1024}$/;

/** The answer to a preflight: the five methods, and the headers that were asked for. */
export const preflightHeaders = (headers: IncomingHttpHeaders): Record<string, string> => {
  const asked = headers["access-control-request-headers"];
  return {
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": typeof asked === "string" && headerNames.test(asked) ? asked : "*",
    "Access-Control-Max-Age": "600",
  };
};
