import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { safeRequestId } from "../neutral/request-id.ts";
import type { LimitState } from "../seam/ports.ts";

export const requestIdOf = (headers: IncomingHttpHeaders): string =>
  safeRequestId(headers["request-id"]) ?? randomUUID();

const traceForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** Valid per W3C Trace Context 3.2, else null. Unchanged: what a request of ours names is its own span, if any. */
export const traceparentOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers["traceparent"];
  if (typeof given !== "string" || !traceForm.test(given)) return null;
  return given.startsWith("00-") && given.length !== 55 ? null : given;
};

/** Forbids rendering and framing. */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

/** A page sets its own policy. */
export const pageHeaders = { "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer" };

const windowSeconds = 60;

/** Structured fields (IETF draft ratelimit-headers-10, sections 3 and 4). */
export const rateHeaders = ({ remaining, resetSeconds, limit }: LimitState): Record<string, string> => ({
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
  "RateLimit-Policy": `"default";q=${limit};w=${windowSeconds}`,
});

/** Any origin may read answers, never with cookies. */
export const openOrigin = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" };

const headerNames = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1024}$/;

export const preflightHeaders = (headers: IncomingHttpHeaders): Record<string, string> => {
  const asked = headers["access-control-request-headers"];
  // Its presence is what proves the console's own page.
  const isConsoles = typeof asked === "string" && /x-parley-console/i.test(asked);
  return {
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
    "Access-Control-Allow-Headers":
      typeof asked !== "string" || !headerNames.test(asked) ? "*" : isConsoles ? "X-API-Key" : asked,
    "Access-Control-Max-Age": "600",
  };
};
