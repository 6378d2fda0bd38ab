import pRetry from "p-retry";
import type { ClientFailure } from "./client-result.ts";
import type { Exchanged } from "./exchange.ts";

/** Three attempts in all (decision 39). */
const mostAttempts = 3;
const firstDelayMs = 200;
const longestDelayMs = 10_000;
const passing = new Set([502, 503, 504]);

export interface RetryParts {
  /** Waits; ends early when the signal is aborted. */
  readonly pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 (included) to 1 (excluded). */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onFailure: (failure: ClientFailure, attempt: number) => void;
}

class AttemptFailed extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Only what may pass by itself is tried again: 502, 503, 504 and a timeout (buyer spec, Outbound calls). */
const isPassing = (failure: ClientFailure): boolean =>
  passing.has(failure.status) || (failure.status === 0 && failure.code === "timeout");

/** Full jitter over a doubling bound; a 503 that says when to come back is believed up to ten seconds. */
const delayMs = (failure: ClientFailure, attempt: number, random: () => number): number => {
  const jittered = random() * firstDelayMs * 2 ** (attempt - 1);
  const asked = failure.status === 503 ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.min(longestDelayMs, Math.max(jittered, asked));
};

/** Runs one exchange up to three times. The request does not change between attempts, its idempotency key included. */
export const withRetries = async (parts: RetryParts, once: () => Promise<Exchanged>): Promise<Exchanged> => {
  const attempt = async (number: number): Promise<Exchanged> => {
    const result = await once();
    if (result.ok) return result;
    parts.onFailure(result, number);
    throw new AttemptFailed(result);
  };
  try {
    return await pRetry(attempt, {
      retries: mostAttempts - 1,
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
