import pRetry from "p-retry";
import type { ClientFailure } from "./client-result.ts";
import type { Exchanged } from "./exchange.ts";

const mostAttempts = 3;
const firstDelayMs = 200;
const longestDelayMs = 10_000;
const passing = new Set([502, 503, 504]);

export interface RetryParts {
  /** Ends early on abort. */
  readonly pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly isOnce?: boolean;
  readonly onFailure: (failure: ClientFailure, attempt: number) => void;
}

class AttemptFailed extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** 502, 503, 504 and timeouts alone (buyer spec, Outbound calls). */
const isPassing = (failure: ClientFailure): boolean =>
  passing.has(failure.status) || (failure.status === 0 && failure.code === "timeout");

/** Full jitter over a doubling bound; a 503's `Retry-After` is followed up to ten seconds. */
const delayMs = (failure: ClientFailure, attempt: number, random: () => number): number => {
  const jittered = random() * firstDelayMs * 2 ** (attempt - 1);
  const asked = failure.status === 503 ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.min(longestDelayMs, Math.max(jittered, asked));
};

/** The request, its idempotency key included, is the same on each attempt. */
export const withRetries = async (parts: RetryParts, once: () => Promise<Exchanged>): Promise<Exchanged> => {
  const attempt = async (number: number): Promise<Exchanged> => {
    const result = await once();
    if (result.ok) return result;
    parts.onFailure(result, number);
    throw new AttemptFailed(result);
  };
  try {
    return await pRetry(attempt, {
      retries: parts.isOnce === true ? 0 : mostAttempts - 1,
      minTimeout: 0,
      shouldRetry: async ({ error, attemptNumber }) => {
        if (!(error instanceof AttemptFailed) || !isPassing(error.failure)) return false;
        await parts.pause(delayMs(error.failure, attemptNumber, parts.random), parts.signal);
        return parts.signal?.aborted !== true;
      },
    });
  } catch (error) {
    if (error instanceof AttemptFailed) return error.failure;
    throw error;
  }
};
