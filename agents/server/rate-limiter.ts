import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Caller } from "../../protocol/seam/caller.ts";
import type { LimitState, RateLimiter } from "../../protocol/seam/ports.ts";
import type { RateLimits } from "./server-settings.ts";

const mostOwnCounters = 100_000;
const sharedCounters = 1_024;

/** Fixed windows; beyond a bound new keys share counters. */
export interface Window {
  take(key: string): Promise<LimitState>;
  standing(key: string): Promise<LimitState>;
}

const bucketOf = (key: string): string =>
  `shared:${createHash("sha256").update(key).digest().readUInt32BE(0) % sharedCounters}`;

/** Bounds memory: beyond `ownCounters` keys newcomers share counters, so that a flood limits itself. */
export const createWindow = (limit: number, seconds: number, ownCounters = mostOwnCounters): Window => {
  // No prefix: it would be one more text to build and hash per request.
  const counters = new RateLimiterMemory({ points: limit, duration: seconds, keyPrefix: "" });
  let known = new Set<string>();
  let startedMs = Date.now();
  const counterOf = (key: string): string => {
    const nowMs = Date.now();
    if (nowMs - startedMs >= seconds * 1000) {
      known = new Set();
      startedMs = nowMs;
    }
    if (known.has(key)) return key;
    if (known.size >= ownCounters) return bucketOf(key);
    known.add(key);
    return key;
  };
  const stateOf = (allowed: boolean, count: RateLimiterRes): LimitState => ({
    allowed,
    limit,
    remaining: count.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(count.msBeforeNext / 1000)),
  });
  const allowed = (count: RateLimiterRes): LimitState => stateOf(true, count);
  const refused = (count: unknown): LimitState => {
    if (count instanceof RateLimiterRes) return stateOf(false, count);
    throw count;
  };
  return {
    take: (key) => counters.consume(counterOf(key)).then(allowed, refused),
    standing: async (key) => {
      const count = await counters.get(known.has(key) ? key : bucketOf(key));
      return count === null
        ? { allowed: true, limit, remaining: limit, resetSeconds: seconds }
        : stateOf(count.remainingPoints > 0, count);
    },
  };
};

const unlimited = Promise.resolve(null);

/** Requests a minute per principal, and per address of anonymous callers; 0: no limit. */
export const createRateLimiter = (limits: RateLimits, ownCounters = mostOwnCounters): RateLimiter => {
  const windowFor = (limit: number): Window | null => (limit === 0 ? null : createWindow(limit, 60, ownCounters));
  const named = windowFor(limits.rateLimitPerMinute);
  const anonymous = windowFor(limits.rateLimitAnonymousPerMinute);
  const windowOf = (caller: Caller): Window | null =>
    caller.kind === "anonymous" ? anonymous : caller.kind === "host" ? null : named;
  return {
    take: (caller) => windowOf(caller)?.take(caller.limitKey) ?? unlimited,
    standing: (caller) => windowOf(caller)?.standing(caller.limitKey) ?? unlimited,
  };
};
