import type { RequestInit, Response } from "undici";
import { checkDepth } from "../neutral/json-input.ts";
import { type ClientFailure, failureOf } from "./client-result.ts";

const deepestAnswer = 64;

export type Fetch = (url: string | URL, init: RequestInit) => Promise<Response>;

export interface ExchangeParts {
  readonly fetch: Fetch;
  readonly sellerUrl: string;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export class Ended extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

const timeoutCodes = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
export const isTimeout = (code: string | null): boolean => code !== null && timeoutCodes.has(code);
const brokenCodes = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_|HPE_|Z_)/;

/** Somewhere along the chain of causes. */
export const codeOf = (error: unknown): string | null => {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth += 1) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === "string") return code;
    current = cause;
  }
  return null;
};

/** The error's own text can hold addresses and header values. */
const failureOfError = (sellerUrl: string, error: unknown): ClientFailure => {
  if (error instanceof Ended) return error.failure;
  const code = codeOf(error);
  if (code === "TARGET_NOT_ALLOWED") {
    return failureOf(sellerUrl, 0, "target_not_allowed", "The address is not a permitted public target.");
  }
  if (isTimeout(code)) return timedOut(sellerUrl);
  if (code !== null && !brokenCodes.test(code)) {
    return failureOf(sellerUrl, 0, "connect_error", `Cannot connect to ${sellerUrl} (${code}).`);
  }
  return failureOf(sellerUrl, 0, "http_error", `The connection to ${sellerUrl} broke off.`);
};

const timedOut = (sellerUrl: string): ClientFailure =>
  failureOf(sellerUrl, 0, "timeout", `${sellerUrl} did not answer in time.`);

/** Bounded after decompression, so that a small body cannot unfold into a huge one. */
export const readBody = async (parts: ExchangeParts, response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > parts.mostBytes) {
      const detail = `The answer is larger than ${parts.mostBytes} bytes.`;
      throw new Ended(failureOf(parts.sellerUrl, response.status, "response_too_large", detail));
    }
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString("utf8");
};

export const parseAnswer = (text: string): { readonly json: unknown } | null => {
  if (text.trim() === "") return { json: {} };
  try {
    checkDepth(text, deepestAnswer);
    return { json: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

/** In seconds, from number or date. */
export const retryAfterOf = (response: Response, nowMs: number): number | null => {
  const value = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const atMs = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
};

/**
 * Runs `work` until `timeoutMs` or the caller's signal; every failure is a value. `stop` ends it with that failure,
 * which a library between here and the connection could otherwise swallow.
 */
export const withinTime = async <T>(
  parts: ExchangeParts,
  work: (signal: AbortSignal, stop: (failure: ClientFailure) => void) => Promise<T>,
): Promise<T | ClientFailure> => {
  const controller = new AbortController();
  const endings: ClientFailure[] = [];
  const stop = (failure: ClientFailure): void => {
    endings.push(failure);
    controller.abort();
  };
  const timer = setTimeout(() => stop(timedOut(parts.sellerUrl)), parts.timeoutMs);
  // Many calls share the caller's signal: a listener for each would be reported as a leak.
  const signals = [controller.signal, ...(parts.signal === undefined ? [] : [parts.signal])];
  try {
    return await work(AbortSignal.any(signals), stop);
  } catch (error) {
    const [ending] = endings;
    if (ending !== undefined) return ending;
    if (parts.signal?.aborted === true) return failureOf(parts.sellerUrl, 0, "aborted", "The call was stopped.");
    return failureOfError(parts.sellerUrl, error);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
};
